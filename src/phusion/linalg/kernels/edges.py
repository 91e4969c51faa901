"""Sparse matrices that are never written out, times a block of columns.

Every row is computed from the stored entries in their order, so results do not depend on which thread computes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["edge_sum_times", "keep_largest", "surroundings_times"]


@compiled()
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
    """Rows start to stop of out = a S x + b z + c out, where S_ij = rows_i + columns_j + values_ij on stored places.

    `by` holds a, b and c; `values` are left out, as an empty array, where they are all 0.
    """
    width = x.shape[1]
    row = np.empty(width, x.dtype)
    more = len(values) > 0
    for i in range(start, stop):
        own = rows[i]
        place, end = indptr[i], indptr[i + 1]
        for k in range(width):
            row[k] = 0
        while place + 2 <= end:
            j, m = indices[place], indices[place + 1]
            one, two = own + columns[j], own + columns[m]
            if more:
                one += values[place]
                two += values[place + 1]
            for k in range(width):
                row[k] += one * x[j, k] + two * x[m, k]
            place += 2
        if place < end:
            j = indices[place]
            one = own + columns[j]
            if more:
                one += values[place]
            for k in range(width):
                row[k] += one * x[j, k]
        _combine(row, z, out, by, i)


@compiled()
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
    """Rows start to stop of out = a M x + b z + c out, where M_ij = shares_i (A_ij + loop δ_ij).

    `by` holds a, b and c; `values` are left out, as an empty array, where they are all 1.
    """
    width = x.shape[1]
    row = np.empty(width, x.dtype)
    weighted = len(values) > 0
    for i in range(start, stop):
        for k in range(width):
            row[k] = loop * x[i, k]
        for place in range(indptr[i], indptr[i + 1]):
            j = indices[place]
            if weighted:
                weight = values[place]
                for k in range(width):
                    row[k] += weight * x[j, k]
            else:
                for k in range(width):
                    row[k] += x[j, k]
        share = shares[i]
        for k in range(width):
            row[k] *= share
        _combine(row, z, out, by, i)


@compiled()
def _combine(row: Any, z: Any, out: Any, by: Any, i: int) -> None:
    """Row i of out = a row + b z + c out; what has factor 0 is not read."""
    a, b, c = by[0], by[1], by[2]
    if c != 0:
        for k in range(len(row)):
            out[i, k] = a * row[k] + b * z[i, k] + c * out[i, k]
    elif b != 0:
        for k in range(len(row)):
            out[i, k] = a * row[k] + b * z[i, k]
    else:
        for k in range(len(row)):
            out[i, k] = a * row[k]


@compiled()
def keep_largest(indptr: Any, data: Any, most: int, slack: float, kept: Any) -> None:
    """Mark the `most` largest entries of each row, and with them all that equal the last of these.

    Entries within `slack` of each other, relatively, are equal. Where that would be more than twice as many, those that
    equal the last are left out instead: so a choice never depends on the order of the nodes, and rows stay short.
    """
    for i in range(len(indptr) - 1):
        start, stop = indptr[i], indptr[i + 1]
        if stop - start <= most:
            kept[start:stop] = True
            continue
        last = np.partition(data[start:stop], stop - start - most)[stop - start - most]
        least = last * (1.0 - slack)
        count = 0
        for place in range(start, stop):
            count += data[place] >= least
        if count > 2 * most:
            least = last * (1.0 + slack)
        for place in range(start, stop):
            kept[place] = data[place] >= least if count <= 2 * most else data[place] > least
