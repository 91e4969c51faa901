"""Powers of a sparse matrix, each from the one before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from phusion.graph.ids import Array

__all__ = ["powers"]


def powers(matrix: Any, orders: Sequence[int]) -> Iterator[Array]:
    """The dense power M^k for each order k, in the given sequence."""
    found: dict[int, Array] = {}
    power = np.eye(matrix.shape[0])
    done = 0
    for order in sorted(set(orders)):
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is named where the values are used
            for _ in range(order - done):
                power = matrix @ power
        done = order
        found[order] = power
    yield from (found[order].copy() for order in orders)
