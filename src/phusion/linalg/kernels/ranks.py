"""Counting floating-point numbers by their leading bits, in the order of their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["count_keys", "range_between", "values_between"]


@compiled()
def count_keys(bits: Any, low: Any, high: Any, shift: int, counts: Any) -> Any:
    """For every number whose key is from low to high, add 1 to counts[(key − low) >> shift]; first and last of these.

    `bits` are doubles read as unsigned integers. Keys are these with the sign bit turned round, so that they are in
    order: all bits of negative numbers are flipped, only the sign of the others. −0 counts as 0.
    """
    top = np.uint64(1) << np.uint64(63)
    by = np.uint64(shift)
    first, last = np.uint64(len(counts)), np.uint64(0)
    for i in range(bits.shape[0]):
        for j in range(bits.shape[1]):
            b = bits[i, j]
            key = ~b if b > top else b | top
            if low <= key <= high:
                place = (key - low) >> by
                counts[place] += 1
                first, last = min(first, place), max(last, place)
    return np.int64(first), np.int64(last) + 1


@compiled()
def values_between(values: Any, low: float, high: float, out: Any) -> int:
    """Copy the values from low to high to `out`, as far as it goes; how many there are."""
    found = 0
    for i in range(values.shape[0]):
        here = 0
        for j in range(values.shape[1]):  # most rows have none, and that is seen many entries at a time
            here += int((values[i, j] >= low) & (values[i, j] <= high))
        if here == 0:
            continue
        for j in range(values.shape[1]):
            value = values[i, j]
            if low <= value <= high:
                if found < len(out):
                    out[found] = value
                found += 1
    return found


@compiled(reorder=True)
def range_between(values: Any, low: float, high: float) -> tuple[float, float]:
    """The smallest and the largest of the values from low to high; (∞, −∞) if there is none."""
    smallest, largest = np.inf, -np.inf
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            value = values[i, j]
            if low <= value <= high:
                smallest, largest = min(smallest, value), max(largest, value)
    return smallest, largest
