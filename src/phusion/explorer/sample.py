"""Which nodes are shown, where a graph has more of them than a page can hold."""

from __future__ import annotations

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["displayed"]


def displayed(graph: Graph, limit: int, seed: int = 0) -> Array:
    """Positions of all nodes, or of `limit` of them whose degrees are spread as those of all.

    Nodes in the order of their degree, equal ones shuffled, are taken at even distances.
    """
    n = len(graph)
    if n <= limit:
        return np.arange(n)
    generator = np.random.default_rng(seed)
    order = np.lexsort((generator.random(n), np.diff(graph.arrays[0])))
    places = ((np.arange(limit) + generator.random()) * (n / limit)).astype(np.int64)
    return np.sort(order[np.minimum(places, n - 1)])
