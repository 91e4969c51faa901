"""The graph with some edges gone, to see what of an embedding stays."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph

__all__ = ["thinned"]


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
