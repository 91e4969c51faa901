"""`Nonlinearity` σ: a map of every entry, after a look at all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from phusion.component import Component
from phusion.graph.ids import Array
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Map", "Nonlinearity"]


@dataclass(frozen=True)
class Map:
    """An elementwise function that never decreases, and the rounding noise of its values.

    `limit` is set where the function is 1 above a number and else 0: whoever only counts need not write it out.
    """

    function: Callable[[Array], Array]
    noise: float
    limit: float | None = None

    def __call__(self, values: Array) -> Array:
        """The function of every entry."""
        return self.function(values)


class Nonlinearity(Component, family="nonlinearities"):
    """A nonlinearity σ. `prepare` reads what it needs of the whole matrix and returns an elementwise map."""

    @property
    def entrywise(self) -> bool:
        """Whether small entries matter by their own size, so that absolute rounding errors would show."""
        return True

    @property
    def passes(self) -> int:
        """How often the matrix is read through before the map is known, at least."""
        return 0

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """The elementwise map for this matrix."""
        raise NotImplementedError

    def apply(self, matrix: ProximityMatrix) -> ProximityMatrix:
        """σ(S)."""
        found = self.prepare(matrix)
        return matrix.mapped(found, found.noise)

    def suited(self, proximity: Any, embedding: Any) -> Nonlinearity:
        """The parameters it has beside Ψ and ζ when only its name is given."""
        return self
