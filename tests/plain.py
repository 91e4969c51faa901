"""A graph as plain Python, for comparing: nothing here uses phusion's own code."""

from __future__ import annotations

from typing import Any


def entries(graph: Any) -> dict[tuple[Any, Any], float]:
    """{(u, v): weight} of every stored entry, by node id."""
    ids = graph.nodes.tolist()
    matrix = graph.adjacency.tocoo()
    return {
        (ids[i], ids[j]): w
        for i, j, w in zip(matrix.row.tolist(), matrix.col.tolist(), matrix.data.tolist(), strict=True)
    }


def same(one: Any, other: Any, *, order: bool = True) -> bool:
    """Same ids (in the same order, unless told otherwise), weights and direction."""
    ids = [graph.nodes.tolist() for graph in (one, other)]
    types = [[type(node) for node in nodes] for nodes in ids]
    if order:
        if ids[0] != ids[1] or types[0] != types[1]:
            return False
    elif set(zip(ids[0], types[0], strict=True)) != set(zip(ids[1], types[1], strict=True)):
        return False
    return entries(one) == entries(other) and one.directed == other.directed
