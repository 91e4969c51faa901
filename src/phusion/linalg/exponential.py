"""Exponentials of matrices with non-negative entries off the diagonal, without cancellation."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["MOST_SQUARINGS", "NOTHING", "shifted_exponential"]

MOST_SQUARINGS = 12
"""Each squaring doubles the relative error; up to here it stays below 1e-11."""

NOTHING = 1e-280
"""Smaller results are given as 0: they are beyond any use, and what is lost on the way is smaller still."""

_TERMS = 220  # by then tʲ/j! has left the range of doubles
_LEAST = 1e-295  # on the way


def shifted_exponential(matrix: Any, shift: float, time: float, size: int | None = None) -> Any:
    """e^{time · (B − shift · I)} for a sparse B ≥ 0 with row sums of at most about `shift`.

    Every term of the series is non-negative, so each entry, however small, is right to its own last digits.
    The series is cut when the next term changes no entry. If B has diagonal blocks of a `size`, only these are
    computed, one below the other.

    >>> from scipy import sparse
    >>> shifted_exponential(sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]), 1.0, 1.0).round(4)
    array([[0.5677, 0.4323],
           [0.4323, 0.5677]])
    """
    squarings = max(0, int(np.ceil(np.log2(max(time * shift, 1.0)))))
    step = time / 2**squarings
    size = matrix.shape[0] if size is None else size
    blocks = (matrix.shape[0] // max(1, size), size, size)
    term = np.exp(-step * shift) * np.tile(np.eye(size), (blocks[0], 1))
    total = term.copy()
    for j in range(1, _TERMS):
        term = (step / j) * (matrix @ term)
        term[np.abs(term) < _LEAST] = 0.0
        new = total + term
        if np.array_equal(new, total):
            break
        total = new
    for _ in range(squarings):
        total = (total.reshape(blocks) @ total.reshape(blocks)).reshape(total.shape)
        total[np.abs(total) < _LEAST] = 0.0
    total[np.abs(total) < NOTHING] = 0.0
    return total
