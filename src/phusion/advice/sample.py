"""A part of a large graph that is like the whole, to try designs on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["part_of"]

_HOME = 0.15  # of the steps lead back to where the walk began
_STALE = 100  # steps, for each node that is wanted, without a new one: then another walk begins


def part_of(graph: Graph, limit: int, seed: int = 0) -> Graph:
    """The graph itself, or what lies between `limit` nodes that random walks with restart visit.

    Walks stay near where they began, so that neighbourhoods are kept, and see hubs as often as the graph does.
    Directions are ignored.
    """
    n = len(graph)
    if n <= limit:
        return graph
    generator = np.random.default_rng(seed)
    both = graph.adjacency + graph.adjacency.T if graph.directed else graph.adjacency
    starts, ends = both.tocsr().indptr, both.tocsr().indices
    seen = np.zeros(n, dtype=bool)
    found = 0
    while found < limit:
        home = here = int(generator.integers(n))
        stale = 0
        for jump, draw in _draws(generator):
            if not seen[here]:
                seen[here] = True
                found, stale = found + 1, 0
            stale += 1
            low, high = starts[here], starts[here + 1]
            if found == limit or stale > _STALE or low == high:
                break
            here = home if jump < _HOME else int(ends[low + int(draw * (high - low))])
    return graph.subgraph(graph.nodes[np.flatnonzero(seen)].tolist())


def _draws(generator: np.random.Generator) -> Iterator[Array]:
    """Pairs of numbers in [0, 1), without end."""
    while True:
        yield from generator.random((1000, 2))
