"""Quoted words that begin in a line of text and do not end in it."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["is_open"]


def is_open(text: str, delimiter: str) -> bool:
    """Whether a quoted word begins in this line and does not end in it.

    >>> is_open('"a,b",c', ","), is_open('a,"b', ","), is_open('5"",6"', ","), is_open('5",6,"', ",")
    (False, True, False, True)
    """
    if text.count('"') % 2 == 0:
        return _closed(delimiter).fullmatch(text) is None
    # blanks before a quote make it a letter like others, but nobody means that
    return re.search(rf'(^|[{re.escape(delimiter)}])[ \t]*"', text) is not None


@cache
def _closed(delimiter: str) -> re.Pattern[str]:
    """A whole line: quotes count only at the start of a cell; one that is doubled inside quotes is a letter."""
    mark = re.escape(delimiter)
    cell = rf'(?:"(?:[^"]++|"")*+"[^{mark}]*+|(?!")[^{mark}]*+)'
    return re.compile(rf"{cell}(?:{mark}{cell})*+", re.DOTALL)
