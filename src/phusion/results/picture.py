"""A quick look at an embedding: its rows as points in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from phusion.drawing.canvas import need_matplotlib
from phusion.drawing.maps import TITLES, kind_for, plane, stretched
from phusion.drawing.scatter import draw_map, key, name_points
from phusion.drawing.values import Classes, Numbers, given_for
from phusion.errors import InputError, suggest

if TYPE_CHECKING:
    from phusion.results.embedding import Embedding

__all__ = ["draw_embedding"]


def draw_embedding(embedding: Embedding, color: Any, map: str, ax: Any, seed: int, annotate: Any) -> Any:
    """As `Embedding.plot` says."""
    need_matplotlib()
    if type(seed) is not int or seed < 0:
        raise InputError(f"seed is a whole number ≥ 0; got {seed!r}")
    if not len(embedding):
        raise InputError("the embedding has no rows, so there is nothing to draw")
    if not np.isfinite(embedding.values).all():
        raise InputError("the embedding has values that are not finite; leave those rows out before drawing it")
    found, title = _coloured(embedding, color)
    named = _named(embedding, annotate)
    kind = kind_for(len(embedding), map)
    points = plane(embedding.values, kind, seed)
    stretch = stretched(points) if kind == "pca" else 1.0
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(6.0, 4.6), layout="constrained")[1]
    bar = draw_map(ax, points, found, stretch=stretch)
    key([ax], bar, title)
    ax.set_title(repr(embedding)[len("Embedding(") : -1])
    ax.set_xlabel(TITLES[kind] + (f", second axis × {stretch:.2g}" if stretch > 1.05 else ""))
    name_points(ax, points[named], [str(node) for node in embedding.nodes[named].tolist()])
    return ax


def _coloured(embedding: Embedding, color: Any) -> tuple[Classes | Numbers | None, str]:
    """What colours the points, and what it is called."""
    if color is None:
        return None, ""
    if isinstance(color, str) or type(color) is int:
        return Numbers(embedding.values[:, _column(embedding, color)]), str(color)
    return given_for(embedding.nodes, color, embedding.kind.removesuffix("s")), str(getattr(color, "name", "") or "")


def _column(embedding: Embedding, color: str | int) -> int:
    if isinstance(color, str):
        if color not in embedding.features:
            raise InputError(f"no column is called {color!r}.{suggest(color, embedding.features[:20])}")
        return embedding.features.index(color)
    if not 0 <= color < embedding.dim:
        raise InputError(f"columns are numbered from 0 to {embedding.dim - 1}; got {color}")
    return color


def _named(embedding: Embedding, annotate: Any) -> Any:
    if annotate is None:
        return np.empty(0, dtype=np.int64)
    several = isinstance(annotate, (list, tuple, set, np.ndarray)) and not (
        isinstance(annotate, tuple) and annotate in embedding
    )
    return embedding.positions(list(annotate) if several else [annotate])
