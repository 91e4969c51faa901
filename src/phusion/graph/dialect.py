"""The dialect of delimited text: delimiter, header, comments; and what is wrong with a line."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phusion.errors import FileError
from phusion.graph.columns import are_column_names
from phusion.graph.draft import Options
from phusion.graph.lines import Block, not_utf8

__all__ = [
    "NETWORKX_DATA",
    "WHITESPACE",
    "Dialect",
    "data_lines",
    "each",
    "explain_line",
    "find_comments_inside",
    "is_integer",
    "is_number",
    "sniff_dialect",
]

WHITESPACE = " "
NETWORKX_DATA = re.compile(rb"\{(?:[^{}\n]*?['\"]weight['\"]:\s*([^,}\s]+))?[^{}\n]*\}")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SAMPLE = 200


def is_integer(word: str) -> bool:
    """Whether a word is an integer written the usual way: ``007`` and ``+7`` are names, not numbers."""
    return _INTEGER.fullmatch(word) is not None


def is_number(word: str) -> bool:
    """Whether a word can be read as a real number."""
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def _like_a_number(word: str) -> bool:
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
    """

    delimiter: str
    comments: bytes
    names: tuple[str, ...] | None
    header_line: int | None
    sample: tuple[tuple[str, ...], ...]
    networkx_data: bool

    @property
    def n_columns(self) -> int:
        """Columns of the data."""
        return len(self.sample[0])

    def numeric(self, column: int) -> bool:
        """Whether the sample holds numbers there, if only in every other line: the rest are mistakes."""
        words = [row[column] for row in self.sample if column < len(row)]
        return 2 * sum(map(_like_a_number, words)) >= max(len(words), 1)

    def split(self, line: str) -> list[str]:
        """The words of one line."""
        if self.delimiter == WHITESPACE:
            words = next(csv.reader([" ".join(line.split())], delimiter=" "), [])
        else:
            words = [w.strip() for w in next(csv.reader([line], delimiter=self.delimiter), [])]
        return words


def sniff_dialect(block: Block, options: Options, path: Path, id_columns: int = 2) -> Dialect | None:
    """The dialect of a file from its first block; None if it holds no data.

    The first `id_columns` columns hold node ids: two in edge lists, one in tables of nodes.
    """
    comments = options.comments.encode()
    networkx_data = b"{" in block.data[: 1 << 16]
    head = block.data[: 1 << 20]
    if networkx_data:
        head = NETWORKX_DATA.sub(rb"\1", head)
    lines: list[tuple[int, str]] = []
    for offset, raw in enumerate(head.split(b"\n")):
        stripped = raw.strip()
        if not stripped or stripped[:1] in each(comments):
            continue
        try:
            lines.append((block.line + offset, stripped.decode()))
        except UnicodeDecodeError as error:
            raise not_utf8(path, block.line + offset) from error
        if len(lines) > _SAMPLE:
            break
    if not lines:
        return None
    delimiter = options.delimiter or _guess_delimiter([text for _, text in lines])
    if len(delimiter) != 1:
        raise FileError(f"a delimiter is one character; got {delimiter!r}", path=path)
    plain = Dialect(delimiter, comments, None, None, (), networkx_data)
    rows = [tuple(plain.split(text)) for _, text in lines]
    header = options.header if options.header is not None else _has_header(rows, id_columns)
    names = tuple(rows[0]) if header else None
    data = tuple(rows[1:] if header else rows)
    if not data:
        return None
    return Dialect(delimiter, comments, names, lines[0][0] if header else None, data, networkx_data)


def each(comments: bytes) -> tuple[bytes, ...]:
    """Every comment mark, as bytes of one letter."""
    return tuple(comments[i : i + 1] for i in range(len(comments)))


def _guess_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that cuts every line into the same number of words, at least two."""
    best, most = WHITESPACE, 0
    for delimiter in ("\t", ",", ";", "|", WHITESPACE):
        probe = Dialect(delimiter, b"", None, None, (), False)
        counts = [len(probe.split(line)) for line in lines]
        if min(counts) >= 2 and min(counts) == max(counts):
            return delimiter
        usual = max(set(counts), key=counts.count)
        if usual >= 2 and counts.count(usual) > most:
            best, most = delimiter, counts.count(usual)
    return best


def _has_header(rows: Sequence[tuple[str, ...]], id_columns: int) -> bool:
    """Whether the first row names the columns: known names, or words above numbers."""
    first, data = rows[0], rows[1:]
    if are_column_names(first, id_columns):
        return True
    if not data or any(is_number(word) for word in first[:id_columns]):
        return False
    return all(is_number(word) for row in data for word in row[:id_columns])


def data_lines(block: Block, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of every data line, slowly; for finding the line an error is about."""
    data = NETWORKX_DATA.sub(rb"\1", block.data) if dialect.networkx_data else block.data
    for offset, raw in enumerate(data.split(b"\n")):
        line = block.line + offset
        stripped = raw.strip()
        if not stripped or stripped[:1] in each(dialect.comments):
            continue
        if dialect.header_line is not None and line <= dialect.header_line:
            continue
        yield line, dialect.split(stripped.decode(errors="surrogateescape"))


def find_comments_inside(block: Block, comments: bytes) -> int:
    """Comment lines after the first line of data (those before it are a preamble)."""
    inside, started = 0, False
    for raw in block.data.split(b"\n"):
        stripped = raw.lstrip()
        if stripped[:1] in each(comments):
            inside += started
        elif stripped:
            started = True
    return inside


def explain_line(
    block: Block, dialect: Dialect, path: Path, ids: Sequence[int], weight: int | None = None
) -> FileError | None:
    """The first line of the block that cannot be read, and why; None if every line can.

    `ids` are the places of the columns that hold node ids, `weight` that of the weights.
    """
    for line, words in data_lines(block, dialect):
        if any("\udc80" <= letter <= "\udcff" for word in words for letter in word):
            return not_utf8(path, line)
        if len(words) != dialect.n_columns:
            return FileError(
                f"has {len(words)} column{'s' * (len(words) != 1)} where {dialect.n_columns} are expected "
                f"(delimiter {dialect.delimiter!r}): {' '.join(words)[:80]!r}",
                path=path,
                line=line,
            )
        if weight is not None and not (is_number(words[weight]) and math.isfinite(float(words[weight]))):
            what = "is missing" if not words[weight] else f"{words[weight]!r} is not a finite real number"
            return FileError(
                f"the weight {what}; pass weight=None to ignore the column", path=path, line=line
            )
        if not all(words[place] for place in ids):
            return FileError("a node id is empty", path=path, line=line)
    return None
