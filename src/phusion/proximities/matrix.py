"""`ProximityMatrix`: an n × n matrix that need not be written out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from phusion.graph.ids import Array

__all__ = ["NOISE", "DenseMatrix", "Extremes", "Mass", "ProximityMatrix", "Size", "SpectralMatrix", "nothing"]

NOISE = 4096 * float(np.finfo(np.float64).eps)
"""How far rounding is taken to move a sum of terms of size 1: far above what it does, so that a limit set there is not
itself decided by rounding."""

_FAINT = 1e-280  # of the largest entry: not every way to compute smaller ones keeps their digits, or anything of them
_TINY = float(np.finfo(np.float64).tiny)  # doubles lose their digits below


def nothing(noise: float, largest: float) -> float:
    """Up to where entries count as 0 where the smallest one matters: what is rounding, or too faint for doubles."""
    return max(noise, _FAINT * largest, _TINY)


class Size:
    """How large the entries of a matrix are. Looked up only if somebody asks, as that may take a pass over it."""

    def __init__(self, look: Callable[[], tuple[float, float]]) -> None:
        self._look = look
        self._found: tuple[float, float] | None = None

    @classmethod
    def of(cls, values: Array) -> Size:
        """Of an array."""
        return cls(lambda: (float(np.abs(values).max(initial=0.0)), float(np.abs(values).sum(axis=0).max(initial=0.0))))

    @property
    def largest(self) -> float:
        """The largest magnitude of an entry."""
        return self._looked()[0]

    @property
    def column_sum(self) -> float:
        """The largest sum of magnitudes over a column."""
        return self._looked()[1]

    def _looked(self) -> tuple[float, float]:
        if self._found is None:
            self._found = self._look()
        return self._found


@dataclass(frozen=True)
class Extremes:
    """The smallest and the largest entry."""

    smallest: float
    largest: float


@dataclass(frozen=True)
class Mass:
    """How large the entries beside the diagonal are, all together.

    Attributes
    ----------
    largest : the largest magnitude, in units of which the sums are, so that none overflows.
    total, squares : sums of magnitudes and of their squares.
    """

    largest: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of_columns(cls, magnitudes: Array) -> list[Mass]:
        """Of each column of some magnitudes."""
        largest = magnitudes.max(axis=0, initial=0.0)
        shares = magnitudes / np.where(largest > 0, largest, 1.0)
        sums = shares.sum(axis=0), np.einsum("ij,ij->j", shares, shares)
        return [cls(*each) for each in zip(largest.tolist(), *(one.tolist() for one in sums), strict=True)]

    @classmethod
    def of_all(cls, parts: Sequence[Mass]) -> Mass:
        """Of all together, whatever their order."""
        largest = max((part.largest for part in parts), default=0.0)
        if not largest > 0:
            return cls()
        units = [part.largest / largest for part in parts]
        total = fsum(unit * part.total for unit, part in zip(units, parts, strict=True))
        return cls(largest, total, fsum(unit**2 * part.squares for unit, part in zip(units, parts, strict=True)))

    @property
    def typical(self) -> float:
        """Σ S² / Σ |S|: the mean entry, where each counts as much as it is large; zeros do not matter."""
        return self.largest * self.squares / self.total if self.total else 0.0


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

    def extremes(self) -> Extremes:
        """The smallest and the largest entry."""
        values = self.toarray()
        return Extremes(float(values.min()), float(values.max()))

    def mass(self) -> Mass:
        """How large the entries beside the diagonal are."""
        magnitudes = np.abs(self.toarray())
        np.fill_diagonal(magnitudes, 0.0)
        return Mass.of_all(Mass.of_columns(magnitudes))

    def smallest_above(self, floor: float) -> float | None:
        """The smallest entry above a number; None if there is none."""
        values = self.toarray()
        above = values[values > floor]
        return float(above.min()) if above.size else None

    def ranked(self, place: int) -> float:
        """The entry that has this place among all n² in order, counted from 0."""
        return float(np.partition(self.toarray().ravel(), place)[place])

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
