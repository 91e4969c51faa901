"""Linear systems with an honest answer when they have no solution."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

__all__ = ["SINGULAR", "inverse_positive_definite", "is_positive_definite", "solve"]

SINGULAR = float(np.finfo(np.float64).eps)
"""A reciprocal condition number below which solutions have no right digit in general."""


def solve(matrix: Any, right: Any) -> tuple[Any, float]:
    """X with matrix · X = right, and the reciprocal condition number: 0 if it is singular, tiny if all but that.

    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.eye(2))
    (array([[0.5 , 0.  ],
           [0.  , 0.25]]), 0.5)
    """
    factorise, estimate, back = linalg.get_lapack_funcs(("getrf", "gecon", "getrs"), (matrix,))
    factors, pivots, fault = factorise(matrix)
    if fault:
        return np.full(right.shape, np.nan), 0.0
    condition, _ = estimate(factors, np.abs(matrix).sum(axis=0).max())
    return np.ascontiguousarray(back(factors, pivots, right)[0]), float(condition)


def is_positive_definite(matrix: Any) -> bool:
    """Whether a symmetric matrix has only eigenvalues above 0."""
    try:
        linalg.cholesky(matrix, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True


def inverse_positive_definite(matrix: Any) -> Any:
    """The inverse of a symmetric positive definite matrix; None if rounding leaves it indefinite."""
    try:
        factor = linalg.cho_factor(matrix, lower=True, check_finite=False)
    except linalg.LinAlgError:
        return None
    return linalg.cho_solve(factor, np.eye(len(matrix)), check_finite=False)
