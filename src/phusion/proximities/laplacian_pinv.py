"""The pseudoinverse of the Laplacian."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.solve import inverse_positive_definite
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.pseudoinverse import PseudoinverseStream
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import NOISE, Size
from phusion.proximities.spectral import LaplacianName, laplacian_of, null_vectors

__all__ = ["LaplacianPinv"]

_WORST = 1e14  # condition, beyond which no digit is sure; factors may exist by luck of rounding


class LaplacianPinv(Proximity, name="laplacian_pinv"):
    r"""Nearness by all paths at once: commute times are differences of its entries.

    .. math:: S = \mathcal{L}^+ \quad\text{or}\quad S = L^+

    The null space is known, one vector per connected component, so no eigenvalue has to be guessed to be zero:
    (𝓛 + Σ α vvᵀ)⁻¹ − Σ vvᵀ/α.

    Parameters
    ----------
    laplacian : ``"normalized"`` 𝓛 = I − D^-½ A D^-½, or ``"combinatorial"`` L = D − A.

    References
    ----------
    PhUSION, section 4.1; Chanpuriya and Musco, *InfiniteWalk*, KDD 2020.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.LaplacianPinv().dense(phusion.as_graph([("a", "b")]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """

    laplacian: LaplacianName = "normalized"

    symmetric = True
    cancels = True
    kinds = Kinds(
        directed=No("the Laplacian of a directed graph is not symmetric"),
        signed=No("its null space depends on which cycles are balanced"),
    )

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        matrix = laplacian_of(graph, self.laplacian).toarray()
        null = null_vectors(graph, self.laplacian)
        part = graph.components
        together = part[:, None] == part
        null_space = np.where(together, null[:, None] * null, 0.0)
        # as large as the entries beside it, so that weights of any size do not spoil the condition
        weight = (np.bincount(part, weights=matrix.diagonal()) / np.bincount(part))[part]
        alone = np.bincount(part)[part] == 1  # nothing but a null space, whatever rounding left of 1 − A_uu/d_u
        matrix[alone, alone], weight[alone] = 0.0, 1.0
        inverse = inverse_positive_definite(matrix + weight * null_space)
        if inverse is None or _condition(matrix, inverse, part) > _WORST:
            raise InputError(
                "the pseudoinverse of the Laplacian is beyond double precision: parts of this graph hang together by "
                "weights 1e16 times smaller than others. Remove such edges, or use larger weights"
            )
        values: Array = inverse - null_space / weight
        values[alone, alone] = 0.0
        return values

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Conjugate gradients, always in double precision."""
        inner = null_vectors(graph, "normalized")
        matrix = Sparse.of(graph.normalized_adjacency)
        if self.laplacian == "normalized":
            return PseudoinverseStream(matrix, None, inner, inner, graph.components)
        root = np.sqrt(graph.degrees)
        inverse = np.divide(1.0, root, out=np.zeros(len(graph)), where=root > 0)
        return PseudoinverseStream(matrix, inverse, null_vectors(graph, "combinatorial"), inner, graph.components)

    def noise(self, graph: Graph, size: Size) -> float:
        """Grows with the condition of the Laplacian."""
        norm = 2.0 if self.laplacian == "normalized" else 2.0 * float(graph.degrees.max())
        return NOISE * size.largest * max(1.0, size.largest * norm)


def _condition(matrix: Array, inverse: Array, part: Array) -> float:
    """Of the worst component, about: by the largest entries on both diagonals, which are the largest of all."""
    sizes = np.zeros((2, int(part.max()) + 1))
    for row, values in zip(sizes, (matrix.diagonal(), inverse.diagonal()), strict=True):
        np.maximum.at(row, part, np.abs(values))
    return float(sizes.prod(axis=0).max())
