"""pyarrow numbers as numpy arrays, without the import of pandas that pyarrow's own way makes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["numbers"]

Array = NDArray[Any]


def numbers(array: Any) -> Array:
    """A pyarrow array (or chunked array) of numbers as numpy; missing values become NaN.

    >>> import pyarrow as pa
    >>> numbers(pa.array([1.5, None]))
    array([1.5, nan])
    """
    if hasattr(array, "chunks"):
        parts = [numbers(chunk) for chunk in array.chunks]
        return np.concatenate(parts) if parts else np.empty(0)
    if not len(array):
        return np.empty(0, dtype=str(array.type).replace("double", "float64"))
    if array.null_count:
        array = array.cast("float64").fill_null(float("nan"))
    values: Array = np.from_dlpack(array)
    return values
