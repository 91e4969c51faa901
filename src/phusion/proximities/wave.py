"""The wave kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from phusion.cautions import caution
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.streams.base import Stream
from phusion.parameter import Bounds
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import NOISE, ProximityMatrix, Size
from phusion.proximities.spectral import LaplacianName, spectral_matrices, spectral_stack, spectral_stream
from phusion.proximities.stacked import StackedMatrix
from phusion.proximities.times import automatic_times

__all__ = ["Wave"]

NotNegative = Annotated[float, Bounds(ge=0)]


class Wave(Proximity, name="wave", scale="scale", symbol="s"):
    r"""How a wave that starts at one node stands at another after some time.

    .. math:: S = U g_s(\Lambda) U^\top, \quad g_s(\lambda) = \cos(s\lambda) = \mathrm{Re}\, e^{-is\lambda}

    with the eigenpairs :math:`\Lambda, U` of the Laplacian.

    Parameters
    ----------
    scale : how long the wave runs, s ≥ 0; several scales give one block of features each. ``"auto"`` takes the three
        that it takes for heat.
    laplacian : ``"normalized"`` 𝓛 = I − D^-½ A D^-½, or ``"combinatorial"`` L = D − A.

    References
    ----------
    Tsitsulin et al., *NetLSD: Hearing the Shape of a Graph*, KDD 2018 (the real part of its wave kernel).

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Wave(scale=1.0).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.2919, 0.7081],
           [0.7081, 0.2919]])
    """

    scale: NotNegative | tuple[NotNegative, ...] | Literal["auto"] = 1.0
    laplacian: LaplacianName = "normalized"

    symmetric = True
    cancels = True
    dense_work = 30.0
    kinds = Kinds(
        directed=No("waves run both ways along an edge"),
        signed="degrees are sums of absolute weights, so that the Laplacian stays positive semidefinite",
        isolated="1 on the diagonal",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one scale."""
        return next(self.matrices(graph)).toarray()

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each scale, all from one eigendecomposition."""
        for one, matrix in zip(
            self.at_each_scale(), spectral_matrices(graph, self.laplacian, np.cos, self._scales()), strict=True
        ):
            one._mention(matrix.noise)
            yield matrix

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """One batched eigendecomposition, where it does not matter that small entries are differences."""
        if entrywise:
            return None
        for one in self.at_each_scale():
            one._mention(one.noise(stack.union, Size(lambda: (1.0, 1.0))))  # at least that of each graph
        return spectral_stack(stack, self.laplacian, np.cos, self._scales())

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Polynomials in the Laplacian."""
        for one in self.at_each_scale():
            one._mention(one.noise(graph, Size(lambda: (1.0, 1.0))))
        return spectral_stream(graph, self.laplacian, np.cos, self._scales(), kind)

    def automatic(self, graphs: Sequence[Graph]) -> tuple[float, ...]:
        """By the spectral gap."""
        return automatic_times(graphs, self.laplacian)

    def noise(self, graph: Graph, size: Size) -> float:
        """Eigenvalues have absolute errors of the size of the largest."""
        largest = 2.0 if self.laplacian == "normalized" else 2.0 * float(graph.degrees.max())
        return NOISE * (1.0 + float(self.scale) * largest)  # type: ignore[arg-type]

    def _scales(self) -> list[float]:
        return [float(one.scale) for one in self.at_each_scale()]  # type: ignore[arg-type]

    def _mention(self, noise: float) -> None:
        if noise > 1e-6:
            caution(f"wave at s = {self.scale:g} turns too fast for doubles: errors reach {noise:.0e}")
