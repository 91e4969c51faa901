"""Sparse matrices times blocks of dense columns, in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

__all__ = ["sparse_times"]


def sparse_times(matrix: Any, block: Any, *, threads: int = 1) -> Any:
    """Matrix @ block for a CSR matrix and a C-ordered block of the same type of numbers.

    Rows are shared out to threads by their number of stored entries; the result does not depend on how many.

    >>> from scipy import sparse
    >>> sparse_times(sparse.csr_array([[0.0, 2.0], [1.0, 0.0]]), np.eye(2))
    array([[0., 2.],
           [1., 0.]])
    """
    from phusion.linalg.kernels.recurrences import multiply, row_ranges

    out = np.empty((matrix.shape[0], block.shape[1]), block.dtype)
    arrays = (matrix.indptr, matrix.indices, matrix.data, np.ascontiguousarray(block), out)
    ranges = row_ranges(matrix.indptr, threads)
    if len(ranges) <= 1:
        multiply(*arrays, 0, matrix.shape[0])
        return out
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda rows: multiply(*arrays, *rows), ranges))
    return out
