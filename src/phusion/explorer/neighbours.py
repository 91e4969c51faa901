"""The nearest rows of every row, and groups of rows."""

from __future__ import annotations

import warnings

import numpy as np

from phusion.graph.ids import Array

__all__ = ["clusters", "nearest", "nearest_among"]

_ENTRIES = 2**23  # distances at a time
_ROUNDING = 1e-12  # distances so small beside the values are none
_SPARE = 30  # candidates beyond those asked for, since products tell distances with rounding errors


def nearest(values: Array, k: int) -> tuple[Array, Array]:
    """Places and Euclidean distances, n × k, of the k other rows nearest to each row; of equal ones the earlier.

    Candidates come from products in blocks, |x|² + |y|² − 2xy; their distances are then computed by differences, so
    that they are exact. Where more than `k` + 30 rows are alike but for rounding, some of them are taken.
    """
    values = np.asarray(values, dtype=np.float64) - np.mean(values, axis=0)
    n = len(values)
    k = min(k, n - 1)
    places = np.zeros((n, k), dtype=np.int64)
    distances = np.zeros((n, k))
    if k <= 0:
        return places, distances
    few = min(n - 1, k + _SPARE)
    squares = np.einsum("ij,ij->i", values, values)
    step = max(1, _ENTRIES // n)
    for start in range(0, n, step):
        some = np.arange(start, min(n, start + step))
        rough = squares - 2 * (values[some] @ values.T)
        rough[np.arange(len(some)), some] = np.inf
        candidates = np.sort(np.argpartition(rough, few - 1, axis=1)[:, :few], axis=1)
        places[some], distances[some] = _ordered(values, some, candidates, k)
    return places, distances


def nearest_among(values: Array, k: int, able: Array) -> tuple[Array, Array]:
    """The same among some rows only, given as a mask; those of the others are zeros, and are nobody's nearest."""
    some = np.flatnonzero(able)
    near, far = nearest(values[some], k) if len(some) else (np.zeros((0, 0), dtype=np.int64), np.zeros((0, 0)))
    places = np.zeros((len(values), near.shape[1]), dtype=np.int64)
    distances = np.zeros(places.shape)
    places[some], distances[some] = some[near], far
    return places, distances


def _ordered(values: Array, some: Array, candidates: Array, k: int) -> tuple[Array, Array]:
    exact = np.empty(candidates.shape)
    for column in range(candidates.shape[1]):
        exact[:, column] = np.linalg.norm(values[candidates[:, column]] - values[some], axis=1)
    exact[exact <= _ROUNDING * np.abs(values).max()] = 0.0
    scale = exact.max(axis=1, keepdims=True)
    # equal but for rounding is equal
    order = np.argsort(np.round(exact / np.where(scale > 0, scale, 1), 12), axis=1, kind="stable")[:, :k]
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(exact, order, axis=1)


def clusters(values: Array, k: int, seed: int = 0) -> Array:
    """The k-means cluster of each row; clusters are numbered by size."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    n = len(values)
    if k < 2 or n < 2:
        return np.zeros(n, dtype=np.int64)
    with warnings.catch_warnings(), threadpool_limits(1):  # sums in one order
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct rows than clusters: then fewer clusters
        found = KMeans(min(k, n), n_init=4, random_state=seed).fit_predict(values)
    sizes = np.bincount(found)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    numbers: Array = rank[found]
    return numbers
