"""Thresholding at a percentile of all entries."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Annotated

import numpy as np

from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map, Nonlinearity
from phusion.parameter import Bounds
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Binarize"]

_TIE = 1e-10  # entries that agree in this many digits are equal but for rounding


class Binarize(Nonlinearity, name="binarize"):
    r"""1 for large proximities, 0 for the others.

    .. math:: \sigma(S)_{ij} = [S_{ij} > a], \quad a = s_{\lfloor n^2 p \rfloor}, \quad
       s_0 \le s_1 \le \ldots \text{ all } n^2 \text{ entries in order}

    Counted from 0, as the seed paper's code does; zeros and the diagonal count among the entries. Entries that differ
    from a by rounding only (1e-10 of it, or the rounding noise of the matrix) are equal to it, so that machines and
    thread counts do not decide.

    Parameters
    ----------
    percentile : 100 p, the share of the entries below a; at 100 a is the largest entry, and nothing is above it.

    References
    ----------
    PhUSION, section 4.2; Chanpuriya and Musco, InfiniteWalk, KDD 2020.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> matrix = DenseMatrix(np.array([[1.0, 2.0], [3.0, 4.0]]), symmetric=False)
    >>> phusion.nonlinearities.Binarize(percentile=50).apply(matrix).toarray()
    array([[0., 0.],
           [0., 1.]])
    """

    percentile: Annotated[float, Bounds(ge=0, le=100)] = 50.0

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Find the threshold."""
        threshold = matrix.ranked(self.place(matrix.n))
        limit = threshold + max(_TIE * abs(threshold), matrix.noise)
        return Map(partial(_above, limit), 0.0, limit)

    def place(self, n: int) -> int:
        """Where the threshold stands among all n² entries in order, counted from 0."""
        # in exact arithmetic: 1e6 · 0.07 must not lose an entry to a rounded product
        return min(int(n * n * Fraction(str(self.percentile)) / 100), n * n - 1)

    @property
    def passes(self) -> int:
        """One to count, one to look closer."""
        return 2


def _above(limit: float, entries: Array) -> Array:
    return (entries > limit).astype(np.float64)
