"""The few marks that figures are made of; all text is escaped here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Figure", "Scale", "drawing", "element", "legend", "text", "ticks"]

SERIES = 6
"""Colours that the page has."""


@dataclass(frozen=True)
class Figure:
    """A drawing with what it shows, in words for those who cannot see it."""

    title: str
    svg: str
    about: str


@dataclass(frozen=True)
class Scale:
    """A straight way from values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value is drawn."""
        span = self.high - self.low
        return self.start if span == 0 else self.start + (value - self.low) / span * (self.end - self.start)


def element(name: str, *content: str, **attributes: object) -> str:
    """An element; `content` is markup, attributes are escaped, ``class_`` and ``text_anchor`` lose their underscore."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(content)}</{name}>"


def text(content: str, x: float, y: float, **attributes: object) -> str:
    """Words at a place."""
    return element("text", escape(content), x=x, y=y, **attributes)


def drawing(width: float, height: float, about: str, *content: str) -> str:
    """The whole, in its natural size, which a phone can show."""
    size = {"width": width, "height": height, "viewBox": f"0 0 {_plain(width)} {_plain(height)}"}
    return element("svg", *content, **size, role="img", aria_label=about)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers within a range.

    >>> ticks(0, 73)
    [0.0, 20.0, 40.0, 60.0]
    """
    span = high - low
    if not span > 0:
        return [low]
    rough = span / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.ceil(low / step)
    return [round(place * step, 10) for place in range(first, math.floor(high / step) + 1)]


def levels(scale: Scale, left: float, right: float) -> str:
    """Lines across, with their numbers on the left."""
    found = []
    for value in ticks(scale.low, scale.high):
        y = scale(value)
        found.append(element("line", x1=left, x2=right, y1=y, y2=y, class_="grid"))
        found.append(text(f"{value:g}".replace("-", "−"), left - 5, y + 3.5, text_anchor="end", class_="small"))
    return "".join(found)


def legend(names: Sequence[str], y: float, left: float, right: float) -> tuple[str, float]:
    """A coloured box for each name, in as many lines as they need; and where the last line ends."""
    found, x = [], left
    for place, name in enumerate(names):
        wide = 18 + 6.2 * len(name)
        if x > left and x + wide > right:
            x, y = left, y + 15
        found.append(element("rect", x=x, y=y - 8, width=9, height=9, rx=2, class_=f"fill-{place % SERIES + 1}"))
        found.append(text(name, x + 13, y, class_="small"))
        x += wide + 6
    return "".join(found), y


def _plain(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
