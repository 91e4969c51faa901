"""Numbers in sentences."""

from __future__ import annotations

__all__ = ["count"]


def count(number: int, what: str) -> str:
    """A number with its noun, in the plural where it belongs.

    >>> count(1, "repeated entry"), count(1200, "repeated entry"), count(0, "self-loop"), count(2, "class")
    ('1 repeated entry', '1,200 repeated entries', '0 self-loops', '2 classes')
    """
    if number == 1:
        return f"1 {what}"
    ending = {"y": "ies", "s": "ses"}.get(what[-1], what[-1] + "s")
    return f"{number:,} {what[:-1]}{ending}"
