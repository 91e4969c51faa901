"""A short low-pass filter."""

from __future__ import annotations

import numpy as np

from phusion.graph.ids import Array
from phusion.linalg.surroundings import Surroundings
from phusion.parameter import Count, Steps
from phusion.propagations.base import Propagation

__all__ = ["LowPass"]


class LowPass(Propagation, name="low_pass"):
    r"""Rows gain the means of ever wider surroundings, then are summed over the nearest.

    .. math:: Z = (A + I) \sum_{k=0}^{K} N^k Y, \quad N = D^{-1}(A + I)

    The rows Y have length 1 before; Z = U Σ Vᵀ gives U Σ^½, whose rows get length 1 again. D holds the row sums of
    A + I: loops of weight 1 are added, whatever the other weights are.

    Parameters
    ----------
    steps : number K of means, each wider by a step.
    columns : how many columns are kept, of all scales together; None for as many as one scale has.

    References
    ----------
    Our own, a plain sum in place of ProNE's band-pass filter. After Zhang et al., *ProNE*, IJCAI 2019.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> triangle = phusion.as_graph([("a", "b"), ("b", "c"), ("c", "a")])
    >>> phusion.propagations.LowPass(steps=1).applied(triangle, np.array([[1.0], [1.0], [0.0]]))
    array([[1.],
           [1.],
           [1.]])
    """

    steps: Steps = 4
    columns: Count | None = None

    @property
    def products(self) -> int:
        """Of the means, and of the sum."""
        return self.steps + 1

    def filtered(self, around: Surroundings, rows: Array) -> Array:
        """By Horner's rule."""
        total, room = rows.copy(), np.empty_like(rows)
        for _ in range(self.steps):
            total, room = around.means(total, room, 1.0, 1.0, rows), total
        return around.sums(total)  # type: ignore[no-any-return]
