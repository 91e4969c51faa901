"""Data frames with one edge per row (pandas, polars, pyarrow, …), and pandas adjacency frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import as_id_array
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.origin import comes_from
from phusion.graph.tables import draft_from_frame, is_frame

TITLE = "pandas, polars or pyarrow edge frame (anything narwhals knows)"


def matches(thing: Any) -> bool:
    """Any frame narwhals knows."""
    return is_frame(thing)


def read(thing: Any, options: Options) -> Draft:
    """Columns by name (source, target, weight, …), else by place, which is said."""
    library = type(thing).__module__.partition(".")[0]
    if comes_from(thing, "pandas") and _is_adjacency(thing):
        draft = draft_from_matrix(thing[thing.index].to_numpy(), "pandas adjacency frame")
        draft.nodes, draft.positional = as_id_array(thing.index.tolist()), False
        draft.notes.append("read as an adjacency matrix, because rows and columns have the same names")
        return draft
    return draft_from_frame(thing, options, f"{library} frame")


def _is_adjacency(frame: Any) -> bool:
    """Square, rows and columns named alike, all numbers."""
    n_rows, n_columns = frame.shape
    numbers = all(isinstance(kind, np.dtype) and kind.kind in "fiub" for kind in frame.dtypes)
    rows, columns = frame.index.tolist(), frame.columns.tolist()
    if n_rows != n_columns or not numbers or len(set(rows)) < n_rows or set(rows) != set(columns):
        return False
    if n_rows in (2, 3) and rows == list(range(n_rows)):
        raise InputError(
            f"a frame of {n_rows} × {n_rows} numbers without names may be a matrix or edges; pass "
            "frame.to_numpy() for a matrix, name the columns source and target for edges"
        )
    return True
