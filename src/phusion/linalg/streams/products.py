"""Products of a few sparse matrices, their columns sparse or written out."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.streams.base import Sparse, Stream

__all__ = ["ProductsStream"]

_OWN = threading.local()
_SHARE = 8  # columns with fewer than n / 8 entries are kept sparse
_SAMPLE = 64
_INT32 = 2**31


@dataclass(frozen=True)
class ProductsStream(Stream):
    """S_k = the product of the last `lengths[k]` of the steps; of several lengths all steps must be the same.

    `sparse` says whether columns stay sparse; `steps` are then scipy matrices by rows, and `by_columns` by columns.
    """

    steps: tuple[Any, ...]
    last: Any
    lengths: tuple[int, ...]
    sparse: bool
    by_columns: tuple[Any, ...] = ()

    @classmethod
    def of(cls, steps: tuple[Any, ...], lengths: tuple[int, ...], kind: Any) -> ProductsStream:
        """Sparse, if some columns of the longest product, evenly chosen, have few entries on average."""
        rows = [step.tocsr() for step in steps]
        n = rows[0].shape[0]
        chosen = np.unique(np.linspace(0, n - 1, _SAMPLE).astype(np.int64))
        last = rows[-1].tocsc()
        found, few = last[:, chosen].tocsr(), True
        for step in reversed(rows[len(rows) - max(lengths) : -1]):
            found = step @ found
            few = few and found.nnz * _SHARE <= n * len(chosen)
            if not few:
                break
        if few:
            once: dict[int, Any] = {id(steps[-1]): last}
            by_columns = (
                once[id(step)] if id(step) in once else once.setdefault(id(step), row.tocsc())
                for step, row in zip(steps, rows, strict=True)
            )
            return cls(tuple(rows), last, lengths, True, tuple(by_columns))
        same: dict[int, Sparse] = {}
        packed = tuple(same.setdefault(id(step), Sparse.of(row, kind)) for step, row in zip(steps, rows, strict=True))
        return cls(packed, last.astype(kind), lengths, False)

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return int(self.last.shape[0])

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return len(self.lengths)

    @property
    def products(self) -> int:  # type: ignore[override]
        """With a block."""
        return max(self.lengths) - 1

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries of one step."""
        return int(self.last.nnz)

    @property
    def column_bytes(self) -> int:
        """Written out: one column for each matrix and one to work in; sparse ones must have room to be written out."""
        return int((8 if self.sparse else self.last.data.itemsize) * self.n * (self.count + 2))

    @property
    def entry_bytes(self) -> int:
        """Of the precision of the last step; sparse columns have doubles."""
        return 8 if self.sparse else int(self.last.data.itemsize)

    @property
    def held_bytes(self) -> int:
        """The different steps, and the last one by columns."""
        sizes = {id(step): step.nbytes if isinstance(step, Sparse) else _bytes(step) for step in self.steps}
        sizes |= {id(step): _bytes(step) for step in (*self.by_columns, self.last)}
        return sum(sizes.values())

    def diagonals(self, start: int, stop: int) -> list[Any]:
        """Of a product of two: rows of the one meet columns of the other."""
        if self.lengths != (2,) or not self.sparse:
            return super().diagonals(start, stop)
        meeting = self.steps[-2][start:stop].multiply(self.last[:, start:stop].T)
        return [np.asarray(meeting.sum(axis=1)).ravel()]

    def columns(self, start: int, stop: int) -> list[Any]:
        """From columns of the last step, one step at a time."""
        from phusion.linalg.kernels.recurrences import multiply

        if self.sparse:
            return self._sparse_columns(start, stop)
        found = self.last[:, start:stop].toarray(order="C")
        made: dict[int, Any] = {1: found}
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is named where the values are used
            for length in range(2, max(self.lengths) + 1):
                step = self.steps[len(self.steps) - length]
                image = np.empty_like(found)
                indptr, indices, data = step.arrays
                multiply(indptr, indices, data, found, image, 0, self.n)
                found = image
                if length in self.lengths:
                    made[length] = found
        return [made[length] for length in self.lengths]

    def _sparse_columns(self, start: int, stop: int) -> list[Any]:
        """The same in the time of the entries that meet: no product looks at rows that stay empty."""
        found = self.last[:, start:stop]
        made: dict[int, Any] = {1: found}
        for length in range(2, max(self.lengths) + 1):
            found = _multiplied(self.by_columns[len(self.steps) - length], found)
            if length in self.lengths:
                made[length] = found
        return [made[length] for length in self.lengths]


def _multiplied(matrix: Any, block: Any) -> Any:
    """Both by columns."""
    from phusion.linalg.kernels.sparse_columns import multiply_columns

    n, width = block.shape
    lengths = matrix.indptr[block.indices + 1] - matrix.indptr[block.indices]
    meeting = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    most = int(np.minimum(np.diff(meeting[block.indptr]), n).sum())
    kind = np.int32 if most < _INT32 else np.int64  # one kind for both, else scipy copies the rows
    starts, rows, values = np.empty(width + 1, kind), np.empty(most, kind), np.empty(most)
    multiply_columns(
        matrix.indptr, matrix.indices, matrix.data, block.indptr, block.indices, block.data,
        _sums(matrix.shape[0]), starts, rows, values,
    )  # fmt: skip
    end = int(starts[-1])
    return sparse.csc_array((values[:end], rows[:end], starts), shape=(n, width))


def _sums(n: int) -> Any:
    """Room for the sums of a column, this thread's own: to clear it for each block takes longer than the block."""
    if len(getattr(_OWN, "sums", ())) != n:
        _OWN.sums = np.full(n, np.nan)
    return _OWN.sums


def _bytes(matrix: Any) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)
