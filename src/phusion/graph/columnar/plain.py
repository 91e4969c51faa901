"""Columns by numpy and the standard library, where pyarrow is not installed: what it accepts is what pyarrow does."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import IO, Any

import numpy as np

from phusion.graph.arrays import Array, index_type, wide
from phusion.graph.columnar.base import Column, Kind, Numbers, Unparsable
from phusion.graph.columnar.ends import with_plain_ends
from phusion.graph.columnar.plain_numbers import as_numbers
from phusion.graph.columnar.plain_words import PlainWords
from phusion.graph.quotes import runs_over

__all__ = ["number_integers", "parse", "write"]

_ROWS = 1 << 16  # written at a time
_SURE_DIGITS = 18  # so many always fit 64 bits


def parse(data: bytes, delimiter: str, n_columns: int, kinds: Mapping[int, Kind]) -> dict[int, Column]:
    """As `Library.parse`."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data:
        raise Unparsable("it is empty")
    if b'"' in data:
        cells = _quoted_cells(data, delimiter, n_columns)
    else:
        data = with_plain_ends(data)
        marks = _marks(data, delimiter, n_columns)
        if not any(kind.is_words for kind in kinds.values()):
            table = _table_of_digits(data, delimiter, marks)
            if table is not None:
                return {place: _as_wanted(table[place::n_columns], kind) for place, kind in kinds.items()}
        cells = _text(data).replace("\n", delimiter).split(delimiter)[:-1]
    return {place: _column(cells[place::n_columns], kind) for place, kind in kinds.items()}


def number_integers(source: Array, target: Array) -> tuple[Array, Array, Array]:
    """As `Library.number_integers`, by sorting."""
    both = np.empty(2 * len(source), dtype=source.dtype)
    both[0::2], both[1::2] = source, target
    distinct, first, places = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.empty(len(order), dtype=index_type(len(order)))
    position[order] = np.arange(len(order))
    ends = position[places.ravel()]
    return ends[0::2], ends[1::2], distinct[order].astype(wide(source.dtype))


def write(columns: Mapping[str, Array], stream: IO[bytes], delimiter: str, *, table: bool) -> None:
    """As `Library.write`; Python writes as many digits of a number as it takes to read the same again."""
    if table:
        stream.write((delimiter.join(columns) + "\n").encode())
    size = len(next(iter(columns.values())))
    for start in range(0, size, _ROWS):
        parts = (_written(values[start : start + _ROWS].tolist(), table) for values in columns.values())
        stream.write("".join(delimiter.join(row) + "\n" for row in zip(*parts, strict=True)).encode())


def _written(values: list[Any], quoted: bool) -> Iterable[str]:
    if not isinstance(values[0], str):
        return map(repr, values)
    return ('"' + word.replace('"', '""') + '"' for word in values) if quoted else values


def _text(data: bytes) -> str:
    """Bytes that are not UTF-8 are a mistake only in a column that is wanted: they are kept."""
    return data.decode("utf-8", errors="surrogateescape")


def _marks(data: bytes, delimiter: str, n_columns: int) -> Array:
    """The places of delimiters and line ends, if every line has as many columns as it should."""
    letters = np.frombuffer(data, dtype=np.uint8)
    places = np.flatnonzero((letters == ord(delimiter)) | (letters == ord("\n")))
    ends = np.flatnonzero(letters[places] == ord("\n"))
    if len(places) != n_columns * len(ends) or not np.array_equal(
        ends, np.arange(n_columns - 1, len(places), n_columns)
    ):
        for line in _text(data).split("\n")[:-1]:
            _check_width(line.split(delimiter), line, n_columns)
    return places


def _check_width(cells: Sequence[str], line: str, n_columns: int) -> None:
    if len(cells) != n_columns:
        columns = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        raise Unparsable(f"a line has {columns} where {n_columns} are expected: {line[:80]!r}")


def _quoted_cells(data: bytes, delimiter: str, n_columns: int) -> list[str]:
    lines = _text(with_plain_ends(data)).split("\n")[:-1]
    if any(runs_over(line, delimiter) for line in lines):
        raise Unparsable("a quoted word runs over the end of its line")
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:  # a word longer than the csv module takes
        raise Unparsable(f"{error}; with pyarrow installed it may be longer") from error
    for line, row in zip(lines, rows, strict=True):
        _check_width(row, line, n_columns)
    return list(chain.from_iterable(rows))


def _table_of_digits(data: bytes, delimiter: str, marks: Array) -> Array | None:
    """All cells, row by row, if each is some digits and nothing else, as in most edge lists; else None."""
    mark = delimiter.encode()
    if not len(marks) or mark.isdigit() or data.translate(None, b"0123456789\n" + mark):
        return None
    lengths = np.diff(marks, prepend=-1) - 1
    if lengths.min() < 1 or lengths.max() > _SURE_DIGITS:
        return None
    return np.fromstring(data.replace(mark, b" "), dtype=np.int64, sep=" ")


def _as_wanted(values: Array, kind: Kind) -> Numbers:
    if kind is Kind.INT32 and values.max() > np.iinfo(np.int32).max:
        raise Unparsable(f"'{values.max()}' is not a whole number of 32 bits")
    return Numbers([values.astype(kind.value)])


def _column(cells: list[str], kind: Kind) -> Column:
    if not kind.is_words:
        return as_numbers(cells, kind)
    words = PlainWords.of(cells)
    try:
        "".join(words.words).encode()
    except UnicodeEncodeError as error:
        raise Unparsable("a word is not UTF-8 text") from error
    return words
