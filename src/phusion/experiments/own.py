"""The paper's 35 designs, seven Ψ by five σ, on a graph of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phusion.component import resolve
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.experiments.pace import Progress
from phusion.experiments.reading import paper_studies
from phusion.experiments.runner import Outcome, run_studies
from phusion.experiments.study import Study, study_of
from phusion.experiments.tables import Score, scores_of
from phusion.graph.graph import Graph
from phusion.output import scratch_folder

__all__ = ["KINDS", "LIMIT", "Grid", "classified", "row_distributions"]

KINDS = {"positional": "rank_prox", "structural": "rank_struc"}
"""Kind of embedding → the paper's study whose designs it has."""
LIMIT = 20_000
"""Nodes up to which it is done unasked: all entries of an n × n matrix are looked at, dozens of times."""
_ROWS = "rows_positional"


@dataclass(frozen=True)
class Grid:
    """What became of each design.

    Attributes
    ----------
    proximities, nonlinearities : the labels of rows and columns.
    scores : (Ψ, σ) → its score; none for a Ψ that does not take the graph.
    refused : Ψ → why it does not take the graph.
    outcome : what the run did.
    """

    graph: Graph
    study: Study
    proximities: tuple[str, ...]
    nonlinearities: tuple[str, ...]
    scores: Mapping[tuple[str, str], Score]
    refused: Mapping[str, str]
    outcome: Outcome

    def mean(self, proximity: str, nonlinearity: str, metric: str = "micro_f1") -> float | None:
        """The mean over all splits, if there is one."""
        one = self.scores.get((proximity, nonlinearity))
        return None if one is None else one.means.get(metric)


def classified(
    graph: Graph,
    kind: str = "structural",
    *,
    splits: int = 3,
    dim: int | None = None,
    limit: int = LIMIT,
    ledger: str | Path | None = None,
    resources: Resources | None = None,
    retry: bool = False,
    said: Callable[[Progress], None] | None = None,
) -> Grid:
    """How well labels are predicted from each design's rows.

    Parameters
    ----------
    graph : with labels of two classes at least.
    kind : ``"positional"`` (SVD) or ``"structural"`` (characteristic functions).
    splits : random splits, 80 % to train on.
    dim : columns of a positional embedding; 128, or the number of nodes where there are fewer.
    limit : most nodes.
    ledger : the file in which results are kept, and from which a run goes on; None keeps none.
    resources : what computing may use.
    retry : whether what failed before is tried again.
    said : is told how far it is.
    """
    if kind not in KINDS:
        raise InputError(f"kind is 'positional' or 'structural'; got {kind!r}")
    _check_labels(graph)
    given = paper_studies()[KINDS[kind]].grid("corrected")
    given["protocol"] = {**given["protocol"], "splits": splits}
    if kind == "positional":
        given["embedding"] = {**given["embedding"], "dim": min(128, len(graph)) if dim is None else dim}
    elif dim is not None:
        raise InputError("dim is for positional embeddings; structural ones have two columns for each landmark")
    return _computed(graph, "node_classification", given, limit, ledger, resources, retry, said)


def row_distributions(
    graph: Graph,
    *,
    bins: int = 40,
    limit: int = LIMIT,
    ledger: str | Path | None = None,
    resources: Resources | None = None,
    retry: bool = False,
    said: Callable[[Progress], None] | None = None,
) -> Grid:
    """How sums, variances and entropies of the rows of each σ(S) are distributed; other parameters as above."""
    given = paper_studies()[_ROWS].grid("corrected")
    given["protocol"] = {"bins": bins}
    return _computed(graph, "row_distributions", given, limit, ledger, resources, retry, said)


def _computed(
    graph: Graph, task: str, given: dict[str, Any], limit: int, ledger: str | Path | None,
    resources: Resources | None, retry: bool, said: Callable[[Progress], None] | None,
) -> Grid:  # fmt: skip
    if type(limit) is not int or limit < 1:
        raise InputError(f"limit is a whole number ≥ 1; got {limit!r}")
    if len(graph) > limit:
        raise InputError(
            f"all 35 designs look at all entries of a matrix with {len(graph):,} rows; this is done up to {limit:,} "
            f"nodes. Take a part of the graph, or raise the limit (--limit {len(graph)}) and wait"
        )
    given["precision"] = "double" if resources is None else resources.precision
    rows, columns = tuple(given["proximities"]), tuple(given["nonlinearities"])
    taken, refused = _taken(graph, given["proximities"])
    study = study_of("own", {**given, "proximities": taken, "task": task, "datasets": [graph], "seeds": [0]})
    with scratch_folder("grid") as folder, Ledger(ledger or folder / "ledger.sqlite") as opened:
        outcome = run_studies([study], opened, profiles=(), resources=resources, retry=retry, said=said)
        found = scores_of(study, study.profiles[0], opened)
    scores = {(one.design.proximity, one.design.nonlinearity): one for one in found}
    return Grid(graph, study, rows, columns, scores, refused, outcome)


def _taken(graph: Graph, proximities: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Those that take the graph, and why others do not."""
    taken, refused = {}, {}
    for label, given in proximities.items():
        try:
            resolve("proximities", given).check(graph)
            taken[label] = given
        except InputError as error:
            refused[label] = str(error)
    if not taken:
        raise InputError(f"no proximity takes this graph: {next(iter(refused.values()))}")
    return taken, refused


def _check_labels(graph: Graph) -> None:
    if graph.labels is None:
        raise InputError("the graph has no labels, so nothing can be predicted; give some: labels=… (--labels FILE)")
    here = [name for name, size in graph.labels.counts.items() if size]
    if len(here) < 2:
        raise InputError(f"predicting labels needs two classes at least; all labels are {here[0]!r}" if here else
                         "predicting labels needs two classes at least; no node has a label")  # fmt: skip
    if graph.labels.n_labelled < 5:
        raise InputError(f"predicting labels needs 5 labelled nodes at least; got {graph.labels.n_labelled}")
