"""Maps: the rows of an embedding as points in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError, MissingLibraryError, suggest
from phusion.graph.ids import Array

__all__ = ["KINDS", "TITLES", "kind_for", "plane", "share_held", "stretched"]

TITLES = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
KINDS = tuple(TITLES)

_FEW = 50  # points below which neighbourhoods of t-SNE's size are no neighbourhoods
_MANY = 5_000  # points above which t-SNE takes minutes
_DIM = 50  # columns beyond which t-SNE and UMAP are slow for nothing


def kind_for(n: int, asked: str = "auto") -> str:
    """The map that is asked for; ``"auto"`` is t-SNE for 50 to 5,000 nodes and PCA for fewer or more.

    >>> kind_for(34), kind_for(1_190), kind_for(10_312)
    ('pca', 'tsne', 'pca')
    """
    if asked == "auto":
        return "tsne" if _FEW <= n <= _MANY else "pca"
    if asked not in KINDS:
        raise InputError(f"a map is 'auto', 'pca', 'tsne' or 'umap'; got {asked!r}.{suggest(str(asked), KINDS)}")
    if asked == "umap":
        _umap()
    return asked


def plane(values: Array, kind: str, seed: int = 0) -> Array:
    """Points, n × 2, the same for the same seed.

    Parameters
    ----------
    values : the rows of an embedding.
    kind : ``"pca"``: the two directions of most variance, distances as they are but for what other directions hold;
        ``"tsne"``: near nodes stay near, far ones anywhere; ``"umap"``: likewise, from the library umap-learn.
    seed : of what is random in t-SNE and UMAP.
    """
    values, n = _centred(values), len(values)
    if not values.any():
        return np.zeros((n, 2))
    if kind == "pca" or n < 5:
        return _principal(values, 2)
    reduced = _principal(values, _DIM)
    found = _tsne(reduced, seed) if kind == "tsne" else _by_umap(reduced, seed)
    return np.asarray(found, dtype=np.float64)


def share_held(values: Array, points: Array) -> float | None:
    """The share of the rows' variance that a map by PCA holds, from 0 to 1; None where all rows are alike.

    >>> rows = np.array([[2.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, -1.0], [0.0, -2.0, 0.0]])
    >>> round(share_held(rows, plane(rows, "pca")), 3)
    0.875
    """
    whole = float((_centred(values) ** 2).sum())
    return min(1.0, float((points**2).sum()) / whole) if whole else None


def stretched(points: Array) -> float:
    """How much longer the second principal axis is drawn, to be seen: at most as the first, at most 25-fold.

    >>> stretched(np.array([[0.0, 0.0], [8.0, 2.0]])), stretched(np.array([[0.0, 0.0], [8.0, 0.0]]))
    (4.0, 1.0)
    """
    across, up = np.ptp(points, axis=0)
    return float(min(25.0, across / up)) if up > 1e-6 * across else 1.0


def _centred(values: Array) -> Array:
    """Rows around their mean, the largest number 1; nodes that are all alike are one point, not a cloud of rounding."""
    values = np.asarray(values, dtype=np.float64)
    rounding = 1e-10 * np.abs(values).max(initial=0.0)
    values = values - values.mean(axis=0)
    size = np.abs(values).max(initial=0.0)
    return values / size if size > rounding else np.zeros_like(values)


def _principal(values: Array, dim: int) -> Array:
    """Principal components; their signs are fixed by the library."""
    from sklearn.decomposition import PCA

    n, d = values.shape
    solver = "covariance_eigh" if n >= d else "full"
    return _padded(PCA(min(dim, n, d), svd_solver=solver).fit_transform(values))


def _padded(points: Array) -> Array:
    """At least two columns."""
    return np.pad(points, ((0, 0), (0, max(0, 2 - points.shape[1]))))


def _tsne(values: Array, seed: int) -> Array:
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    perplexity = min(30.0, (len(values) - 1) / 3)
    with threadpool_limits(1):  # sums in one order, and no waiting of threads for each other on a busy machine
        found: Array = TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(values)
    return found


def _by_umap(values: Array, seed: int) -> Array:
    near = min(15, len(values) - 1)
    found: Array = _umap()(n_neighbors=near, random_state=seed, n_jobs=1).fit_transform(values)
    return found


def _umap() -> Any:
    try:
        from umap import UMAP
    except ImportError as error:
        raise MissingLibraryError("a UMAP map", "umap-learn", "umap") from error
    return UMAP
