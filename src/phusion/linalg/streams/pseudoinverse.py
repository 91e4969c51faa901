"""The pseudoinverse of I − M, whose null space is known: one vector for each component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.errors import PhusionError
from phusion.linalg.streams.base import Sparse, Stream, identity_block

__all__ = ["PseudoinverseStream"]

_SMALL = 1e-15  # of the right-hand side: how far residuals go down
_ENOUGH = 1e-7  # where they may stay if rounding does not let them go on
_TRUE = 1e-13  # what is really left over, beside the right-hand side
_AGAIN = 3  # times
_STALE = 200  # steps without halving
_HOPELESS = 2_000
_MOST = 200_000


@dataclass(frozen=True)
class PseudoinverseStream(Stream):
    """(diag(root) (I − M) diag(root))⁺, M symmetric with eigenvalues from −1 to 1, by conjugate gradients.

    Parameters
    ----------
    matrix : M, in double precision.
    inverse_root : 1/root, 0 where root is; None for roots of 1.
    null : for each row, its entry in the null vector (of length 1) of its own component, of the scaled matrix.
    inner_null : the same for I − M.
    components : the number of each row's component.
    """

    matrix: Sparse
    inverse_root: Any
    null: Any
    inner_null: Any
    components: Any
    products: int = 60
    count: int = 1

    @property
    def n(self) -> int:  # type: ignore[override]
        """Rows and columns."""
        return self.matrix.n

    @property
    def entries(self) -> int:  # type: ignore[override]
        """Stored entries of M."""
        return len(self.matrix.data)

    @property
    def column_bytes(self) -> int:
        """The right-hand side, four blocks of the iteration, the solution, and two while a null space is taken out."""
        return 8 * 8 * self.n

    @property
    def held_bytes(self) -> int:
        """The matrix and a few vectors."""
        return self.matrix.nbytes + 32 * self.n

    def columns(self, start: int, stop: int) -> list[Any]:
        """One system for each column."""
        block = identity_block(self.n, start, stop, np.float64)
        self._project(block, self.null)
        if self.inverse_root is not None:
            block *= self.inverse_root[:, None]
        self._project(block, self.inner_null)
        found = self._solved(block)
        if self.inverse_root is not None:
            found *= self.inverse_root[:, None]
        self._project(found, self.null)
        found[self.components[:, None] != self.components[start:stop]] = 0.0
        return [found]

    def _solved(self, right: Any) -> Any:
        """The solution; begun again where what is really left over shows that rounding had its way with it."""
        from scipy import sparse

        indptr, indices, data = self.matrix.arrays
        matrix = sparse.csr_array((data, indices, indptr), shape=(self.n, self.n))
        size = (right**2).sum(axis=0)
        solution = self._descended(right.copy(), size)
        for _ in range(_AGAIN):
            residual = right - solution + matrix @ solution
            self._project(residual, self.inner_null)
            if ((residual**2).sum(axis=0) <= _TRUE**2 * size).all():
                break
            solution += self._descended(residual, size)
        return solution

    def _descended(self, residual: Any, size: Any) -> Any:
        """By conjugate gradients, until residuals are small beside the right-hand side's `size`."""
        from phusion.linalg.kernels.gradients import descend

        solution, image = np.zeros_like(residual), np.empty_like(residual)
        direction = residual.copy()
        room = np.zeros((4, residual.shape[1]))
        room[0] = (residual**2).sum(axis=0)
        limits, enough = _SMALL**2 * size, _ENOUGH**2 * size
        best, stale = room[0].copy(), np.zeros(residual.shape[1])
        for _ in range(_MOST):
            stale = np.where(room[0] < 0.5 * best, 0, stale + 1)
            best = np.where(stale == 0, room[0], best)
            done = (room[0] <= limits) | ((best <= enough) & (stale > _STALE))
            if done.all():
                return solution
            if (stale[~done] > _HOPELESS + 20 * self.n).any():  # n steps are enough but for rounding
                break
            residual[:, done] = direction[:, done] = 0.0
            room[0, done] = 0.0
            descend(*self.matrix.arrays, solution, residual, direction, image, room)
        raise PhusionError(
            "the pseudoinverse does not converge: parts of this graph hang together by far too "
            "little. Use a budget that holds the dense matrix"
        )

    def _project(self, block: Any, null: Any) -> None:
        """Take the null vector of each component out of each column."""
        from phusion.linalg.kernels.components import add_along, sums_along

        sums = np.zeros((int(self.components.max()) + 1, block.shape[1]))
        sums_along(null, self.components, block, sums)
        add_along(null, self.components, sums, -1.0, block)
