"""Arrays of ids and of positions: what every other module here counts with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "index_type", "object_array", "wide"]

Array = NDArray[Any]


def object_array(items: Sequence[Any]) -> Array:
    """A 1-d object array that keeps tuples and lists whole."""
    return np.fromiter(items, dtype=object, count=len(items))


def index_type(*sizes: int) -> type[np.int32] | type[np.int64]:
    """The integers scipy uses to count so far."""
    return np.int32 if max(sizes) < np.iinfo(np.int32).max else np.int64


def wide(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The type in which integer ids are given back."""
    return np.dtype(np.uint64 if kind == np.uint64 else np.int64)
