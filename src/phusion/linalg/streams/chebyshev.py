"""Functions of a symmetric sparse matrix by one Chebyshev recurrence for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from phusion.linalg.products import rows_in_threads
from phusion.linalg.streams.base import Sparse, Stream, identity_block

__all__ = ["ChebyshevStream", "LowRank"]


@dataclass(frozen=True)
class LowRank:
    """A part V diag(w) Vᵀ of each matrix, from known eigenvectors V; w has a row for each matrix.

    `null` is one more vector for each component, written as one array with `null_weights` for each matrix.
    Between components all is 0.
    """

    vectors: Any
    weights: Any
    components: Any
    null: Any = None
    null_weights: Any = None

    def add(self, k: int, block: Any, start: int, stop: int) -> None:
        """Add columns start to stop of matrix k."""
        used = np.flatnonzero(self.weights[k])
        together = self.components[:, None] == self.components[start:stop]
        if len(used):
            vectors = self.vectors[:, used]
            part = vectors @ (self.weights[k, used][:, None] * vectors[start:stop].T)
            block += np.where(together, part, 0.0)
        if self.null is not None and self.null_weights[k]:
            block += np.where(together, self.null_weights[k] * self.null[:, None] * self.null[start:stop], 0.0)

    def diagonal(self, k: int, start: int, stop: int) -> Any:
        """The diagonal entries of matrix k."""
        found = self.vectors[start:stop] ** 2 @ self.weights[k]
        if self.null is not None:
            found = found + self.null_weights[k] * self.null[start:stop] ** 2
        return found

    def along(self, block: Any) -> tuple[Any, Any]:
        """Products of some columns with the vectors, and with the null vector of each component."""
        from phusion.linalg.kernels.components import sums_along

        sums = np.zeros((0 if self.null is None else int(self.components.max()) + 1, block.shape[1]))
        if self.null is not None:
            sums_along(self.null, self.components, block, sums)
        return self.vectors.T @ block, sums

    def removed(self, block: Any, parts: tuple[Any, Any] | None = None) -> None:
        """Take the part along the vectors out of a block, in place."""
        from phusion.linalg.kernels.components import add_along

        products, sums = self.along(block) if parts is None else parts
        if products.size:
            block -= self.vectors @ products
        if self.null is not None:
            add_along(self.null, self.components, sums, -1.0, block)

    def add_applied(self, k: int, block: Any, parts: tuple[Any, Any]) -> None:
        """Add the part of matrix k times the columns of which `parts` are the products."""
        from phusion.linalg.kernels.components import add_along

        products, sums = parts
        if products.size:
            block += self.vectors @ (self.weights[k][:, None] * products)
        if self.null is not None:
            add_along(self.null, self.components, sums, float(self.null_weights[k]), block)

    @property
    def nbytes(self) -> int:
        """Memory."""
        arrays = (self.vectors, self.weights, self.components, self.null)
        return int(sum(part.nbytes for part in arrays if part is not None))


@dataclass(frozen=True)
class ChebyshevStream(Stream):
    """S_k = diag(left) [p_k(M) + low rank] diag(right), with p_k given by its Chebyshev coefficients.

    Parameters
    ----------
    matrix : (M − middle) / half is what the polynomials are of; stored as M / half.
    shift : middle / half.
    coefficients : one array for each matrix; an empty one stands for no polynomial.
    left, right : what rows and columns are multiplied by, or None.
    low_rank : known eigenvectors and what they contribute, or None.
    project : how many steps may go by before the part along the known eigenvectors, whose eigenvalues lie outside the
        interval, must be taken out again; 0 if they lie inside and nothing is taken out.
    """

    matrix: Sparse
    shift: float
    coefficients: tuple[Any, ...]
    left: Any = None
    right: Any = None
    low_rank: LowRank | None = None
    project: int = 0

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.matrix.n

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of matrices."""
        return len(self.coefficients)

    @property
    def products(self) -> int:  # type: ignore[override]
        """The largest degree."""
        return max(len(found) for found in self.coefficients) - 1

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries of M."""
        return int(self.matrix.data.size)

    @property
    def column_bytes(self) -> int:
        """Two blocks of the recurrence, one sum for each matrix, and what scaling or the low rank part needs."""
        own = self.matrix.data.itemsize
        return int(self.n * (own * (2 + self.count) + (17 if self.low_rank is not None else 0)))

    @property
    def entry_bytes(self) -> int:
        """Of M's precision."""
        return int(self.matrix.data.itemsize)

    @property
    def held_bytes(self) -> int:
        """The matrix, and the eigenvectors."""
        return self.matrix.nbytes + (self.low_rank.nbytes if self.low_rank is not None else 0)

    def noise(self, k: int) -> float:
        """Of the size of the function."""
        unit = 4096 * np.finfo(np.float64).eps if self.matrix.data.dtype == np.float64 else 4e-6
        size = float(np.abs(self.coefficients[k]).sum())
        if self.low_rank is not None:
            size = max(size, float(np.abs(self.low_rank.weights[k]).max(initial=1.0)))
        scales = (1.0 if scale is None else float(scale.max()) for scale in (self.left, self.right))
        return float(unit * size * np.prod(list(scales)))

    def columns(self, start: int, stop: int) -> list[Any]:
        """The recurrence from columns of the identity."""
        before = identity_block(self.n, start, stop, self.matrix.data.dtype)
        if self.project and self.low_rank is not None:
            self.low_rank.removed(before)
        sums = self._sums(before)
        return [self._scaled(sums[k], k, start, stop) for k in range(self.count)]

    def applied(self, block: Any, threads: int = 1) -> Any:
        """S_k X for every matrix and some columns X; count × n × width. Threads share its rows."""
        block = np.ascontiguousarray(block, self.matrix.data.dtype)
        block = block.copy() if self.right is None else block * self.right[:, None]
        parts = None if self.low_rank is None else self.low_rank.along(block)
        if self.project and self.low_rank is not None:
            self.low_rank.removed(block, parts)
        sums = self._sums(block, threads)
        if self.low_rank is not None and parts is not None:
            for k in range(self.count):
                self.low_rank.add_applied(k, sums[k], parts)
        if self.left is not None:
            sums *= self.left[:, None]
        return sums

    def _sums(self, current: Any, threads: int = 1) -> Any:
        """p_k(M) X for every matrix; X serves as room for the recurrence."""
        from phusion.linalg.kernels.recurrences import chebyshev_step

        kind, degree = self.matrix.data.dtype, self.products
        sums = np.zeros((self.count, *current.shape), kind)
        table = np.zeros((degree + 1, self.count), kind)
        for k, found in enumerate(self.coefficients):
            table[: len(found), k] = found
        for k in range(self.count):
            if degree >= 0:
                np.multiply(current, table[0, k], out=sums[k])
        if degree < 1:
            return sums
        before, shift = np.zeros_like(current), kind.type(self.shift)
        with rows_in_threads(self.matrix.indptr, threads) as on_all_rows:
            for j in range(1, degree + 1):
                # T₁ = M T₀, where the recurrence gives twice that: so does its coefficient half of it
                step = (*self.matrix.arrays, shift, current, before, table[j] if j > 1 else table[1] / 2, sums)
                on_all_rows(partial(chebyshev_step, *step))
                if j == 1:
                    before *= kind.type(0.5)
                current, before = before, current
                if self.project and self.low_rank is not None and j > 1 and j % self.project == 0:
                    self.low_rank.removed(current)
                    self.low_rank.removed(before)
        return sums

    @property
    def updates(self) -> int:
        """One for each coefficient."""
        return sum(len(found) for found in self.coefficients)

    def diagonals(self, start: int, stop: int) -> list[Any]:
        """From half the recurrence: T_2j = 2 T_j² − 1 and T_2j+1 = 2 T_j T_j+1 − T_1, so that columns meet columns."""
        if self.project:
            return super().diagonals(start, stop)
        from phusion.linalg.kernels.recurrences import chebyshev_step

        kind, degree = self.matrix.data.dtype, self.products
        current = identity_block(self.n, start, stop, kind)
        before = np.zeros_like(current)
        none, sums = np.zeros(0, kind), np.empty((0, 0, 0), kind)
        table = np.ones((max(degree, 1) + 2, stop - start))
        for j in range(degree // 2 + 1):
            chebyshev_step(*self.matrix.arrays, kind.type(self.shift), current, before, none, sums, 0, self.n)
            if j == 0:
                before *= kind.type(0.5)
                table[1] = before[np.arange(start, stop), np.arange(stop - start)]
            else:
                table[2 * j] = 2.0 * np.einsum("vu,vu->u", current, current) - 1.0
                table[2 * j + 1] = 2.0 * np.einsum("vu,vu->u", current, before) - table[1]
            current, before = before, current
        found = []
        for k, weights in enumerate(self.coefficients):
            values = weights @ table[: len(weights)] if len(weights) else np.zeros(stop - start)
            if self.low_rank is not None:
                values = values + self.low_rank.diagonal(k, start, stop)
            for scale in (self.left, self.right):
                values = values if scale is None else values * scale[start:stop]
            found.append(values)
        return found

    def _scaled(self, block: Any, k: int, start: int, stop: int) -> Any:
        if self.low_rank is not None:
            if self.project and len(self.coefficients[k]):
                self.low_rank.removed(block)
            self.low_rank.add(k, block, start, stop)
        if self.left is not None:
            block *= self.left[:, None]
        if self.right is not None:
            block *= self.right[start:stop]
        return block
