"""Data frames with one edge per row (pandas, polars, pyarrow, …), and pandas adjacency frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.column_names import is_end
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import as_id_array
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.origin import comes_from
from phusion.graph.tables import draft_from_frame, is_frame

TITLE = "pandas, polars or pyarrow edge frame (anything narwhals knows)"
UNDERSTANDS = ("source", "target")  # of the options for tables


def matches(thing: Any) -> bool:
    """Any frame narwhals knows."""
    return is_frame(thing) or (comes_from(thing, "pyarrow") and hasattr(thing, "to_struct_array"))


def read(thing: Any, options: Options) -> Draft:
    """Columns by name (source, target, weight, …), else by place, which is said."""
    library = type(thing).__module__.partition(".")[0]
    if library == "pyarrow" and not is_frame(thing):  # a record batch
        import pyarrow as pa

        thing = pa.Table.from_batches([thing])
    if comes_from(thing, "pandas") and options.source is options.target is None and _is_adjacency(thing):
        values = thing[thing.index].to_numpy(dtype=np.float64, na_value=np.nan)
        draft = draft_from_matrix(values, "pandas adjacency frame")
        draft.nodes, draft.positional = as_id_array(thing.index.tolist()), False
        draft.notes.append("read as an adjacency matrix, because rows and columns have the same names")
        return draft
    if comes_from(thing, "pandas"):
        thing = _with_named_index(thing)
    return draft_from_frame(thing, options, f"{library} frame")


def _with_named_index(frame: Any) -> Any:
    """The frame with its index as columns, if that is called as an end of an edge is: ``set_index("source")``."""
    names = list(frame.index.names)
    if not any(isinstance(name, str) and is_end(name) for name in names):
        return frame
    if twice := [name for name in names if name in frame.columns]:
        raise InputError(f"the index and a column are both called {twice[0]!r}; rename one, or drop it")
    if isinstance(frame.columns.name, str) and is_end(frame.columns.name):
        raise InputError(
            f"this is a table of {names[0]!r} by {frame.columns.name!r}; pass a list of edges, such as "
            "frame.stack().reset_index()"
        )
    return frame.reset_index()


def _is_adjacency(frame: Any) -> bool:
    """Square, rows and columns named alike, all numbers."""
    n_rows, n_columns = frame.shape
    numbers = all(getattr(kind, "kind", "O") in "fiub" for kind in frame.dtypes)
    rows, columns = frame.index.tolist(), frame.columns.tolist()
    if n_rows != n_columns or not numbers or len(set(rows)) < n_rows or set(rows) != set(columns):
        return False
    if n_rows in (2, 3) and rows == list(range(n_rows)):
        raise InputError(
            f"a frame of {n_rows} × {n_rows} numbers without names may be a matrix or edges; pass "
            "frame.to_numpy() for a matrix, name the columns source and target for edges"
        )
    return True
