"""The graph with some edges gone, or with some that mean nothing, to see what of an embedding stays."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph

__all__ = ["noisy", "thinned"]


def thinned(graph: Graph, share: float, seed: int = 0) -> Graph:
    """The same nodes without a random share of the edges. Self-loops stay."""
    generator = np.random.default_rng(seed)
    rows, columns, weights = sparse.find(graph.adjacency)
    low, high = (rows, columns) if graph.directed else (np.minimum(rows, columns), np.maximum(rows, columns))
    pairs, number = np.unique(low.astype(np.int64) * len(graph) + high, return_inverse=True)
    gone = np.zeros(len(pairs), dtype=bool)
    edges = np.flatnonzero(pairs // len(graph) != pairs % len(graph))
    gone[generator.choice(edges, round(share * len(edges)), replace=False)] = True
    kept = ~gone[number]
    matrix = sparse.csr_array((weights[kept], (rows[kept], columns[kept])), graph.adjacency.shape)
    matrix.sort_indices()
    return Graph(matrix, graph.nodes, graph.directed)


def noisy(graph: Graph, share: float, seed: int = 0) -> Graph:
    """The same nodes with edges between random pairs beside their own, as many as this share of them, and like them.

    Pairs that are joined already, and nodes with themselves, are not drawn; where nearly all are joined, fewer come.
    """
    generator = np.random.default_rng((seed, 1))
    n, matrix = len(graph), graph.adjacency
    wanted = round(share * graph.n_edges)
    first, second = generator.integers(0, n, (2, 4 * wanted + 16))
    low, high = (first, second) if graph.directed else (np.minimum(first, second), np.maximum(first, second))
    free = np.flatnonzero((low != high) & (np.asarray(matrix[low, high]).ravel() == 0))
    _, places = np.unique(low[free].astype(np.int64) * n + high[free], return_index=True)
    drawn = free[np.sort(places)][:wanted]
    weights = generator.choice(matrix.data, len(drawn)) if len(drawn) else matrix.data[:0]
    added = sparse.csr_array((weights, (low[drawn], high[drawn])), shape=matrix.shape)
    whole = sparse.csr_array(matrix + (added if graph.directed else added + added.T))
    whole.sort_indices()
    return Graph(whole, graph.nodes, graph.directed)
