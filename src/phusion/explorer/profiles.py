"""The column of σ(S) from which a node's row was made, in few numbers: its largest entries, and all of it by rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.embeddings.base import Axis, Columns, EmbeddingFunction
from phusion.graph.ids import Array

__all__ = ["ProximityProfile", "n_largest", "ranks"]

_LARGEST = 16
_RANKS = 32
_ENTRIES = 2**20  # sorted at a time


def n_largest(n: int) -> int:
    """How many of the largest entries are kept."""
    return min(n, _LARGEST)


def ranks(n: int) -> Array:
    """The ranks, from 1 for the largest to n for the smallest entry, at which the sorted column is kept.

    >>> ranks(5).tolist()
    [1, 2, 3, 4, 5]
    """
    return np.unique(np.round(np.geomspace(1, n, _RANKS)).astype(np.int64))


class ProximityProfile(EmbeddingFunction, name="proximity_profile", offered=False):
    r"""Which nodes a node is nearest to by proximity, how near, and how proximity falls off over all others.

    .. math:: v_1, \ldots, v_k, \quad S_{v_1 u} \ge \cdots \ge S_{v_k u}, \quad S_{v_r u} \text{ at some ranks } r

    References
    ----------
    For the explorer's page; no method of any paper.
    """

    axis: Axis = "columns"

    structural = False  # it names nodes
    reads_noise = False

    def rows(self, columns: Columns, shared: Any) -> Array:
        """Places of the largest entries, their values, then values by rank."""
        values = columns.values()
        n, width = values.shape
        step = max(1, _ENTRIES // n)
        return np.vstack([_rows(np.ascontiguousarray(values[:, i : i + step].T)) for i in range(0, width, step)])

    def width(self, n: int) -> int:
        """Two for each of the largest, one for each rank."""
        return 2 * n_largest(n) + len(ranks(n))

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Numbers."""
        return [f"profile_{i}" for i in range(n_columns)]


def _rows(values: Array) -> Array:
    n = values.shape[1]
    few = n_largest(n)
    places = np.sort(np.argpartition(values, n - few, axis=1)[:, n - few :], axis=1)
    largest = np.take_along_axis(values, places, axis=1)
    order = np.argsort(-largest, axis=1, kind="stable")
    by_rank = np.sort(values, axis=1)[:, n - ranks(n)]
    return np.hstack([np.take_along_axis(places, order, axis=1), np.take_along_axis(largest, order, axis=1), by_rank])
