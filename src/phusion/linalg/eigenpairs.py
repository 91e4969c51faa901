"""Some eigenpairs of a symmetric matrix: by iteration where that is faster, and then checked for completeness."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import linalg
from scipy.sparse import linalg as iterative

from phusion.linalg.blas import blas_threads

__all__ = ["extreme_eigenpairs", "fixed_basis", "leading_eigenpairs", "start_vector", "worth_iterating"]

_DENSE = 1_500  # below this LAPACK is as fast as iteration
_SHARE = 8  # and where a larger part than this of the spectrum is wanted
_SMALL = 400  # below this LAPACK is instant
_PATIENCE = 30  # restarts of an iteration that is only worth it if it is fast
_MORE_SPACE = 64  # vectors of a search space beyond what is wanted, at least
_MORE = 1e-9  # of the largest: an eigenvalue left over that exceeds the kept ones by this was missed


def worth_iterating(n: int, count: int) -> bool:
    """Whether `count` of n eigenpairs or singular values are few enough of enough."""
    return n > _DENSE and count * _SHARE <= n


def extreme_eigenpairs(matrix: Any, count: int, which: Literal["LA", "LM"]) -> tuple[Any, Any]:
    """At least `count` eigenvalues (largest algebraic or largest magnitude) and their vectors, in no order.

    Iteration from one start vector can miss copies of a repeated eigenvalue and not notice. What is left of the matrix
    without the found pairs tells: if it has a larger eigenvalue than the smallest kept, LAPACK computes them all.
    """
    n = matrix.shape[0]
    if worth_iterating(n, count):
        try:
            with blas_threads(1):  # its products with vectors are so short that threads mostly wait for each other
                space = min(n, count + max(count // 2, _MORE_SPACE))
                values, vectors = iterative.eigsh(matrix, count, which=which, v0=start_vector(n, 0), tol=0.0, ncv=space)
                if _is_complete(matrix, values, vectors, which):
                    return values, vectors
        except iterative.ArpackError:
            pass
    values, vectors = linalg.eigh(matrix if isinstance(matrix, np.ndarray) else matrix.toarray(), check_finite=False)
    return values, vectors


def leading_eigenpairs(matrix: Any, count: int, null: Any = None, components: Any = None) -> tuple[Any, Any] | None:
    """The `count` algebraically largest eigenvalues of a sparse symmetric matrix and their vectors; None if slow.

    Vectors that are known beforehand, one for each component and written as one array `null`, are left out.
    """
    n = matrix.shape[0]

    def without(x: Any) -> Any:
        x = x.ravel()
        if null is None:
            return matrix @ x
        along = np.bincount(components, weights=null * x)[components]
        return matrix @ x - 2.0 * null * along  # what was 1 is −1

    operator = iterative.LinearOperator((n, n), matvec=without, dtype=np.float64)
    if n <= _SMALL or 2 * count >= n:
        if n > _DENSE:
            return None
        dense = matrix.toarray() if null is None else _moved(matrix, null, components)
        values, vectors = linalg.eigh(dense)
        return values[-count:], vectors[:, -count:]
    try:
        with blas_threads(1):
            values, vectors = iterative.eigsh(
                operator, count, which="LA", v0=start_vector(n, 0), tol=0.0, ncv=2 * count + 32, maxiter=_PATIENCE
            )
            return (values, vectors) if _is_complete(operator, values, vectors, "LA") else None
    except iterative.ArpackError:
        return None


def _moved(matrix: Any, null: Any, components: Any) -> Any:
    """The matrix with the known vectors' eigenvalues 2 lower."""
    return matrix.toarray() - 2.0 * np.where(components[:, None] == components, null[:, None] * null, 0.0)


def _is_complete(matrix: Any, values: Any, vectors: Any, which: str) -> bool:
    n = matrix.shape[0]
    size = np.abs(values).max()
    # shifted far down, so that found pairs do not come back among the largest algebraic
    moved = values + 2.0 * size if which == "LA" else values

    def without(x: Any) -> Any:
        x = x.ravel()
        return matrix @ x - vectors @ (moved * (vectors.T @ x))

    rest = iterative.LinearOperator((n, n), matvec=without, dtype=np.float64)
    left = iterative.eigsh(rest, 1, which=which, v0=start_vector(n, 1), tol=1e-6, return_eigenvectors=False)
    bound = values.min() if which == "LA" else np.abs(values).min()
    return bool((left[0] if which == "LA" else abs(left[0])) <= bound + _MORE * size)


def start_vector(n: int, seed: int) -> Any:
    """The same for the same n, so that the same matrix always gives the same digits."""
    return np.random.default_rng(seed).uniform(-1.0, 1.0, n)


def fixed_basis(values: Any, *blocks: Any, tolerance: float, count: int) -> None:
    """Turn columns of equal values, in place, to a basis that depends on the space they span and not on rounding.

    `values` are sorted; every block of columns is turned alike, as the first one asks. What begins after the first
    `count`, and what has value 0 and so counts for nothing, is left as it is.
    """
    start = 0
    while start < count:
        stop = start + 1
        while stop < len(values) and abs(values[start] - values[stop]) <= tolerance:
            stop += 1
        if stop - start > 1 and values[start] != 0.0:
            first = blocks[0][:, start:stop]
            fixed = np.random.default_rng(start).uniform(-1.0, 1.0, first.shape)
            turn, upper = np.linalg.qr(first.T @ fixed)
            turn = turn * np.where(upper.diagonal() < 0, -1.0, 1.0)
            for block in blocks:
                block[:, start:stop] = block[:, start:stop] @ turn
        start = stop
