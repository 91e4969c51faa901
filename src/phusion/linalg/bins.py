"""Histograms whose counts do not hang on rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["bin_counts", "bin_places"]

_SLACK = 1e-9  # of a bin's width: as near below an edge is on it


def bin_places(values: Any, low: float, high: float, bins: int) -> Any:
    """The number of the bin of each value, of `bins` even bins from low to high; the last includes its upper edge.

    What is outside counts in the outermost bins. If low equals high the bins go from low − ½ to high + ½.

    >>> bin_places(np.array([0.0, 0.5, 1.0, 7.0]), 0.0, 1.0, 2)
    array([0, 1, 1, 1])
    """
    if high <= low:
        low, high = low - 0.5, low + 0.5
    places = np.floor((values - low) * (bins / (high - low)) + _SLACK)
    return np.clip(places, 0, bins - 1).astype(np.int64)


def bin_counts(values: Any, low: Any, high: Any, bins: int) -> Any:
    """For each column of `values`, how many entries fall into each bin from its low to its high.

    >>> bin_counts(np.array([[0.0], [0.5], [1.0]]), np.array([0.0]), np.array([1.0]), 2)
    array([[1., 2.]])
    """
    counts = [
        np.bincount(bin_places(values[:, j], low[j], high[j], bins), minlength=bins) for j in range(values.shape[1])
    ]
    return np.array(counts, dtype=np.float64).reshape(values.shape[1], bins)
