"""Parts of columns along one vector for each connected component."""

from __future__ import annotations

from typing import Any

from phusion.linalg.kernels.compiled import compiled

__all__ = ["add_along", "sums_along"]


@compiled()
def sums_along(vector: Any, components: Any, x: Any, sums: Any) -> None:
    """The product of each component's part of the vector with each column, added to `sums` (components × columns)."""
    for i in range(x.shape[0]):
        weight, part = vector[i], components[i]
        for c in range(x.shape[1]):
            sums[part, c] += weight * x[i, c]


@compiled()
def add_along(vector: Any, components: Any, sums: Any, times: float, x: Any) -> None:
    """X gains `times` its component's sum along the vector."""
    for i in range(x.shape[0]):
        weight, part = times * vector[i], components[i]
        for c in range(x.shape[1]):
            x[i, c] += weight * sums[part, c]
