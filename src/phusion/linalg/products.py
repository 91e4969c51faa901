"""Sparse matrices times blocks of dense columns, in threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["rows_in_threads", "sparse_times"]

_PARTS = 4  # ranges of rows for each thread


@contextmanager
def rows_in_threads(indptr: Any, threads: int) -> Iterator[Callable[[Callable[[int, int], Any]], None]]:
    """What runs a function of the first row and the one after the last on all rows of a sparse matrix.

    Rows are shared out to threads by their number of stored entries.
    """
    from phusion.linalg.kernels.recurrences import row_ranges

    if threads == 1:
        yield lambda function: function(0, len(indptr) - 1)
        return
    ranges = row_ranges(indptr, _PARTS * threads)
    with ThreadPoolExecutor(threads, thread_name_prefix="phusion-rows") as pool:
        yield lambda function: [*pool.map(lambda rows: function(*rows), ranges)].clear()


def sparse_times(matrix: Any, block: Any, *, threads: int = 1) -> Any:
    """Matrix @ block for a CSR matrix and a C-ordered block of the same type of numbers.

    Rows are shared out to threads by their number of stored entries; the result does not depend on how many.

    >>> from scipy import sparse
    >>> sparse_times(sparse.csr_array([[0.0, 2.0], [1.0, 0.0]]), np.eye(2))
    array([[0., 2.],
           [1., 0.]])
    """
    from phusion.linalg.kernels.recurrences import multiply

    out = np.empty((matrix.shape[0], block.shape[1]), block.dtype)
    arrays = (matrix.indptr, matrix.indices, matrix.data, np.ascontiguousarray(block), out)
    with rows_in_threads(matrix.indptr, threads) as on_all_rows:
        on_all_rows(lambda start, stop: multiply(*arrays, start, stop))
    return out
