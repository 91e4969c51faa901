"""Adjacency matrices as text, whose rows and columns have the same names, as spreadsheets and pandas write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError
from phusion.graph.column_names import are_column_names, is_end
from phusion.graph.columnar.base import Kind
from phusion.graph.delimited import column_blocks
from phusion.graph.dialect import Dialect, explain_line, is_integer
from phusion.graph.draft import Draft
from phusion.graph.ids import integers, object_array
from phusion.graph.lines import Block
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.numerals import is_number

__all__ = ["is_named_matrix", "read_named_matrix", "refuse_other_names"]

_LEAST = 3  # names: with fewer columns a table with names of rows may be a list of edges


def is_named_matrix(dialect: Dialect) -> bool:
    """Whether the first column holds names of the header, each once, in any order, and all others hold numbers."""
    columns, rows = (dialect.names or ())[1:], dialect.column(0)
    if dialect.names and is_end(dialect.names[0]):  # a list of edges between nodes called target and weight
        return False
    alike = len(columns) > 1 and len(rows) > 1 and len(set(rows)) == len(rows) and set(rows) <= set(columns)
    return alike and len(set(columns)) == len(columns) and all(map(dialect.numeric, range(1, dialect.n_columns)))


def refuse_other_names(dialect: Dialect, path: Path) -> None:
    """A table of numbers whose rows are called otherwise than its columns; its entries are no ids of nodes."""
    names, rows = dialect.names or (), dialect.column(0)
    known = set(rows) & set(names[1:])
    likely = len(names) > _LEAST and (names[0] == "" or (len(known) > 1 and 2 * len(known) >= len(rows)))
    if not likely or are_column_names(names) or any(map(is_number, rows)) or len(set(rows)) < len(rows):
        return
    if all(map(dialect.numeric, range(1, dialect.n_columns))):
        raise FileError(_differ(rows, names[1:]), path=path)


def _differ(rows: Sequence[str], columns: Sequence[str]) -> str:
    odd = next((f"row {name!r} has no column" for name in rows if name not in columns), None)
    odd = odd or next((f"column {name!r} has no row" for name in columns if name not in rows), "a row comes twice")
    return (
        f"rows and columns of an adjacency matrix are the same nodes; got {len(rows):,} rows and {len(columns):,} "
        f"columns that differ: {odd}. Of a list of edges, say source= and target="
    )


def read_named_matrix(blocks: Iterator[Block], dialect: Dialect, path: Path) -> Draft:
    """Entries between nodes that are called as the header says."""

    def explain(block: Block, why: Callable[[], str]) -> Exception:
        return explain_line(block, dialect, path, ()) or FileError(f"is no matrix of numbers: {why()}", path=path)

    numbers = dict.fromkeys(range(1, dialect.n_columns), Kind.FLOAT64)
    names: list[str] = []
    rows: list[Any] = []
    for columns in column_blocks(blocks, dialect, {0: Kind.TEXT, **numbers}, explain):
        names += (word.strip() for word in columns.pop(0).tolist())
        if empty := [(dialect.names or ())[place] for place, column in columns.items() if column.missing]:
            words = f"an entry of the matrix, in the column {empty[0]!r}, is empty; write 0 where there is no edge"
            raise FileError(words, path=path)
        rows.append(np.column_stack([column.values for column in columns.values()]))
    header = list((dialect.names or ())[1:])
    if sorted(names) != sorted(header):
        raise FileError(_differ(names, header), path=path)
    matrix = np.vstack(rows)
    if names != header:  # the columns in the order of the rows, as of a frame
        place = {name: i for i, name in enumerate(header)}
        matrix = matrix[:, [place[name] for name in names]]
    draft = draft_from_matrix(matrix, f"adjacency matrix {path}", path)
    draft.nodes = integers([int(name) for name in names]) if all(map(is_integer, names)) else object_array(names)
    draft.positional = False
    order = "" if names == header else ", though in another order"
    draft.notes.append(f"read as an adjacency matrix, because rows and columns have the same names{order}")
    return draft
