"""`Stream`: several n × n matrices (one for each scale) whose columns are computed together, a block at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["MappedStream", "Sparse", "Stream", "StreamOver", "identity_block"]


class Stream(ABC):
    """Columns of one matrix for each scale. Plain data, so that it can be sent to other processes.

    A column's digits do not depend on which other columns are computed with it, but for rounding where the number of
    terms is settled by a whole block.

    Attributes
    ----------
    n : rows and columns of each matrix.
    count : number of matrices.
    products : how often the sparse matrix is applied to a block, about.
    entries : stored entries of that sparse matrix.
    """

    n: int
    count: int
    products: int
    entries: int

    @abstractmethod
    def columns(self, start: int, stop: int) -> list[Any]:
        """Columns start to stop of each matrix: n × (stop − start) arrays, or sparse ones."""

    def diagonals(self, start: int, stop: int) -> list[Any]:
        """The entries S_uu of the same columns; without the columns, where there is a shorter way."""
        own = np.arange(start, stop), np.arange(stop - start)
        found = self.columns(start, stop)
        return [np.asarray((block if isinstance(block, np.ndarray) else block.tocsr())[own]).ravel() for block in found]

    def noise(self, k: int) -> float:
        """How far rounding may move entries of matrix k, whatever their size; 0 if only their last digits move."""
        return 0.0

    @property
    @abstractmethod
    def column_bytes(self) -> int:
        """Memory for each column of a block at work, its results included."""

    @property
    def updates(self) -> int:
        """How often a sum of the size of a block is added to."""
        return self.products * self.count

    @property
    @abstractmethod
    def held_bytes(self) -> int:
        """Memory of what the stream itself holds."""

    @property
    def entry_bytes(self) -> int:
        """Memory of one entry of its columns, at most."""
        return 8


@dataclass(frozen=True)
class Sparse:
    """A square sparse matrix as its three arrays, in a precision of choice; indices as narrow as they can be."""

    indptr: Any
    indices: Any
    data: Any

    @classmethod
    def of(cls, matrix: Any, kind: Any = np.float64) -> Sparse:
        """From any scipy matrix."""
        rows = matrix.tocsr()
        rows.sort_indices()
        narrow = np.int32 if max(rows.nnz, rows.shape[0]) < 2**31 else np.int64
        parts = (rows.indptr.astype(narrow), rows.indices.astype(narrow), rows.data.astype(kind))
        return cls(*(np.ascontiguousarray(part) for part in parts))

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """Row starts, columns, values."""
        return self.indptr, self.indices, self.data

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.indptr) - 1

    @property
    def nbytes(self) -> int:
        """Memory."""
        return int(sum(part.nbytes for part in self.arrays))


def identity_block(n: int, start: int, stop: int, kind: Any, scale: Any = None) -> Any:
    """Columns start to stop of the identity, each times its scale."""
    block = np.zeros((n, stop - start), kind)
    block[np.arange(start, stop), np.arange(stop - start)] = 1.0 if scale is None else scale[start:stop]
    return block


@dataclass(frozen=True)
class StreamOver(Stream):
    """A stream made of another, which says all that this one does not say itself."""

    stream: Stream

    def noise(self, k: int) -> float:
        """Of the stream below."""
        return self.stream.noise(k)

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.stream.n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return self.stream.count

    @property
    def products(self) -> int:  # type: ignore[override]
        """Of the stream below."""
        return self.stream.products

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Of the stream below."""
        return self.stream.entries

    @property
    def updates(self) -> int:
        """Of the stream below."""
        return self.stream.updates

    @property
    def column_bytes(self) -> int:
        """Of the stream below."""
        return self.stream.column_bytes

    @property
    def held_bytes(self) -> int:
        """Of the stream below."""
        return self.stream.held_bytes

    @property
    def entry_bytes(self) -> int:
        """Of the stream below."""
        return self.stream.entry_bytes


@dataclass(frozen=True)
class MappedStream(StreamOver):
    """Another stream, its columns changed by ``function(values, scale's number, start, stop)``.

    Functions whose steepness matters to noise say more of it themselves.
    """

    function: Callable[[Any, int, int, int], Any]

    def columns(self, start: int, stop: int) -> list[Any]:
        """The changed columns."""
        found = self.stream.columns(start, stop)
        return [self.function(values, k, start, stop) for k, values in enumerate(found)]

    @property
    def column_bytes(self) -> int:
        """Two more arrays while one matrix is changed."""
        return self.stream.column_bytes + 16 * self.n
