"""The edges that the page carries, for drawing the surroundings of a node."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.explorer.payload import Pack
from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["edges_of", "thinned"]

_MOST = 2_000_000  # ends of edges on a page


def edges_of(graph: Graph, shown: Array, pack: Pack) -> dict[str, Any]:
    """Who is joined to whom, in either direction, among the shown nodes; with how many nodes in all; who to itself."""
    joined = _either_way(graph, graph.adjacency != 0, shown)
    if graph.signed:
        joined = sparse.csr_array(joined + _either_way(graph, graph.adjacency < 0, shown))
    counts = np.diff(joined.indptr)
    part = joined if len(shown) == len(graph) else sparse.csr_array(joined[:, shown])
    part.sort_indices()
    keep = thinned(part.indptr, _MOST)
    starts = np.concatenate([[0], np.cumsum(keep)])[part.indptr]
    found = {"start": pack.whole(starts), "index": pack.whole(part.indices[keep]), "count": pack.whole(counts)}
    if graph.signed:
        found["negative"] = pack.whole(part.data[keep] - 1)
    if graph.n_self_loops:
        found["loop"] = pack.whole(graph.adjacency.diagonal()[shown] != 0)
    return found


def _either_way(graph: Graph, marked: Any, shown: Array) -> Any:
    """Rows of shown nodes: 1 where there is an arc in either direction, but for self-loops."""
    both = sparse.csr_array(marked)[shown].astype(np.int64)
    if graph.directed:
        both = sparse.csr_array(both + sparse.csr_array(sparse.csc_array(marked)[:, shown].T).astype(np.int64))
    both.data[:] = 1
    both.data[both.indices == np.repeat(shown, np.diff(both.indptr))] = 0
    both.eliminate_zeros()
    return both


def thinned(starts: Array, most: int) -> Array:
    """Which entries are kept, where there are more than `most`: of each node so many, evenly along its list."""
    lengths = np.diff(starts)
    if int(starts[-1]) <= most:
        return np.ones(int(starts[-1]), dtype=bool)
    low, high = 1, int(lengths.max())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if int(np.minimum(lengths, middle).sum()) <= most else (low, middle - 1)
    place = np.arange(int(starts[-1])) - np.repeat(starts[:-1], lengths)
    length = np.repeat(lengths, lengths)
    due = np.minimum(length, low)
    return ((place + 1) * due) // length > (place * due) // length  # type: ignore[no-any-return]
