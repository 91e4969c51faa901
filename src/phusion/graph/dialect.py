"""The dialect of delimited text: delimiter, header, comments; and what is wrong with a line."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phusion.errors import FileError
from phusion.graph.amounts import what_to_write
from phusion.graph.lines import Block, not_utf8
from phusion.graph.numerals import has_decimal_comma, is_number, thousands_by_points, with_point
from phusion.graph.quotes import is_open

__all__ = [
    "EMPTY_ID",
    "WHITESPACE",
    "Dialect",
    "data_lines",
    "each",
    "explain_line",
    "find_comments_inside",
    "is_integer",
    "like_a_number",
    "networkx_default",
    "runs_over",
]

WHITESPACE = " "
_NETWORKX_DATA = re.compile(
    rb"(?:(?<=[\s,;|:])|\A)\{(?:[^{}:\n]++:[^{}\n]*+)?\}(?=[ \t\r]*+(?:\n|\Z))"
)  # a last word of its own
_NETWORKX_WEIGHT = re.compile(rb"['\"]weight['\"]:[ \t]*+([^,}\s]+)")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_BLANK = " \t\r\n"
EMPTY_ID = "a node id is empty; name the node, or leave the line out (nodes without edges go into nodes=, --nodes)"
_BLANKS = re.compile(r"[ \t]+")


def is_integer(word: str) -> bool:
    """Whether a word is an integer written the usual way: ``007`` and ``+7`` are names, not numbers."""
    return len(word) < 400 and _INTEGER.fullmatch(word) is not None


def like_a_number(word: str) -> bool:
    """Whether a word is a number, or would be one if mistakes in it were mended."""
    try:
        complex(word)  # a complex weight is a mistake, not a column of names
    except ValueError:
        return False
    return any(letter.isdigit() for letter in word) or is_number(word)


@dataclass(frozen=True)
class Dialect:
    """How the lines of a file are to be read.

    Parameters
    ----------
    delimiter : one character; a space stands for any run of blanks and tabs.
    names : the header's words, None without header.
    sample : the first rows of data, split into words.
    networkx_data : what stands for networkx's ``{…}`` without a weight; None if there are no such.
    notes : what was guessed.
    """

    delimiter: str
    comments: bytes
    names: tuple[str, ...] | None
    header_line: int | None
    sample: tuple[tuple[str, ...], ...]
    networkx_data: bytes | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_columns(self) -> int:
        """Columns of the data."""
        return len(self.sample[0])

    def numeric(self, column: int) -> bool:
        """Whether the sample holds numbers there, if only in every other line: the rest are mistakes."""
        words = self.column(column)
        return 2 * sum(like_a_number(self.plain(word)) for word in words) >= max(len(words), 1)

    def column(self, place: int) -> list[str]:
        """The words of the sample there."""
        return [row[place] for row in self.sample if place < len(row)]

    def plain(self, word: str) -> str:
        """A number with a point for its decimal comma, which it has only where commas delimit nothing."""
        return word if self.delimiter == "," else with_point(word)

    def has_commas(self, place: int) -> bool:
        """Whether numbers of the sample have decimal commas there."""
        return self.delimiter != "," and any(map(has_decimal_comma, self.column(place)))

    def split(self, line: str) -> list[str]:
        """The words of one line."""
        if self.delimiter == WHITESPACE:
            line = _BLANKS.sub(" ", line.strip(_BLANK))
        try:
            words = next(csv.reader([line], delimiter=self.delimiter), [])
        except csv.Error:  # a word longer than the csv module takes, or a stray carriage return
            words = line.split(self.delimiter)
        return [word.strip(_BLANK) for word in words]

    def without_networkx_data(self, data: bytes) -> bytes:
        """Networkx's ``{'weight': 2.0}`` as plain weights."""
        default = self.networkx_data
        if default is None:
            return data
        return _NETWORKX_DATA.sub(lambda found: _networkx_weight(found) or default, data)


