"""Places that can be made up: what a positional embedding of any graph should tell."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["places_of"]

_MANY = 32  # classes of each sort
_COMMON = 0.1  # of the nodes are in a class
_STEPS = (3, 5)  # how often means are taken


def places_of(graph: Graph, seed: int = 0) -> dict[str, Array]:
    """Classes that neighbours mostly share, n × 32 for each sort; a node may be in none or several.

    Every node gets a random number; then, a few times over, every node's number is replaced by the mean of its
    neighbours' numbers, so that numbers of nodes near each other become alike. The tenth of the nodes with the highest
    numbers is a class. Signs and directions are ignored.
    """
    generator = np.random.default_rng(seed)
    n = len(graph)
    step = _step(graph)
    found = {}
    for count in _STEPS:
        values = generator.standard_normal((n, _MANY))
        for _ in range(count):
            values = step @ values
        found[f"{count} steps"] = np.asarray(values > np.quantile(values, 1.0 - _COMMON, axis=0))
    return {name: classes for name, classes in found.items() if classes.any()}


def _step(graph: Graph) -> sparse.csr_array:
    """Means over neighbours."""
    matrix = abs(graph.adjacency)
    matrix = sparse.csr_array(matrix + matrix.T if graph.directed else matrix)
    degrees = np.asarray(matrix.sum(axis=1)).ravel()
    return sparse.csr_array(sparse.diags_array(1.0 / np.where(degrees > 0, degrees, 1.0)) @ matrix)
