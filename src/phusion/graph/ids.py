"""Node ids: any hashable the user has, numbered in the order in which they first appear."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph import columnar
from phusion.graph.arrays import Array, index_type, object_array, wide

__all__ = [
    "Array",
    "as_id_array",
    "check_id",
    "find",
    "fits_in_array",
    "index_type",
    "integers",
    "number_endpoints",
    "object_array",
]

_BLOCK = 1 << 17  # edges handled at a time: what fits the cache
_PADDED = 1 << 26  # bytes that an array of text may always take


def as_id_array(ids: Iterable[Any]) -> Array:
    """Ids as an array: integers and strings from arrays stay native, Python objects stay themselves.

    Raises if an id is missing (None, NaN), cannot be hashed, or occurs twice.
    """
    if isinstance(ids, range):
        return np.arange(ids.start, ids.stop, ids.step, dtype=np.int64)
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu" and ids.ndim == 1:
        array: Array = ids.astype(np.uint64 if ids.dtype == np.uint64 else np.int64)
        if len(np.unique(array)) < len(array):
            values, counts = np.unique(array, return_counts=True)
            raise InputError(_twice(values[counts > 1][0]))
        return array
    array = object_array(ids.tolist() if isinstance(ids, np.ndarray) else list(ids))
    seen = set()
    for node in array:
        check_id(node)
        if node in seen:
            raise InputError(_twice(node))
        seen.add(node)
    return array


def _twice(node: Any) -> str:
    return f"node id {node!r} is given twice; every node needs an id of its own"


def check_id(node: Any) -> None:
    """Refuse what cannot name a node."""
    if _is_missing(node):
        raise InputError(f"{node!r} cannot be a node id; remove the edge or give the node a name")
    if hasattr(node, "detach"):
        raise InputError(f"a tensor cannot be a node id: {node!r}; use its number, tensor.item() or tolist()")
    if not isinstance(node, Hashable):
        raise InputError(
            f"{node!r} ({type(node).__name__}) cannot be a node id: ids must be hashable, "
            "such as integers, strings or tuples"
        )


def _is_missing(node: Any) -> bool:
    """None, NaN, and what pandas and numpy write where there is no value; pandas is not imported for that."""
    if isinstance(node, (float, np.floating)):
        return math.isnan(node)
    if isinstance(node, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(node))
    return node is None or type(node).__name__ in ("NAType", "NaTType")


def number_endpoints(source: Any, target: Any, *, reuse: bool = False) -> tuple[Array, Array, Array]:
    """Turn the two columns of an edge list into positions and the ids they stand for.

    Nodes are numbered as they appear, row by row, source before target (as networkx does).
    Columns are numpy integer arrays, words of a parser, or sequences of Python objects.
    `reuse` allows to write the positions over the columns.

    >>> rows, cols, nodes = number_endpoints(np.array([7, 5]), np.array([5, -1]))
    >>> rows.tolist(), cols.tolist(), nodes.tolist()
    ([0, 1], [1, 2], [7, 5, -1])
    """
    if isinstance(source, np.ndarray) and source.dtype.kind in "iu" and len(source):
        low = min(int(source.min()), int(target.min()))
        span = max(int(source.max()), int(target.max())) - low + 1
        if span <= max(8 * len(source), 1 << 16):
            return _number_by_table(source, target, low, span, reuse)
        return columnar.fastest().number_integers(source, target)
    if hasattr(source, "number_with"):
        return source.number_with(target)  # type: ignore[no-any-return]
    return _number_objects(source, target)


def _number_by_table(source: Array, target: Array, low: int, span: int, reuse: bool) -> tuple[Array, Array, Array]:
    """Integers of small range: a table from id to its first place, filled from the back."""
    never = np.iinfo(np.int64).max
    first = np.full(span, never, dtype=np.int64)
    for start in range((len(source) - 1) // _BLOCK * _BLOCK, -1, -_BLOCK):
        stop = min(start + _BLOCK, len(source))
        pair = np.empty(2 * (stop - start), dtype=np.int64)
        pair[0::2] = _offset(source[start:stop], low)
        pair[1::2] = _offset(target[start:stop], low)
        # numpy keeps the last value written to an index: going backwards, that is the first place
        first[pair[::-1]] = np.arange(2 * stop - 1, 2 * start - 1, -1)
    used = np.flatnonzero(first != never)
    offsets = used[np.argsort(first[used])]
    del first, used
    position = np.empty(span, dtype=index_type(len(offsets)))
    position[offsets] = np.arange(len(offsets))
    nodes = offsets.astype(wide(source.dtype)) + wide(source.dtype).type(low)
    rows, cols = (_looked_up(position, column, low, reuse) for column in (source, target))
    return rows, cols, nodes


def _looked_up(position: Array, ids: Array, low: int, reuse: bool) -> Array:
    result = ids if reuse and ids.dtype == position.dtype else np.empty(len(ids), dtype=position.dtype)
    for start in range(0, len(ids), _BLOCK):
        result[start : start + _BLOCK] = position[_offset(ids[start : start + _BLOCK], low)]
    return result


def _offset(ids: Array, low: int) -> Array:
    """Distance from the smallest id, in a type that can hold it."""
    if low == 0:
        return ids
    return ids - ids.dtype.type(low) if ids.dtype == np.uint64 else ids.astype(np.int64) - low


def _number_objects(source: Iterable[Any], target: Iterable[Any]) -> tuple[Array, Array, Array]:
    position: dict[Any, int] = {}
    numbers: list[int] = []
    try:
        for pair in zip(source, target, strict=True):
            for node in pair:
                numbers.append(position.setdefault(node, len(position)))
    except TypeError:
        check_id(node)
        raise
    for node in position:
        check_id(node)
    ends = np.array(numbers, dtype=np.int64)
    return ends[0::2], ends[1::2], object_array(list(position))


def integers(values: Sequence[int]) -> Array:
    """Python integers as int64, or uint64, or, where they fit neither, as themselves."""
    low, high = min(values, default=0), max(values, default=0)
    if low >= -(2**63) and high < 2**63:
        return np.array(values, dtype=np.int64)
    if low >= 0 and high < 2**64:
        return np.array(values, dtype=np.uint64)
    return object_array(values)


def fits_in_array(words: Sequence[Any]) -> bool:
    r"""Whether numpy's text, all of one length, holds these words as they are and not in far more room than they take.

    >>> fits_in_array(["ada", "bob"]), fits_in_array(["ada\0"]), fits_in_array(["a"] * 10_000 + ["b" * 10_000])
    (True, False, False)
    """
    lengths = [len(word) for word in words if isinstance(word, str)]
    room = 4 * len(lengths) * max(lengths, default=0)
    return room <= _PADDED + 64 * sum(lengths) and not any(
        isinstance(word, str) and word.endswith("\0") for word in words
    )


def find(nodes: Array, wanted: Array) -> Array:
    """Position in `nodes` of every wanted id, −1 where there is none."""
    if nodes.dtype.kind in "iu" and wanted.dtype == nodes.dtype:
        order = np.argsort(nodes, kind="stable")
        place = np.searchsorted(nodes, wanted, sorter=order)
        place[place == len(nodes)] = 0
        found: Array = order[place] if len(nodes) else np.full(len(wanted), -1)
        return np.where(nodes[found] == wanted, found, -1) if len(nodes) else found
    position = {node: i for i, node in enumerate(nodes.tolist())}
    return np.fromiter((position.get(node, -1) for node in wanted.tolist()), dtype=np.int64, count=len(wanted))
