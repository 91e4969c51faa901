"""Cells of text as numbers: those pyarrow takes for numbers, and no others.

Blanks around a number are allowed. ``1_000`` and the digits of other scripts, which Python would take, are not;
``0x1f`` is a whole number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from phusion.graph.columnar.base import Kind, Numbers, Unparsable

__all__ = ["as_numbers"]

_WHOLE = re.compile(r"(-?)0*([0-9]*)(?<=[0-9])", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]+)")
_REAL = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)", re.IGNORECASE | re.ASCII
)
_ODD_NAN = re.compile(r"[+-]?nan\([a-z0-9_]*\)", re.IGNORECASE | re.ASCII)
_MOST_DIGITS = 20  # of 64 bits


def as_numbers(cells: list[str], kind: Kind) -> Numbers:
    """A column of cells; an empty one is missing."""
    usual, quick, careful = _ways(kind)
    if not "".join(cells).encode("utf-8", errors="surrogateescape").translate(None, usual):
        try:
            return Numbers([np.array(list(map(quick, cells)), dtype=kind.value)])
        except (ValueError, OverflowError):  # an empty cell, one that is no number, or too large a number
            pass
    values = [careful(cell.strip(" \t"), cell) if cell else None for cell in cells]
    missing = None in values
    nothing = math.nan if kind is Kind.FLOAT64 else 0
    return Numbers([np.array([nothing if v is None else v for v in values], dtype=kind.value)], missing)


def _ways(kind: Kind) -> tuple[bytes, Callable[[str], float], Callable[[str, str], float]]:
    """Letters of which Python's own reading is right, that reading, and one that looks at every letter."""
    if kind is Kind.FLOAT64:
        return b"0123456789.eE+- \t", float, _real
    if kind is Kind.UINT64:
        return b"0123456789 \t", int, lambda word, cell: _whole(word, cell, 64, signed=False)
    bits = 32 if kind is Kind.INT32 else 64
    return b"0123456789- \t", int, lambda word, cell: _whole(word, cell, bits, signed=True)


def _real(word: str, cell: str) -> float:
    if _REAL.fullmatch(word):
        return float(word)
    if _ODD_NAN.fullmatch(word):
        return math.nan
    raise Unparsable(f"{cell[:80]!r} is not a number")


def _whole(word: str, cell: str, bits: int, *, signed: bool) -> int:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    if (found := _WHOLE.fullmatch(word)) and (signed or not found[1]):
        # Python refuses to read thousands of digits
        number = int(found[1] + (found[2] or "0")) if len(found[2]) <= _MOST_DIGITS else high + 1
        if low <= number <= high:
            return number
    elif (found := _HEXADECIMAL.fullmatch(word)) and len(found[1]) <= bits // 4:
        number = int(found[1], 16)
        return number - 2**bits if number > high else number  # the bits as they are
    raise Unparsable(f"{cell[:80]!r} is not a whole number of {bits} bits")
