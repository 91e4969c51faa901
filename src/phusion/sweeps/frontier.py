"""Time against quality: a dot for each design, and the line of those that nothing cheaper beats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from phusion.execution.explain import time_in_words
from phusion.report.figures.svg import Figure, Scale, drawing, element, legend, levels, text
from phusion.sweeps.found import Row

__all__ = ["frontier", "frontier_figure", "time_of"]

_LEFT, _RIGHT, _TOP, _WIDTH, _HEIGHT = 34.0, 22.0, 10.0, 360.0, 220.0  # right: half of the longest number
_LEAST = 1e-3  # seconds


def frontier(rows: Sequence[Row]) -> list[Row]:
    """Designs that are better than all cheaper ones, cheapest first."""
    found: list[Row] = []
    for row in sorted(rows, key=lambda one: (one.seconds, -one.screening)):
        if not found or row.screening > found[-1].screening:
            found.append(row)
    return found


def frontier_figure(rows: Sequence[Row], winner: str) -> Figure:
    """Seconds on a logarithmic scale; positional and structural designs in two colours; `winner` is a key."""
    across = Scale(*_reach([math.log10(max(row.seconds, _LEAST)) for row in rows]), _LEFT + 6, _WIDTH - _RIGHT)
    scores = [row.screening for row in rows]
    up = Scale(min(scores), max(scores), _TOP + _HEIGHT, _TOP + 8)
    marks = [levels(up, _LEFT, _WIDTH), _decades(across)]
    best = frontier(rows)
    points = " ".join(f"{_x(across, row):.1f},{up(row.screening):.1f}" for row in best)
    marks.append(element("polyline", points=points, class_="line-3"))
    for row in rows:
        structural = row.design.spec.embedding.structural
        said = f"{row.design.label}: {row.screening:.2f}, {time_of(row.seconds)}"
        place = {"cx": _x(across, row), "cy": up(row.screening), "r": 5.5 if row.design.key == winner else 3.2}
        ring = {"stroke": "currentColor", "stroke_width": 1.5} if row.design.key == winner else {}
        dot = element("circle", element("title", escape(said)), **place, **ring, class_=f"fill-{1 + structural}")
        marks.append(dot)
    boxes, below = legend(
        ["positional", "structural", "not beaten by a cheaper one"], _TOP + _HEIGHT + 42, _LEFT, _WIDTH
    )
    marks.append(text("seconds to embed (its share of shared work)", _LEFT, _TOP + _HEIGHT + 26, class_="small"))
    names = ", ".join(f"{row.design.label} {row.screening:.1f} in {time_of(row.seconds)}" for row in best)
    about = f"Screening score of each design against the time of its embedding. Not beaten by a cheaper one: {names}."
    title = "Time and quality"
    return Figure(title, drawing(_WIDTH, below + 8, about, *marks, boxes), "The winner has a ring.")


def _x(across: Scale, row: Row) -> float:
    return across(math.log10(max(row.seconds, _LEAST)))


def _reach(values: Sequence[float]) -> tuple[float, float]:
    """From the smallest to the largest, one decade at least."""
    low, high = min(values), max(values)
    middle = (low + high) / 2
    return (low - 0.1, high + 0.1) if high - low >= 1 else (middle - 0.6, middle + 0.6)


def _decades(across: Scale) -> str:
    """Lines at 1, 10, 100 seconds; where there are few of them, at 2 and 5 too."""
    steps = (1,) if across.high - across.low > 1.7 else (1, 2, 5)
    found = []
    for power in range(math.floor(across.low), math.floor(across.high) + 1):
        for step in steps:
            x = across(power + math.log10(step))
            if across.start <= x <= across.end:
                found.append(element("line", x1=x, x2=x, y1=_TOP, y2=_TOP + _HEIGHT, class_="grid"))
                words = f"{step * 10.0**power:g}"
                found.append(text(words, x, _TOP + _HEIGHT + 12, text_anchor="middle", class_="small"))
    return "".join(found)


def time_of(seconds: float) -> str:
    """In words, and in milliseconds what is short.

    >>> time_of(0.0312), time_of(90)
    ('31 ms', '1 min 30 s')
    """
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else time_in_words(seconds)
