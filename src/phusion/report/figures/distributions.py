"""Histograms of row statistics, small and many; the better a design scores, the stronger its colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from phusion.experiments.tables import Score, Table
from phusion.experiments.tasks import vuong
from phusion.report.figures.svg import Figure, drawing, element, text

__all__ = ["distributions"]

_LEFT, _TOP, _GAP = 42.0, 18.0, 6.0
_ROOM = 318.0  # for all columns
_HIGH = 44.0


def distributions(table: Table, scored: Table | None) -> list[Figure]:
    """For each profile and data set: row sums by Ψ and σ; where there is one σ only, all statistics by Ψ."""
    found = []
    for profile in table.scores:
        for source in table.study.sources:
            scores = [one for one in table.scores[profile] if one.dataset == source.name and one.raw]
            if scores:
                found.append(_drawn(profile, source.name, scores, scored))
    return found


def _drawn(profile: str, dataset: str, scores: Sequence[Score], scored: Table | None) -> Figure:
    rows = list(dict.fromkeys(one.design.proximity for one in scores))
    several = len({one.design.nonlinearity for one in scores}) > 1
    statistics = ["sum"] if several else list(scores[0].raw[0])
    columns = list(dict.fromkeys(one.design.nonlinearity for one in scores)) if several else statistics
    strength = _strengths(profile, dataset, scores, scored)
    wide = (_ROOM - _GAP * (len(columns) - 1)) / len(columns)
    marks = [
        text(name, _LEFT + place * (wide + _GAP) + wide / 2, 11, text_anchor="middle", class_="small")
        for place, name in enumerate(columns)
    ]
    marks += [
        text(name, _LEFT - 6, _TOP + place * (_HIGH + _GAP) + _HIGH / 2 + 4, text_anchor="end", class_="small")
        for place, name in enumerate(rows)
    ]
    for one in scores:
        y = _TOP + rows.index(one.design.proximity) * (_HIGH + _GAP)
        for statistic in statistics:
            x = _LEFT + columns.index(one.design.nonlinearity if several else statistic) * (wide + _GAP)
            marks.append(_histogram(one, statistic, x, y, wide, strength.get(one.design.label)))
    height = _TOP + len(rows) * (_HIGH + _GAP)
    what = "row sums" if several else "statistics of the rows"
    how = f"{what} of {dataset}; stronger colour: better score" if strength else f"{what} of {dataset}; not scored"
    about = f"Histograms of {what} on {dataset}, {profile}. How bell-shaped each is stands in the table."
    return Figure(profile, drawing(_LEFT + _ROOM, height, about, *marks), how)


def _strengths(profile: str, dataset: str, scores: Sequence[Score], scored: Table | None) -> dict[str, float]:
    """From 0, the worst score, to 1, the best."""
    if scored is None:
        return {}
    values = {
        one.design.label: scored.score(profile, dataset, one.design.proximity, one.design.nonlinearity)
        for one in scores
    }
    known = {label: value for label, value in values.items() if value is not None}
    if not known:
        return {}
    low, high = min(known.values()), max(known.values())
    return {label: (value - low) / (high - low) if high > low else 1.0 for label, value in known.items()}


def _histogram(one: Score, statistic: str, x: float, y: float, wide: float, strength: float | None) -> str:
    found: dict[str, Any] = one.raw[0][statistic]
    counts = found["counts"]
    step, highest = wide / len(counts), max(counts)
    bottom = y + _HIGH
    steps = [f"M{x:.1f} {bottom:.1f}"]
    for place, count in enumerate(counts):
        level = bottom - count / highest * (_HIGH - 2)
        steps.append(f"L{x + place * step:.1f} {level:.1f}L{x + (place + 1) * step:.1f} {level:.1f}")
    steps.append(f"L{x + wide:.1f} {bottom:.1f}Z")
    opacity = 0.12 if strength is None else 0.2 + 0.8 * strength
    bell = found["bell_over_tail"]
    shape = "bell" if bell > 0 else "heavy tail" if bell < 0 else "all rows alike"
    low, high = found["edges"][0], found["edges"][-1]
    said = f"{one.design.label}, {statistic}: {low:.3g} to {high:.3g}, {shape} ({bell:+.2f}, z = {vuong(found):+.1f})"
    return element(
        "g",
        element("title", escape(said)),
        element("rect", x=x, y=y, width=wide, height=_HIGH, class_="frame"),
        element("path", d="".join(steps), class_="fill-1", fill_opacity=opacity),
    )
