"""Words that are numbers, also with decimal commas, as spreadsheets write them in much of the world: 0,999."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["has_decimal_comma", "is_date", "is_number", "may_be_thousands", "thousands_by_points", "with_point"]

_NUMBER = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_DATE = re.compile(r"[12][0-9]{3}-[01][0-9]-[0-3][0-9](?:[T ]|$)")


def is_date(word: str) -> bool:
    """Whether a word is a date, perhaps with a time: ``2023-11-10``, ``2023-11-10T12:00``."""
    return _DATE.match(word) is not None


def is_number(word: str) -> bool:
    """Whether a word can be read as a real number."""
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def has_decimal_comma(word: str) -> bool:
    """Whether a word is a number if its comma is a point.

    >>> [has_decimal_comma(word) for word in ("0,999", "-,5", "1,5e-3", "0.999", "7", "a,5", "1,2,3")]
    [True, True, True, False, False, False, False]
    """
    return _NUMBER.fullmatch(word) is not None


def with_point(word: str) -> str:
    """The same number as everybody reads it; other words stay."""
    return word.replace(",", ".") if has_decimal_comma(word) else word


def may_be_thousands(words: Iterable[str]) -> str | None:
    """Of words with commas that may all be thousands as well, the first: ``1,234`` is 1234 or 1.234."""
    found = [word for word in words if "," in word]
    return found[0] if found and all(map(_THOUSANDS.fullmatch, found)) else None


def thousands_by_points(word: str) -> bool:
    """Whether a number among others with decimal commas may be a thousand times as large: ``1.234``."""
    return "," not in word and is_number(word) and _THOUSANDS.fullmatch(word.replace(".", ",")) is not None
