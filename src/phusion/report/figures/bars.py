"""A bar for each design: Ψ side by side, σ in colours; the other profile as a line across each bar."""

from __future__ import annotations

from phusion.experiments.tables import Table
from phusion.report.figures.svg import SERIES, Figure, Scale, drawing, element, legend, levels, text

__all__ = ["bars"]

_LEFT, _TOP, _HEIGHT = 34.0, 8.0, 150.0
_NARROW = 360.0  # a phone's width


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
    width = max(_NARROW, _LEFT + len(groups) * (len(series) * 6 + 8))
    known = [value for some in values.values() for value in some.values() if value is not None]
    up = Scale(min(0.0, *known), max(known), _TOP + _HEIGHT, _TOP)
    room = (width - _LEFT) / len(groups)
    wide = (room - 6) / len(series)
    marks = [levels(up, _LEFT, width)]
    for place, group in enumerate(groups):
        for number, name in enumerate(series):
            x = _LEFT + place * room + 3 + number * wide
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
            marks.append(element("g", element("title", _escaped("; ".join(said))), *drawn))
    below = _TOP + _HEIGHT
    labels, below = _labels(groups, room, below)
    marks.append(labels)
    if len(series) > 1:
        boxes, below = legend(series, below + 18, _LEFT, width)
        marks.append(boxes)
    how = f"bars: {main}" + "".join(f"; lines across: {other}" for other in others)
    about = f"Scores on {dataset} of each design; {how}. The numbers are in the CSV file."
    return Figure(dataset, drawing(width, below + 8, about, *marks), how)


def _labels(groups: list[str], room: float, below: float) -> tuple[str, float]:
    """Names under the bars, turned where they are longer than their place."""
    longest = max(map(len, groups))
    found = []
    turned = longest * 6.2 > room
    for place, group in enumerate(groups):
        x, y = _LEFT + (place + 0.5) * room, below + 14
        if turned:
            shown = group if len(group) <= 18 else f"{group[:17]}…"
            found.append(text(shown, x, y, text_anchor="end", class_="small", transform=f"rotate(-40 {x:.1f} {y:.1f})"))
        else:
            found.append(text(group, x, y, text_anchor="middle", class_="small"))
    return "".join(found), below + (14 + min(longest, 18) * 4.2 if turned else 16)


def _escaped(words: str) -> str:
    from html import escape

    return escape(words)
