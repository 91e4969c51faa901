"""Histograms whose counts do not hang on rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["bin_counts", "bin_places", "bin_range"]

_SLACK = 1e-9  # of a bin's width: as near below an edge is on it
_SAME = 1e-10  # of their size: values that differ by less are the same but for rounding
_LEAST = 1e-300  # ranges that cannot be divided into bins
_HALVED = 8e307
_ROUNDING = 1e-13  # of their size: how far rounding may have moved a value
_ROUNDING_SINGLE = 4e-6  # in single precision


def bin_places(values: Any, low: float, high: float, bins: int, noise: float = 0.0) -> Any:
    """The number of the bin of each value, of `bins` even bins from low to high; the last includes its upper edge.

    What is outside counts in the outermost bins. If low equals high, but for rounding and `noise`, the bins go from
    low − ½ to low + ½. Values as near below an edge as rounding may move them are on it.

    >>> bin_places(np.array([0.0, 0.5, 1.0, 7.0]), 0.0, 1.0, 2)
    array([0, 1, 1, 1])
    """
    size = max(abs(low), abs(high))
    if size > _HALVED:  # so that high − low is a number
        values, low, high, noise, size = values / 2, low / 2, high / 2, noise / 2, size / 2
    low, high = bin_range(low, high, noise)
    width = (high - low) / bins
    rounding = _ROUNDING if np.asarray(values).dtype != np.float32 else _ROUNDING_SINGLE
    slack = min(_SLACK + (rounding * size + noise) / width, 0.25)
    places = np.floor((values - low) / width + slack)
    return np.clip(places, 0, bins - 1).astype(np.int64)


def bin_range(low: float, high: float, noise: float = 0.0) -> tuple[float, float]:
    """Where bins begin and end: low and high, or ½ to both sides if these are equal but for rounding."""
    size = max(abs(low), abs(high))
    same = high - low <= _SAME * size + 4.0 * noise + _LEAST
    half = 0.5 * max(1.0, _SAME * size)  # ½ is nothing beside 1e16
    return (low - half, low + half) if same else (low, high)


def bin_counts(values: Any, low: Any, high: Any, bins: int, noise: float = 0.0) -> Any:
    """For each column of `values`, how many entries fall into each bin from its low to its high.

    >>> bin_counts(np.array([[0.0], [0.5], [1.0]]), np.array([0.0]), np.array([1.0]), 2)
    array([[1., 2.]])
    """
    columns = range(values.shape[1])
    places = [bin_places(values[:, j], float(low[j]), float(high[j]), bins, noise) for j in columns]
    counts = [np.bincount(place, minlength=bins) for place in places]
    return np.array(counts, dtype=np.float64).reshape(len(columns), bins)
