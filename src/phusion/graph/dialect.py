"""The dialect of delimited text: delimiter, header, comments; and what is wrong with a line."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from phusion.errors import FileError
from phusion.graph.columns import are_column_names
from phusion.graph.draft import Options
from phusion.graph.lines import Block, not_utf8
from phusion.graph.numerals import has_decimal_comma, is_number, with_point
from phusion.graph.quotes import is_open
from phusion.graph.streams import plain_suffix

__all__ = [
    "EMPTY_ID",
    "WHITESPACE",
    "Dialect",
    "data_lines",
    "each",
    "explain_line",
    "find_comments_inside",
    "is_integer",
    "sniff_dialect",
]

WHITESPACE = " "
_NETWORKX_DATA = re.compile(
    rb"(?:(?<=[\s,;|:])|\A)\{(?:[^{}:\n]++:[^{}\n]*+)?\}(?=[ \t\r]*+(?:\n|\Z))"
)  # a last word of its own
_NETWORKX_WEIGHT = re.compile(rb"['\"]weight['\"]:[ \t]*+([^,}\s]+)")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_SAMPLE = 200
_NO_VALUE = ("", "na", "n/a", "null", "none", "-", "?", "{}")
_BLANK = " \t\r\n"
EMPTY_ID = "a node id is empty; name the node, or leave the line out (nodes without edges go into nodes=, --nodes)"
_BLANKS = re.compile(r"[ \t]+")


def is_integer(word: str) -> bool:
    """Whether a word is an integer written the usual way: ``007`` and ``+7`` are names, not numbers."""
    return len(word) < 400 and _INTEGER.fullmatch(word) is not None


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
        return 2 * sum(_like_a_number(self.plain(word)) for word in words) >= max(len(words), 1)

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


def _networkx_weight(found: re.Match[bytes]) -> bytes | None:
    weight = _NETWORKX_WEIGHT.search(found.group())
    return weight.group(1) if weight else None


def sniff_dialect(block: Block, options: Options, path: Path, id_columns: int = 2) -> Dialect | None:
    """The dialect of a file from its first block; None if it holds no data.

    The first `id_columns` columns hold node ids: two in edge lists, one in tables of nodes.
    """
    comments = options.comments.encode()
    lines = list(islice(_first_lines(block, comments, path), _SAMPLE))
    if not lines:
        return None
    networkx_data = None
    if any("{" in text for _, text in lines):
        found = [_NETWORKX_DATA.search(text.encode()) for _, text in lines]
        if any(found):
            networkx_data = b"1" if any(match and _networkx_weight(match) for match in found) else b""
    plain = Dialect("?", comments, None, None, (), networkx_data)
    texts = [plain.without_networkx_data(text.encode()).decode().strip(" \r\n") for _, text in lines]
    kept = [i for i, text in enumerate(texts) if text and text[:1].encode() not in each(comments)]
    if len(kept) < len(lines):  # data of networkx without an edge before it
        lines, texts = [lines[i] for i in kept], [texts[i] for i in kept]
    if not lines:
        return None
    if re.fullmatch("(?i)sep=.", texts[0]):
        raise FileError(f"the first line, {texts[0]!r}, is Excel's note on the delimiter; delete it", path=path, line=1)
    delimiter = options.delimiter or _guess_delimiter(texts, plain_suffix(path), id_columns)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\n\r':
        raise FileError(f"a delimiter is one ASCII character, no quote and no line end; got {delimiter!r}", path=path)
    for (line, _), text in zip(lines, texts, strict=True):
        if is_open(text, delimiter):
            raise _runs_over(path, line)
    plain = replace(plain, delimiter=delimiter)
    rows = [tuple(plain.split(text)) for text in texts]
    first = {word.lower() for word in rows[0]}
    named = any(str(asked).lower() in first for asked in (options.source, options.target) if isinstance(asked, str))
    # who names a column says that columns have names
    header = options.header if options.header is not None else named or _has_header(rows, id_columns, plain)
    data = tuple(rows[1:] if header else rows)
    if not data:
        return None
    if not header:
        notes = _note_no_header(rows, path, options, id_columns)
        return replace(plain, sample=data, notes=notes)
    names, notes = rows[0], ()
    one_fewer = len(names) == len(data[0]) - 1  # as R writes it: that column has no name
    if one_fewer and tuple(row[0] for row in data) == names[: len(data)]:  # an adjacency matrix
        names = ("", *names)
    elif one_fewer and _are_row_names(data, texts[1]):
        names, notes = ("", *names), ("the header names one column fewer than there are: the first holds row names",)
    if len(names) != len(data[0]):
        raise FileError(
            f"the header names {len(names)} columns, but the line after it has {len(data[0])}; name every column, and "
            "quote words and numbers that hold the delimiter",
            path=path,
            line=lines[0][0],
        )
    return replace(plain, names=names, header_line=lines[0][0], sample=data, notes=notes)


def _are_row_names(data: Sequence[tuple[str, ...]], first: str) -> bool:
    """Whether a first column without a name counts the rows, and is quoted as R does or holds nobody's id."""
    words = [row[0] for row in data]
    if words not in ([str(i) for i in range(1, len(words) + 1)], [str(i) for i in range(len(words))]):
        return False
    return first.startswith('"') or set(words).isdisjoint(word for row in data for word in row[1:])


