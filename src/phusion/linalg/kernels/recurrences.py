"""Sparse matrix times a block of columns, and the recurrences made of it.

Every entry is computed from its own column alone and in the order of the stored entries, so results do not depend on
how many columns are computed together, nor on which thread computes which rows.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["add_power", "chebyshev_step", "multiply", "row_ranges"]


@compiled()
def multiply(indptr: Any, indices: Any, data: Any, x: Any, out: Any, start: int, stop: int) -> None:
    """Rows start to stop of out = M x."""
    for i in range(start, stop):
        _row(indptr, indices, data, x, out, i)


@compiled()
def _row(indptr: Any, indices: Any, data: Any, x: Any, out: Any, i: int) -> None:
    """Row i of out = M x, four stored entries at a time."""
    width = x.shape[1]
    place, end = indptr[i], indptr[i + 1]
    for c in range(width):
        out[i, c] = 0
    while place + 4 <= end:
        a, b, d, e = data[place], data[place + 1], data[place + 2], data[place + 3]
        j, k, m, o = indices[place], indices[place + 1], indices[place + 2], indices[place + 3]
        for c in range(width):
            out[i, c] += (a * x[j, c] + b * x[k, c]) + (d * x[m, c] + e * x[o, c])
        place += 4
    while place < end:
        a, j = data[place], indices[place]
        for c in range(width):
            out[i, c] += a * x[j, c]
        place += 1


@compiled()
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
    """T_{j+1} = 2 (M − shift) T_j − T_{j−1} in place of T_{j−1}, and each sum gains its coefficient times it.

    Rows start to stop of it; `coefficients` has one number for each of `sums`; those that are 0 are skipped.
    """
    width = x.shape[1]
    row = np.empty(width, x.dtype)
    two = x.dtype.type(2)
    for i in range(start, stop):
        place, end = indptr[i], indptr[i + 1]
        for c in range(width):
            row[c] = -shift * x[i, c]
        while place + 4 <= end:
            a, b, d, e = data[place], data[place + 1], data[place + 2], data[place + 3]
            j, k, m, o = indices[place], indices[place + 1], indices[place + 2], indices[place + 3]
            for c in range(width):
                row[c] += (a * x[j, c] + b * x[k, c]) + (d * x[m, c] + e * x[o, c])
            place += 4
        while place < end:
            a, j = data[place], indices[place]
            for c in range(width):
                row[c] += a * x[j, c]
            place += 1
        for c in range(width):
            before[i, c] = two * row[c] - before[i, c]
        for s in range(len(coefficients)):
            weight = coefficients[s]
            if weight != 0:
                for c in range(width):
                    sums[s, i, c] += weight * before[i, c]


@compiled()
def add_power(
    indptr: Any, indices: Any, data: Any, x: Any, out: Any, least: float, coefficients: Any, sums: Any
) -> bool:
    """Out = M x, and each sum gains its coefficient times it; whether any sum changed at all.

    Numbers below `least` become 0: they are slow to compute with and beyond any use.
    """
    n, width = x.shape
    changed = False
    for i in range(n):
        _row(indptr, indices, data, x, out, i)
        for c in range(width):
            if abs(out[i, c]) < least:
                out[i, c] = 0
        for s in range(len(coefficients)):
            weight = coefficients[s]
            if weight != 0:
                for c in range(width):
                    new = sums[s, i, c] + weight * out[i, c]
                    changed |= new != sums[s, i, c]
                    sums[s, i, c] = new
    return changed


def row_ranges(indptr: Any, parts: int) -> list[tuple[int, int]]:
    """Ranges of rows with about equally many stored entries."""
    marks = np.searchsorted(indptr, np.linspace(0, indptr[-1], parts + 1)[1:-1])
    bounds = [0, *(int(mark) for mark in marks), len(indptr) - 1]
    return [(start, stop) for start, stop in pairwise(bounds) if stop > start]
