"""Powers of a sparse matrix, each from the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from phusion.graph.ids import Array

__all__ = ["in_sequence", "powers"]


def in_sequence(orders: Sequence[int], ascending: Callable[[Sequence[int]], Iterator[Array]]) -> Iterator[Array]:
    """What `ascending` gives for sorted orders, in the sequence asked for; sorted ones are not kept."""
    if list(orders) == sorted(orders):
        yield from ascending(orders)
    else:
        found = dict(zip(sorted(orders), ascending(sorted(orders)), strict=True))
        yield from (found[order] for order in orders)


def powers(matrix: Any, orders: Sequence[int]) -> Iterator[Array]:
    """The dense power M^k for each order k."""
    return in_sequence(orders, lambda ascending: _ascending(matrix, ascending))


def _ascending(matrix: Any, orders: Sequence[int]) -> Iterator[Array]:
    power, done = np.eye(matrix.shape[0]), 0
    for order in orders:
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is named where the values are used
            for _ in range(order - done):
                power = matrix @ power
        done = order
        yield power
