"""Roles that can be counted: what a structural embedding of any graph should tell."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse, stats

from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["core_numbers", "roles_of"]


def roles_of(graph: Graph) -> dict[str, Array]:
    """For each role that differs between nodes, the quarter of the nodes that each is in; weights are ignored.

    How many neighbours a node has, how many these have on average, how deep in the graph's core it is, and how often
    two of its neighbours are neighbours. Nodes that are equal are in one quarter.
    """
    matrix = _simple(graph)
    degrees = np.asarray(matrix.sum(axis=1)).ravel()
    at_least_one = np.maximum(degrees, 1)
    triangles = np.asarray((matrix @ matrix).multiply(matrix).sum(axis=1)).ravel()
    values = {
        "degree": degrees,
        "neighbours' degree": (matrix @ degrees) / at_least_one,
        "core": core_numbers(matrix),
        "clustering": triangles / (at_least_one * np.maximum(degrees - 1, 1)),
    }
    quarters = {name: _quarters(each) for name, each in values.items()}
    return {name: each for name, each in quarters.items() if len(np.unique(each)) > 1}


def core_numbers(matrix: Any) -> Array:
    """The largest k for which a node is in the k-core: where all that are left have k neighbours that are left."""
    matrix = sparse.csr_array(matrix)
    degrees = np.asarray(matrix.sum(axis=1)).ravel()
    found = np.zeros(len(degrees))
    left = np.ones(len(degrees), dtype=bool)
    k = 0.0
    while left.any():
        k = max(k, degrees[left].min())
        while (leaving := left & (degrees <= k)).any():
            found[leaving] = k
            left &= ~leaving
            degrees = degrees - matrix @ leaving
    return found


def _simple(graph: Graph) -> Any:
    """Who is joined to whom in either direction, as ones; no self-loops."""
    joined = sparse.csr_array(graph.adjacency != 0)
    joined = sparse.csr_array(joined + joined.T).astype(np.float64)
    joined.setdiag(0)
    joined.eliminate_zeros()
    joined.data[:] = 1.0
    return joined


def _quarters(values: Array) -> Array:
    ranks = np.round(values, 12)
    return np.asarray((4 * (stats.rankdata(ranks) - 0.5) / len(values)).astype(np.int64))
