"""An upper bound of all eigenvalues but those that are known, from a few products."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.streams.base import Sparse

__all__ = ["second_eigenvalue"]

_STEPS = 32
_HOPELESS = 0.9  # eigenvalues this near to 1, found so soon, leave no gap worth knowing
_SOON = 8
_DOUBT = 1e-6  # how likely an eigenvalue may be above the bound
_SEED = 0x5EC0


def second_eigenvalue(matrix: Sparse, vector: Any, components: Any) -> float:
    """A bound of the eigenvalues of M beside the `vector` of each component, whose own is 1; 1 where it is near.

    M is symmetric with all eigenvalues from −1 to 1. Lanczos from a random start finds the largest from below, and how
    far below is known: after m steps it is within ε of 1 + λ but with probability 1.648 √n e^{−√ε(2m−1)} (Kuczyński
    and Woźniakowski, SIAM J. Matrix Anal. Appl. 1992, theorem 4.2 (b)), which is held to one in a million here.

    >>> ring = sparse.diags_array([np.ones(1)] + [np.ones(999)] * 2 + [np.ones(1)], offsets=[999, 1, -1, -999]).tocsr()
    >>> second_eigenvalue(Sparse.of(ring / 2), np.full(1000, 1000**-0.5), np.zeros(1000, np.int64))
    1.0
    """
    from phusion.linalg.kernels.components import add_along, sums_along

    indptr, indices, data = matrix.arrays
    product = sparse.csr_array((data, indices, indptr), shape=(matrix.n, matrix.n))
    kind, vector = data.dtype, np.asarray(vector, data.dtype)

    def beside(x: Any) -> Any:
        column = x.astype(kind).reshape(-1, 1)
        sums = np.zeros((int(components.max()) + 1, 1))
        sums_along(vector, components, column, sums)
        add_along(vector, components, sums, -1.0, column)
        return column.ravel()

    now = beside(np.random.default_rng(_SEED).standard_normal(matrix.n))
    length, before = float(np.linalg.norm(now)), np.zeros(matrix.n, kind)
    if length <= 1e-3:  # nothing is beside
        return -1.0
    now /= kind.type(length)
    middle: list[float] = []
    aside: list[float] = [0.0]
    found = -1.0
    for step in range(1, _STEPS + 1):
        after = beside(product @ now - kind.type(aside[-1]) * before)
        middle.append(float(np.dot(now, after)))
        after -= kind.type(middle[-1]) * now
        found = float(np.linalg.eigvalsh(_tridiagonal(middle, aside[1:]))[-1])
        if step == _SOON and found > _HOPELESS:
            return 1.0
        aside.append(float(np.linalg.norm(after)))
        if aside[-1] <= 1e-4:  # the start was made of so few eigenvectors that all of them are known
            return min(1.0, found + 1e-3)
        before, now = now, after / kind.type(aside[-1])
    root = np.log(1.648 * np.sqrt(matrix.n) / _DOUBT) / (2 * _STEPS - 1)
    return min(1.0, float((1.0 + found) / (1.0 - root**2) - 1.0)) if root < 1.0 else 1.0


def _tridiagonal(middle: list[float], aside: list[float]) -> Any:
    return np.diag(middle) + np.diag(aside[: len(middle) - 1], 1) + np.diag(aside[: len(middle) - 1], -1)
