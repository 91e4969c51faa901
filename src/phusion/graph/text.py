"""Delimited text: blocks of whole lines, the dialect they are in, and pyarrow's parser on each block."""

from __future__ import annotations

import codecs
import csv
import math
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from phusion.errors import FileError
from phusion.graph.arrow import numbers
from phusion.graph.columns import are_column_names
from phusion.graph.draft import Options
from phusion.graph.ids import Array
from phusion.graph.streams import decompressed

__all__ = ["Block", "Dialect", "column_blocks", "is_integer", "is_number", "text_blocks", "whole_text"]

_BLOCK = 1 << 23
_LONGEST_LINE = 1 << 26
_SAMPLE = 200
_CACHED = 1 << 18
_SMALL = 1 << 31
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_NETWORKX_DATA = re.compile(rb"\{(?:[^{}\n]*?['\"]weight['\"]:\s*([^,}\s]+))?[^{}\n]*\}")
_WHITESPACE = " "


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
class Block:
    """Some whole lines of a file, as they are, and the number of the first."""

    data: bytes
    line: int


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
        if self.delimiter == _WHITESPACE:
            words = next(csv.reader([" ".join(line.split())], delimiter=" "), [])
        else:
            words = [w.strip() for w in next(csv.reader([line], delimiter=self.delimiter), [])]
        return words


def text_blocks(path: Path, options: Options) -> Generator[Block, None, None]:
    """The file in blocks of whole lines, as UTF-8, without byte-order mark."""
    with decompressed(path, options.progress) as stream:
        yield from _lines_together(_as_utf8(stream, options.encoding, path), path)


