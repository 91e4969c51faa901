"""Positional embeddings of large graphs: quality, time, CPU and memory, against ProNE in the same run.

    python benchmarks/positional.py [--only NAME ...] [--seeds 3] [--splits 5]

Names: quality (PPI, Wikipedia, BlogCatalog: micro-F1, paired over splits and seeds), fidelity (against exact singular
vectors), cost (100k and 1M nodes), growth (30k to 1M nodes). nodevectors' ProNE is measured too where it is installed.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec

import numpy as np
from measure import measure

import phusion
from phusion.evaluation.node_classification import NodeClassification

DATA = ("ppi", "wikipedia", "blogcatalog")
METHODS = ("prone", "edge-pmi", "edge-pmi-2")
SIZES = {"30k": 30_000, "100k": 100_000, "300k": 300_000, "1m": 1_000_000}
LINKS = 5

_GRAPH = """
import numpy as np
from scipy import sparse
import phusion
def grown(n, links, seed=0):
    # every node links to ends of earlier edges or to earlier nodes, so that there are hubs: drawn without a loop
    random = np.random.default_rng(seed)
    new = np.repeat(np.arange(1, n), links)
    old = (random.random(len(new)) ** 2 * new).astype(np.int64)
    half = sparse.coo_array((np.ones(len(new)), (new, old)), shape=(n, n)).tocsr()
    half.data[:] = 1.0
    return phusion.as_graph(half.maximum(half.T))
graph = grown({n}, {links})
"""
_OURS = "rows = phusion.embed(graph, {method!r})"
_THEIRS = "rows = ProNE(n_components=128).fit_transform(matrix)"
_LOAD = "from nodevectors import ProNE; import csrgraph; matrix = csrgraph.csrgraph(graph.adjacency)\n"


def quality(seeds: int, splits: int) -> None:
    print(f"micro-F1 in percent, {splits} splits × {seeds} seeds; difference to ProNE, paired, ± its standard error")
    task = NodeClassification(splits=splits)
    for name in DATA:
        graph = phusion.datasets.load(name)
        scores = {}
        for method in METHODS + (("nodevectors",) if find_spec("nodevectors") else ()):
            found = []
            for seed in range(seeds):
                rows = _theirs(graph, seed) if method == "nodevectors" else _ours(graph, method, seed)
                found += task.score(rows, graph.labels, seed, threads=2)["micro_f1"]
            scores[method] = np.array(found)
        for method, found in scores.items():
            apart = found - scores["prone"]
            error = apart.std(ddof=1) / np.sqrt(len(apart))
            print(f"{name:12} {method:12} {found.mean():6.2f}   {apart.mean():+5.2f} ± {error:.2f}", flush=True)


def _ours(graph: phusion.Graph, method: str, seed: int) -> np.ndarray:
    return phusion.embed(graph, method, random_state=seed).values


def _theirs(graph: phusion.Graph, seed: int) -> np.ndarray:
    import csrgraph
    from nodevectors import ProNE

    np.random.seed(seed)  # noqa: NPY002 - it knows no other
    return ProNE(n_components=128).fit_transform(csrgraph.csrgraph(graph.adjacency))


def fidelity(seeds: int, splits: int) -> None:
    print(
        "\nagainst exact singular vectors of the same matrix: largest error of a value, share of 10 nearest rows kept"
    )
    for name in DATA[:2]:
        graph = phusion.datasets.load(name)
        plain = phusion.preset("edge-pmi", applications=None)
        exact = plain.fit(graph).embedding_
        values = _values(plain.set_params(propagate=None).fit(graph).embedding_)
        for applications in (4, 8):
            near = phusion.preset("edge-pmi", applications=applications)
            kept = _overlap(exact, near.fit(graph).embedding_)
            said = near.result_.fidelity[0]
            found = _values(near.set_params(propagate=None).fit(graph).embedding_)
            error = np.abs(found / values - 1).max()
            print(f"{name:12} {applications} applications: {error:.2%}, {kept:.3f}; said: {said}", flush=True)


def _values(rows: np.ndarray) -> np.ndarray:
    """Singular values, from rows U Σ^½."""
    return np.sort((rows**2).sum(axis=0))[::-1]


def _overlap(one: np.ndarray, other: np.ndarray, count: int = 10, sample: int = 500) -> float:
    some = np.random.default_rng(0).choice(len(one), min(sample, len(one)), replace=False)
    nearest = [np.argsort(-(rows[some] @ rows.T), axis=1)[:, 1 : count + 1] for rows in (one, other)]
    return float(np.mean([len(set(a) & set(b)) / count for a, b in zip(*nearest, strict=True)]))


def cost(seeds: int, splits: int) -> None:
    print("\nwall s, CPU s, GB beyond the graph")
    for size in ("100k", "1m"):
        for method in METHODS:
            _measured(size, method)
        if find_spec("nodevectors"):
            _measured(size, "nodevectors")


def growth(seeds: int, splits: int) -> None:
    print("\nexponents against edges, from 30k to 1M nodes; target ≤ 1.15")
    found = {size: _measured(size, "edge-pmi") for size in SIZES}
    edges = np.log([one[0] for one in found.values()])
    for what, place in (("wall", 1), ("CPU", 2), ("memory", 3)):
        slope = np.polyfit(edges, np.log([one[place] for one in found.values()]), 1)[0]
        print(f"{what:8} {slope:.2f}")


def _measured(size: str, method: str) -> tuple[float, float, float, float]:
    setup = _GRAPH.format(n=SIZES[size], links=LINKS)
    warm = "phusion.embed(grown(1_500, 3), {!r})\n"  # compiled code is loaded before the clock starts
    if method == "nodevectors":
        one = measure(setup + _LOAD, _THEIRS, "graph.n_edges")
    else:
        one = measure(setup + warm.format(method), _OURS.format(method=method), "graph.n_edges")
    row = (float(one.result), one.wall, one.cpu, one.peak / 1e9)  # type: ignore[arg-type]
    print(f"{size:5} {row[0]:>12,.0f} edges  {method:12} {row[1]:8.1f} {row[2]:8.1f} {row[3]:6.2f}", flush=True)
    return row


PARTS = {"quality": quality, "fidelity": fidelity, "cost": cost, "growth": growth}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*PARTS, *DATA, *SIZES], default=list(PARTS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--splits", type=int, default=5)
    given = parser.parse_args()
    chosen = [name for name in DATA if name in given.only]
    if chosen:
        globals()["DATA"] = tuple(chosen)
        given.only = [*given.only, "quality"]
    for size in [name for name in SIZES if name in given.only]:
        for method in METHODS:
            _measured(size, method)
    for name, part in PARTS.items():
        if name in given.only:
            part(given.seeds, given.splits)


if __name__ == "__main__":
    main()
