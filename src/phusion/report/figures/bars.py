"""A bar for each design: Ψ side by side, σ in colours; the other profile as a line across each bar."""

from __future__ import annotations

from html import escape
from math import cos, radians, sin

from phusion.experiments.tables import Table
from phusion.report.figures.svg import SERIES, Figure, Scale, drawing, element, legend, levels, text

__all__ = ["bars"]

_LEFT, _TOP, _HEIGHT = 34.0, 8.0, 150.0
_NARROW = 360.0  # a phone's width
_LETTER = 7.0  # a wide one's
_LONGEST = 16  # letters of a label
_TURN = 40.0  # degrees of labels that are longer than their place


def bars(table: Table) -> list[Figure]:
    """One drawing for each data set of which something is known."""
    found = []
    for source in table.study.sources:
        values = {
            profile: {
                (one.design.proximity, one.design.nonlinearity): table.score(
                    profile, source.name, one.design.proximity, one.design.nonlinearity
                )
                for one in scores
                if one.dataset == source.name
            }
            for profile, scores in table.scores.items()
        }
        if any(value is not None for some in values.values() for value in some.values()):
            found.append(_drawn(source.name, values))
    return found


def _drawn(dataset: str, values: dict[str, dict[tuple[str, str], float | None]]) -> Figure:
    main, *others = values
    groups = list(dict.fromkeys(group for group, _ in values[main]))
    series = list(dict.fromkeys(name for _, name in values[main]))
    labels = [group if len(group) <= _LONGEST else f"{group[: _LONGEST - 1]}…" for group in groups]
    least = len(series) * 6.0 + 8.0
    longest = max(map(len, labels)) * _LETTER
    turned = longest > max(least, (_NARROW - _LEFT) / len(groups))
    left = max(_LEFT, longest * cos(radians(_TURN)) - least / 2) if turned else _LEFT
    width = max(_NARROW, left + len(groups) * least)
    known = [value for some in values.values() for value in some.values() if value is not None]
    up = Scale(min(0.0, *known), max(known), _TOP + _HEIGHT, _TOP)
    room = (width - left) / len(groups)
    wide = (room - 6) / len(series)
    marks = [levels(up, left, width)]
    for place, group in enumerate(groups):
        for number, name in enumerate(series):
            x = left + place * room + 3 + number * wide
            said = [f"{dataset}, {group} {name}".strip()]
            drawn = []
            value = values[main][group, name]
            if value is not None:
                top, bottom = sorted((up(value), up(0.0)))
                shape = {"x": x, "y": top, "width": wide - 1, "height": bottom - top}
                drawn.append(element("rect", **shape, class_=f"fill-{number % SERIES + 1}"))
                said.append(f"{main} {value:.2f}")
            for other in others:
                value = values[other].get((group, name))
                if value is not None:
                    drawn.append(
                        element("line", x1=x - 0.5, x2=x + wide - 0.5, y1=up(value), y2=up(value), class_="mark")
                    )
                    said.append(f"{other} {value:.2f}")
            marks.append(element("g", element("title", escape("; ".join(said))), *drawn))
    below = _TOP + _HEIGHT + 14
    for place, label in enumerate(labels):
        x = left + (place + 0.5) * room
        if turned:
            turn = f"rotate(-{_TURN:g} {x:.1f} {below:.1f})"
            marks.append(text(label, x, below, text_anchor="end", class_="small", transform=turn))
        else:
            marks.append(text(label, x, below, text_anchor="middle", class_="small"))
    below += longest * sin(radians(_TURN)) if turned else 2.0
    if len(series) > 1:
        boxes, below = legend(series, below + 18, left, width)
        marks.append(boxes)
    how = f"bars: {main}" + "".join(f"; lines across: {other}" for other in others)
    about = f"Scores on {dataset} of each design; {how}. The numbers are in the CSV file."
    return Figure(dataset, drawing(width, below + 8, about, *marks), how)
