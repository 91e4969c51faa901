"""Products of a sparse matrix with a tall block by Dask workers: each gets some of its columns at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.execution.threads import Executor
from phusion.graph.ids import Array
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.tall import Each

__all__ = ["COLUMNS", "StripedMatrix", "striped"]

COLUMNS = 16
"""Columns of a block that are sent at a time."""
_SECONDS = 2.0  # for one of them, so that none waits for another in the same task


@dataclass(frozen=True)
class StripedMatrix:
    """An `EdgeMatrix` that workers hold, and multiply with. Sums are theirs, so their digits are those of one machine.

    Attributes
    ----------
    matrix : what is sent, once; here too.
    each : who does what is not sent: threads here.
    executor : has the workers.
    """

    matrix: EdgeMatrix
    each: Each
    executor: Executor

    symmetric = False

    @property
    def n(self) -> int:
        """Rows and columns."""
        return self.matrix.n

    @property
    def kind(self) -> Any:
        """The type of numbers."""
        return self.matrix.kind

    def into(self, out: Any, x: Any, a: float = 1.0, b: float = 0.0, z: Any = None, c: float = 0.0) -> Any:
        """Out = a S x + b z + c out."""

        def combined(found: Array, some: slice) -> Array:
            found = found * self.kind.type(a)
            if b:
                found += self.kind.type(b) * (x if z is None else z)[:, some]
            if c:  # else there may be anything
                found += self.kind.type(c) * out[:, some]
            return found

        return self._into(out, x, combined)

    def transposed_into(self, out: Any, x: Any) -> Any:
        """Out = Sᵀ x."""
        return self._into(out, x, lambda found, _: found, turned=True)

    def times(self, block: Any) -> Any:
        """S X."""
        return self._into(np.empty_like(block, order="C"), block, lambda found, _: found)

    def transposed_times(self, block: Any) -> Any:
        """Sᵀ X."""
        return self.transposed_into(np.empty_like(block, order="C"), block)

    def _into(self, out: Any, x: Any, combined: Callable[[Array, slice], Array], *, turned: bool = False) -> Any:
        function = _Times(turned)
        for some, found in striped(function, x, COLUMNS, self.matrix, self.executor):
            out[:, some] = combined(found, some)
        return out


@dataclass(frozen=True)
class _Times:
    """One task."""

    turned: bool

    def __call__(self, matrix: EdgeMatrix, x: Array) -> Array:
        found: Array = matrix.transposed_times(x) if self.turned else matrix.times(x)
        return found


def striped(
    function: Callable[[Any, Array], Array], x: Array, width: int, held: Any, executor: Executor
) -> Iterator[tuple[slice, Array]]:
    """The function of some columns at a time, as many at once as there are workers' threads."""
    ranges = [slice(first, min(first + width, x.shape[1])) for first in range(0, x.shape[1], width)]
    many = max(1, executor.workers)
    for start in range(0, len(ranges), many):
        some = ranges[start : start + many]
        tasks = [(np.ascontiguousarray(x[:, each]),) for each in some]
        yield from zip(some, executor.map(function, tasks, _SECONDS, held), strict=True)
