"""Nodes of several colours at one place: a slice for each colour, as large as its share of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.graph.ids import Array

__all__ = ["draw_slices", "heaps"]

_SAME = 6  # digits, of the width of a map, by which places are told apart
_COVERS = 2.3  # times the area of a mark: a circle of this size hides every mark below it


def heaps(points: Array) -> list[Array]:
    """Positions of the points that lie at one place, for each place where there are several."""
    span = np.ptp(points, axis=0).max() or 1.0
    _, place, counts = np.unique(np.round(points / span, _SAME), axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(place.ravel(), kind="stable")
    parts = np.split(order, np.cumsum(counts)[:-1])
    return [part for part, count in zip(parts, counts.tolist(), strict=True) if count > 1]


def draw_slices(axes: Any, points: Array, colours: Array, size: float) -> None:
    """Over each heap of points of several colours a circle of slices, the first colour of the heap from the top on."""
    for heap in heaps(points):
        found = list(dict.fromkeys(colours[heap].tolist()))
        if len(found) < 2:
            continue
        shares = [float((colours[heap] == colour).mean()) for colour in found]
        ends = 90.0 - 360.0 * np.cumsum([0.0, *shares])
        for colour, start, end in zip(found, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            _slice(axes, points[heap[0]], colour, end, start, _COVERS * size)


def _slice(axes: Any, point: Array, colour: str, start: float, end: float, size: float) -> None:
    from matplotlib.path import Path

    shape = Path.wedge(start, end)
    reach = float(np.abs(shape.vertices).max())  # a mark is scaled until it fills its square, which a slice need not
    axes.scatter(*point, color=colour, marker=shape, s=size * reach**2, linewidths=0.0, zorder=2.5)
