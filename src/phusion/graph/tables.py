"""Columns of data frames (through narwhals) and of text, as arrays of the user's types."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from phusion.errors import InputError, NoEdgesError
from phusion.graph.arrow import numbers
from phusion.graph.columns import assign_roles, refuse_coordinates, said_direction, shared_ids, unused_direction
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, number_endpoints, object_array

__all__ = ["draft_from_frame", "frame_columns", "is_frame", "is_text", "tidy_column"]

_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf", "dask", "duckdb", "ibis", "narwhals")
_SAMPLE = 200
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?|nan|NaN")


def is_frame(thing: Any) -> bool:
    """Whether this is a data frame narwhals knows; imports nothing for things that are not."""
    roots = {cls.__module__.partition(".")[0] for cls in type(thing).__mro__}
    if not roots & set(_LIBRARIES) or not (roots & set(sys.modules)):
        return False
    import narwhals as nw

    try:
        return isinstance(nw.from_native(thing, pass_through=True), (nw.DataFrame, nw.LazyFrame))
    except nw.exceptions.NarwhalsError:  # a frame it knows and does not like; reading it says why
        return True


def frame_columns(frame: Any) -> tuple[list[str], list[Any]]:
    """Names and columns (narwhals series) of any frame; a lazy one is collected."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
        return [str(name) for name in table.columns], [table.get_column(name) for name in table.columns]
    except Exception as error:  # every library has exceptions of its own for frames that cannot be read
        raise InputError(f"the frame cannot be read: {type(error).__name__}: {error}") from error


def draft_from_frame(frame: Any, options: Options, source: str) -> Draft:
    """An edge frame: columns by name, else by place."""
    names, columns = frame_columns(frame)
    if columns and not len(columns[0]):
        raise NoEdgesError(f"the {source} has no rows, so no edges; pass a frame with one edge per row")

    def numeric(place: int) -> bool:
        return bool(columns[place].dtype.is_numeric())

    def sample(place: int) -> list[Any]:
        return list(columns[place].head(_SAMPLE).to_list())

    roles = assign_roles(names, len(names), numeric, options, sample)
    if options.target is None and columns[roles.target].dtype.is_float():
        refuse_coordinates([repr(value) for value in sample(roles.target)], names, roles.target)
    ends: list[Any] = []
    for place in (roles.source, roles.target):
        column = columns[place]
        if column.is_null().any():
            row = int(np.argmax(column.is_null().to_list()))
            raise InputError(
                f"node id missing in column {names[place]!r}, row {row} of the {source}; name the node or remove the "
                "row, as dropna does (nodes without edges go into nodes=)"
            )
        ends.append(_ids(column))
    if any(isinstance(end, list) for end in ends):
        ends = [end if isinstance(end, list) else end.tolist() for end in ends]
    elif ends[0].dtype != ends[1].dtype:
        kinds = {end.dtype.kind for end in ends}
        ends = [e.astype(np.int64) for e in ends] if kinds == {"i"} else [e.tolist() for e in ends]
    rows, cols, nodes = number_endpoints(*ends)
    weights = None
    if roles.weight is not None:
        column = columns[roles.weight]
        if column.is_null().any():
            row = int(np.argmax(column.is_null().to_list()))
            raise InputError(
                f"weight missing in column {names[roles.weight]!r}, row {row} of the {source}; give it a number or "
                "remove the row, as dropna does. weight=None ignores all weights"
            )
        weights = _weights(column, names[roles.weight], source)
    directed, notes = None, list(roles.notes)
    if roles.direction is not None:
        words = columns[roles.direction].unique().to_list()
        directed = said_direction(words)
        if directed is None:
            notes.append(unused_direction(names[roles.direction], words))
    notes += shared_ids(roles, rows, cols, nodes)
    return Draft(rows, cols, nodes, weights, directed, notes=notes, source=source)


def _ids(column: Any) -> Array | list[Any]:
    """Integers as numpy integers, everything else as the Python objects it holds."""
    if column.dtype.is_integer() and str(column.dtype) not in ("Int128", "UInt128"):
        values = _numpy(column)
        wide = np.uint64 if values.dtype == np.uint64 else np.int64
        return values.astype(wide)
    return list(column.to_list())


def _numpy(column: Any) -> Array:
    native = column.to_native()
    return numbers(native) if hasattr(native, "chunks") else np.asarray(column.to_numpy())


def _weights(column: Any, name: str, source: str) -> Array:
    """Numbers as they are; text, decimals and truth values as the numbers they say."""
    if column.dtype.is_numeric() and not column.dtype.is_decimal():
        return _numpy(column)
    values = column.to_list()
    found = np.empty(len(values))
    for row, value in enumerate(values):
        try:
            found[row] = float(value)
        except (TypeError, ValueError):
            raise InputError(
                f"weight {value!r} in column {name!r}, row {row} of the {source}, is no number; weight=None ignores it"
            ) from None
    return found


def is_text(column: Any) -> bool:
    """Whether a column comes from a text file, where everything is a word; those of frames are series."""
    return isinstance(column, list)


def tidy_column(column: Any) -> Array:
    """A column of a frame or of text as an array: integers, else numbers, else Python objects.

    Missing values are None (NaN among numbers). ``007`` is a word, not a number.
    """
    if is_text(column):
        values: list[Any] = [word.strip() or None for word in column]
        words = [word for word in values if word is not None]
        if words and all(is_integer(word) for word in words):
            values = [None if word is None else int(word) for word in values]
        elif words and all(_DECIMAL.fullmatch(word) for word in words):
            values = [None if word is None else float(word) for word in values]
    else:
        values = column.to_list()
    kinds = {type(value) for value in values}
    if kinds == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    if float in kinds and kinds <= {float, int, type(None)}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return object_array(values)
