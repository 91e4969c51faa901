"""Amounts as people write them: ``4,856.24``, ``1.191,32``, ``1 234``, ``$46``, ``12%``. They are told, never read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from phusion.graph.numerals import has_decimal_comma, is_number, may_be_thousands, with_point

__all__ = ["is_amount", "is_name_above_numbers", "note_on_amounts", "what_to_write"]

_CURRENCY = r"(?:[A-Z]{0,2}[$€£¥₹₽₩₺]|USD|EUR|GBP|JPY|CHF|CAD|AUD|CNY|INR|SEK|NOK|DKK|PLN|BRL|kr\.?|Rs\.?)"
_AMOUNT = re.compile(
    rf"(?P<sign>[+\-−]?)\s?{_CURRENCY}?\s?(?P<inner>[+\-−]?)"  # also the minus of typesetters
    r"(?P<digits>[0-9]{1,3}(?:([.,'’\s])[0-9]{3})(?:\4[0-9]{3})*(?:[.,][0-9]+)?"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"  # as in India
    r"|[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
    rf"\s?(?:%|‰|{_CURRENCY})?"
)
_NO_VALUES = frozenset(
    ("", "na", "n/a", "n.a.", "#na", "<na>", "nat", "null", "nil", "none", "missing", "unknown", "undefined", "-", "?")
)
_ERROR_OF_A_SHEET = re.compile(r"#[A-Za-z0-9/]+[!?]?")  # #N/A, #REF!, #DIV/0!


def is_amount(word: str) -> bool:
    """Whether a word is a number, or would be without its separators, currency or percent sign.

    >>> [is_amount(word) for word in ("4,856.24", "1.191,32", "$46", "12%", "1 234", "-3.5", "10.11.2023", "1/2", "a5")]
    [True, True, True, True, True, True, False, False, False]
    """
    return is_number(word) or has_decimal_comma(word) or _AMOUNT.fullmatch(word) is not None


def is_name_above_numbers(word: str) -> bool:
    """Whether a word can only be the name of a column of numbers, not one of them, mistaken or missing.

    >>> [is_name_above_numbers(word) for word in ("amount", "0x10", "1/2", "1e", "#N/A", "NA", "€5", "nan", "{}")]
    [True, False, False, False, False, False, False, False, False]
    """
    if is_amount(word) or word.lower() in _NO_VALUES or _ERROR_OF_A_SHEET.fullmatch(word):
        return False
    return not word.lstrip("+-−.,$€£¥ ")[:1].isdigit() and any(map(str.isalpha, word))


def what_to_write(word: str) -> str:
    """What is wrong with an amount and what to write in its place; nothing if it is none.

    >>> what_to_write("4,856.24")
    "'4,856.24' has commas between thousands, which are not read; write 4856.24"
    >>> what_to_write("1,234")
    "'1,234' may be 1.234 or 1234; write decimal points, and nothing between thousands"
    """
    found = _AMOUNT.fullmatch(word)
    if found is None or is_number(word):
        return ""
    digits, separator = found["digits"], found[4]
    sign = "-" if {found["sign"], found["inner"]} & set("-−") else ""
    if may_be_thousands([digits]) and digits.count(",") == 1:
        either = f"{sign}{with_point(digits)} or {sign}{digits.replace(',', '')}"
        return f"{word!r} may be {either}; write decimal points, and nothing between thousands"
    if has_decimal_comma(word):
        return f"{word!r} has a decimal comma, which others have not, or which cuts columns; write {with_point(word)}"
    number = sign + _without_separators(digits, separator)
    if digits != word.lstrip("+-−"):
        return f"{word!r} is no plain number; write {number}"
    marks = {",": "commas", ".": "points"}.get(separator or ",", "marks or blanks")
    return f"{word!r} has {marks} between thousands, which are not read; write {number}"


def _without_separators(digits: str, separator: str | None) -> str:
    if separator is None:  # thousands as in India, or a fraction alone
        return digits.replace(",", "") if digits.count(",") > 1 or "." in digits else digits.replace(",", ".")
    head, mark, fraction = digits, "", ""
    for other in {".", ","} - {separator}:
        if other in digits:
            head, mark, fraction = digits.partition(other)
    return "".join(filter(str.isdigit, head)) + ("." + fraction if mark else "")


def note_on_amounts(name: str, values: Sequence[Any]) -> str:
    """Why a column of amounts weighs nothing; nothing if it is no such column."""
    words = [str(value).strip() for value in values]
    odd = [word for word in words if what_to_write(word)]
    if not odd or 2 * sum(map(is_amount, words)) < len(words):
        return ""
    what, _, advice = what_to_write(odd[0]).partition("; ")
    said = what.removeprefix(repr(odd[0])).strip()
    return f"{name} holds {odd[0]!r}, which {said}, so that it weighs nothing; {advice}"
