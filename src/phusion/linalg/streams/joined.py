"""Several streams as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from phusion.linalg.streams.base import Stream

__all__ = ["JoinedStream", "joined"]


def joined(parts: list[tuple[Stream, list[int]]]) -> Stream:
    """One stream of parts, each with the places of its matrices in the whole."""
    return parts[0][0] if len(parts) == 1 else JoinedStream(tuple(parts))


@dataclass(frozen=True)
class JoinedStream(Stream):
    """Matrices that have to be computed in different ways."""

    parts: tuple[tuple[Stream, list[int]], ...]

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.parts[0][0].n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return sum(part.count for part, _ in self.parts)

    @property
    def sparse(self) -> bool:
        """Whether all columns are."""
        return all(getattr(part, "sparse", False) for part, _ in self.parts)

    @property
    def products(self) -> int:  # type: ignore[override]
        """Of all parts."""
        return sum(part.products for part, _ in self.parts)

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Of the largest."""
        return max(part.entries for part, _ in self.parts)

    @property
    def column_bytes(self) -> int:
        """All results are there at the end."""
        return sum(part.column_bytes for part, _ in self.parts)

    @property
    def entry_bytes(self) -> int:
        """Of the part with the longest."""
        return max(part.entry_bytes for part, _ in self.parts)

    @property
    def held_bytes(self) -> int:
        """Of all parts."""
        return sum(part.held_bytes for part, _ in self.parts)

    def diagonals(self, start: int, stop: int) -> list[Any]:
        """Of each part, in the order of the whole."""
        found: list[Any] = [None] * self.count
        for part, places in self.parts:
            for place, values in zip(places, part.diagonals(start, stop), strict=True):
                found[place] = values
        return found

    def noise(self, k: int) -> float:
        """Of the part that holds matrix k."""
        return next(part.noise(places.index(k)) for part, places in self.parts if k in places)

    def columns(self, start: int, stop: int) -> list[Any]:
        """Of each part, in the order of the whole."""
        found: list[Any] = [None] * self.count
        for part, places in self.parts:
            for place, values in zip(places, part.columns(start, stop), strict=True):
                found[place] = values
        return found
