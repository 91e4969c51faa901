"""What nodes can be coloured by: classes and numbers, one of either for each node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from phusion.drawing.values import SEVERAL, Numbers, classes_or_numbers, is_wide, of_labels
from phusion.explorer.payload import Pack
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["classes_field", "graph_fields", "number_field"]

_SHOWN = 40  # classes that the page's legend lists; where there are more, the largest come first


def graph_fields(graph: Graph, shown: Array, pack: Pack) -> Iterator[dict[str, Any]]:
    """Labels, degrees, components and attributes of the shown nodes."""
    if graph.labels is not None:
        yield _labels_field(graph.labels.take(shown), pack)
    for name, values in _degrees(graph):
        yield {**number_field(name, values[shown], pack), "loops": True}  # a self-loop is counted
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


def _degrees(graph: Graph) -> Iterator[tuple[str, Array]]:
    yield "out-degree" if graph.directed else "degree", np.diff(graph.arrays[0])
    if graph.directed:
        yield "in-degree", np.bincount(graph.arrays[1], minlength=len(graph))
    if graph.weighted:
        yield "out-weight" if graph.directed else "weighted degree", graph.degrees
        if graph.directed:
            yield "in-weight", graph.in_degrees


def number_field(name: str, values: Array, pack: Pack) -> dict[str, Any]:
    """Numbers; not finite where there is none."""
    values = np.asarray(values, dtype=np.float64)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    return {
        "name": name,
        "kind": "number",
        "values": pack.numbers(values),
        "low": low,
        "high": high,
        "log": is_wide(values),
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
    classes = of_labels(labels)
    found = classes_field("label", classes.codes, list(classes.names), pack)
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
    found = classes_or_numbers(values)
    if isinstance(found, Numbers):
        return number_field(name, found.values, pack)
    return classes_field(name, found.codes, list(found.names), pack)
