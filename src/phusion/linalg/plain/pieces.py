"""Some numbers at a time: temporary arrays stay in the processor's caches, and far below the size of a block.

No digit of a result may depend on how many columns are computed together. Rows of a product and single entries do not,
however they are cut. Sums over rows would, so they are cut where the number of columns does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["column_sums", "row_slices", "sparse_rows", "tiles"]

_NUMBERS = 1 << 15  # of a temporary array
_ROWS = 512  # whose sum is rounded by itself


def row_slices(start: int, stop: int, width: int) -> Iterator[slice]:
    """Some rows at a time."""
    step = max(1, _NUMBERS // max(1, width))
    for first in range(start, stop, step):
        yield slice(first, min(first + step, stop))


def tiles(n: int, width: int) -> Iterator[tuple[slice, slice]]:
    """Some rows and columns at a time; which rows does not depend on the width."""
    step = _NUMBERS // _ROWS
    for first in range(0, n, _ROWS):
        for left in range(0, width, step):
            yield slice(first, min(first + _ROWS, n)), slice(left, min(left + step, width))


def sparse_rows(indptr: Any, indices: Any, data: Any, rows: slice, columns: int) -> Any:
    """Some rows of a CSR matrix, whose entries are not copied."""
    starts = indptr[rows.start : rows.stop + 1]
    entries = slice(int(starts[0]), int(starts[-1]))
    return sparse.csr_array(
        (data[entries], indices[entries], starts - starts[0]), shape=(rows.stop - rows.start, columns)
    )


def column_sums(values: Any) -> Any:
    """Row by row; NumPy would group the sum of a column that is alone."""
    return np.add.reduce(values, axis=0) if values.shape[1] > 1 else np.cumsum(values, axis=0)[-1]
