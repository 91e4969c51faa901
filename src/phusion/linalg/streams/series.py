"""Power series in a sparse matrix: sums of terms that do not cancel, so that small entries keep their digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.special import gammaln

from phusion.errors import PhusionError
from phusion.linalg.exponential import NOTHING
from phusion.linalg.streams.base import Sparse, Stream, identity_block

__all__ = ["Geometric", "Listed", "Poisson", "SeriesStream", "sum_of_powers"]

_MOST = 1_000_000
_LEAST = 1e-300  # smaller numbers are slow to compute with
_OFTEN = 64  # steps after which sums are looked at: what has overflowed never settles
_CALM = 3  # steps in a row that change nothing, before a series that settles by itself counts as settled


class Weights(Protocol):
    """What each power counts, for each of several series."""

    @property
    def count(self) -> int:
        """Number of series."""

    @property
    def last(self) -> int | None:
        """The last power that counts; None if the series goes on until it settles."""

    @property
    def steady(self) -> int:
        """The power from which on terms only decrease."""

    @property
    def expected(self) -> int:
        """About how many powers it takes."""

    def at(self, power: int) -> Any:
        """The weight of this power in each series."""


@dataclass(frozen=True)
class Listed:
    """Weights written out: table[j, k] for power j in series k."""

    table: Any

    @property
    def count(self) -> int:
        """Number of series."""
        return int(self.table.shape[1])

    @property
    def last(self) -> int | None:
        """The end of the table."""
        return len(self.table) - 1

    @property
    def steady(self) -> int:
        """Not before the end."""
        return len(self.table)

    @property
    def expected(self) -> int:
        """All of them."""
        return len(self.table) - 1

    def at(self, power: int) -> Any:
        """A row of the table."""
        return self.table[power]


@dataclass(frozen=True)
class Poisson:
    """e^{−t} tʲ/j!: the exponential series."""

    times: Any

    @property
    def count(self) -> int:
        """Number of series."""
        return len(self.times)

    @property
    def last(self) -> int | None:
        """It settles."""
        return None

    @property
    def steady(self) -> int:
        """Terms grow until j = t."""
        return int(np.max(self.times)) + 1

    @property
    def expected(self) -> int:
        """Where e^{−t} tʲ/j! leaves the digits of a double."""
        largest = float(np.max(self.times))
        return int(largest + 9.0 * np.sqrt(largest) + 16)

    def at(self, power: int) -> Any:
        """From logarithms, as e^{−t} and j! leave the range of doubles long before their quotient."""
        with np.errstate(under="ignore"):
            return np.exp(power * np.log(self.times) - self.times - gammaln(power + 1.0))


@dataclass(frozen=True)
class Geometric:
    """factor · ratioʲ from some first power on."""

    ratios: Any
    factors: Any
    first: int = 0

    @property
    def count(self) -> int:
        """Number of series."""
        return len(self.ratios)

    @property
    def last(self) -> int | None:
        """It settles."""
        return None

    @property
    def steady(self) -> int:
        """Terms decrease from the start."""
        return self.first + 1

    @property
    def expected(self) -> int:
        """Where the largest ratio's powers leave the digits of a double; half of those if it is no bound."""
        largest = min(float(np.max(self.ratios)), 1.0 - 1e-6)
        return max(self.first + 1, int(-37.0 / np.log(largest)))

    def at(self, power: int) -> Any:
        """A power of each ratio."""
        with np.errstate(under="ignore"):
            return self.factors * self.ratios**power if power >= self.first else np.zeros(self.count)


def sum_of_powers(matrix: Sparse, weights: Weights, block: Any) -> Any:
    """Σ_j w_j Mʲ X for each series, in the precision of X; entries of exponential series below 1e-280 are 0."""
    from phusion.linalg.kernels.recurrences import add_power

    first = np.asarray(weights.at(0), dtype=block.dtype)
    sums = first[:, None, None] * block
    other = np.empty_like(block)
    least = _LEAST if weights.last is None else 0.0
    calm = 0
    for power in range(1, _MOST):
        if weights.last is not None and power > weights.last:
            break
        row = np.asarray(weights.at(power), dtype=block.dtype)
        changed = add_power(*matrix.arrays, block, other, least, row, sums)
        block, other = other, block
        calm = 0 if changed else calm + 1
        if weights.last is None and power >= weights.steady and calm >= _CALM:
            break
        if power % _OFTEN == 0 and not np.isfinite(sums).all():
            break
    else:
        raise PhusionError(f"a series did not settle within {_MOST:,} terms; use a smaller scale")
    if isinstance(weights, Poisson):
        sums[np.abs(sums) < NOTHING] = 0.0
    return sums


@dataclass(frozen=True)
class SeriesStream(Stream):
    """S_k = diag(left) (Σ_j w_kj Mʲ) diag(right), in double or single precision as M is."""

    matrix: Sparse
    weights: Any
    left: Any = None
    right: Any = None

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.matrix.n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return int(self.weights.count)

    @property
    def products(self) -> int:  # type: ignore[override]
        """The number of terms."""
        return int(self.weights.expected)

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries of M."""
        return int(self.matrix.data.size)

    @property
    def column_bytes(self) -> int:
        """Two powers, one sum for each matrix, and one more while small entries are searched for."""
        return int(self.n * (self.matrix.data.itemsize * (2 + 2 * self.count) + self.count))

    @property
    def entry_bytes(self) -> int:
        """Of M's precision."""
        return int(self.matrix.data.itemsize)

    @property
    def held_bytes(self) -> int:
        """The matrix."""
        return self.matrix.nbytes

    @property
    def updates(self) -> int:
        """One for each term and matrix that has it."""
        if isinstance(self.weights, Listed):
            return int(np.count_nonzero(self.weights.table))
        return self.products * self.count

    def columns(self, start: int, stop: int) -> list[Any]:
        """The series from columns of the identity."""
        block = identity_block(self.n, start, stop, self.matrix.data.dtype)
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is named where the values are used
            sums = sum_of_powers(self.matrix, self.weights, block)
        if self.left is not None:
            sums *= self.left[:, None]
        if self.right is not None:
            sums *= self.right[start:stop]
        return list(sums)
