"""Columns of delimited text: parsed block after block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from phusion.graph import columnar
from phusion.graph.columnar.base import Kind, Numbers, Unparsable
from phusion.graph.dialect import WHITESPACE, Dialect, each
from phusion.graph.ids import Array
from phusion.graph.lines import Block
from phusion.graph.quotes import is_open

__all__ = ["Gathered", "column_blocks", "noncanonical_integers"]

_CACHED = 1 << 18


def column_blocks(
    blocks: Iterator[Block],
    dialect: Dialect,
    kinds: Mapping[int, Kind],
    fail: Callable[[Block, Callable[[], str]], Exception],
) -> Iterator[dict[int, Any]]:
    """Parse block after block; yields `Numbers` and `Words` by the place of their column.

    Parameters
    ----------
    kinds : place of a wanted column → what it is wanted as.
    fail : called with a block that could not be parsed, and with what says why, slowly; returns the error to raise.
    """
    parse = columnar.fastest().parse
    spaced = dialect.delimiter == WHITESPACE
    tidy = False  # blanks need tidying only in files where a block has failed without
    for block in blocks:
        data = _without_header_and_comments(block, dialect)
        if not data or data.isspace():
            continue
        if b'"' in data and _has_open_quote(data, dialect.delimiter):
            raise fail(block, lambda: "a quoted word runs over the end of its line")
        for attempt in (tidy, True):
            asked = (_with_single_blanks(data) if attempt and spaced else data, dialect.delimiter, dialect.n_columns)
            try:
                found = parse(*asked, kinds)
            except Unparsable as error:
                if attempt or not spaced:
                    raise fail(block, partial(columnar.why_not, *asked, kinds)) from error
                tidy = True
            else:
                break
        yield found


def _without_header_and_comments(block: Block, dialect: Dialect) -> bytes:
    data = block.data
    if dialect.header_line is not None and block.line <= dialect.header_line:
        n_lines = dialect.header_line - block.line + 1
        data = data.split(b"\n", n_lines)[-1] if data.count(b"\n") >= n_lines else b""
    for mark in each(dialect.comments):
        if mark in data:
            data = re.sub(rb"(?m)^[ \t]*" + re.escape(mark) + rb".*\n?", b"", data)
    data = dialect.without_networkx_data(data)
    if dialect.delimiter == WHITESPACE and b"\t" in data:
        data = data.replace(b"\t", b" ")
    return data


def _has_open_quote(data: bytes, delimiter: str) -> bool:
    """Whether a quoted word runs over the end of a line; the parsers look at lines with an even number of quotes."""
    odd = (line for line in data.split(b"\n") if line.count(b'"') % 2)
    return any(is_open(line.decode(errors="replace"), delimiter) for line in odd)


def _with_single_blanks(data: bytes) -> bytes:
    """One blank between words, none at the ends of lines.

    Superfluous blanks make a parser see more columns than there are, so it never misses them.
    """
    return re.sub(rb"(?m)^ +| +(?=\r?$)", b"", re.sub(rb" {2,}", b" ", data))


def noncanonical_integers(data: bytes, delimiter: str) -> bool:
    """Whether some word *may* start with a superfluous zero (``007``, ``-0``, ``0x1f``).

    Parsers read these as integers; as node ids they are names. Fast, with false alarms, which cost a slow look; but
    none for ``-0.5``, ``5e-05`` and ``2026-01-05``, which stand beside ids in many files.
    """
    text = np.frombuffer(b"\n\n" + data + b"\n", dtype=np.uint8)
    for start in range(2, len(text) - 1, _CACHED):
        piece = text[start - 2 : start + _CACHED + 1]
        two_before, before, at, after = piece[:-3], piece[1:-2], piece[2:-1], piece[3:]
        zero = at == ord("0")
        minus = before == ord("-")
        # blanks, line ends, quotes, commas and signs all come before "." and the digits in ASCII
        zero &= (
            (before < ord("-")) & (before != ord("+"))
            | (before == ord(delimiter))
            | ((minus | (before == ord("+"))) & ((two_before <= ord("-")) | (two_before == ord(delimiter))))
        )
        more = (after - np.uint8(ord("0"))) < 10
        more |= (after | 0x20) == ord("x")
        more |= minus & (after != ord("."))
        zero &= more
        if zero.any():
            return True
    return False


class Gathered:
    """A column of numbers that grows; `expected` rows are set aside at once, as fresh memory is slow."""

    def __init__(self, expected: int = 0) -> None:
        self._expected, self._size = expected, 0
        self._room: Array = np.empty(0)

    def extend(self, column: Numbers) -> None:
        """Append what was parsed of a block."""
        for part in column.parts:
            size = self._size
            if size + len(part) > len(self._room):
                room = np.empty(max(self._expected, 2 * size, size + len(part)), dtype=part.dtype)
                room[:size] = self._room[:size]
                self._room = room
            self._room[size : size + len(part)] = part
            self._size += len(part)

    @property
    def values(self) -> Array:
        """All of it."""
        return self._room[: self._size]
