"""Colours that people who see fewer of them can tell apart, and marks for print without any."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.drawing.values import Classes, is_wide
from phusion.graph.ids import Array

__all__ = ["MISSING", "OTHER", "PLAIN", "class_marks", "few_classes", "ramp", "scale_of"]

PLAIN, MISSING, OTHER = "#0072B2", "#c4c8ce", "#7b818a"
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#3b3b3b")
"""Okabe and Ito's, but for their yellow, which paper swallows."""
_MARKS = ("o", "s", "^", "D", "v", "P")
_MOST = 20  # classes that a reader can look up


def class_marks(number: int) -> tuple[str, str]:
    """Colour and mark of a class; both differ from class to class, and a pair returns after 42 of them."""
    return _COLOURS[number % len(_COLOURS)], _MARKS[number % len(_MARKS)]


def few_classes(found: Classes) -> tuple[Classes, int]:
    """At most twenty classes: of more, the largest, and all others as one, the last; and how many those are."""
    left = len(found.names) - (_MOST - 1)
    if len(found.names) <= _MOST:
        return found, 0
    sizes = np.bincount(found.codes[found.codes >= 0], minlength=len(found.names))
    largest = np.sort(np.argsort(-sizes, kind="stable")[: _MOST - 1])
    place = np.full(len(found.names) + 1, _MOST - 1)
    place[largest] = np.arange(len(largest))
    place[-1] = -1  # no class stays none
    names = (*(found.names[i] for i in largest.tolist()), f"{left:,} other classes")
    return Classes(place[found.codes], names), left


def ramp() -> Any:
    """From dark to light, without the end that white paper swallows."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["viridis"](np.linspace(0.0, 0.92, 256)), "phusion")


def scale_of(values: Array) -> Any:
    """How numbers become shares of the ramp: by their logarithm where they span many sizes."""
    from matplotlib.colors import LogNorm, Normalize, SymLogNorm

    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if not is_wide(values):
        return Normalize(low, high)
    least = float(finite[finite > 0].min())
    return LogNorm(low, high) if low > 0 else SymLogNorm(least, vmin=low, vmax=high)
