"""How good is advice without labels? `python benchmarks/advise.py [DATASET…]`, on the paper's six labelled graphs.

Every candidate is scored with labels, as the paper does (one-vs-rest logistic regression, 80 % to train on, micro-F1 or
accuracy), over --splits random splits. Regret is how far a choice stays behind the best of all candidates: the advice,
the paper's favourite, and a candidate drawn at random. The rule was settled while looking at PPI, Wikipedia
(positional), Brazil and Europe (structural); BlogCatalog and USA were not looked at. That a stable design within a
point is taken came later, after a look at the three structural ones.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from scipy.stats import spearmanr

from phusion import datasets
from phusion.advice.advise import advise
from phusion.advice.candidates import Candidate, candidates_for
from phusion.errors import MethodWarning
from phusion.evaluation.node_classification import NodeClassification
from phusion.execution.resources import Resources
from phusion.experiments.reading import paper_studies
from phusion.graph.graph import Graph
from phusion.together import embed_together

KINDS = {
    "brazil": "structural",
    "europe": "structural",
    "usa": "structural",
    "ppi": "positional",
    "wikipedia": "positional",
    "blogcatalog": "positional",
}
FAVOURITES = {"positional": "ppmi → log", "structural": "heat → identity"}
"""NetMF, and GraphWave."""


def scores_of(graph: Graph, candidates: list[Candidate], splits: int) -> dict[str, float]:
    """Each candidate's score with labels, in percent."""
    task = NodeClassification(splits=splits)
    found = {}
    for proximity in dict.fromkeys(one.spec.proximity for one in candidates):
        some = [one for one in candidates if one.spec.proximity == proximity]
        made = embed_together(graph, [one.spec for one in some], Resources(precision="single"))
        for one, embedding in zip(some, made, strict=True):
            found[one.words] = float(np.mean(task.score(embedding.values, graph.labels, 0)["micro_f1"]))
    return found


def row(name: str, splits: int) -> str:
    """One line of the table."""
    graph, kind = datasets.load(name), KINDS[name]
    order = getattr(advise(graph, kind), kind).tried
    scores = scores_of(graph, candidates_for(graph, kind), splits)
    best = max(scores, key=lambda words: scores[words])
    ranked = sorted(scores.values(), reverse=True)
    told = [one.measures.told for one in order]
    link = float(spearmanr(told, [scores[one.candidate.words] for one in order]).statistic)
    cells = [name, kind]
    for words in (order[0].candidate.words, FAVOURITES[kind]):
        rank = 1 + ranked.index(scores[words])
        cells.append(f"{words}: {scores[words]:.2f}, regret {scores[best] - scores[words]:.2f}, rank {rank}")
    cells.append(f"regret {scores[best] - np.mean(ranked):.2f}, rank {(len(ranked) + 1) / 2:g}")
    cells += [f"{best}: {scores[best]:.2f}", f"{link:.2f}"]
    return "| " + " | ".join(cells) + " |"


def landmarks(name: str, splits: int) -> str:
    """The paper's 35 structural designs with its landmarks up to 100, and with those that fit: one line."""
    graph = datasets.load(name)
    designs = paper_studies()["rank_struc"].designs("corrected")
    cells = [name]
    for upper in (100.0, "auto"):
        candidates = [Candidate("structural", each.spec.replace(embedding__upper=upper)) for each in designs]
        scores = scores_of(graph, candidates, splits)
        best = max(scores, key=lambda words: scores[words])
        cells += [f"{np.mean(list(scores.values())):.2f}", f"{scores[best]:.2f} ({best})"]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", default=list(KINDS))
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--landmarks", action="store_true", help="compare landmarks up to 100 with automatic ones")
    given = parser.parse_args()
    warnings.simplefilter("ignore", MethodWarning)
    if given.landmarks:
        print("| data | mean, up to 100 | best, up to 100 | mean, auto | best, auto |")
        print("|---|---|---|---|---|", flush=True)
        for name in given.datasets:
            if KINDS[name] == "structural":
                print(landmarks(name, given.splits), flush=True)
        return
    print("| data | kind | advice | the paper's favourite | at random | best of 35 | rank correlation |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in given.datasets:
        print(row(name, given.splits), flush=True)


if __name__ == "__main__":
    main()
