"""Guessing the dialect of delimited text from its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from phusion.errors import FileError
from phusion.graph.amounts import is_amount, is_name_above_numbers
from phusion.graph.column_names import are_column_names, are_pairs
from phusion.graph.dialect import Dialect, each, networkx_default, runs_over
from phusion.graph.draft import Options
from phusion.graph.lines import Block, not_utf8
from phusion.graph.numerals import has_decimal_comma, is_date, is_number
from phusion.graph.quotes import is_open
from phusion.graph.streams import plain_suffix

__all__ = ["sniff_dialect"]

_SAMPLE = 200


def sniff_dialect(block: Block, options: Options, path: Path, id_columns: int = 2) -> Dialect | None:
    """The dialect of a file from its first block; None if it holds no data.

    The first `id_columns` columns hold node ids: two in edge lists, one in tables of nodes.
    """
    comments = options.comments.encode()
    lines = list(islice(_first_lines(block, comments, path), _SAMPLE))
    if not lines:
        return None
    plain = Dialect("?", comments, None, None, (), networkx_default(text for _, text in lines))
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
            raise runs_over(path, line)
    plain = replace(plain, delimiter=delimiter)
    rows = [tuple(plain.split(text)) for text in texts]
    first = {word.lower() for word in rows[0]}
    asked = (options.source, options.target, None if options.weight == "auto" else options.weight)
    named = any(name.lower() in first for name in asked if isinstance(name, str))
    # who names a column says that columns have names
    header = options.header if options.header is not None else named or _has_header(rows, id_columns, plain)
    data = tuple(rows[1:] if header else rows)
    if not data:
        return None
    if not header and id_columns == 2 and options.header is None:
        above = _names_above(block, lines[0][0], plain, len(rows[0]), [name for name in asked if isinstance(name, str)])
        if above:
            said = () if len(above) == 2 else (f"the comment above the edges names the columns: {', '.join(above)}",)
            return replace(plain, names=above, header_line=lines[0][0] - 1, sample=data, notes=said)
    if not header:
        notes = _note_no_header(rows, path, options, id_columns)
        return replace(plain, sample=data, notes=notes)
    names, notes = rows[0], ()
    one_fewer = len(names) == len(data[0]) - 1  # as R writes it: that column has no name
    if one_fewer and _are_among([row[0] for row in data], names):  # an adjacency matrix
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


def _are_among(rows: Sequence[str], names: Sequence[str]) -> bool:
    """Whether rows are called as columns are, each once."""
    return len(set(rows)) == len(rows) and set(rows) <= set(names)


def _names_above(block: Block, line: int, dialect: Dialect, size: int, asked: Sequence[str]) -> tuple[str, ...] | None:
    """The names of as many columns in the comment right above this first line of data, if it is one of names."""
    before = block.data.split(b"\n", line - block.line)[: line - block.line]
    text = before[-1].strip().decode(errors="replace") if before else ""
    marks = dialect.comments.decode()
    if text[:1] not in marks or not text:
        return None
    words = tuple(dialect.split(text.lstrip(marks + " \t")))
    known = len(words) == size and (are_column_names(words) or not set(asked).isdisjoint(words))
    return words if known else None


def _are_row_names(data: Sequence[tuple[str, ...]], first: str) -> bool:
    """Whether a first column without a name counts the rows, and is quoted as R does or holds nobody's id."""
    words = [row[0] for row in data]
    if words not in ([str(i) for i in range(1, len(words) + 1)], [str(i) for i in range(len(words))]):
        return False
    return first.startswith('"') or set(words).isdisjoint(word for row in data for word in row[1:])


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
    if id_columns == 2 and any(is_amount(word) or word[:1].isdigit() for word in first[2:3]):
        return False  # it has a weight itself, or what should be one
    if id_columns == 2 and are_pairs(first) and not any(set(first) & set(row) for row in data):
        return True
    return any(_stands_above(first[i], [row[i] for row in data], i < id_columns) for i in range(min(map(len, rows))))


def _stands_above(word: str, below: Sequence[str], may_be_ids: bool) -> bool:
    """Whether a word is a name above numbers, or above dates; some words that differ may just be nodes."""
    if not is_name_above_numbers(word) or is_date(word):
        return False
    return all(map(is_number if may_be_ids else is_amount, below)) or all(map(is_date, below))
