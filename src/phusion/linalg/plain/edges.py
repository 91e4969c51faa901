"""Sparse matrices of which only some rows are written out at a time, times a block of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.plain.pieces import row_slices

__all__ = ["edge_sum_times", "keep_largest", "surroundings_times"]


def edge_sum_times(
    indptr: Any,
    indices: Any,
    values: Any,
    rows: Any,
    columns: Any,
    x: Any,
    z: Any,
    out: Any,
    by: Any,
    start: int,
    stop: int,
) -> None:
    """Rows start to stop of out = a S x + b z + c out, where S_ij = rows_i + columns_j + values_ij on stored places."""
    x = np.ascontiguousarray(x)
    for some in row_slices(start, stop, x.shape[1]):
        starts = indptr[some.start : some.stop + 1]
        stored = slice(int(starts[0]), int(starts[-1]))
        entries = np.repeat(rows[some], np.diff(starts)) + columns[indices[stored]]
        if len(values):
            entries += values[stored]
        _combine(_written(starts, indices[stored], entries, len(x)) @ x, z, out, by, some)


def surroundings_times(
    indptr: Any,
    indices: Any,
    values: Any,
    shares: Any,
    loop: Any,
    x: Any,
    z: Any,
    out: Any,
    by: Any,
    start: int,
    stop: int,
) -> None:
    """Rows start to stop of out = a M x + b z + c out, where M_ij = shares_i (A_ij + loop δ_ij)."""
    x = np.ascontiguousarray(x)
    for some in row_slices(start, stop, x.shape[1]):
        starts = indptr[some.start : some.stop + 1]
        stored = slice(int(starts[0]), int(starts[-1]))
        entries = values[stored] if len(values) else np.ones(stored.stop - stored.start, x.dtype)
        found = _written(starts, indices[stored], entries, len(x)) @ x
        found += loop * x[some]
        found *= shares[some][:, None]
        _combine(found, z, out, by, some)


def _written(starts: Any, indices: Any, entries: Any, columns: int) -> Any:
    """Some rows of a matrix, from their entries alone."""
    return sparse.csr_array((entries, indices, starts - starts[0]), shape=(len(starts) - 1, columns))


def _combine(found: Any, z: Any, out: Any, by: Any, some: slice) -> None:
    """Some rows of out = a found + b z + c out; what has factor 0 is not read."""
    a, b, c = by
    found *= a
    if c != 0 or b != 0:
        found += b * z[some]
    if c != 0:
        found += c * out[some]
    out[some] = found


def keep_largest(indptr: Any, data: Any, most: int, slack: float, kept: Any) -> None:
    """Mark the `most` largest entries of each row, and with them all that equal the last of these."""
    lengths = np.diff(indptr)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    long = lengths > most
    ascending = data[np.lexsort((data, owners))]
    last = np.zeros(len(lengths))
    last[long] = ascending[indptr[1:][long] - most]
    enough = data >= (last * (1.0 - slack))[owners]
    crowded = np.bincount(owners[enough], minlength=len(lengths)) > 2 * most
    above = data > (last * (1.0 + slack))[owners]
    kept[:] = ~long[owners] | np.where(crowded[owners], above, enough)
