"""Ranks over data sets, and how far apart they must be to mean something."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from phusion.errors import InputError
from phusion.graph.ids import Array

__all__ = ["critical_difference", "friedman", "ranks"]


def ranks(scores: Any) -> Array:
    """Rank 1 for the highest; equal ones share the average of their ranks.

    >>> ranks([0.5, 0.9, 0.5]).tolist()
    [2.5, 1.0, 2.5]
    """
    return np.asarray(stats.rankdata(-np.asarray(scores, dtype=np.float64)))


def critical_difference(n_methods: int, n_datasets: int, level: float = 0.05) -> float:
    """Average ranks that differ by less are not significantly different (Nemenyi's test, after Demšar 2006).

    >>> round(critical_difference(4, 14), 3)
    1.254
    """
    if n_methods < 2 or n_datasets < 2:
        raise InputError(f"a comparison needs two methods and two data sets; got {n_methods} and {n_datasets}")
    quantile = stats.studentized_range.ppf(1.0 - level, n_methods, np.inf) / np.sqrt(2.0)
    return float(quantile * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_datasets)))


def friedman(scores: Any) -> float:
    """The probability of ranks this unequal if all methods (columns) were alike on all data sets (rows)."""
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 3:
        raise InputError(f"Friedman's test needs two data sets and three methods at least; got shape {table.shape}")
    return float(stats.friedmanchisquare(*table.T).pvalue)
