"""Sums of the first few powers of a sparse matrix, whose columns stay sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.linalg.streams.base import Stream
from phusion.linalg.streams.products import ProductsStream

__all__ = ["SparseSumsStream"]


@dataclass(frozen=True)
class SparseSumsStream(Stream):
    """S_k = (Σ_j table[j − 1, k] Mʲ) diag(right), from all powers of M up to the last of the table."""

    powers: ProductsStream
    table: Any
    right: Any
    sparse: bool = True

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.powers.n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return int(self.table.shape[1])

    @property
    def products(self) -> int:  # type: ignore[override]
        """With a block."""
        return self.powers.products

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries of M."""
        return self.powers.entries

    @property
    def column_bytes(self) -> int:
        """The powers, and the sums."""
        return self.powers.column_bytes + 16 * self.n * self.count

    @property
    def held_bytes(self) -> int:
        """Of the powers."""
        return self.powers.held_bytes + int(self.right.nbytes)

    def columns(self, start: int, stop: int) -> list[Any]:
        """Powers times their weights, added."""
        powers = self.powers.columns(start, stop)
        found = []
        for weights in self.table.T:
            terms = [weight * power for weight, power in zip(weights, powers, strict=True) if weight]
            total = sum(terms[1:], start=terms[0]).tocsc()
            total.data = total.data * np.repeat(self.right[start:stop], np.diff(total.indptr))
            found.append(total)
        return found
