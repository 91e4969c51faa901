"""The diagonal."""

from __future__ import annotations

from typing import Any

from phusion.embeddings.base import Columns, EmbeddingFunction
from phusion.graph.ids import Array
from phusion.proximities.matrix import ProximityMatrix
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Diagonal"]


class Diagonal(EmbeddingFunction, name="diagonal"):
    r"""How near a node is to itself: one feature per scale.

    .. math:: Y_u = S_{uu}

    References
    ----------
    PhUSION, section 5: NetLSD (heat) and RetGK (return probabilities) use nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> phusion.embeddings.Diagonal().embed(DenseMatrix(np.array([[4.0, 0.0], [0.0, 1.0]]), symmetric=True))
    array([[4.],
           [1.]])
    """

    structural = True
    diagonal_only = True
    reads_noise = False

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, of one column."""
        return matrix.diagonal()[:, None].copy()

    def stacked(self, matrix: StackedMatrix, shared: Any) -> Array:
        """Y of many small graphs at once."""
        return matrix.diagonals()[:, :, None]

    def rows(self, columns: Columns, shared: Any) -> Array:
        """One entry of each column."""
        return columns.diagonal()[:, None]

    def width(self, n: int) -> int:
        """One."""
        return 1

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """One name."""
        return ["diagonal"]
