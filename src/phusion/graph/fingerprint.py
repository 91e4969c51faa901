"""A short name for exactly this graph."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from phusion.graph.graph import Graph

__all__ = ["fingerprint"]


def fingerprint(graph: Graph, attributes: Sequence[str] = ()) -> str:
    """Hexadecimal digits that agree for equal graphs: ids in order with their types, arcs, weights, direction.

    And the named node attributes; ``"labels"`` stands for the labels.

    >>> import phusion
    >>> fingerprint(phusion.as_graph([(0, 1)])) == fingerprint(phusion.as_graph([(0, 1)]))
    True
    >>> fingerprint(phusion.as_graph([(0, 1)])) == fingerprint(phusion.as_graph([("0", "1")]))
    False
    """
    digest = hashlib.sha256(f"{len(graph)} {graph.directed}".encode())
    for part, kind in zip(graph.arrays, ("<i8", "<i8", "<f8"), strict=True):
        digest.update(np.ascontiguousarray(part.astype(kind)).tobytes())
    digest.update(repr(graph.nodes.tolist()).encode("utf-8", "surrogatepass"))
    for name in attributes:
        if name in graph.attributes:
            digest.update(repr((name, graph.attributes[name].tolist())).encode("utf-8", "surrogatepass"))
        elif graph.labels is not None:
            members = graph.labels.membership
            named = (name, graph.labels.classes.tolist(), members.indptr.tolist(), members.indices.tolist())
            digest.update(repr(named).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]
