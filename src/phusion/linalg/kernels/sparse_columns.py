"""Sparse matrices by their columns: products, and sums of sines over the entries of each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["column_angle_sums", "multiply_columns"]

_WHOLE = 1 << 14  # whole numbers below this are counted, and each that occurs is turned once


@compiled()
def multiply_columns(
    indptr: Any,
    indices: Any,
    data: Any,
    block_starts: Any,
    block_rows: Any,
    block_values: Any,
    starts: Any,
    rows: Any,
    values: Any,
) -> None:
    """M times a block of sparse columns, M by columns too; the work is that of the entries that meet, and no more.

    `starts` are the ends of the columns made, `rows` and `values` have room for all entries that may meet. Rows of a
    column are in the order in which they are met.
    """
    n = len(indptr) - 1
    sums, met = np.zeros(n), np.zeros(n, np.int32)
    filled = 0
    starts[0] = 0
    for c in range(len(block_starts) - 1):
        for place in range(block_starts[c], block_starts[c + 1]):
            v, x = block_rows[place], block_values[place]
            for inner in range(indptr[v], indptr[v + 1]):
                z = indices[inner]
                if met[z] != c + 1:
                    met[z] = c + 1
                    sums[z] = 0.0
                    rows[filled] = z
                    filled += 1
                sums[z] += data[inner] * x
        starts[c + 1] = filled
        for place in range(starts[c], filled):
            values[place] = sums[rows[place]]


@compiled(reorder=True)
def column_angle_sums(data: Any, indptr: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """As `angles.half_angle_sums` for sparse columns; equal whole numbers, as of paths, are turned together."""
    longest = 0
    for u in range(len(indptr) - 1):
        longest = max(longest, indptr[u + 1] - indptr[u])
    sine, cosine, sine1, cosine1, weight = np.empty((5, longest + 1))
    tallies = np.zeros(_WHOLE, np.int64)
    for u in range(len(indptr) - 1):
        used, most = 0, 0
        for place in range(indptr[u], indptr[u + 1]):
            x = data[place]
            if 0.0 <= x < _WHOLE and x == np.floor(x):
                whole = int(x)
                tallies[whole] += 1
                most = max(most, whole)
            else:
                sine1[used] = x
                weight[used] = 1.0
                used += 1
        tallies[0] = 0
        for whole in range(1, most + 1):
            if tallies[whole] > 0:
                sine1[used] = whole
                weight[used] = tallies[whole]
                tallies[whole] = 0
                used += 1
        for q in range(used):
            angle = half * sine1[q]
            sine1[q], cosine1[q] = np.sin(angle), np.cos(angle)
            sine[q], cosine[q] = sine1[q], cosine1[q]
        for k in range(count):
            square, product = 0.0, 0.0
            for q in range(used):
                s, c = sine[q], cosine[q]
                square += weight[q] * s * s
                product += weight[q] * s * c
                sine[q] = s * cosine1[q] + c * sine1[q]
                cosine[q] = c * cosine1[q] - s * sine1[q]
            squares[u, k] += square
            products[u, k] += product
