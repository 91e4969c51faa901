"""σ(S) as a matrix to multiply with: read anew each time, or stored as small as it can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from phusion.execution.blocks import Passes
from phusion.execution.threads import Executor, Threads
from phusion.nonlinearities.base import Map

__all__ = ["TILE", "StoredOperator", "StreamedOperator"]

TILE = 32
"""Columns that are multiplied at a time, whatever the width of blocks: so results do not depend on it."""


def _tiles(width: int) -> list[slice]:
    return [slice(start, start + TILE) for start in range(0, width, TILE)]


@dataclass(frozen=True)
class _Products:
    """Reads columns C of one matrix as σ(C)ᵀ X."""

    matrix: int
    mapping: Map
    factor: Any

    def __call__(self, blocks: list[Any], start: int, stop: int) -> Any:
        values = _mapped(blocks[self.matrix], self.mapping, self.factor.dtype)
        with np.errstate(over="ignore", invalid="ignore"):  # seen where the products are used
            return np.vstack([np.ascontiguousarray(values[:, tile].T) @ self.factor for tile in _tiles(stop - start)])


@dataclass(frozen=True)
class _Stores:
    """Reads columns as they are to be stored: rows of numbers, or of bits."""

    matrix: int
    mapping: Map
    kind: Any

    def __call__(self, blocks: list[Any], start: int, stop: int) -> Any:
        block = blocks[self.matrix]
        if self.mapping.limit is not None:
            raw = block if isinstance(block, np.ndarray) else block.toarray()
            return np.packbits((raw > self.mapping.limit).T, axis=1)
        return np.ascontiguousarray(_mapped(block, self.mapping, self.kind).T)


def _mapped(block: Any, mapping: Map, kind: Any) -> Any:
    values = mapping(block if isinstance(block, np.ndarray) else block.toarray())
    return values.astype(kind, copy=False)


class _InThreads:
    """What is done with tall arrays on this machine."""

    def __init__(self, executor: Executor) -> None:
        self._here = executor if not executor.remote else Threads(1)

    def each(self, function: Callable[[int], Any], count: int) -> list[Any]:
        """The function of 0 to count − 1, in threads."""
        return list(self._here.map(function, [(i,) for i in range(count)]))


class StreamedOperator(_InThreads):
    """Each product is a pass over the stream (and of one that is not symmetric, over its transpose)."""

    def __init__(self, passes: Passes, transposed: Passes | None, matrix: int, mapping: Map, kind: Any) -> None:
        super().__init__(passes.executor)
        self.n = passes.stream.n
        self.symmetric = transposed is None
        self.kind = np.dtype(kind)
        self._passes, self._transposed = passes, transposed or passes
        self._matrix, self._mapping = matrix, mapping

    def times(self, block: Any) -> Any:
        """σ(S) X: rows of σ(S) are columns of its transpose."""
        return self._read(self._transposed, block)

    def transposed_times(self, block: Any) -> Any:
        """σ(S)ᵀ X."""
        return self._read(self._passes, block)

    def _read(self, passes: Passes, block: Any) -> Any:
        out = np.empty((self.n, block.shape[1]), self.kind)
        for start, stop, rows in passes.read(_Products(self._matrix, self._mapping, block), "products"):
            out[start:stop] = rows
        return out


class StoredOperator(_InThreads):
    """Written down: rows of the transpose, as bits if σ(S) is of zeros and ones, else in single or double precision."""

    def __init__(self, rows: Any, kind: Any, executor: Executor, *, symmetric: bool, bits: bool = False) -> None:
        super().__init__(executor)
        self.n = len(rows)
        self.symmetric = symmetric
        self.kind = np.dtype(kind)
        self._rows, self._bits = rows, bits

    @classmethod
    def read(cls, passes: Passes, matrix: int, mapping: Map, kind: Any, *, symmetric: bool) -> Self:
        """In one pass."""
        n, bits = passes.stream.n, mapping.limit is not None
        stored = np.empty((n, -(-n // 8) if bits else n), np.uint8 if bits else kind)
        for start, stop, rows in passes.read(_Stores(matrix, mapping, kind), "storing"):
            stored[start:stop] = rows
        return cls(stored, kind, passes.executor, symmetric=symmetric, bits=bits)

    @staticmethod
    def size(n: int, kind: Any, *, bits: bool) -> int:
        """Bytes."""
        return n * (-(-n // 8) if bits else n * np.dtype(kind).itemsize)

    def transposed_times(self, block: Any) -> Any:
        """σ(S)ᵀ X."""
        out = np.empty((self.n, block.shape[1]), self.kind)

        def one(tile: int) -> None:
            rows = slice(tile * TILE, (tile + 1) * TILE)
            with np.errstate(over="ignore", invalid="ignore"):  # seen where the products are used
                np.matmul(self._numbers(self._rows[rows]), block, out=out[rows])

        self.each(one, -(-self.n // TILE))
        return out

    def times(self, block: Any) -> Any:
        """σ(S) X."""
        if self.symmetric:
            return self.transposed_times(block)
        out = np.empty((self.n, block.shape[1]), self.kind)

        def one(tile: int) -> None:  # eight columns of bits are one of bytes
            rows = slice(tile * TILE, (tile + 1) * TILE)
            if self._bits:
                some = self._rows[:, tile * TILE // 8 : (tile + 1) * TILE // 8]
                numbers = np.unpackbits(some, axis=1)[:, : out[rows].shape[0]].T.astype(self.kind)
            else:
                numbers = np.ascontiguousarray(self._rows[:, rows].T)
            with np.errstate(over="ignore", invalid="ignore"):
                np.matmul(numbers, block, out=out[rows])

        self.each(one, -(-self.n // TILE))
        return out

    def _numbers(self, rows: Any) -> Any:
        return np.unpackbits(rows, axis=1, count=self.n).astype(self.kind) if self._bits else rows
