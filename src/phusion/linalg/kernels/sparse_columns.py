"""Sparse matrices by their columns: products, and sums of sines over the entries of each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["column_angle_sums", "multiply_columns"]

_POWERS = 14
_WHOLE = 1 << 14  # whole numbers below this are counted, and each that occurs is turned once


@compiled()
def multiply_columns(
    indptr: Any,
    indices: Any,
    data: Any,
    block_starts: Any,
    block_rows: Any,
    block_values: Any,
    sums: Any,
    starts: Any,
    rows: Any,
    values: Any,
) -> None:
    """M times a block of sparse columns, M by columns too; the work is that of the entries that meet, and no more.

    `starts` are the ends of the columns made, `rows` and `values` have room for all entries that may meet. Rows of a
    column are in the order in which they are met. `sums`, one for each row of M, are not numbers before and after: that
    says who is not met yet, and most of them are in no cache, so that a second array would be as slow again.
    """
    filled = 0
    starts[0] = 0
    for c in range(len(block_starts) - 1):
        for place in range(block_starts[c], block_starts[c + 1]):
            v, x = block_rows[place], block_values[place]
            for inner in range(indptr[v], indptr[v + 1]):
                z = indices[inner]
                before = sums[z]
                if before != before:
                    rows[filled] = z
                    filled += 1
                    before = 0.0
                sums[z] = before + data[inner] * x
        starts[c + 1] = filled
        for place in range(starts[c], filled):
            z = rows[place]
            values[place] = sums[z]
            sums[z] = np.nan


@compiled(reorder=True)
def _sum_powers(values: Any, count: int, powers: Any) -> None:
    """Σ y, Σ y², … Σ y¹⁴ of the first values."""
    p1, p2, p3, p4, p5, p6, p7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    p8, p9, p10, p11, p12, p13, p14 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for q in range(count):
        y = values[q]
        y2 = y * y
        y4 = y2 * y2
        y8 = y4 * y4
        y3, y5, y6, y7 = y2 * y, y4 * y, y4 * y2, y4 * y2 * y
        p1 += y
        p2 += y2
        p3 += y3
        p4 += y4
        p5 += y5
        p6 += y6
        p7 += y7
        p8 += y8
        p9 += y8 * y
        p10 += y8 * y2
        p11 += y8 * y3
        p12 += y8 * y4
        p13 += y8 * y5
        p14 += y8 * y6
    powers[0], powers[1], powers[2], powers[3], powers[4], powers[5], powers[6] = p1, p2, p3, p4, p5, p6, p7
    powers[7], powers[8], powers[9], powers[10], powers[11], powers[12], powers[13] = p8, p9, p10, p11, p12, p13, p14


@compiled(reorder=True)
def column_angle_sums(data: Any, indptr: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """As `angles.half_angle_sums` for sparse columns; equal whole numbers, as of paths, are turned together.

    Entries whose angles stay below 1 are summed up to their 14th power instead, which is exact to 1e-12 of them.
    """
    longest = 0
    most_turned = 2.0 * half * count  # the largest angle of an entry of 1
    powers = np.empty(_POWERS)
    for u in range(len(indptr) - 1):
        longest = max(longest, indptr[u + 1] - indptr[u])
    sine, cosine, sine1, cosine1, weight, small = np.empty((6, longest + 1))
    tallies = np.zeros(_WHOLE, np.int64)
    for u in range(len(indptr) - 1):
        used, most, n_small = 0, 0, 0
        for place in range(indptr[u], indptr[u + 1]):
            x = data[place]
            if 0.0 <= x < _WHOLE and x == np.floor(x):
                whole = int(x)
                tallies[whole] += 1
                most = max(most, whole)
            elif abs(x) * most_turned < 1.0:
                small[n_small] = x * most_turned
                n_small += 1
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
        if n_small > 0:
            _sum_powers(small, n_small, powers)
            for k in range(count):
                ratio = (k + 1) / count
                square, product, term = 0.0, 0.0, ratio
                for order in range(0, _POWERS, 2):  # of the sine, and of one minus the cosine
                    product += term * powers[order]
                    term *= ratio / (order + 2)
                    square += term * powers[order + 1]
                    term *= -ratio / (order + 3)
                squares[u, k] += 0.5 * square
                products[u, k] += 0.5 * product
