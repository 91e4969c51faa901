"""`Propagation` π: every node's row is mixed with those of the nodes around it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from phusion.component import Component
from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.surroundings import Surroundings
from phusion.linalg.tall import Each, Tall, one_by_one
from phusion.parameter import Count
from phusion.proximities.base import check_weights

__all__ = ["STRIPE", "Propagation", "Striped"]

Striped = Callable[[Any, Array, int, Any], Iterator[tuple[slice, Array]]]
"""Something that computes ``function(held, columns)`` of so many columns at a time, and says which these were."""
_HEAVIEST = 1e30  # degrees: squares of sums stay in the range of single precision's exponents, nearly
STRIPE = 64
"""Columns that are filtered at a time, so that memory stays a few of these beside the rows."""


class Propagation(Component, family="propagations"):
    """A propagation π. Rows of length 1 are filtered along edges, turned to their own axes, and get length 1 again."""

    columns: Count | None = None

    @property
    @abstractmethod
    def products(self) -> int:
        """Sparse products with the rows."""

    @abstractmethod
    def filtered(self, around: Surroundings, rows: Array) -> Array:
        """The rows, some of their columns at a time, after the filter. What is given may be overwritten."""

    def check(self, graph: Graph, width: int) -> None:
        """Refuse graphs and numbers of columns that make no sense."""
        if graph.signed:
            raise InputError(
                f"{type(self).__name__} does not take signed graphs: means over neighbours need weights ≥ 0"
            )
        check_weights(graph)
        if float(graph.degrees.max(initial=0.0)) > _HEAVIEST:
            raise InputError(
                f"{type(self).__name__} adds each node to its neighbours with weight 1, nothing beside weights "
                f"above {_HEAVIEST:g}; divide the weights by their maximum"
            )
        if self.columns is not None and self.columns > width:
            raise InputError(f"{type(self).__name__} needs columns ≤ {width}, those it is given; got {self.columns}")

    def width(self, given: int, blocks: int = 1) -> int:
        """How many columns there are after it, of so many in so many blocks."""
        return given // blocks if self.columns is None else self.columns

    def applied(
        self, graph: Graph, rows: Array, blocks: int = 1, each: Each = one_by_one, striped: Striped | None = None
    ) -> Array:
        """Y from rows of as many blocks side by side, which are written over; nodes with a row of zeros keep it.

        `each` computes ranges of rows, and `striped` filters some columns at a time elsewhere.
        """
        self.check(graph, rows.shape[1])
        tall = Tall(len(rows), each)
        around = Surroundings.of(graph.adjacency, rows.dtype, each if striped is None else one_by_one)
        for block in np.split(rows, blocks, axis=1):
            _unit(tall, block)
        for some, found in (striped or _here)(_Filtered(self), rows, STRIPE, around):
            rows[:, some] = found
        turned = _turned(tall, rows, self.width(rows.shape[1], blocks))
        _unit(tall, turned)
        return turned


@dataclass(frozen=True)
class _Filtered:
    """One task."""

    propagation: Propagation

    def __call__(self, around: Surroundings, rows: Array) -> Array:
        return self.propagation.filtered(around, rows)


def _here(function: Any, rows: Array, width: int, held: Any) -> Iterator[tuple[slice, Array]]:
    for first in range(0, rows.shape[1], width):
        some = slice(first, first + width)
        yield some, function(held, np.ascontiguousarray(rows[:, some]))


def _unit(tall: Tall, rows: Array) -> None:
    """Rows of length 1, in place; zeros stay."""

    def one(some: slice) -> None:
        part = rows[some]
        largest = np.abs(part).max(axis=1, keepdims=True, initial=0.0)
        np.divide(part, largest, out=part, where=largest > 0)  # squares stay in range
        lengths = np.linalg.norm(part, axis=1, keepdims=True)
        np.divide(part, lengths, out=part, where=lengths > 0)

    tall.chunks(one)


def _turned(tall: Tall, rows: Array, width: int) -> Array:
    """U Σ^½ of the rows Z = U Σ Vᵀ: Z V Σ^-½, with V and Σ² from ZᵀZ. What is only rounding becomes 0."""
    squares, axes = linalg.eigh(tall.gram(rows, rows, np.float64), check_finite=False)
    squares, axes = squares[::-1][:width], axes[:, ::-1][:, :width]
    least = squares[0] * len(squares) * (64.0 * float(np.finfo(rows.dtype).eps)) ** 2
    real = squares > max(least, squares[0] * 1e-13)
    scale = np.where(real, np.where(real, squares, 1.0) ** -0.25, 0.0)
    found: Array = tall.turn(rows, axes * scale)
    found *= tall.signs(found)
    return found
