"""Graphs given as records: ids, a dictionary per node and per edge (GraphML, GML)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError, WeightError
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, object_array

__all__ = ["draft_from_records", "gathered", "typed", "weight_column"]


def typed(words: str, kind: str) -> Any:
    """A value of GraphML's types; what does not parse stays text."""
    try:
        if kind in ("int", "long"):
            return int(words)
        if kind in ("float", "double"):
            return float(words)
    except ValueError:
        return words
    if kind == "boolean":
        return words.strip().lower() in ("true", "1")
    return words


def draft_from_records(
    ids: Array,
    node_data: Sequence[dict[str, Any]],
    edges: Sequence[tuple[Hashable, Hashable]],
    edge_data: Sequence[dict[str, Any]],
    *,
    directed: bool,
    names: Sequence[Hashable],
    lines: Sequence[int],
    options: Options,
    path: Path | None,
) -> Draft:
    """Number the edges' ends and gather the attributes; `names` are what edges call the nodes.

    `lines` are the lines the edges stand in.
    """
    if not len(ids):
        raise FileError("no nodes", path=path)
    position = {name: i for i, name in enumerate(names)}
    if len(position) < len(names):
        twice = next(name for i, name in enumerate(names) if position[name] != i)
        raise FileError(f"node id {twice!r} is given twice", path=path)
    for (u, v), line in zip(edges, lines, strict=True):
        for end in (u, v):
            if end not in position:
                raise FileError(f"an edge names node {end!r}, which is not declared", path=path, line=line)
    ends = np.array([(position[u], position[v]) for u, v in edges], dtype=np.int64).reshape(-1, 2)
    weights, notes = weight_column(edge_data, options)
    if weights is not None:
        _check_weights(weights.tolist(), lines, path)
    return Draft(
        ends[:, 0],
        ends[:, 1],
        ids,
        weights,
        directed,
        given="edges",
        attributes=gathered(node_data),
        notes=notes,
        path=path,
    )


def _check_weights(weights: Sequence[Any], lines: Sequence[int], path: Path | None) -> None:
    for weight, line in zip(weights, lines, strict=True):
        if not isinstance(weight, (int, float)):
            raise WeightError(f"a weight must be a real number; got {weight!r}", path=path, line=line)
        if not math.isfinite(weight):
            raise FileError(f"a weight must be finite; got {weight}", path=path, line=line)


def weight_column(edge_data: Sequence[dict[str, Any]], options: Options) -> tuple[Array | None, list[str]]:
    """The weight of every edge (1 where it has none), and what is to be said about it."""
    name: Any = "weight" if options.weight == "auto" else options.weight
    others = sorted({key for record in edge_data for key in record if key != name}, key=str)
    notes = [f"edge attributes not used: {', '.join(map(repr, others))}"] if others else []
    if name is None:
        return None, notes
    n_given = sum(record.get(name) is not None for record in edge_data)
    if n_given == 0:
        if options.weight != "auto":
            raise FileError(
                f"no edge has the attribute {name!r} that weight= asks for"
                + (f"; there are {', '.join(map(repr, others))}" if others else "")
            )
        return None, notes
    if n_given < len(edge_data):
        notes.append(f"{len(edge_data) - n_given:,} of {len(edge_data):,} edges have no {name!r} and count 1")
    values = [record.get(name) for record in edge_data]
    odd = next((w for w in values if w is not None and not isinstance(w, (Number, str, np.generic))), None)
    if odd is not None:
        raise WeightError(f"a weight must be a real number; got {odd!r} ({type(odd).__name__})")
    weights = object_array([1.0 if value is None else value for value in values])
    return (weights if any(isinstance(w, (str, complex)) for w in weights) else np.array(weights.tolist())), notes


def gathered(records: Sequence[dict[str, Any]]) -> dict[str, Array]:
    """One array per attribute; numbers stay numbers, missing values are None (NaN among numbers)."""
    names = list(dict.fromkeys(name for record in records for name in record))
    return {str(name): _column([record.get(name) for record in records]) for name in names}


def _column(values: list[Any]) -> Array:
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return np.array(values)
    if kinds == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    if float in kinds and kinds <= {int, float, type(None)}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return object_array(values)
