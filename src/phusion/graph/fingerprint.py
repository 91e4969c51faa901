"""A short name for exactly this graph."""

from __future__ import annotations

import hashlib

import numpy as np

from phusion.graph.graph import Graph

__all__ = ["fingerprint"]


def fingerprint(graph: Graph) -> str:
    """Hexadecimal digits that agree for equal graphs: ids in order with their types, arcs, weights, direction.

    >>> import phusion
    >>> fingerprint(phusion.as_graph([(0, 1)])) == fingerprint(phusion.as_graph([(0, 1)]))
    True
    >>> fingerprint(phusion.as_graph([(0, 1)])) == fingerprint(phusion.as_graph([("0", "1")]))
    False
    """
    digest = hashlib.sha256(f"{len(graph)} {graph.directed}".encode())
    matrix = graph.adjacency
    for part, kind in ((matrix.indptr, "<i8"), (matrix.indices, "<i8"), (matrix.data, "<f8")):
        digest.update(np.ascontiguousarray(part.astype(kind)).tobytes())
    digest.update(repr(graph.nodes.tolist()).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]
