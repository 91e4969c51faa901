"""Variables of MATLAB 5 files (``save -v6`` and ``-v7``): matrices, sparse ones, text and cells of these.

scipy reads more, but trusts the sizes a file tells: a damaged one can end the whole process.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from phusion.errors import FileError
from phusion.graph.ids import Array
from phusion.graph.limits import Allowance

__all__ = ["read_variables"]

_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_TEXT = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_MATRIX, _PACKED = 14, 15
_CELL, _CHARACTERS, _SPARSE = 1, 4, 5
_COMPLEX, _LOGICAL = 0x800, 0x200
_DEEPEST = 4  # cells in cells
_PIECE = 1 << 16


def read_variables(data: bytes, path: Path) -> dict[str, Any]:
    """Name → array, sparse array or None where it is something else, such as a struct."""
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None:
        raise FileError("is not a readable MATLAB file: its head does not tell the order of bytes", path=path)
    reader = _Reader(order, path)
    allowance = Allowance(len(data), path)
    found = {}
    for kind, content in reader.elements(memoryview(data)[128:], padded=False):
        if kind == _PACKED:
            kind, content = next(reader.elements(memoryview(_unpacked(content, allowance))), (0, content[:0]))
        if kind == _MATRIX:
            name, value = reader.matrix(content)
            if name:  # others are of MATLAB's own
                found[name] = value
    return found


def _unpacked(data: memoryview, allowance: Allowance) -> bytes:
    unpack, pieces = zlib.decompressobj(), []
    for start in range(0, len(data), _PIECE):  # of which zlib makes a thousand times as much, at most
        pieces.append(unpack.decompress(data[start : start + _PIECE]))
        allowance.spend(len(pieces[-1]))
    return b"".join(pieces)


class _Reader:
    """Elements of one order of bytes."""

    def __init__(self, order: str, path: Path) -> None:
        self.order, self.path = order, path

    def broken(self, what: str) -> FileError:
        return FileError(f"is a damaged MATLAB file: {what}", path=self.path)

    def elements(self, data: memoryview, *, padded: bool = True) -> Iterator[tuple[int, memoryview]]:
        """Type and content of each element; short ones have both in eight bytes."""
        place = 0
        while place + 8 <= len(data):
            kind, size = struct.unpack_from(f"{self.order}II", data, place)
            if kind >> 16:
                kind, size, start = kind & 0xFFFF, kind >> 16, place + 4
                place += 8
            else:
                start = place + 8
                place = start + size + (-size % 8 if padded or kind != _PACKED else 0)
            if start + size > len(data) or (start == place - 4 and size > 4):
                raise self.broken("it ends inside a variable; is it cut off?")
            yield kind, data[start : start + size]

    def numbers(self, element: tuple[int, memoryview] | None) -> Array:
        """The numbers of an element, in the type they are stored in."""
        kind, content = element or (0, memoryview(b""))
        if kind not in _STORED:
            raise self.broken("numbers of an unknown type")
        stored = np.dtype(self.order + _STORED[kind])
        if len(content) % stored.itemsize:
            raise self.broken("half a number")
        return np.frombuffer(content, dtype=stored).astype(stored.newbyteorder("="))

    def matrix(self, content: memoryview, depth: int = 0) -> tuple[str, Any]:
        """Name and value of a variable."""
        parts = self.elements(content)
        flags, sizes = self.numbers(next(parts, None)), self.numbers(next(parts, None))
        shape = tuple(sizes.tolist())
        if len(flags) != 2 or len(shape) < 2 or min(shape) < 0 or not all(isinstance(size, int) for size in shape):
            raise self.broken("a variable without a shape")
        _, name = next(parts, (0, content[:0]))
        kind, bits = int(flags[0]) & 0xFF, int(flags[0])
        value = None
        if kind in _NUMBERS:
            value = self._filled(self._values(parts, bits, _NUMBERS[kind]), shape)
        elif kind == _SPARSE:
            value = self._sparse(parts, shape, bits)
        elif kind == _CHARACTERS:
            value = self._words(next(parts, (0, b"")), shape)
        elif kind == _CELL and depth < _DEEPEST:
            inside = [self.matrix(part, depth + 1)[1] for inner, part in parts if inner == _MATRIX]
            items = np.fromiter(inside, dtype=object, count=len(inside))
            value = self._filled(items, shape)
        return bytes(name).decode("latin-1"), value

    def _filled(self, values: Array, shape: tuple[int, ...]) -> Array:
        if len(values) != prod(shape):
            raise self.broken(f"{len(values):,} values for a shape of {' × '.join(map(str, shape))}")
        return values.reshape(shape, order="F")

    def _values(self, parts: Iterator[tuple[int, memoryview]], bits: int, kind: str) -> Array:
        real = self.numbers(next(parts, None))
        if bits & _COMPLEX:
            return real + 1j * self.numbers(next(parts, None))
        if bits & _LOGICAL:
            return np.asarray(real != 0)
        with np.errstate(invalid="ignore", over="ignore"):  # of numbers their own type cannot hold
            return real.astype(kind)

    def _sparse(self, parts: Iterator[tuple[int, memoryview]], shape: tuple[int, ...], bits: int) -> Any:
        """Columns one after the other: row numbers, where each column starts, values."""
        rows, starts = self.numbers(next(parts, None)), self.numbers(next(parts, None))
        values = self._values(parts, bits, "f8")
        if len(shape) != 2 or rows.dtype.kind != "i" or starts.dtype.kind != "i" or len(starts) != shape[1] + 1:
            raise self.broken("a sparse matrix whose columns do not fit its shape")
        count = int(starts[-1])
        if starts[0] != 0 or (np.diff(starts) < 0).any() or count > min(len(rows), len(values)):
            raise self.broken("a sparse matrix whose columns overlap")
        rows, values = rows[:count], values[:count]
        if count and (rows.min() < 0 or rows.max() >= shape[0]):
            raise self.broken("a sparse matrix with an entry outside its shape")
        columns = np.repeat(np.arange(shape[1]), np.diff(starts))
        return sparse.coo_array((values, (rows, columns)), shape=shape)

    def _words(self, element: tuple[int, Any], shape: tuple[int, ...]) -> Array:
        """Rows of letters as words."""
        kind, content = element
        if kind not in _TEXT:
            raise self.broken("text of an unknown encoding")
        wide = {"utf-16": "-le", "utf-32": "-le"} if self.order == "<" else {"utf-16": "-be", "utf-32": "-be"}
        letters = bytes(content).decode(_TEXT[kind] + wide.get(_TEXT[kind], ""), errors="replace")
        if len(letters) != prod(shape) or len(shape) != 2:
            raise self.broken(f"{len(letters):,} letters for a shape of {' × '.join(map(str, shape))}")
        table = self._filled(np.array(list(letters), dtype=object), shape)
        return np.array(["".join(row).rstrip() for row in table.tolist()])