def networkx_default(texts: Iterable[str]) -> bytes | None:
    """What stands for networkx's ``{…}`` without a weight in these lines: 1, or nothing if none has a weight."""
    found = [_NETWORKX_DATA.search(text.encode()) for text in texts if "{" in text]
    if not any(found):
        return None
    return b"1" if any(match and _networkx_weight(match) for match in found) else b""


def _networkx_weight(found: re.Match[bytes]) -> bytes | None:
    weight = _NETWORKX_WEIGHT.search(found.group())
    return weight.group(1) if weight else None


def runs_over(path: Path, line: int) -> FileError:
    """The error of a quoted word that does not end where its line ends."""
    return FileError(
        "a quoted word runs over the end of the line; words with line ends need another format, such as Parquet",
        path=path,
        line=line,
    )


def each(comments: bytes) -> tuple[bytes, ...]:
    """Every comment mark, as bytes of one letter."""
    return tuple(comments[i : i + 1] for i in range(len(comments)))


def data_lines(block: Block, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of every data line, slowly; for finding the line an error is about."""
    return ((line, dialect.split(text)) for line, text in _data_texts(block, dialect))


def _data_texts(block: Block, dialect: Dialect) -> Iterator[tuple[int, str]]:
    data = dialect.without_networkx_data(block.data)
    for offset, raw in enumerate(data.split(b"\n")):
        line = block.line + offset
        stripped = raw.strip(b" \r")
        blank = not stripped.strip() and not (dialect.delimiter == "\t" and b"\t" in stripped)  # empty words are words
        if blank or stripped.lstrip()[:1] in each(dialect.comments):
            continue
        if dialect.header_line is not None and line <= dialect.header_line:
            continue
        yield line, stripped.decode(errors="surrogateescape")


def find_comments_inside(block: Block, comments: bytes, started: bool) -> tuple[int, bool]:
    """Comment lines after the first line of data, and whether there has been such a line by now."""
    inside = 0
    for raw in block.data.split(b"\n"):
        stripped = raw.lstrip()
        if stripped[:1] in each(comments):
            inside += started
        elif stripped:
            started = True
    return inside, started


def explain_line(
    block: Block, dialect: Dialect, path: Path, ids: Sequence[int], weight: int | None = None
) -> FileError | None:
    """The first line of the block that cannot be read, and why; None if every line can.

    `ids` are the places of the columns that hold node ids, `weight` that of the weights.
    """
    commas = weight is not None and dialect.has_commas(weight)
    for line, text in _data_texts(block, dialect):
        words = dialect.split(text)
        if any("\udc80" <= letter <= "\udcff" for word in words for letter in word):
            return not_utf8(path, line)
        if is_open(text, dialect.delimiter):
            return runs_over(path, line)
        if len(words) != dialect.n_columns:
            return FileError(
                f"has {len(words)} column{'s' * (len(words) != 1)} where {dialect.n_columns} are expected "
                f"(delimiter {dialect.delimiter!r}): {' '.join(words)[:80]!r}",
                path=path,
                line=line,
            )
        if weight is not None and (wrong := _wrong_weight(words[weight], commas)):
            return FileError(f"the weight {wrong}", path=path, line=line)
        if not all(words[place] for place in ids):
            return FileError(EMPTY_ID, path=path, line=line)
    return None


def _wrong_weight(word: str, commas: bool) -> str:
    """What is wrong with a weight and what to do; nothing if it is a number."""
    if commas and thousands_by_points(word):
        return f"{word!r} may be {word} or {word.replace('.', '')}, as others have decimal commas; write it as they are"
    number = with_point(word) if commas else word
    if is_number(number) and math.isfinite(float(number)):
        return ""
    if advice := what_to_write(word):
        return advice
    what = f"{word!r} is not a finite real number" if word else "is missing"
    return f"{what}; give it a number or remove the line. weight=None (--weight none) ignores all weights"
