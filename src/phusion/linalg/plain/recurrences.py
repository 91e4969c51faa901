"""Sparse matrix times a block of columns, and the recurrences made of it, some rows at a time.

SciPy computes every row from the stored entries in their order, whatever else is computed with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.plain.pieces import row_slices, sparse_rows

__all__ = ["add_power", "chebyshev_step", "multiply"]


def multiply(indptr: Any, indices: Any, data: Any, x: Any, out: Any, start: int, stop: int) -> None:
    """Rows start to stop of out = M x."""
    x = np.ascontiguousarray(x)  # SciPy would do so for each of the products
    for rows in row_slices(start, stop, x.shape[1]):
        out[rows] = sparse_rows(indptr, indices, data, rows, len(x)) @ x


def chebyshev_step(
    indptr: Any,
    indices: Any,
    data: Any,
    shift: Any,
    x: Any,
    before: Any,
    coefficients: Any,
    sums: Any,
    start: int,
    stop: int,
) -> None:
    """T_{j+1} = 2 (M − shift) T_j − T_{j−1} in place of T_{j−1}, and each sum gains its coefficient times it."""
    x = np.ascontiguousarray(x)
    two = x.dtype.type(2)
    for rows in row_slices(start, stop, x.shape[1]):
        found = sparse_rows(indptr, indices, data, rows, len(x)) @ x
        if shift != 0:
            found -= shift * x[rows]
        found *= two
        found -= before[rows]
        before[rows] = found
        for weight, total in zip(coefficients, sums, strict=True):
            if weight != 0:
                total[rows] += weight * found


def add_power(
    indptr: Any, indices: Any, data: Any, x: Any, out: Any, least: float, coefficients: Any, sums: Any
) -> bool:
    """Out = M x, and each sum gains its coefficient times it; whether any sum changed at all."""
    x = np.ascontiguousarray(x)
    changed = False
    for rows in row_slices(0, len(x), x.shape[1]):
        found = sparse_rows(indptr, indices, data, rows, len(x)) @ x
        if least > 0:
            found[np.abs(found) < least] = 0
        out[rows] = found
        for weight, total in zip(coefficients, sums, strict=True):
            if weight != 0:
                new = total[rows] + weight * found
                changed = changed or bool((new != total[rows]).any())
                total[rows] = new
    return changed
