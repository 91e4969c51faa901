"""Extremes of a block of columns in one go."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["block_extremes"]


@compiled()
def block_extremes(values: Any, floor: float, sums: Any) -> tuple[float, float, float, bool]:
    """Smallest, largest, smallest above the floor, and whether all are numbers; `sums` gains |S| summed by columns."""
    n, width = values.shape
    smallest, largest, above = np.full((3, width), np.inf)
    strange = np.zeros(width)
    for c in range(width):
        largest[c] = -np.inf
    for i in range(n):
        for c in range(width):
            value = np.float64(values[i, c])
            smallest[c] = min(smallest[c], value)
            largest[c] = max(largest[c], value)
            above[c] = min(above[c], value if value > floor else np.inf)
            sums[c] += abs(value)
            strange[c] += value != value  # not a number
    return smallest.min(), largest.max(), above.min(), strange.max() == 0.0
