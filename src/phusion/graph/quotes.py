"""Quoted words that begin in a line of text and do not end in it."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["is_open", "runs_over"]


def is_open(text: str, delimiter: str) -> bool:
    """Whether a quoted word begins in this line and does not end in it, as far as a person can see.

    To a parser, blanks before a quote make it a letter like others; a person may have meant it.
    """
    if text.count('"') % 2 == 0:
        return runs_over(text, delimiter)
    return re.search(rf'(^|[{re.escape(delimiter)}])[ \t]*"', text) is not None


def runs_over(text: str, delimiter: str) -> bool:
    """Whether a quoted word begins in this line and does not end in it, to a parser.

    >>> [runs_over(text, ",") for text in ('"a,b",c', 'a,"b', '5"",6"', '5",6,"')]
    [False, True, False, True]
    """
    return '"' in text and _closed(delimiter).fullmatch(text) is None


@cache
def _closed(delimiter: str) -> re.Pattern[str]:
    """A whole line: quotes count only at the start of a cell; one that is doubled inside quotes is a letter."""
    mark = re.escape(delimiter)
    cell = rf'(?:"(?:[^"]++|"")*+"[^{mark}]*+|(?!")[^{mark}]*+)'
    return re.compile(rf"{cell}(?:{mark}{cell})*+")
