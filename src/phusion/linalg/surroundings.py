"""`Surroundings`: sums and means over a node and its neighbours, of every node and a block of columns at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.linalg.edge_matrix import narrow_pattern
from phusion.linalg.tall import Each, one_by_one

__all__ = ["Surroundings"]

_PARTS = 512


@dataclass(frozen=True)
class Surroundings:
    """A + I, which sums over a node and its neighbours, and N = D⁻¹(A + I), which takes the mean.

    Attributes
    ----------
    pattern, weights : of A; no weights if all are 1.
    shares : 1 / (d + 1).
    each : who computes ranges of rows.
    """

    pattern: tuple[Any, Any]
    weights: Any
    shares: Any
    each: Each = one_by_one

    @classmethod
    def of(cls, adjacency: Any, kind: Any, each: Each = one_by_one) -> Surroundings:
        """Of a CSR matrix with weights ≥ 0."""
        data = adjacency.data
        plain = not len(data) or bool(data.min() == data.max() == 1.0)
        degrees = np.asarray(adjacency.sum(axis=1)).ravel()
        weights = np.empty(0, kind) if plain else data.astype(kind)
        return cls(narrow_pattern(adjacency), weights, (1.0 / (degrees + 1.0)).astype(kind), each)

    @staticmethod
    def size(n: int, entries: int, kind: Any) -> int:
        """Bytes it takes, at most."""
        return int(entries * (4 + np.dtype(kind).itemsize) + n * (8 + np.dtype(kind).itemsize))

    def sums(self, x: Any) -> Any:
        """(A + I) x."""
        return self._into(np.ones_like(self.shares), np.empty_like(x), x, (1.0, 0.0, 0.0), x)

    def means(self, x: Any, out: Any, a: float = 1.0, b: float = 0.0, z: Any = None, c: float = 0.0) -> Any:
        """Out = a N x + b z + c out."""
        return self._into(self.shares, out, x, (a, b, c), x if z is None else z)

    def _into(self, shares: Any, out: Any, x: Any, by: Any, z: Any) -> Any:
        from phusion.linalg.kernels.edges import surroundings_times
        from phusion.linalg.kernels.recurrences import row_ranges

        kind = self.shares.dtype
        arrays: Any = (*self.pattern, self.weights, shares, kind.type(1), x, z, out, np.array(by, kind))
        ranges: Any = row_ranges(self.pattern[0], _PARTS)
        self.each(lambda part: surroundings_times(*arrays, *ranges[part]), len(ranges))
        return out
