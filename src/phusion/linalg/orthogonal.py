"""Blocks of columns made orthonormal, to each other and to a basis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from phusion.errors import InputError

__all__ = ["Orthogonal"]

_CHUNK = 4_096  # rows at a time, the same whatever else is chosen, so that sums are the same
_ALIKE = 100.0  # times the square root of rounding: how small a column may be beside the others to go by products


@dataclass
class Orthogonal:
    """What is done with n × k arrays, a fixed number of rows at a time: results do not depend on threads."""

    each: Callable[[Callable[[int], Any], int], list[Any]]
    n: int

    @property
    def _count(self) -> int:
        return -(-self.n // _CHUNK)

    def gram(self, one: Any, other: Any) -> Any:
        """Oneᵀ other."""

        def product(c: int) -> Any:
            with np.errstate(over="ignore", invalid="ignore"):  # seen below
                return one[_rows(c)].T @ other[_rows(c)]

        parts = self.each(product, self._count)
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        if not np.isfinite(total).all():
            raise InputError(
                f"svd overflows: squares of the entries are beyond {np.finfo(total.dtype).max:.2g}. "
                "Divide the weights by their maximum, or use smaller scales"
            )
        return total

    def subtract(self, block: Any, basis: Any, weights: Any) -> None:
        """Block −= basis · weights, in place."""

        def one(c: int) -> None:
            block[_rows(c)] -= basis[_rows(c)] @ weights

        self.each(one, self._count)

    def product(self, basis: Any, weights: Any) -> Any:
        """Basis · weights."""
        out = np.empty((self.n, weights.shape[1]), basis.dtype)

        def one(c: int) -> None:
            np.matmul(basis[_rows(c)], weights, out=out[_rows(c)])

        self.each(one, self._count)
        return out

    def cleaned(self, block: Any, basis: Any) -> Any:
        """The coefficients of a block along a basis, which is taken out of it."""
        weights = self.gram(basis, block)
        self.subtract(block, basis, weights)
        return weights

    def orthonormal(self, block: Any, basis: Any, random: np.random.Generator, scale: float = 0.0) -> tuple[Any, Any]:
        """(Q, R) with block = Q R and Q orthogonal to the basis too.

        What the block lacks, compared with the `scale` of numbers it was made of, is filled up at random.
        """
        quick = self._by_gram(block, scale)
        q, r = self._by_reflections(block, basis, random, scale) if quick is None else quick
        self.cleaned(q, basis)  # a second time, as rounding of a block near the basis grew when it was made longer
        again = self._by_gram(q, 0.0)
        q, turn = linalg.qr(q, mode="economic", check_finite=False) if again is None else again
        return np.ascontiguousarray(q), turn @ r

    def _by_gram(self, block: Any, scale: float) -> tuple[Any, Any] | None:
        """(Q, R) from the Cholesky factor of blockᵀ block, all in products; None if columns are too much alike."""
        gram = self.gram(block, block).astype(np.float64)
        try:
            r = linalg.cholesky(gram, check_finite=False)
        except linalg.LinAlgError:
            return None
        sizes = np.diag(r)
        if sizes.min() < _ALIKE * np.sqrt(np.finfo(block.dtype).eps) * max(float(sizes.max()), scale):
            return None
        turn = linalg.solve_triangular(r, np.eye(len(r)), check_finite=False).astype(block.dtype)
        return self.product(block, turn), r.astype(block.dtype)

    def _by_reflections(self, block: Any, basis: Any, random: np.random.Generator, scale: float) -> tuple[Any, Any]:
        """(Q, R) of a block whose columns may depend on each other."""
        q, r = linalg.qr(block, mode="economic", check_finite=False)
        weak = _weak(r, scale)
        if weak.any():  # with pivoting, so that no later column leans on a direction that is only rounding
            q, r, order = linalg.qr(block, mode="economic", pivoting=True, check_finite=False)
            weak = _weak(r, scale)
            r[weak] = 0.0
            r = r[:, np.argsort(order)]
        if weak.any():
            fresh = random.uniform(-1.0, 1.0, (self.n, int(weak.sum()))).astype(block.dtype)
            good = q[:, ~weak]
            for _ in range(2):
                self.cleaned(fresh, basis)
                fresh -= good @ (good.T @ fresh)
            q[:, weak] = linalg.qr(fresh, mode="economic", check_finite=False)[0]
        return q, r


def _weak(r: Any, scale: float) -> Any:
    """Which columns of a QR decomposition brought nothing new but rounding of numbers of this scale."""
    limit = np.finfo(r.dtype).eps * 1e3 * max(scale, float(np.abs(r).max(initial=0.0)), 1e-300)
    return np.abs(np.diag(r)) <= limit


def _rows(chunk: int) -> slice:
    return slice(chunk * _CHUNK, (chunk + 1) * _CHUNK)
