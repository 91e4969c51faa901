"""Points on axes, coloured by class or number, and the key to the colours."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from phusion.drawing.canvas import plain
from phusion.drawing.colours import MISSING, OTHER, PLAIN, class_marks, few_classes, ramp, scale_of
from phusion.drawing.slices import draw_slices
from phusion.drawing.values import Classes, Numbers
from phusion.graph.ids import Array

__all__ = ["draw_map", "key", "name_points", "scatter", "settle"]

_MANY = 5_000  # points above which a drawing of shapes would be heavier than one of dots
_LONGEST = 28  # letters of a class
_FEW = 12  # classes that a key has room for
_IN_KEY = 30.0  # size of marks there
_STEPS = (4.0, -4.0, 12.0, -12.0, 20.0, -20.0)  # how far above its point a name may stand
_HALF = 2.0  # points between the middle of a mark and its end
_NEARER = 0.8  # of the way to its own point, within which another's takes a name away
_NONE = "none"


def scatter(axes: Any, points: Array, found: Classes | Numbers | None, *, size: float | None = None) -> Any:
    """Draw points; returns what a colour bar needs, None unless they are coloured by number."""
    n = len(points)
    edge = {"edgecolors": "white", "linewidths": 0.4} if n <= 1_000 else {"linewidths": 0.0}
    size = min(40.0, max(2.0, 10_000 / max(n, 1))) if size is None else size
    how = {"s": size, "rasterized": n > _MANY, **edge}
    if found is None:
        axes.scatter(*points.T, color=PLAIN, **how)
        return None
    missing = found.codes < 0 if isinstance(found, Classes) else ~np.isfinite(found.values)
    if missing.any():
        axes.scatter(*points[missing].T, color=MISSING, label=_NONE, zorder=1, **how)
    if isinstance(found, Numbers):
        known = found.values[~missing]
        scale = scale_of(found.values)
        return axes.scatter(*points[~missing].T, c=known, cmap=ramp(), norm=scale, zorder=2, **how)
    found, others = few_classes(found)
    colours = np.full(n, MISSING, dtype=object)
    for number, name in enumerate(found.names):
        chosen = found.codes == number
        if not chosen.any():
            continue
        rest = bool(others) and number == len(found.names) - 1
        colour, mark = (OTHER, "o") if rest else class_marks(number)
        colours[chosen] = colour
        axes.scatter(*points[chosen].T, color=colour, marker=mark, label=_short(name), zorder=1 if rest else 2, **how)
    if n <= _MANY:
        draw_slices(axes, points, colours, size)
    return None


def key(axes: Sequence[Any], bar: Any, title: str = "") -> None:
    """A colour bar beside the axes, or a legend of their classes; nothing where all points are alike."""
    figure, last, title = axes[0].figure, axes[-1], plain(title, _LONGEST)
    handles: dict[str, Any] = {}
    for one in axes:
        handles |= dict(zip(*reversed(one.get_legend_handles_labels()), strict=True))
    if bar is not None:
        words = f"{title} (grey: none)".strip() if _NONE in handles else title
        form = {"shrink": 0.7, "aspect": 28, "pad": 0.02, "ticks": _whole_ticks(bar)}
        drawn = figure.colorbar(bar, ax=list(axes), label=words, **form)
        drawn.outline.set_visible(False)
        return
    if not handles:
        return
    handles |= {_NONE: handles.pop(_NONE)} if _NONE in handles else {}  # the last
    many = {"fontsize": "small", "labelspacing": 0.3} if len(handles) > _FEW else {}
    drawn = last.legend(
        handles.values(), handles, title=title, scatterpoints=1, borderaxespad=0.6, handletextpad=0.4,
        loc="center left", bbox_to_anchor=(1.0, 0.5), **many,
    )  # fmt: skip
    for handle in drawn.legend_handles:
        handle.set_sizes([_IN_KEY])


def _whole_ticks(bar: Any) -> Any:
    """Ticks at whole numbers, where all that is coloured is whole, such as degrees; matplotlib's own otherwise."""
    from matplotlib.colors import LogNorm, SymLogNorm
    from matplotlib.ticker import MaxNLocator

    values = np.asarray(bar.get_array())
    if isinstance(bar.norm, (LogNorm, SymLogNorm)) or (values != np.round(values)).any():
        return None
    return MaxNLocator(nbins="auto", integer=True, steps=[1, 2, 5, 10])


