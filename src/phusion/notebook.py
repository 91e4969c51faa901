"""How objects look in a notebook: a small card of HTML, without scripts, in the colours of the page around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

__all__ = ["card", "facts", "grid", "notes", "part", "shown"]

_LONGEST = 60  # letters of one value
_FRAME = "border-left:3px solid currentColor;padding:2px 0 2px 10px;margin:2px 0;text-align:left"
_CELL = "text-align:left;vertical-align:top;padding:1px 12px 1px 0;white-space:normal"
_NUMBER = "text-align:right;white-space:nowrap;padding:1px 12px 1px 0;font-variant-numeric:tabular-nums"
_TABLE = "border-collapse:collapse;border:0;margin:4px 0"
_FAINT = "opacity:.7"


def shown(value: Any, longest: int = _LONGEST) -> str:
    """A value of a user as safe HTML, shortened where it is long.

    >>> shown("<b>bold</b>"), shown("x" * 100, 5)
    ('&lt;b&gt;bold&lt;/b&gt;', 'xxxx…')
    """
    try:
        text = str(value)
    except Exception:  # the object of a user may not want to be shown; its card must not fail for that
        text = type(value).__name__
    text = " ".join(text.split())
    return escape(text if len(text) <= longest else f"{text[: longest - 1]}…")


def card(title: str, *parts: str) -> str:
    """A title and parts below each other. Parts are HTML; the title is text."""
    return f'<div style="{_FRAME}"><div><strong>{escape(title)}</strong></div>{"".join(parts)}</div>'


def part(text: str, *, faint: bool = False) -> str:
    """A line of text."""
    return f'<div style="{_FAINT}">{escape(text)}</div>' if faint else f"<div>{escape(text)}</div>"


def facts(rows: Iterable[Sequence[Any]], *, widest: int = 400) -> str:
    """A line for each fact: its name, then what it is."""
    lines = []
    for name, *values in rows:
        cells = "".join(f'<td style="{_CELL}">{shown(value, widest)}</td>' for value in values)
        lines.append(f'<tr><td style="{_CELL};{_FAINT}">{shown(name)}</td>{cells}</tr>')
    return f'<table style="{_TABLE}"><tbody>{"".join(lines)}</tbody></table>' if lines else ""


def grid(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """Numbers under names; the first of each row is what the row is called."""
    top = "".join(f'<th style="{_CELL if k == 0 else _NUMBER}">{shown(name, 24)}</th>' for k, name in enumerate(head))
    lines = []
    for first, *values in rows:
        cells = "".join(f'<td style="{_NUMBER}">{shown(value)}</td>' for value in values)
        lines.append(f'<tr><th style="{_CELL}">{shown(first, 24)}</th>{cells}</tr>')
    return f'<table style="{_TABLE}"><thead><tr>{top}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def notes(words: Sequence[Any], most: int = 4) -> str:
    """Sentences to read, the first few of them."""
    if not words:
        return ""
    listed = [f"<li>{shown(one, 300)}</li>" for one in words[:most]]
    if len(words) > most:
        listed.append(f"<li>and {len(words) - most:,} more</li>")
    return f'<ul style="margin:4px 0;padding-left:1.2em">{"".join(listed)}</ul>'
