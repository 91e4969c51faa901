"""Python edges: (u, v) or (u, v, weight) tuples, and {node: neighbours} mappings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Number
from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import number_endpoints, object_array
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.nodes import add_nodes
from phusion.graph.origin import comes_from
from phusion.graph.records import weight_column

TITLE = "edge tuples (u, v) or (u, v, weight); {node: neighbours}"


def matches(thing: Any) -> bool:
    """Anything that can be iterated and that no other source knows; text is a path, not edges."""
    return isinstance(thing, Iterable) and not isinstance(thing, (str, bytes))


def read(thing: Any, options: Options) -> Draft:
    """Ids are the caller's own objects, in the order in which they appear."""
    if comes_from(thing, "networkx"):
        _refuse_other_views(thing)
        if "EdgeView" in type(thing).__name__:
            return _from_view(thing, options)
    if isinstance(thing, Mapping):
        return _from_mapping(thing, options)
    if isinstance(thing, tuple) and len(thing) == 2 and all(isinstance(end, np.ndarray) for end in thing):
        raise InputError("two arrays may be edges or the two ends of edges; pass zip(source, target)")
    edges = list(thing)
    if _looks_like_matrix(edges):
        return draft_from_matrix(np.array(edges), "nested lists")
    sizes = set()
    for place, edge in enumerate(edges):
        if not isinstance(edge, (tuple, list)) and not (isinstance(edge, np.ndarray) and edge.ndim == 1):
            raise InputTypeError(f"an edge is a tuple (u, v) or (u, v, weight); item {place} is {edge!r}")
        if len(edge) not in (2, 3):
            raise InputError(f"an edge is a tuple (u, v) or (u, v, weight); item {place} has {len(edge)}: {edge!r}")
        sizes.add(len(edge))
        if len(sizes) > 1:
            raise InputError(
                f"some edges have a weight and some do not; item {place} is the first that differs: {edge!r}"
            )
    rows, cols, nodes = number_endpoints([e[0] for e in edges], [e[1] for e in edges])
    draft = Draft(rows, cols, nodes, source="edge tuples")
    if sizes == {3}:
        _set_weights(draft, [edge[2] for edge in edges], options)
    return draft


def _from_view(view: Any, options: Options) -> Draft:
    """``graph.edges`` of networkx, which is a mapping too, from edges to their data."""
    kind = type(view).__name__
    draft = read([(u, v, data) for u, v, data in view.data()], options)
    draft.directed = kind.startswith(("Out", "In"))
    draft.source = f"networkx.{kind}"
    return draft


def _refuse_other_views(thing: Any) -> None:
    kind = type(thing).__name__
    if kind.endswith("View") and "Edge" not in kind and kind != "AdjacencyView":
        raise InputTypeError(f"this is networkx's {kind}, a part of a graph; pass the graph itself, or its edges")


def _set_weights(draft: Draft, given: list[Any], options: Options) -> None:
    if given and all(isinstance(value, Mapping) for value in given):  # as networkx gives them
        draft.weights, notes = weight_column([dict(value) for value in given], options)
        draft.notes += notes
        return
    if options.weight is None:
        return
    odd = next((value for value in given if not isinstance(value, (Number, np.generic))), None)
    if odd is not None:
        raise InputTypeError(f"a weight is a number; got {odd!r} ({type(odd).__name__})")
    draft.weights = np.array(given)


def _from_mapping(thing: Mapping[Any, Any], options: Options) -> Draft:
    edges: list[tuple[Any, ...]] = []
    for node, neighbours in thing.items():
        if isinstance(neighbours, (str, bytes)) or not isinstance(neighbours, Iterable):
            raise InputTypeError(
                "a mapping goes from each node to its neighbours, such as {'a': ['b', 'c'], 'b': []} or "
                f"{{'a': {{'b': 2.0}}}}; the value of {node!r} is {neighbours!r}"
            )
        if isinstance(neighbours, Mapping):
            edges += [(node, other, weight) for other, weight in neighbours.items()]
        else:
            edges += [(node, other) for other in neighbours]
    draft = read(edges, options)
    add_nodes(draft, object_array(list(thing)), options)
    draft.source = "mapping of neighbours"
    return draft


def _looks_like_matrix(rows: list[Any]) -> bool:
    """Nested lists of numbers, n rows of n: a matrix, unless they might be edges."""
    n = len(rows)
    if not all(isinstance(row, list) and all(isinstance(x, Number) for x in row) for row in rows) or n < 2:
        return False
    lengths = {len(row) for row in rows}
    if lengths == {n} and n in (2, 3):
        raise InputError(
            f"{n} lists of {n} numbers may be a matrix or edges; pass numpy.array(…) for a matrix, tuples for edges"
        )
    if max(lengths) > 3 and len(lengths) > 1:
        raise InputError(f"the rows of a matrix must be equally long; got lengths {sorted(lengths)}")
    return lengths == {n} and n > 3
