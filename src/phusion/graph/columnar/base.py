"""What is asked of who reads and writes columns of text, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import IO, Any, Protocol, Self

import numpy as np

from phusion.graph.arrays import Array

__all__ = ["Column", "Kind", "Library", "Numbers", "Unparsable", "Words"]


class Kind(Enum):
    """What a column is wanted as; a category is text with few different words."""

    INT32 = "int32"
    INT64 = "int64"
    UINT64 = "uint64"
    FLOAT64 = "float64"
    TEXT = "text"
    CATEGORY = "category"

    @property
    def is_words(self) -> bool:
        """Whether such a column holds words."""
        return self in (Kind.TEXT, Kind.CATEGORY)


class Unparsable(Exception):  # noqa: N818 - what it means is for the reader of the file to say
    """The text cannot be read as these columns; `why_not` says why."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers: arrays to be put one after another, and whether a cell was empty."""

    parts: Sequence[Array]
    missing: bool = False

    @property
    def values(self) -> Array:
        """One array of them all."""
        return np.concatenate(self.parts) if self.parts else np.empty(0)

    def __len__(self) -> int:
        return sum(map(len, self.parts))


class Words(Protocol):
    """A column of text, as the library that read it keeps it."""

    def joined(self, others: Sequence[Any]) -> Self:
        """One column after another, all of the same library."""

    def trimmed(self) -> Self:
        """Without blanks at the ends of words."""

    def has_empty(self) -> bool:
        """Whether a word has no letters."""

    def distinct(self) -> list[str]:
        """Every word once."""

    def tolist(self) -> list[str]:
        """Every row's word."""

    def number_with(self, other: Any) -> tuple[Array, Array, Array]:
        """Positions of these ids and the other's, and the ids they stand for as they appear, row by row."""

    def __len__(self) -> int: ...


Column = Numbers | Words


class Library(Protocol):
    """A module that reads, numbers and writes columns."""

    def parse(self, data: bytes, delimiter: str, n_columns: int, kinds: Mapping[int, Kind]) -> dict[int, Any]:
        """The wanted columns by their place; raises `Unparsable` if any line has other columns, any cell another kind.

        Empty lines are left out. Words may stand in quotes, in which a quote is doubled. An empty cell is a missing
        number or an empty word.
        """

    def number_integers(self, source: Array, target: Array) -> tuple[Array, Array, Array]:
        """Positions of both, and the ids they stand for as they appear, row by row."""

    def write(self, columns: Mapping[str, Array], stream: IO[bytes], delimiter: str, *, table: bool) -> None:
        """One row a line; a table has a header, and its words stand in quotes."""
