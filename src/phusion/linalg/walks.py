"""Sums over walks of every length, which longer walks enter with less weight: what local proximities have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval

from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.linalg.second_eigenvalue import second_eigenvalue
from phusion.linalg.streams.base import Sparse
from phusion.linalg.streams.chebyshev import ChebyshevStream, LowRank
from phusion.linalg.streams.series import Weights

__all__ = ["Settled", "WalkSums", "cut"]

_TAIL = 1e-12  # of all weight: later walks are left out
_MOST = 20_000  # steps of a walk
_LONG = 24  # degrees of polynomials from which on it pays to ask how far below 1 the other eigenvalues are
_GAP = 0.9  # they are well below
_GROWTH = 30.0  # what rounding along the settled vectors may grow to before it is taken out again
_TOLERANCE = {4: 1e-7, 8: 1e-12}  # of polynomials, by the bytes of a number


@dataclass(frozen=True)
class Settled:
    """What long walks settle to: eigenvectors of the eigenvalue 1, one for each component, written as one `vector`.

    `others` is an upper bound of all other eigenvalues.
    """

    vector: Any
    components: Any
    others: float


@dataclass(frozen=True)
class WalkSums:
    """S_k = diag(left) (Σ_j w_kj Mʲ) diag(right), M symmetric without negative entries or eigenvalues beyond ±1.

    Parameters
    ----------
    matrix : M.
    weights : for each k the weights w_k0, w_k1, …, none of them negative.
    left, right : what rows and columns are multiplied by, or None.
    settled : the eigenvectors of the eigenvalue 1, where they are known and all others are well below it.
    """

    matrix: Sparse
    weights: tuple[Any, ...]
    left: Any = None
    right: Any = None
    settled: Settled | None = None

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
        return replace(self, left=self.right, right=self.left)

    def settling(self, vector: Any, components: Any) -> WalkSums:
        """With the eigenvectors of the eigenvalue 1, one for each component, if that makes polynomials shorter."""
        if self.degree() <= _LONG:
            return self
        others = max(0.0, second_eigenvalue(self.matrix, vector, components))  # there may be none
        return self if others > _GAP else replace(self, settled=Settled(vector, components, others))

    @property
    def faint(self) -> bool:
        """Whether columns may be arbitrarily small beside the largest eigenvalue.

        Walks of length 0 give every node its own share; without these (Katz) a column is as small as a node's weights.
        """
        return any(weights[0] == 0.0 for weights in self.weights)

    @property
    def entries(self) -> int:
        """Stored entries of M."""
        return int(self.matrix.data.size)

    def degree(self, kind: Any = np.float32) -> int:
        """How often M is applied to a block."""
        return max(len(found) for found in self._coefficients(kind)) - 1

    def polynomials(self, kind: Any) -> ChebyshevStream:
        """The same matrices as polynomials in M, of far lower degree than the sums have terms."""
        found = self._coefficients(kind)
        left, right = (None if scale is None else scale.astype(kind) for scale in (self.left, self.right))
        indptr, indices, data = self.matrix.arrays
        if self.settled is None:
            return ChebyshevStream(Sparse(indptr, indices, data.astype(kind, copy=False)), 0.0, found, left, right)
        middle, half = (self.settled.others - 1.0) / 2.0, (self.settled.others + 1.0) / 2.0
        scaled = data.astype(kind)
        scaled /= half
        project = max(1, int(np.log(_GROWTH) / np.arccosh((1.0 - middle) / half)))
        low_rank = LowRank(
            np.empty((self.n, 0), kind),
            np.empty((self.count, 0), kind),
            self.settled.components,
            self.settled.vector.astype(kind),
            np.array([each.sum() for each in self.weights]),
        )
        return ChebyshevStream(
            Sparse(indptr, indices, scaled), middle / half, found, left, right, low_rank=low_rank, project=project
        )

    def _coefficients(self, kind: Any) -> tuple[Any, ...]:
        """Of each matrix; the tolerance is of its largest eigenvalue, which is that of 1."""
        tolerance = _TOLERANCE[np.dtype(kind).itemsize]
        high = 1.0 if self.settled is None else self.settled.others
        found = []
        for each in self.weights:
            inside = float(np.abs(_polynomial(each, np.array([-1.0, high]))).max())
            enough = min(0.5, tolerance * float(each.sum()) / max(inside, 1e-300))
            found.append(chebyshev_coefficients(partial(_polynomial, each), -1.0, high, enough))
        return tuple(found)

    @property
    def nbytes(self) -> int:
        """Memory."""
        known = () if self.settled is None else (self.settled.vector, self.settled.components)
        return self.matrix.nbytes + sum(
            int(part.nbytes) for part in (self.left, self.right, *known) if part is not None
        )


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
