"""What a logistic regression will find, from the first step of Newton's method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import linalg

from phusion.graph.ids import Array

__all__ = ["first_step_scores"]


def first_step_scores(X: Array, Y: Array, parts: Sequence[Array], C: float = 1.0) -> list[Array]:
    r"""Scores of each part's examples by one step, from zero weights, with the examples of all other parts.

    .. math:: W = \Big(I + \tfrac{C}{4} X^\top X\Big)^{-1} \tfrac{C}{2} X^\top Y, \quad Y_{ij} = \pm 1

    The step is the same for all labels but for its right side, and what parts add to it is a sum, so that all parts
    cost one product of X with itself. Designs are told apart by it nearly as by the regression itself, at a tenth of
    the time; with the intercept, X should have a column of ones. Single precision does where columns are near principal
    directions.

    >>> X, Y = np.array([[0.0, 1], [1, 1], [4, 1], [5, 1]]), np.array([[True], [True], [False], [False]])
    >>> [bool((found > 0)[0, 0]) for found in first_step_scores(X, Y, [np.array([0]), np.array([3])])]
    [True, False]
    """
    signs = np.where(Y, 1.0, -1.0).astype(X.dtype)
    if 2 * max(map(len, parts)) < X.shape[1]:  # with differences of nearly equal numbers, which single ones have lost
        return _by_residuals(X.astype(np.float64, copy=False), signs.astype(np.float64, copy=False), parts, C)
    rest = np.ones(len(X), dtype=bool)
    rest[np.concatenate(list(parts))] = False
    some = [X[part] for part in (*parts, np.flatnonzero(rest))]
    squares = [0.25 * C * _squared(each) for each in some]
    sides = [0.5 * C * (each.T @ signs[part]) for part, each in zip((*parts, rest), some, strict=True)]
    all_squares, all_sides = sum(squares), sum(sides)
    return [
        each @ _solved(all_squares - square, all_sides - side)
        for each, square, side in zip(some[:-1], squares, sides, strict=False)
    ]


def _by_residuals(X: Array, signs: Array, parts: Sequence[Array], C: float) -> list[Array]:
    r"""The same from one factorisation, where parts are much smaller than rows are long.

    A step is a ridge regression of 2Y. With its hat matrix S, what all others say of a part F is
    2Y_F − (I − S_FF)⁻¹ (2Y_F − (S · 2Y)_F).
    """
    curvature = X.T @ X
    curvature.flat[:: len(curvature) + 1] += 4.0 / C
    half = linalg.solve_triangular(linalg.cholesky(curvature, lower=True), X.T, lower=True, check_finite=False)
    wrong = 2.0 * signs - half.T @ (half @ (2.0 * signs))
    return [2.0 * signs[part] - _solved(-_squared(half[:, part]), wrong[part]) for part in parts]


def _squared(matrix: Array) -> Array:
    return np.asarray(matrix.T @ matrix)


def _solved(matrix: Array, right: Array) -> Array:
    """(I + M)⁻¹ B; LAPACK itself, as checks would take longer than it."""
    matrix.flat[:: len(matrix) + 1] += 1.0
    solve = linalg.lapack.sposv if matrix.dtype == np.float32 else linalg.lapack.dposv
    _, found, failed = solve(matrix.T, right, lower=False)  # of a symmetric matrix the same, in LAPACK's order
    return np.asarray(found) if not failed else linalg.solve(matrix, right, check_finite=False)