def draw_map(axes: Any, points: Array, found: Classes | Numbers | None, *, stretch: float = 1.0) -> Any:
    """Points of a map: axes without numbers, as these mean nothing; the second drawn `stretch` times longer."""
    bar = scatter(axes, points, found)
    axes.set_xticks([])
    axes.set_yticks([])
    for edge in axes.spines.values():
        edge.set(visible=True, color="#b9bec6")
    axes.set_aspect(stretch, adjustable="datalim")
    axes.margins(0.06)
    return bar


def settle(axes: Sequence[Any]) -> None:
    """Fit axes to their points again once all has its place: limits that grew while places were sought stay wide."""
    with warnings.catch_warnings():  # of letters that the font lacks: who writes the figure is told
        warnings.simplefilter("ignore")
        axes[0].figure.draw_without_rendering()
    for one in axes:
        one.autoscale()


def name_points(axes: Any, points: Array, names: Sequence[str], *, all_of_them: bool = True) -> None:
    """Words beside points, each where it covers least, towards the middle if equal; when all else is drawn.

    If not all of them have to be there, those that would cover something, leave the axes or be nearer to another point
    are left out.
    """
    from matplotlib.patheffects import withStroke

    if len(names):
        with warnings.catch_warnings():  # of letters that the font lacks: who writes the figure is told
            warnings.simplefilter("ignore")
            axes.figure.canvas.figure.draw_without_rendering()  # places of points are known from now on
            halo = [withStroke(linewidth=2.0, foreground=axes.get_facecolor())]
            boxes: list[Any] = []
            for point, name in zip(points, names, strict=True):
                place = {"xytext": (0, 0), "textcoords": "offset points"}
                words = axes.annotate(_short(name), point, fontsize="small", zorder=3, **place)
                words.set_path_effects(halo)
                box, covered = _beside(axes, words, boxes)
                if covered and not all_of_them:
                    words.remove()
                else:
                    boxes.append(box)


def _beside(axes: Any, words: Any, boxes: list[Any]) -> tuple[Any, float]:
    """Move words to where they cover the fewest points and boxes; their own box, and how many those are."""
    taken = np.vstack([axes.transData.transform(one.get_offsets()) for one in axes.collections])
    sides = (-1, 1) if words.xy[0] > float(np.mean(axes.get_xlim())) else (1, -1)
    own = axes.transData.transform(words.xy)
    best, least = (0.0, 0.0, 1), np.inf
    for y in _STEPS:
        for side in sides:
            x = side * max(5.0, 0.6 * abs(y))
            box = _placed(words, x, y, side)
            away = np.linalg.norm(taken - taken.clip(box.min, box.max), axis=1)
            covered = float((away == 0).sum()) + sum(map(box.overlaps, boxes))
            if not (axes.bbox.contains(*box.min) and axes.bbox.contains(*box.max)):
                covered += 0.5  # rather outside than on a point
            if away.min() < _NEARER * np.linalg.norm(own - own.clip(box.min, box.max)):
                covered += 0.25  # it would be read as another's name
            if covered < least:
                best, least = (x, y, side), covered
    return _placed(words, *best), least


def _placed(words: Any, x: float, y: float, side: int) -> Any:
    """The box of words that are moved there, and room for half a mark around it."""
    words.xyann = (x, y)
    words.set_horizontalalignment("left" if side > 0 else "right")
    words.set_verticalalignment("bottom" if y > 0 else "top")
    return words.get_window_extent().padded(_HALF * words.figure.dpi / 72)


def _short(name: str) -> str:
    return plain(name.strip().lstrip("_") or "_", _LONGEST)  # what begins so is left out of legends
