"""No nonlinearity."""

from __future__ import annotations

from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map, Nonlinearity
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Identity"]


class Identity(Nonlinearity, name="identity"):
    r"""Proximities as they are.

    .. math:: \sigma(S) = S

    References
    ----------
    PhUSION, section 4.2, calls it linear.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> matrix = DenseMatrix(np.array([[0.0, 2.0], [2.0, 0.0]]), symmetric=True)
    >>> phusion.nonlinearities.Identity().apply(matrix).toarray()
    array([[0., 2.],
           [2., 0.]])
    """

    @property
    def entrywise(self) -> bool:
        """Absolute accuracy is enough."""
        return False

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Nothing changes."""
        return Map(_unchanged, matrix.noise)

    def apply(self, matrix: ProximityMatrix) -> ProximityMatrix:
        """The same matrix, not even written out."""
        return matrix


def _unchanged(values: Array) -> Array:
    return values
