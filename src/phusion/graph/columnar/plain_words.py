"""Words of the plain parser: every distinct word once, and which of them stands in each row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np

from phusion.graph.appearance import by_appearance
from phusion.graph.arrays import Array, index_type, object_array

__all__ = ["PlainWords"]


@dataclass(frozen=True)
class PlainWords:
    """Distinct words, and for each row the place of its word among them."""

    words: list[str]
    codes: Array

    @classmethod
    def of(cls, cells: Sequence[str]) -> PlainWords:
        """Cells as they stand in the file."""
        words, codes = _encoded(cells, len(cells))
        return cls(words, codes)

    def joined(self, others: Sequence[PlainWords]) -> PlainWords:
        """As `Words.joined`."""
        parts = (self, *others)
        words, places = _encoded(chain.from_iterable(part.words for part in parts), sum(len(p.words) for p in parts))
        own = np.split(places, np.cumsum([len(part.words) for part in parts])[:-1])
        return PlainWords(words, np.concatenate([at[part.codes] for part, at in zip(parts, own, strict=True)]))

    def trimmed(self) -> PlainWords:
        """As `Words.trimmed`."""
        words, places = _encoded((word.strip(" \t\r") for word in self.words), len(self.words))
        return PlainWords(words, places[self.codes])

    def has_empty(self) -> bool:
        """As `Words.has_empty`."""
        return "" in self.words

    def distinct(self) -> list[str]:
        """As `Words.distinct`."""
        return self.words

    def tolist(self) -> list[str]:
        """As `Words.tolist`."""
        return [self.words[code] for code in self.codes.tolist()]

    def number_with(self, other: PlainWords) -> tuple[Array, Array, Array]:
        """As `Words.number_with`."""
        words, places = _encoded(chain(self.words, other.words), len(self.words) + len(other.words))
        own, others = np.split(places, [len(self.words)])
        rows, cols, order = by_appearance((self.codes, other.codes), (own, others), len(words))
        return rows, cols, object_array(words)[order]

    def __len__(self) -> int:
        return len(self.codes)


def _encoded(cells: Iterable[str], size: int) -> tuple[list[str], Array]:
    """Distinct words as they appear, and the place of every cell's word among them."""
    place: defaultdict[str, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(place.__getitem__, cells), dtype=index_type(size), count=size)
    return list(place), codes
