"""Adjacency matrices, sparse or dense: every entry is an arc, nodes are 0..n−1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from phusion.errors import FileError, WeightError
from phusion.graph.draft import Draft

__all__ = ["draft_from_matrix"]


def draft_from_matrix(matrix: Any, source: str, path: Path | None = None) -> Draft:
    """The entries of a square matrix; the matrix itself is only read."""
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        hint = ""
        if len(shape) == 2 and shape[1] in (2, 3) and shape[0] != 2:
            hint = f". If its {shape[0]:,} rows are edges, pass them as tuples: [tuple(row) for row in edges]"
        elif len(shape) == 2 and shape[0] == 2:
            hint = ". If its rows are the two ends of edges, pass pairs: zip(*ends)"
        raise FileError(
            f"an adjacency matrix is square (n × n); got shape {' × '.join(map(str, shape))}{hint}", path=path
        )
    if shape[0] == 0:
        raise FileError("the matrix is 0 × 0: a graph needs at least one node", path=path)
    if matrix.dtype.kind == "c":
        raise WeightError("has complex entries; weights must be real numbers", path=path)
    if matrix.dtype.kind not in "fiub":
        raise WeightError(
            f"an adjacency matrix holds numbers; got {matrix.dtype}. For a list of edges, pass tuples",
            path=path,
        )
    notes = []
    if isinstance(matrix, np.ma.MaskedArray):
        notes.append(f"{int(np.ma.getmaskarray(matrix).sum()):,} masked entries are no edges")
        matrix = matrix.filled(0)
    if sparse.issparse(matrix):
        _refuse_damaged(matrix, path)
        try:
            entries = matrix.tocoo()
        except ValueError as error:
            raise FileError(f"the sparse matrix is damaged: {error}", path=path) from error
        (rows, cols), data = (
            entries.coords if hasattr(entries, "coords") else (entries.row, entries.col),
            entries.data,
        )
    else:
        dense = np.asarray(matrix)
        rows, cols = np.nonzero(dense)  # NaN counts as not zero, so it is refused with its place
        data = dense[rows, cols]
    if len(rows) and (min(rows.min(), cols.min()) < 0 or max(rows.max(), cols.max()) >= shape[0]):
        raise FileError("the sparse matrix has indices outside its shape: it is damaged", path=path)
    if matrix.dtype.kind == "b" and not data.all():  # a stored False is no edge
        rows, cols, data = rows[data], cols[data], data[data]
    return Draft(
        rows=np.asarray(rows),
        cols=np.asarray(cols),
        nodes=np.arange(shape[0], dtype=np.int64),
        weights=None if matrix.dtype.kind == "b" else np.asarray(data),
        given="arcs",
        weight_names=False,
        positional=True,
        notes=notes,
        source=source,
        path=path,
    )


def _refuse_damaged(matrix: Any, path: Path | None) -> None:
    """Rows start where scipy is told, and it writes outside of its memory where that is wrong."""
    starts = getattr(matrix, "indptr", None)
    if starts is not None and (starts[0] != 0 or (np.diff(starts) < 0).any() or starts[-1] > len(matrix.indices)):
        raise FileError("the sparse matrix has rows that overlap: it is damaged", path=path)
