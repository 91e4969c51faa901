"""Predicting edges that were left out, from the rows of their ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from phusion.errors import InputError
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["LinkPrediction"]

_TRIES = 100  # rounds of drawing pairs that are not edges


@dataclass(frozen=True)
class LinkPrediction:
    """Some edges are left out, the rest is embedded, and pairs are ranked.

    Edges are left out so that no node loses its last one. They are compared with as many pairs that are not edges,
    drawn at random.

    Parameters
    ----------
    test_size : share of the edges to leave out.
    scorer : ``"dot"``, the inner product of two rows, or ``"hadamard"``, a logistic regression on their
        elementwise product, trained on the edges that were kept.
    """

    test_size: float = 0.2
    scorer: Literal["dot", "hadamard"] = "dot"

    metrics = ("auc", "ap")

    def __post_init__(self) -> None:
        if not 0 < self.test_size < 1:
            raise InputError(f"test_size is a share between 0 and 1; got {self.test_size!r}")
        if self.scorer not in ("dot", "hadamard"):
            raise InputError(f"scorer is 'dot' or 'hadamard'; got {self.scorer!r}")

    def score(self, graph: Graph, embed: Callable[[Graph], Array], seed: int) -> dict[str, list[float]]:
        """Area under the ROC curve and average precision of the left-out edges; `embed` gives rows of a graph."""
        if graph.directed:
            raise InputError("link prediction here is for undirected graphs; use graph.undirected()")
        random = np.random.default_rng(seed)
        rest, left_out = self._without_some(graph, random)
        rows = np.asarray(embed(rest), dtype=np.float64)
        wrong = _not_edges(graph, len(left_out), random)
        pairs = np.vstack([left_out, wrong])
        truth = np.repeat([1, 0], [len(left_out), len(wrong)])
        scores = self._scores(rows, rest, graph, pairs, random)
        return {"auc": [float(roc_auc_score(truth, scores))], "ap": [float(average_precision_score(truth, scores))]}

    def _without_some(self, graph: Graph, random: np.random.Generator) -> tuple[Graph, Array]:
        edges = _edges(graph)
        wanted = round(self.test_size * len(edges))
        degrees = np.bincount(edges.ravel(), minlength=len(graph))
        chosen: list[int] = []
        for place in random.permutation(len(edges)):
            if len(chosen) == wanted:
                break
            u, v = edges[place]
            if degrees[u] > 1 and degrees[v] > 1:
                degrees[u] -= 1
                degrees[v] -= 1
                chosen.append(place)
        if not chosen:
            raise InputError("no edge can be left out without isolating a node; link prediction needs a denser graph")
        left_out = edges[np.sort(chosen)]
        gone = sparse.coo_array((np.ones(len(left_out)), (left_out[:, 0], left_out[:, 1])), graph.adjacency.shape)
        kept = graph.adjacency - graph.adjacency.multiply((gone + gone.T).tocsr())
        kept = sparse.csr_array(kept)
        kept.eliminate_zeros()
        return as_graph(kept, nodes=graph.nodes), left_out

    def _scores(self, rows: Array, rest: Graph, graph: Graph, pairs: Array, random: np.random.Generator) -> Any:
        products = rows[pairs[:, 0]] * rows[pairs[:, 1]]
        if self.scorer == "dot":
            return products.sum(axis=1)
        right = _edges(rest)
        wrong = _not_edges(graph, len(right), random)
        train = np.vstack([right, wrong])
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        model.fit(rows[train[:, 0]] * rows[train[:, 1]], np.repeat([1, 0], [len(right), len(wrong)]))
        return model.decision_function(products)


def _edges(graph: Graph) -> Array:
    """Pairs u < v."""
    upper = sparse.triu(graph.adjacency, 1).tocoo()
    return np.column_stack(upper.coords)


def _not_edges(graph: Graph, count: int, random: np.random.Generator) -> Array:
    """So many different pairs of different nodes without an edge, or all there are."""
    n = len(graph)
    edges = _edges(graph)
    taken = np.sort(edges[:, 0] * n + edges[:, 1])
    count = min(count, n * (n - 1) // 2 - len(taken))
    if not count:
        raise InputError("every pair of nodes is an edge; there is nothing to tell edges from")
    found = np.empty(0, dtype=np.int64)
    for _ in range(_TRIES):
        u, v = random.integers(n, size=(2, 2 * count))
        keys = np.minimum(u, v) * n + np.maximum(u, v)
        found = np.unique(np.concatenate([found, keys[(u != v) & ~np.isin(keys, taken)]]))
        if len(found) >= count:
            break
    chosen = np.sort(random.choice(found, min(count, len(found)), replace=False))
    return np.column_stack([chosen // n, chosen % n])
