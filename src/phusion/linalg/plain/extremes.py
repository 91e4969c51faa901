"""Extremes of a block of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.plain.pieces import column_sums, tiles

__all__ = ["block_extremes"]


def block_extremes(values: Any, floor: float, sums: Any) -> tuple[float, float, float, bool]:
    """Smallest, largest, smallest above the floor, and whether all are numbers; `sums` gains |S| summed by columns."""
    smallest, largest, above, numbers = np.inf, -np.inf, np.inf, True
    for rows, columns in tiles(*values.shape):
        some = np.asarray(values[rows, columns], np.float64)
        smallest = min(smallest, float(np.fmin.reduce(some, axis=None)))
        largest = max(largest, float(np.fmax.reduce(some, axis=None)))
        above = min(above, float(np.min(some, where=some > floor, initial=np.inf)))
        total = column_sums(np.abs(some))
        numbers = numbers and not bool(np.isnan(total).any())
        sums[columns] += total
    return smallest, largest, above, numbers
