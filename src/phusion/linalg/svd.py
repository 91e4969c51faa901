"""Truncated singular value decomposition of dense matrices, in a form that rounding does not choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse import linalg as iterative

from phusion.linalg.eigenpairs import extreme_eigenpairs, fixed_basis, start_vector, worth_iterating
from phusion.linalg.krylov import Operator, block_krylov

__all__ = ["WRITTEN", "iterated_svd", "truncated_svd"]

_EQUAL = 1e-10  # of the largest: singular values that differ by less are equal
_SPARE = 8  # more than asked for, to see whether the cut goes through equal ones
_NEAR_LARGEST = 1.0 - 1e-6
WRITTEN = 5_000  # rows up to which a matrix is written out where iteration does not settle
_COLUMNS = 256


def truncated_svd(matrix: Any, rank: int, *, symmetric: bool) -> tuple[Any, Any, Any]:
    """(U, values, V) with the `rank` largest singular values, descending.

    Singular vectors of equal values are not unique: of each such space a fixed basis is taken, and of each column of U
    the sign that makes its largest entry positive. Singular values below 4n · 2⁻⁵² of the largest are given
    as 0.
    Of a symmetric matrix U holds eigenvectors, those of positive eigenvalues first among equal magnitudes.

    >>> _, values, _ = truncated_svd(np.array([[0.0, 2.0], [2.0, 0.0]]), 2, symmetric=True)
    >>> values
    array([2., 2.])
    """
    n = len(matrix)
    wanted = min(rank + _SPARE, n)
    values, left, right, sides = _found(matrix, wanted, symmetric)
    if len(values) < n and values[rank - 1] - values[-1] <= _EQUAL * values[0]:
        values, left, right, sides = _found(matrix, n, symmetric)  # equal ones go on beyond what was computed
    return _definite(values, left, right, sides, rank)


def iterated_svd(
    operator: Operator,
    rank: int,
    tolerance: float,
    room: int | None = None,
    *,
    write: bool = True,
    unsettled: Callable[[float], None] = lambda _: None,
) -> tuple[Any, Any, Any]:
    """The same of a matrix that is only there to be multiplied with, to a tolerance of the largest singular value.

    `room` is how many columns the space that is searched may have. Where leading values are too much alike to be found
    so, or the cut goes through more equal ones than were found, the matrix is written out, if it may be (`write`) and
    has at most 5,000 rows; if not, `unsettled` is told what the worst vector leaves over.
    """
    n, wanted = operator.n, min(rank + _SPARE, operator.n)
    write = write and n <= WRITTEN
    left, values, right, sides, rest, _ = block_krylov(operator, wanted, tolerance, room, patient=not write)
    if rest > tolerance or _cut_through_equal(values, rank, n, tolerance):
        if write:
            return _definite(*_found(_written(operator), n, operator.symmetric), rank)  # by LAPACK
        unsettled(rest)
    left, right = left.astype(np.float64, copy=False), right.astype(np.float64, copy=False)
    return _definite(*_in_order(values, left, right, sides, operator.symmetric), rank)


def _cut_through_equal(values: Any, rank: int, n: int, tolerance: float) -> bool:
    """Whether equal values, which are not 0, go on beyond those that were computed."""
    largest = float(values[0])
    return bool(
        len(values) < n and values[-1] > tolerance * largest and values[rank - 1] - values[-1] <= _EQUAL * largest
    )


def _written(operator: Operator) -> Any:
    """M, from its products with columns of the identity."""
    n = operator.n
    whole = np.empty((n, n))
    for start in range(0, n, _COLUMNS):
        some = slice(start, min(start + _COLUMNS, n))
        whole[:, some] = operator.times(np.eye(n, some.stop - start, -start, dtype=operator.kind))
    return (whole + whole.T) / 2 if operator.symmetric else whole


def _definite(values: Any, left: Any, right: Any, sides: Any, rank: int) -> tuple[Any, Any, Any]:
    """The first `rank`, with a basis and signs that rounding does not choose."""
    n = len(left)
    values = np.where(values > max(4 * n, 64) * np.finfo(np.float64).eps * values[0], values, 0.0)
    # positive and negative eigenvalues of equal size are not equal: their signs keep them apart here
    fixed_basis(values * sides, left, right, tolerance=_EQUAL * values[0], count=rank)
    left, values, right = left[:, :rank], values[:rank], right[:, :rank]
    signs = _signs(left)
    return left * signs + 0.0, values, right * signs + 0.0  # + 0.0 makes −0 a plain 0


def _found(matrix: Any, count: int, symmetric: bool) -> tuple[Any, Any, Any, Any]:
    """At least `count` singular values, descending, their vectors, and the sign of each eigenvalue if symmetric."""
    if symmetric:
        signed, left = extreme_eigenpairs(matrix, count, "LM")
        sides = np.where(signed < 0, -1.0, 1.0)
        values, right = np.abs(signed), left * sides
    else:
        values, left, right = _general(matrix, count)
        sides = np.ones(len(values))
    return _in_order(values, left, right, sides, symmetric)


def _in_order(values: Any, left: Any, right: Any, sides: Any, symmetric: bool) -> tuple[Any, Any, Any, Any]:
    """Descending; of equal magnitudes positive eigenvalues first."""
    order = np.argsort(-values, kind="stable")
    if symmetric:
        order = order[np.lexsort((-values[order], -sides[order], _runs(values[order])))]
    return values[order], left[:, order], right[:, order], sides[order]


def _runs(values: Any) -> Any:
    """The number of the run of equal ones that each of these descending values is in."""
    numbers = np.zeros(len(values), np.int64)
    first = number = 0
    for i, value in enumerate(values):
        if values[first] - value > _EQUAL * values[0]:
            first, number = i, number + 1
        numbers[i] = number
    return numbers


def _general(matrix: Any, count: int) -> tuple[Any, Any, Any]:
    n = len(matrix)
    if worth_iterating(n, count):
        try:
            left, values, right = iterative.svds(matrix, count, v0=start_vector(n, 0), tol=0.0, solver="arpack")
            if _is_complete(matrix, left, values, right):
                return values, left, right.T
        except iterative.ArpackError:
            pass
    left, values, right = linalg.svd(matrix, check_finite=False)
    return values, left, right.T


def _is_complete(matrix: Any, left: Any, values: Any, right: Any) -> bool:
    """Whether what is left without the found vectors has no larger singular value: iteration can miss copies."""
    n = len(matrix)
    rest = iterative.LinearOperator(
        (n, n),
        matvec=lambda x: matrix @ x.ravel() - left @ (values * (right @ x.ravel())),
        rmatvec=lambda x: matrix.T @ x.ravel() - right.T @ (values * (left.T @ x.ravel())),
        dtype=np.float64,
    )
    more = iterative.svds(rest, 1, v0=start_vector(n, 1), tol=1e-6, return_singular_vectors=False)
    return bool(more[0] <= values.min() + 10.0 * _EQUAL * values.max())


def _signs(vectors: Any) -> Any:
    """±1 for each column, so that its entry of largest magnitude (the first of nearly equal ones) is positive."""
    sizes = np.abs(vectors)
    first = (sizes >= _NEAR_LARGEST * sizes.max(axis=0, initial=0.0)).argmax(axis=0)
    return np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