def _as_utf8(stream: IO[bytes], encoding: str, path: Path) -> Iterator[bytes]:
    try:
        name = codecs.lookup(encoding).name
    except LookupError as error:
        raise FileError(f"encoding={encoding!r} is not known to Python", path=path) from error
    first = stream.read(_BLOCK)
    if name == "utf-8" and first[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise FileError('this text is UTF-16; pass encoding="utf-16"', path=path)
    if name != "utf-8":
        try:
            first = (first + stream.read()).decode(encoding).encode()
        except UnicodeError as error:
            raise FileError(f"is not {encoding} text: {error}", path=path) from error
    if b"\x00" in first[:4096]:
        raise FileError(
            "this looks like a binary file, not text; if its suffix is wrong, name the format "
            '(format="npz", "matlab", "parquet", …)',
            path=path,
        )
    yield first.removeprefix(codecs.BOM_UTF8)
    while block := stream.read(_BLOCK):
        yield block


def _lines_together(chunks: Iterator[bytes], path: Path) -> Iterator[Block]:
    rest, line = b"", 1
    for chunk in chunks:
        if b"\r" in chunk and b"\n" not in chunk:  # line ends of an old Mac
            chunk = chunk.replace(b"\r", b"\n")
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            rest += chunk
            if len(rest) > _LONGEST_LINE:
                raise FileError("has a line of over 64 MB; this is not a list of edges", path=path, line=line)
            continue
        data = b"".join((rest, memoryview(chunk)[:cut]))
        rest = chunk[cut:]
        yield Block(data, line)
        line += data.count(b"\n")
    if rest:
        yield Block(rest, line)


def sniff_dialect(block: Block, options: Options, path: Path, id_columns: int = 2) -> Dialect | None:
    """The dialect of a file from its first block; None if it holds no data.

    The first `id_columns` columns hold node ids: two in edge lists, one in tables of nodes.
    """
    comments = options.comments.encode()
    networkx_data = b"{" in block.data[: 1 << 16]
    head = block.data[: 1 << 20]
    if networkx_data:
        head = _NETWORKX_DATA.sub(rb"\1", head)
    lines: list[tuple[int, str]] = []
    for offset, raw in enumerate(head.split(b"\n")):
        stripped = raw.strip()
        if not stripped or stripped[:1] in _each(comments):
            continue
        try:
            lines.append((block.line + offset, stripped.decode()))
        except UnicodeDecodeError as error:
            raise _not_utf8(path, block.line + offset) from error
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


def _each(comments: bytes) -> tuple[bytes, ...]:
    return tuple(comments[i : i + 1] for i in range(len(comments)))


def _guess_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that cuts every line into the same number of words, at least two."""
    best, most = _WHITESPACE, 0
    for delimiter in ("\t", ",", ";", "|", _WHITESPACE):
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


def column_blocks(
    blocks: Iterator[Block],
    dialect: Dialect,
    types: dict[int, Any],
    fail: Callable[[Block, Exception], Exception],
) -> Iterator[dict[int, Any]]:
    """Parse block after block; yields pyarrow columns by their place.

    Parameters
    ----------
    types : place of a wanted column → its pyarrow type.
    fail : called with the block that could not be parsed; returns the error to raise.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    names = [str(i) for i in range(dialect.n_columns)]
    parse = arrow_csv.ParseOptions(delimiter=dialect.delimiter)
    convert = arrow_csv.ConvertOptions(
        column_types={str(i): kind for i, kind in types.items()},
        include_columns=[str(i) for i in types],
        null_values=[""],
        strings_can_be_null=False,
    )
    tidy = False  # blanks need tidying only in files where a block has failed without
    for block in blocks:
        data = _without_header_and_comments(block, dialect)
        if not data or data.isspace():
            continue
        for attempt in (tidy, True):
            read = arrow_csv.ReadOptions(column_names=names, block_size=1 << 20)
            tidied = _with_single_blanks(data) if attempt and dialect.delimiter == _WHITESPACE else data
            try:
                table = arrow_csv.read_csv(pa.BufferReader(tidied), read, parse, convert)
            except pa.ArrowInvalid as error:
                if attempt or dialect.delimiter != _WHITESPACE:
                    raise fail(block, error) from error
                tidy = True
            else:
                break
        yield {i: table.column(str(i)) for i in types}


def _without_header_and_comments(block: Block, dialect: Dialect) -> bytes:
    data = block.data
    if dialect.header_line is not None and block.line <= dialect.header_line:
        n_lines = dialect.header_line - block.line + 1
        data = data.split(b"\n", n_lines)[-1] if data.count(b"\n") >= n_lines else b""
    for mark in _each(dialect.comments):
        if mark in data:
            data = re.sub(rb"(?m)^[ \t]*" + re.escape(mark) + rb".*\n?", b"", data)
    if dialect.networkx_data:
        data = _NETWORKX_DATA.sub(rb"\1", data)
    if dialect.delimiter == _WHITESPACE and b"\t" in data:
        data = data.replace(b"\t", b" ")
    return data


def _with_single_blanks(data: bytes) -> bytes:
    """One blank between words, none at the ends of lines.

    Superfluous blanks make pyarrow see more columns than there are, so it never misses them.
    """
    return re.sub(rb"(?m)^ +| +(?=\r?$)", b"", re.sub(rb" {2,}", b" ", data))


def find_comments_inside(block: Block, comments: bytes) -> int:
    """Comment lines after the first line of data (those before it are a preamble)."""
    inside, started = 0, False
    for raw in block.data.split(b"\n"):
        stripped = raw.lstrip()
        if stripped[:1] in _each(comments):
            inside += started
        elif stripped:
            started = True
    return inside


def noncanonical_integers(data: bytes, delimiter: str) -> bool:
    """Whether some word *may* start with a superfluous zero (``007``, ``-0``, ``0x1f``).

    pyarrow reads these as integers; as node ids they are names. Fast, with false alarms.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(text), _CACHED):
        piece = text[max(start - 1, 0) : start + _CACHED + 1]
        before, at, after = piece[:-2], piece[1:-1], piece[2:]
        zero = at == ord("0")
        # blanks, line ends, quotes, commas and signs all come before "." and the digits in ASCII
        zero &= (before <= ord("-")) | (before == ord(delimiter))
        more = (after - np.uint8(ord("0"))) < 10
        more |= (after | 0x20) == ord("x")
        more |= before == ord("-")
        zero &= more
        if zero.any():
            return True
    return data[:1] == b"0" and data[1:2] in tuple(b"%c" % c for c in b"0123456789xX")


def data_lines(block: Block, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Line number and words of every data line, slowly; for finding the line an error is about."""
    data = _NETWORKX_DATA.sub(rb"\1", block.data) if dialect.networkx_data else block.data
    for offset, raw in enumerate(data.split(b"\n")):
        line = block.line + offset
        stripped = raw.strip()
        if not stripped or stripped[:1] in _each(dialect.comments):
            continue
        if dialect.header_line is not None and line <= dialect.header_line:
            continue
        yield line, dialect.split(stripped.decode(errors="surrogateescape"))


def _not_utf8(path: Path, line: int) -> FileError:
    return FileError('is not UTF-8 text; pass its encoding, such as encoding="latin-1"', path=path, line=line)


def explain_line(
    block: Block, dialect: Dialect, path: Path, ids: Sequence[int], weight: int | None = None
) -> FileError | None:
    """The first line of the block that cannot be read, and why; None if every line can.

    `ids` are the places of the columns that hold node ids, `weight` that of the weights.
    """
    for line, words in data_lines(block, dialect):
        if any("\udc80" <= letter <= "\udcff" for word in words for letter in word):
            return _not_utf8(path, line)
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


def whole_text(path: Path, options: Options) -> str:
    """All of a text file; for formats that are read in one piece."""
    data = b"".join(block.data for block in text_blocks(path, options))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path, data[: error.start].count(b"\n") + 1) from error


def as_numpy(column: Any) -> list[Array]:
    """A pyarrow column of numbers as numpy arrays; integers in 32 bits where they fit."""
    parts = [numbers(chunk) for chunk in column.chunks if len(chunk)]
    return [
        part.astype(np.int32)
        if part.dtype == np.int64 and part.min() >= -_SMALL and part.max() < _SMALL
        else part
        for part in parts
    ]


def joined(parts: list[Array]) -> Array:
    """Parts of a column, one after the other; the list is used up."""
    whole = np.concatenate(parts) if len(parts) > 1 else parts[0]
    parts.clear()
    return whole
