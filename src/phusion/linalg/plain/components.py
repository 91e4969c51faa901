"""Parts of columns along one vector for each connected component."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.plain.pieces import row_slices

__all__ = ["add_along", "sums_along"]

_NUMBERS = 1 << 18  # of some columns, where they are not of the sums' type


def sums_along(vector: Any, components: Any, x: Any, sums: Any) -> None:
    """The product of each component's part of the vector with each column, added to `sums` (components × columns)."""
    n, width = x.shape
    parts = sparse.csc_array((vector.astype(sums.dtype), components, np.arange(n + 1)), shape=(len(sums), n))
    step = max(1, width if x.dtype == sums.dtype else _NUMBERS // max(1, n))
    for left in range(0, width, step):
        some = slice(left, left + step)
        sums[:, some] += parts @ np.ascontiguousarray(x[:, some], sums.dtype)


def add_along(vector: Any, components: Any, sums: Any, times: float, x: Any) -> None:
    """X gains `times` its component's sum along the vector."""
    for rows in row_slices(0, *x.shape):
        x[rows] += (times * vector[rows])[:, None] * sums[components[rows]]
