"""Adjacency matrices as text, whose rows and columns have the same names, as spreadsheets and pandas write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError
from phusion.graph.columnar.base import Kind
from phusion.graph.delimited import column_blocks
from phusion.graph.dialect import Dialect, explain_line, is_integer
from phusion.graph.draft import Draft
from phusion.graph.ids import integers, object_array
from phusion.graph.lines import Block
from phusion.graph.matrices import draft_from_matrix

__all__ = ["is_named_matrix", "read_named_matrix"]


def is_named_matrix(dialect: Dialect) -> bool:
    """Whether the first column repeats the header, and all others hold numbers."""
    columns, rows = (dialect.names or ())[1:], dialect.column(0)
    alike = len(columns) > 1 and 1 < len(rows) <= len(columns) and tuple(rows) == columns[: len(rows)]
    return alike and len(set(columns)) == len(columns) and all(map(dialect.numeric, range(1, dialect.n_columns)))


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
    if names != header:
        raise FileError(
            "rows and columns of an adjacency matrix are the same nodes in the same order; got "
            f"{len(names):,} rows and {len(header):,} columns that differ. Of a list of edges, say source= and target=",
            path=path,
        )
    draft = draft_from_matrix(np.vstack(rows), f"adjacency matrix {path}", path)
    draft.nodes = integers([int(name) for name in names]) if all(map(is_integer, names)) else object_array(names)
    draft.positional = False
    draft.notes.append("read as an adjacency matrix, because rows and columns have the same names")
    return draft
