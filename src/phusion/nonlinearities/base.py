"""`Nonlinearity` σ: a map of every entry, after a look at all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from phusion.component import Component
from phusion.graph.ids import Array
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Map", "Nonlinearity"]


@dataclass(frozen=True)
class Map:
    """An elementwise function, and the rounding noise of its values."""

    function: Callable[[Array], Array]
    noise: float

    def __call__(self, values: Array) -> Array:
        """The function of every entry."""
        return self.function(values)


class Nonlinearity(Component, family="nonlinearities"):
    """A nonlinearity σ. `prepare` reads what it needs of the whole matrix and returns an elementwise map."""

    entrywise: ClassVar[bool] = True
    """Whether small entries matter by their own size, so that absolute rounding errors would show."""

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
