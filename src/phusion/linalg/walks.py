"""Sums over walks of every length, which longer walks enter with less weight: what local proximities have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval

from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.linalg.streams.base import Sparse
from phusion.linalg.streams.chebyshev import ChebyshevStream
from phusion.linalg.streams.series import Weights

__all__ = ["WalkSums", "cut"]

_TAIL = 1e-12  # of all weight: later walks are left out
_MOST = 20_000  # steps of a walk
_TOLERANCE = {4: 1e-7, 8: 1e-12}  # of polynomials, by the bytes of a number


@dataclass(frozen=True)
class WalkSums:
    """S_k = diag(left) (Σ_j w_kj Mʲ) diag(right), M symmetric without negative entries or eigenvalues beyond ±1.

    Parameters
    ----------
    matrix : M.
    weights : for each k the weights w_k0, w_k1, …, none of them negative.
    left, right : what rows and columns are multiplied by, or None.
    """

    matrix: Sparse
    weights: tuple[Any, ...]
    left: Any = None
    right: Any = None

    @property
    def n(self) -> int:
        """Rows and columns."""
        return self.matrix.n

    @property
    def count(self) -> int:
        """Number of matrices."""
        return len(self.weights)

    def by_rows(self) -> WalkSums:
        """The transposed matrices."""
        return WalkSums(self.matrix, self.weights, self.right, self.left)

    def polynomials(self, kind: Any) -> ChebyshevStream:
        """The same matrices as polynomials in M, of far lower degree than the sums have terms."""
        tolerance = _TOLERANCE[np.dtype(kind).itemsize]
        found = tuple(chebyshev_coefficients(partial(_polynomial, each), -1.0, 1.0, tolerance) for each in self.weights)
        left, right = (None if scale is None else scale.astype(kind) for scale in (self.left, self.right))
        indptr, indices, data = self.matrix.arrays
        return ChebyshevStream(Sparse(indptr, indices, data.astype(kind, copy=False)), 0.0, found, left, right)

    @property
    def nbytes(self) -> int:
        """Memory."""
        return self.matrix.nbytes + sum(int(scale.nbytes) for scale in (self.left, self.right) if scale is not None)


def _polynomial(weights: Any, x: Any) -> Any:
    return polyval(x, weights)


def cut(weights: Weights) -> tuple[Any, ...]:
    """The weights of each series, as far as they matter.

    >>> from phusion.linalg.streams.series import Geometric
    >>> [len(each) for each in cut(Geometric(np.array([0.1, 0.5]), np.ones(2)))]
    [13, 40]
    """
    last = min(_MOST, int(weights.expected) + 1)
    table = np.array([weights.at(power) for power in range(last + 1)])
    return tuple(_without_tail(column) for column in table.T)


def _without_tail(weights: Any) -> Any:
    tails = np.cumsum(weights[::-1])[::-1]
    kept = max(1, int((tails > _TAIL * tails[0]).sum()))
    found: Sequence[float] = weights[:kept]
    return np.ascontiguousarray(found)
