"""`Nonlinearity` σ: a map of every entry, after a look at all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from phusion.component import Component
from phusion.graph.ids import Array
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Nonlinearity"]


class Nonlinearity(Component, family="nonlinearities"):
    """A nonlinearity σ. `prepare` reads what it needs of the whole matrix and returns an elementwise map."""

    entrywise: ClassVar[bool] = True
    """Whether small entries matter by their own size, so that absolute rounding errors would show."""

    def prepare(self, matrix: ProximityMatrix) -> Callable[[Array], Array]:
        """The elementwise map for this matrix."""
        raise NotImplementedError

    def apply(self, matrix: ProximityMatrix) -> ProximityMatrix:
        """σ(S)."""
        return matrix.mapped(self.prepare(matrix), self.steepness(matrix))

    def steepness(self, matrix: ProximityMatrix) -> float:
        """How much rounding noise of S may grow."""
        return 1.0

    def suited(self, proximity: Any, embedding: Any) -> Nonlinearity:
        """The parameters it has beside Ψ and ζ when only its name is given."""
        return self
