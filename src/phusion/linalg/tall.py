"""Arithmetic with tall arrays of single precision, some rows at a time: sums are of doubles, whatever the threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

__all__ = ["Each", "Tall", "one_by_one"]

Each = Callable[[Callable[[int], Any], int], list[Any]]
"""Something that computes a function of 0 to count − 1, in threads."""

_CHUNK = 16_384  # rows at a time, the same whatever else is chosen, so that sums are the same
_NOTHING = 1e-30  # a squared length that single precision cannot bring to 1
_LEAST = 1e-7  # of the largest: directions shorter than this are rounding


def one_by_one(function: Callable[[int], Any], count: int) -> list[Any]:
    """Without threads."""
    return [function(i) for i in range(count)]


class Tall:
    """What is done with n × k arrays, k being small."""

    def __init__(self, n: int, each: Each = one_by_one) -> None:
        self.n, self._each = n, each

    def chunks(self, function: Callable[[slice], Any]) -> list[Any]:
        """The function of some rows at a time, in order."""
        return self._each(lambda c: function(slice(c * _CHUNK, (c + 1) * _CHUNK)), -(-self.n // _CHUNK))

    def gram(self, one: Any, other: Any, kind: Any = None) -> Any:
        """Oneᵀ other, in doubles; each part of the sum in `kind`, which is that of the arrays if none is given."""
        total = np.zeros((one.shape[1], other.shape[1]))
        for part in self.chunks(lambda rows: _as(one[rows], kind).T @ _as(other[rows], kind)):
            total += part
        return total

    def lengths(self, block: Any) -> Any:
        """Of the columns."""
        parts = self.chunks(lambda rows: np.einsum("ij,ij->j", block[rows], block[rows], dtype=np.float64))
        return np.sqrt(np.sum(parts, axis=0))

    def signs(self, block: Any) -> Any:
        """±1 for each column, so that its entry of largest magnitude is positive."""
        ends = self.chunks(lambda rows: (block[rows].min(axis=0), block[rows].max(axis=0)))
        lows, highs = (np.array(each) for each in zip(*ends, strict=True))
        return np.where(-lows.min(axis=0) > highs.max(axis=0), -1.0, 1.0).astype(block.dtype)

    def turn(self, block: Any, turn: Any) -> Any:
        """Block · turn in place; what it gives, which may have fewer columns, is a view of the first ones."""
        turn = np.ascontiguousarray(turn, block.dtype)

        def one(rows: slice) -> None:
            block[rows, : turn.shape[1]] = block[rows] @ turn

        self.chunks(one)
        return block[:, : turn.shape[1]]

    def orthonormalise(self, block: Any) -> None:
        """Columns of length 1, at right angles, in place.

        From the eigenvectors of the products of columns that were brought to equal length first, as columns of very
        different lengths would lose their digits. Directions that are only rounding stay short.
        """
        products = self.gram(block, block)
        squares = products.diagonal()
        scale = np.where(squares > _NOTHING, 1.0 / np.sqrt(np.maximum(squares, _NOTHING)), 0.0)
        if not scale.any():
            return
        values, vectors = linalg.eigh(products * scale * scale[:, None], check_finite=False)
        values = np.maximum(values, values[-1] * _LEAST)
        self.turn(block, scale[:, None] * vectors / np.sqrt(values))


def _as(rows: Any, kind: Any) -> Any:
    return rows if kind is None else rows.astype(kind, copy=False)
