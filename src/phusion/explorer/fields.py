"""What nodes can be coloured by: classes and numbers, one of either for each node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from phusion.explorer.payload import Pack
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["SEVERAL", "classes_field", "graph_fields", "number_field"]

SEVERAL = "several labels"
_SHOWN = 40  # classes that the page's legend lists; where there are more, the largest come first


def graph_fields(graph: Graph, shown: Array, pack: Pack) -> Iterator[dict[str, Any]]:
    """Labels, degrees, components and attributes of the shown nodes."""
    if graph.labels is not None:
        yield _labels_field(graph.labels.take(shown), pack)
    incoming = np.bincount(graph.arrays[1], minlength=len(graph))
    outgoing = np.diff(graph.arrays[0])
    if graph.directed:
        yield number_field("out-degree", outgoing[shown], pack)
        yield number_field("in-degree", incoming[shown], pack)
    else:
        yield number_field("degree", outgoing[shown], pack)
    if graph.weighted:
        yield number_field("out-weight" if graph.directed else "weighted degree", graph.degrees[shown], pack)
        if graph.directed:
            yield number_field("in-weight", graph.in_degrees[shown], pack)
    sizes = np.bincount(graph.components)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    names = [f"{i + 1} ({sizes[number]:,} {'node' if sizes[number] == 1 else 'nodes'})" for i, number in
             enumerate(order.tolist())]  # fmt: skip
    yield classes_field("component", rank[graph.components[shown]], names, pack)
    for name, values in graph.attributes.items():
        if values.ndim == 1:
            yield _attribute_field(name, values[shown], pack)


def number_field(name: str, values: Array, pack: Pack) -> dict[str, Any]:
    """Numbers; not finite where there is none."""
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    positive = finite[finite > 0]
    # numbers over many sizes, such as degrees, are told apart by their logarithm only
    wide = low >= 0 and len(positive) > 0 and high > 30 * float(np.median(positive)) / 2
    return {
        "name": name,
        "kind": "number",
        "values": pack.numbers(values),
        "low": low,
        "high": high,
        "log": bool(wide),
    }


def classes_field(name: str, codes: Array, names: list[str], pack: Pack) -> dict[str, Any]:
    """Classes: −1 where there is none."""
    codes = np.asarray(codes)
    if len(names) > _SHOWN:
        sizes = np.bincount(codes[codes >= 0], minlength=len(names))
        order = np.argsort(-sizes, kind="stable")
        order = order[: max(1, int((sizes > 0).sum()))]
        rank = np.full(len(names) + 1, -1)
        rank[order] = np.arange(len(order))
        codes, names = rank[codes], [names[i] for i in order.tolist()]
    return {"name": name, "kind": "classes", "values": pack.whole(codes + 1), "classes": names}


def _labels_field(labels: Labels, pack: Pack) -> dict[str, Any]:
    names = [str(name) for name in labels.classes.tolist()]
    codes = np.full(len(labels), -1)
    one = labels.per_node == 1
    codes[one] = labels.membership[one].indices
    codes[labels.per_node > 1] = len(names)
    names += [SEVERAL] if labels.multi else []
    found = classes_field("label", codes, names, pack)
    if labels.multi:
        found["several"] = found["classes"].index(SEVERAL)
        matrix = labels.membership
        found["all"] = {
            "names": [str(name) for name in labels.classes.tolist()],
            "start": pack.whole(matrix.indptr),
            "index": pack.whole(matrix.indices),
        }
    return found


def _attribute_field(name: str, values: Array, pack: Pack) -> dict[str, Any]:
    if values.dtype.kind in "iuf":
        return number_field(name, values, pack)
    given = values.tolist()
    present = [value for value in given if not _missing(value)]
    if present and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in present):
        return number_field(name, np.array([np.nan if _missing(value) else float(value) for value in given]), pack)
    words = ["" if _missing(value) else str(value) for value in given]
    names = sorted({word for word, value in zip(words, given, strict=True) if not _missing(value)})
    place = {word: i for i, word in enumerate(names)}
    codes = [-1 if _missing(value) else place[word] for word, value in zip(words, given, strict=True)]
    return classes_field(name, np.array(codes, dtype=np.int64), names, pack)


def _missing(value: Any) -> bool:
    return (
        value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    )