def _runs_over(path: Path, line: int) -> FileError:
    return FileError(
        "a quoted word runs over the end of the line; words with line ends need another format, such as Parquet",
        path=path,
        line=line,
    )


def _first_lines(block: Block, comments: bytes, path: Path) -> Iterator[tuple[int, str]]:
    """Number and text of the lines that are neither blank nor comments."""
    preamble = re.compile(rb"(?:[ \t]*(?:[" + re.escape(comments) + rb"][^\n]*)?\r?\n)*" if comments else rb"\s*")
    skipped = preamble.match(block.data)
    start = skipped.end() if skipped else 0
    line = block.line + block.data.count(b"\n", 0, start)
    for raw in block.data[start : start + (1 << 20)].split(b"\n"):
        stripped = raw.strip(b" \r")
        if stripped.strip() and stripped.lstrip()[:1] not in each(comments):
            try:
                yield line, stripped.decode()
            except UnicodeDecodeError as error:
                raise not_utf8(path, line) from error
        line += 1


def _note_no_header(rows: Sequence[tuple[str, ...]], path: Path, options: Options, id_columns: int) -> tuple[str, ...]:
    """Words that do not come again may be a header, which nobody can tell from an edge."""
    if options.header is not None or len(rows) < 2 or any(map(is_number, rows[0][:id_columns])):
        return ()
    if id_columns == 2:
        known = not {word for row in rows[1:] for word in row[:2]}.isdisjoint(rows[0][:2])
    else:
        known = plain_suffix(path) not in (".csv", ".tsv")
    if known:
        return ()
    return (f"the first line, {' '.join(rows[0])[:60]!r}, was read as data (header=True, --header, says otherwise)",)


def each(comments: bytes) -> tuple[bytes, ...]:
    """Every comment mark, as bytes of one letter."""
    return tuple(comments[i : i + 1] for i in range(len(comments)))


def _guess_delimiter(lines: Sequence[str], suffix: str, least: int) -> str:
    """The delimiter that cuts every line into the same number of words, at least two.

    Of several that do, the one whose words have no blanks inside; the suffix .csv or .tsv speaks for its own. If none
    does, the one that does so most often, into `least` words first.
    """
    marks = ["\t", ";", ",", "|"]  # the semicolon first: decimal commas are commoner than semicolons in ids
    rows = {mark: [Dialect(mark, b"", None, None, ()).split(line) for line in lines] for mark in (*marks, " ")}
    even = {mark for mark, words in rows.items() if len(words[0]) > 1 and len({len(row) for row in words}) == 1}
    own = {".csv": [";", ","], ".tsv": ["\t"]}.get(suffix, ["\t"])
    for mark in own:
        if mark in even:
            return mark
    for mark in marks:
        odd = any(" " in word or not word for row in rows[mark] for word in row)
        if mark in even and not (" " in even and odd and not _are_names_with_blanks(rows[mark], rows[" "], least)):
            return mark
    if even:
        return " " if " " in even else next(mark for mark in marks if mark in even)

    def usual(mark: str) -> int:
        counts = [len(row) for row in rows[mark]]
        common = max(set(counts), key=lambda size: (counts.count(size), size == least))
        return counts.count(common) if common > 1 else 0

    return max((*own, *marks, " "), key=usual) if any(map(usual, rows)) else " "


def _are_names_with_blanks(words: Sequence[list[str]], by_blanks: Sequence[list[str]], least: int) -> bool:
    """Whether blanks cut names (``Ann Lee,Bob Ray``), and the mark cuts edges: as many words as they have, or a weight.

    Numbers with decimal commas (``1 2 0,5``) are no such words.
    """
    if any(has_decimal_comma(word) for row in by_blanks for word in row):
        return False

    def suits(rows: Sequence[list[str]]) -> int:
        if any(not word for row in rows for word in row):
            return 0
        size = len(rows[0])
        return 2 * (size == least) + (size == least + 1 and all(is_number(row[-1]) for row in rows[1:]))

    return suits(words) > suits(by_blanks)


def _has_header(rows: Sequence[tuple[str, ...]], id_columns: int, dialect: Dialect) -> bool:
    """Whether the first row names the columns: known names, or words above numbers."""
    first, data = rows[0], rows[1:]
    if are_column_names(first, id_columns):
        return True
    if first[:1] == ("",) and all(row[:1] != ("",) for row in data):  # as pandas writes its index
        return True
    if not data or any(is_number(word) for word in first[:id_columns]):
        return False
    if id_columns == 2 and any(is_number(dialect.plain(word)) for word in first[2:3]):
        return False  # it has a weight itself
    return any(  # some may hold words, but a name stands above numbers
        first[i].lower() not in _NO_VALUE
        and not _like_a_number(dialect.plain(first[i]))
        and all(is_number(dialect.plain(row[i])) for row in data)
        for i in range(min(map(len, rows)))
    )


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
            return _runs_over(path, line)
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
    number = with_point(word) if commas else word
    if is_number(number) and math.isfinite(float(number)):
        return ""
    if has_decimal_comma(word):
        return f"{word!r} has a decimal comma, which others have not, or which cuts columns; write {with_point(word)}"
    what = f"{word!r} is not a finite real number" if word else "is missing"
    return f"{what}; give it a number or remove the line. weight=None (--weight none) ignores all weights"
