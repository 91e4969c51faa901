"""`ProximityMatrix`: an n × n matrix that need not be written out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from phusion.graph.ids import Array

__all__ = ["NOISE", "DenseMatrix", "ProximityMatrix", "SpectralMatrix"]

NOISE = 4096 * float(np.finfo(np.float64).eps)
"""How far rounding is taken to move a sum of terms of size 1: far above what it does, so that a limit set there is not
itself decided by rounding."""


class ProximityMatrix(ABC):
    """S, or σ(S).

    Attributes
    ----------
    n : rows and columns.
    symmetric : whether S equals its transpose, exactly.
    noise : how far rounding may move an entry, beyond a few units of its own last digit.
    """

    n: int
    symmetric: bool
    noise: float

    @abstractmethod
    def toarray(self) -> Array:
        """All entries."""

    @abstractmethod
    def diagonal(self) -> Array:
        """The entries S_uu."""

    def mapped(self, function: Callable[[Array], Array], noise: float) -> DenseMatrix:
        """The function of every entry, with its own noise."""
        return DenseMatrix(function(self.toarray()), symmetric=self.symmetric, noise=noise)


class DenseMatrix(ProximityMatrix):
    """Written out."""

    def __init__(self, values: Array, *, symmetric: bool, noise: float = 0.0) -> None:
        self.n = len(values)
        self.symmetric = symmetric
        self.noise = noise
        self._values = values

    def toarray(self) -> Array:
        """All entries."""
        return self._values

    def diagonal(self) -> Array:
        """The entries S_uu."""
        return self._values.diagonal()


class SpectralMatrix(ProximityMatrix):
    """U diag(w) Uᵀ within each component, 0 between them."""

    def __init__(self, vectors: Array, values: Array, components: Array, *, noise: float) -> None:
        self.n = len(vectors)
        self.symmetric = True
        self.noise = noise
        self._vectors = vectors
        self._values = values
        self._components = components

    def toarray(self) -> Array:
        """All entries."""
        product: Array = (self._vectors * self._values) @ self._vectors.T
        product = (product + product.T) / 2
        if self._components.size and self._components.max() > 0:
            product[self._components[:, None] != self._components] = 0.0
        return product

    def diagonal(self) -> Array:
        """The entries S_uu, without the others."""
        diagonal: Array = self._vectors**2 @ self._values
        return diagonal
