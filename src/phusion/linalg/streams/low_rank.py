"""Matrices of low rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.linalg.streams.base import Stream

__all__ = ["LowRankStream"]


@dataclass(frozen=True)
class LowRankStream(Stream):
    """S_k = X diag(w_k) Xᵀ within each component, 0 between them."""

    vectors: Any
    weights: tuple[Any, ...]
    components: Any

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return int(self.vectors.shape[0])

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return len(self.weights)

    @property
    def products(self) -> int:  # type: ignore[override]
        """None with a sparse matrix."""
        return 0

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Entries of the vectors."""
        return int(self.vectors.size)

    @property
    def column_bytes(self) -> int:
        """One column for each matrix, and a mask."""
        return int(self.n * (self.vectors.itemsize * self.count + 2))

    @property
    def entry_bytes(self) -> int:
        """Of the precision of the vectors."""
        return int(self.vectors.itemsize)

    @property
    def held_bytes(self) -> int:
        """The vectors."""
        return int(self.vectors.nbytes) + 8 * self.n

    def columns(self, start: int, stop: int) -> list[Any]:
        """A dense product for each matrix."""
        found = []
        several = self.components.max(initial=0) > 0
        for weight in self.weights:
            block = self.vectors @ (weight[:, None] * self.vectors[start:stop].T)
            if several:
                block[self.components[:, None] != self.components[start:stop]] = 0.0
            found.append(np.ascontiguousarray(block))
        return found
