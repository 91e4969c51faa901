"""pyarrow, where it is installed: whether it is, and its numbers as numpy arrays."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from phusion.errors import MissingLibraryError
from phusion.graph.arrays import Array

__all__ = ["has_pyarrow", "need_pyarrow", "numbers"]


@cache
def has_pyarrow() -> bool:
    """Whether pyarrow can be imported; it imports it."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def need_pyarrow(what: str) -> None:
    """Refuse what only pyarrow can do, where it is not installed."""
    if not has_pyarrow():
        raise MissingLibraryError(what, "pyarrow", "parquet")


def numbers(array: Any) -> Array:
    """A pyarrow array (or chunked array) of numbers as numpy; missing values become NaN.

    pyarrow's own way would import pandas.
    """
    if hasattr(array, "chunks"):
        parts = [numbers(chunk) for chunk in array.chunks]
        return np.concatenate(parts) if parts else np.empty(0)
    if not len(array):
        return np.empty(0, dtype=str(array.type).replace("double", "float64"))
    if array.null_count:
        array = array.cast("float64", safe=False).fill_null(float("nan"))
    values: Array = np.from_dlpack(array)
    return values
