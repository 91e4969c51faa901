"""Arrays and sparse matrices that cannot be written to, and scaling by rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.graph.combine import entry_rows
from phusion.graph.ids import Array

__all__ = ["frozen", "frozen_matrix", "power", "scaled"]


def frozen(array: Array) -> Array:
    """A view that cannot be written through."""
    view = array.view()
    view.flags.writeable = False
    return view


def frozen_matrix(matrix: Any) -> Any:
    """The matrix as CSR, its arrays read-only."""
    matrix = matrix.tocsr()
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def power(values: Array, exponent: float) -> Array:
    """values^exponent, with 0 where the value is 0."""
    result = np.zeros_like(values)
    np.power(values, exponent, out=result, where=values > 0)
    return result


def scaled(matrix: Any, rows: Array | None = None, cols: Array | None = None) -> Any:
    """diag(rows) · matrix · diag(cols), same pattern, frozen."""
    data = matrix.data.copy()
    if rows is not None:
        data *= rows[entry_rows(matrix)]
    if cols is not None:
        data *= cols[matrix.indices]
    return frozen_matrix(sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape))
