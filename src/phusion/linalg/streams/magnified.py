"""`Magnified`: the sizes of a stream on a larger graph of the same mean degree, which is not there."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from phusion.linalg.streams.base import Stream

__all__ = ["Magnified", "magnified_bytes"]

_WIDE = 2**31  # entries from which on their places take 8 bytes, as in `Sparse.of`


@dataclass(frozen=True)
class Magnified(Stream):
    """Another stream as it would be with n rows and columns; columns that are asked for are those of the other.

    Everything a stream holds is of n numbers or of as many as there are entries, so that it grows with n at the same
    mean degree. Products do not grow: polynomials have the same degree, and powers as many factors.
    """

    stream: Stream
    n: int

    @property
    def times(self) -> float:
        """How many times larger it is."""
        return self.n / self.stream.n

    @property
    def sparse(self) -> bool:
        """Whether columns are."""
        return bool(getattr(self.stream, "sparse", False))

    @property
    def may_be_sparse(self) -> bool:
        """Whether columns are written out here, but might not have to be on the larger graph, where more is empty."""
        return getattr(self.stream, "sparse", None) is False

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return self.stream.count

    @property
    def products(self) -> int:  # type: ignore[override]
        """Of the stream below."""
        return self.stream.products

    @property
    def updates(self) -> int:
        """Of the stream below."""
        return self.stream.updates

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Of the larger matrix."""
        return round(self.times * self.stream.entries)

    @property
    def column_bytes(self) -> int:
        """Of longer columns."""
        return round(self.times * self.stream.column_bytes)

    @property
    def entry_bytes(self) -> int:
        """Of the stream below."""
        return self.stream.entry_bytes

    @property
    def held_bytes(self) -> int:
        """Of the larger matrix."""
        return magnified_bytes(self.stream, self.stream.held_bytes, self.entries, self.times)

    def columns(self, start: int, stop: int) -> list[Any]:
        """Of the smaller one."""
        return self.stream.columns(start, stop)


def magnified_bytes(held: Any, n_bytes: int, entries: int, times: float) -> int:
    """Bytes of what takes so many now, so many times larger; places of entries are wider if there are very many."""
    return round(times * (n_bytes + (_narrow_bytes(held, set()) if times > 1 and entries >= _WIDE else 0)))


def _narrow_bytes(held: Any, seen: set[int]) -> int:
    """Bytes of the places in what is held: of whole numbers of 4 bytes, which would be 8."""
    if id(held) in seen or held is None:
        return 0
    seen.add(id(held))
    if isinstance(held, np.ndarray):
        return int(held.nbytes) if held.dtype == np.int32 else 0
    if isinstance(held, tuple | list):
        return sum(_narrow_bytes(each, seen) for each in held)
    if is_dataclass(held):
        return sum(_narrow_bytes(getattr(held, field.name), seen) for field in fields(held))
    return sum(_narrow_bytes(getattr(held, name, None), seen) for name in ("indptr", "indices"))
