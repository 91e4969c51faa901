"""Tables beside the edges, of nodes or of labels: frames and text files, and which of their columns holds the ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError
from phusion.graph.column_names import NODE_ID, plain_name
from phusion.graph.columnar.base import Kind
from phusion.graph.delimited import column_blocks
from phusion.graph.dialect import WHITESPACE, Dialect, data_lines, explain_line, find_comments_inside, is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, find, integers, object_array
from phusion.graph.lines import Block, text_blocks, without_blank_lines
from phusion.graph.sniff import sniff_dialect
from phusion.graph.streams import plain_suffix
from phusion.graph.tables import frame_columns, is_frame, is_text, tidy_column

__all__ = ["column_of_ids", "first_line", "id_column", "is_no_node", "like_ids", "line_of", "plain_items", "read_table"]

_NOWHERE = "\x1f"  # a delimiter that no line has


def read_table(
    table: Any, options: Options, draft: Draft, *, whole_lines: bool = False
) -> tuple[list[str] | None, dict[int, Any]]:
    """Names (None without header) and columns of a frame or a text file, all columns as text."""
    if is_frame(table):
        names, columns = frame_columns(table)
        return names, dict(enumerate(columns))
    path = Path(table)
    blocks, dialect = _text_table(path, options, draft if whole_lines else None)
    found: dict[int, list[str]] = {i: [] for i in range(dialect.n_columns)}
    _note_comments(blocks, dialect, path, draft)

    def explain(block: Block, why: Callable[[], str]) -> Exception:
        return explain_line(block, dialect, path, ()) or FileError(why(), path=path)

    for parsed in column_blocks(iter(blocks), dialect, dict.fromkeys(found, Kind.TEXT), explain):
        for place, column in parsed.items():
            found[place] += column.tolist()
    if not dialect.names and not found[0]:  # lines of nothing but odd blanks and braces are none
        raise FileError("no nodes: the file holds only blanks and comments", path=path)
    return _told_apart(dialect.names) if dialect.names else None, found


def _text_table(path: Path, options: Options, draft: Draft | None = None) -> tuple[list[Block], Dialect]:
    """Lines of a table, and how to read them; a line may be one name if there is a draft, whose nodes are known."""
    plain = Options(encoding=options.encoding, comments=options.comments)  # the rest is of the edges' file
    blocks = list(text_blocks(path, plain))
    dialect = sniff_dialect(blocks[0], plain, path, id_columns=1) if blocks else None
    if draft and dialect and dialect.delimiter == WHITESPACE and _are_whole_lines(dialect, path, draft):
        dialect = sniff_dialect(blocks[0], replace(plain, delimiter=_NOWHERE), path, id_columns=1)
    if dialect is None:
        raise FileError("the file is empty", path=path)
    return [without_blank_lines(block, dialect.delimiter) for block in blocks], dialect


def _are_whole_lines(dialect: Dialect, path: Path, draft: Draft) -> bool:
    """Whether blanks are parts of names, one a line: names are known, or cut unevenly, or commas would delimit."""
    if plain_suffix(path) == ".csv" or len({len(row) for row in dialect.sample}) > 1:
        return True
    return not {" ".join(row) for row in dialect.sample}.isdisjoint(map(str, draft.nodes.tolist()))


def _note_comments(blocks: list[Block], dialect: Dialect, path: Path, draft: Draft) -> None:
    inside, started = 0, False
    for block in blocks:
        more, started = find_comments_inside(block, dialect.comments, started)
        inside += more
    if inside:
        marks = " or ".join(repr(chr(mark)) for mark in dialect.comments)
        draft.notes.append(f"{path.name}: {inside:,} lines start with {marks} and were taken for comments")


def _told_apart(names: Iterable[str]) -> list[str]:
    """Names of columns, of which no two are the same."""
    found: list[str] = []
    for name in names:
        again, number = name, 2
        while again in found and name:
            again, number = f"{name} ({number})", number + 1
        found.append(again)
    return found


def is_no_node(columns: dict[int, list[str]], draft: Draft) -> bool:
    """Whether the first line of a text file, which was not known as a header, may be one: no edge has its id."""
    first, *others = columns[0]
    return bool(others) and not is_integer(first.strip()) and first.strip() not in map(str, draft.nodes.tolist())


def first_line(columns: dict[int, list[str]], table: Any) -> str:
    """Words for a note on it."""
    words = " ".join(words[0].strip() for words in columns.values())
    return f"{Path(table).name}: the first line, {words[:60]!r},"


def column_of_ids(columns: dict[int, Array], names: list[str] | None, draft: Draft, table: Any, of: str) -> int:
    """The column that is called so, or the first; where that has no node at all, one that has all or nothing else."""

    def nodes_in(column: int) -> int:
        with suppress(FileError):  # words where ids are integers
            return int((find(draft.nodes, like_ids(columns[column], draft.nodes, table)) >= 0).sum())
        return 0

    expected = id_column(names)
    if nodes_in(expected):
        return expected
    due = min(len(columns[expected]), len(draft.nodes))
    others = [column for column in columns if column != expected and due and nodes_in(column) >= due]
    if len(others) != 1:
        return expected
    what = repr(names[others[0]]) if names else f"number {others[0] + 1}"
    draft.notes.append(f"ids of the {of} were taken from the column {what}, as it holds the graph's")
    return others[0]


def id_column(names: list[str] | None) -> int:
    """The column that is called after ids, or the first."""
    plain = [plain_name(name) for name in names] if names else []
    return next((plain.index(name) for name in NODE_ID if name in plain), 0)


def like_ids(column: Any, nodes: Array, table: Any) -> Array:
    """An id column in the type of the graph's ids: the word ``7`` is node 7 where ids are integers."""
    if is_text(column):
        words = [word.strip() for word in column]
        numbered = nodes.dtype.kind in "iu" or all(type(node) is int for node in nodes.tolist())
        odd = next((word for word in words if not is_integer(word)), None)
        if not numbered or (odd is not None and not len(nodes)):
            return object_array(words)
        if odd is None:
            return integers([int(word) for word in words])
        raise FileError(
            f"node id {odd!r} does not match the graph, whose ids are integers such as {nodes[0]}", path=table
        )
    return tidy_column(column)


def line_of(row: int, path: Path, options: Options) -> int | None:
    """The line of a table's row, counted slowly; None if it cannot be told."""
    blocks, dialect = _text_table(path, options)
    numbers = (line for block in blocks for line, _ in data_lines(block, dialect))
    return next((line for place, line in enumerate(numbers) if place == row), None)


def plain_items(values: Any) -> Any:
    """Items of tensors and pyarrow arrays are no ids: make them plain numbers and words first."""
    if hasattr(values, "detach"):
        return np.asarray(values.detach().cpu())
    if hasattr(values, "to_pylist") and not is_frame(values):
        return values.to_pylist()
    return values
