"""Signed random walks with restart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.linalg.streams.base import Sparse, Stream, identity_block
from phusion.linalg.streams.series import Geometric, sum_of_powers

__all__ = ["SignedWalkStream"]


@dataclass(frozen=True)
class SignedWalkStream(Stream):
    """Rows r of trust, distrust or their difference, one matrix for each probability to return.

    With F and E the steps along friendly and hostile edges, all of them walks from a column of q:
    r₊ + r₋ = c (I − (1 − c)(F + E))⁻¹ q and r₋ = (I − (1 − c)(γF − βE))⁻¹ (1 − c) E (r₊ + r₋).

    Parameters
    ----------
    both, mixed, hostile : F + E, γF − βE and E; transposed for columns of S, whose rows are walks.
    restarts : c of each matrix.
    score : ``"net"``, ``"positive"`` or ``"negative"``.
    outward : True for walks from each node (Sᵀ), False for walks towards it (S).
    """

    both: Sparse
    mixed: Sparse
    hostile: Sparse
    restarts: tuple[float, ...]
    score: str
    outward: bool

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.both.n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return len(self.restarts)

    @property
    def products(self) -> int:  # type: ignore[override]
        """Two series for each matrix."""
        return sum(2 * self._powers(c).expected for c in self.restarts)

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries."""
        return len(self.both.data)

    @property
    def column_bytes(self) -> int:
        """A few blocks at work, and the results."""
        return 8 * self.n * (6 + self.count)

    @property
    def held_bytes(self) -> int:
        """The three matrices."""
        return self.both.nbytes + self.mixed.nbytes + self.hostile.nbytes

    def columns(self, start: int, stop: int) -> list[Any]:
        """The two series, one after the other."""
        from phusion.linalg.kernels.recurrences import multiply

        found = []
        for c in self.restarts:
            weights = self._powers(c)
            home = identity_block(self.n, start, stop, np.float64)
            share = {"net": 2.0, "positive": 1.0, "negative": -1.0}[self.score]
            own = 0.0 if self.score == "negative" else 1.0
            crossed = np.empty_like(home)
            if self.outward:
                both = c * sum_of_powers(self.both, weights, home.copy())[0]
                multiply(*self.hostile.arrays, both, crossed, 0, self.n)
                negative = (1.0 - c) * sum_of_powers(self.mixed, weights, crossed)[0]
                found.append(own * both - share * negative)
            else:
                walks = sum_of_powers(self.mixed, weights, home.copy())[0]
                multiply(*self.hostile.arrays, walks, crossed, 0, self.n)
                found.append(c * sum_of_powers(self.both, weights, own * home - share * (1.0 - c) * crossed)[0])
        return found

    def _powers(self, c: float) -> Geometric:
        return Geometric(np.array([1.0 - c]), np.ones(1))
