"""Truncated singular value decomposition of dense matrices, deterministic."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse import linalg as iterative

__all__ = ["truncated_svd"]

_DENSE = 1_500  # below this LAPACK is as fast as iteration
_SHARE = 8  # and where a larger part than this of the spectrum is wanted
_NEAR_LARGEST = 1.0 - 1e-6


def truncated_svd(matrix: Any, rank: int, *, symmetric: bool) -> tuple[Any, Any, Any]:
    """(U, values, V) with the `rank` largest singular values, descending; of each column of U one sign.

    Singular values below n · 2⁻⁵² of the largest are rounding, and are given as 0.

    >>> _, values, _ = truncated_svd(np.array([[0.0, 2.0], [2.0, 0.0]]), 2, symmetric=True)
    >>> values
    array([2., 2.])
    """
    n = len(matrix)
    full = n <= _DENSE or rank * _SHARE > n
    left, values, right = _symmetric(matrix, rank, full) if symmetric else _general(matrix, rank, full)
    order = np.argsort(-values, kind="stable")[:rank]
    left, values, right = left[:, order], values[order], right[:, order]
    values = np.where(values > n * np.finfo(np.float64).eps * values.max(initial=0.0), values, 0.0)
    signs = _signs(left)
    return left * signs + 0.0, values, right * signs + 0.0  # + 0.0 makes −0 a plain 0


def _symmetric(matrix: Any, rank: int, full: bool) -> tuple[Any, Any, Any]:
    values = vectors = None
    if not full:
        try:
            values, vectors = iterative.eigsh(matrix, rank, which="LM", v0=_start(len(matrix)), tol=0.0)
        except iterative.ArpackError:
            values = None
    if values is None:
        values, vectors = linalg.eigh(matrix, check_finite=False)
    return vectors, np.abs(values), vectors * np.where(values < 0, -1.0, 1.0)


def _general(matrix: Any, rank: int, full: bool) -> tuple[Any, Any, Any]:
    if not full:
        try:
            left, values, right = iterative.svds(matrix, rank, v0=_start(len(matrix)), tol=0.0, solver="arpack")
            return left, values, right.T
        except iterative.ArpackError:
            pass
    left, values, right = linalg.svd(matrix, check_finite=False)
    return left, values, right.T


def _start(n: int) -> Any:
    return np.random.default_rng(0).uniform(-1.0, 1.0, n)


def _signs(vectors: Any) -> Any:
    """±1 for each column, so that its entry of largest magnitude (the first of nearly equal ones) is positive."""
    sizes = np.abs(vectors)
    first = (sizes >= _NEAR_LARGEST * sizes.max(axis=0, initial=0.0)).argmax(axis=0)
    return np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
