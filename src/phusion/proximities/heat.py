"""The heat kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.exponential import MOST_SQUARINGS, shifted_exponential
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.joined import joined
from phusion.linalg.streams.series import Poisson, SeriesStream
from phusion.linalg.walks import WalkSums, cut
from phusion.parameter import Positive, Positives
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import NOISE, ProximityMatrix, Size
from phusion.proximities.spectral import (
    LaplacianName,
    laplacian_of,
    null_vectors,
    spectral_matrices,
    spectral_stack,
    spectral_stream,
)
from phusion.proximities.stacked import StackedMatrix
from phusion.proximities.times import automatic_times, graphwave_times

__all__ = ["Heat"]


class Heat(Proximity, name="heat", scale="scale", symbol="s"):
    r"""How much heat from one node is at another after some time.

    .. math:: S = U g_s(\Lambda) U^\top, \quad g_s(\lambda) = e^{-s\lambda}

    with the eigenpairs :math:`\Lambda, U` of the Laplacian. Computed as a series of non-negative terms, so that small
    entries are right to their own last digits: errors are below 1e-11 of each up to s = 1000. With the combinatorial
    Laplacian and 2s·max d above 4,096 eigenpairs are used instead, with errors of about s·max d·1e-15.

    Parameters
    ----------
    scale : how long heat flows, s > 0; several scales give one block of features each. ``"auto"`` takes three: 0.1,
        when a node still has most of its heat, 2/λ₂ (1 at least, 100 at most), when the slowest difference has all but
        gone, and their geometric mean, with the spectral gap λ₂ of the largest component (of several graphs: the median
        gap; 10 in place of 2/λ₂ where it is not known). ``"graphwave"`` takes that paper's two, −ln 0.95 · √(0.5/λ₂)
        and −ln 0.80 · √(0.5/λ₂).
    laplacian : ``"normalized"`` 𝓛 = I − D^-½ A D^-½, or ``"combinatorial"`` L = D − A.

    References
    ----------
    PhUSION, section 4.1; Donnat et al., *Learning Structural Node Embeddings via Diffusion Wavelets*, KDD 2018.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Heat(scale=1.0).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.5677, 0.4323],
           [0.4323, 0.5677]])
    """

    scale: Positive | Positives | Literal["auto", "graphwave"] = 1.0
    laplacian: LaplacianName = "normalized"

    rules = ("auto", "graphwave")
    symmetric = True
    dense_work = 30.0
    kinds = Kinds(
        directed=No("heat flows both ways along an edge"),
        signed="degrees are sums of absolute weights, so that the Laplacian stays positive semidefinite",
        isolated="1 on the diagonal: its heat stays",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one scale."""
        if self._is_spectral(graph):
            return next(self._spectral(graph)).toarray()
        shift, matrix = self._shifted(graph)
        return np.asarray(shifted_exponential(matrix, shift, float(self.scale)))  # type: ignore[arg-type]

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each scale; all scales from one eigendecomposition where absolute accuracy is enough."""
        if entrywise:
            yield from super().matrices(graph)
        else:
            yield from self._spectral(graph)

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """One batched eigendecomposition, or the series of non-negative terms where small entries matter."""
        if not entrywise:
            return spectral_stack(stack, self.laplacian, lambda x: np.exp(-x), self._scales())
        if self.laplacian == "combinatorial" or any(one._is_spectral(stack.union) for one in self.at_each_scale()):
            return None  # graphs of a stack would differ in how often they are squared
        return self._series(stack)

    def _series(self, stack: Stack) -> Iterator[StackedMatrix]:
        shift, matrix = self._shifted(stack.union)
        for one in self.at_each_scale():
            values = shifted_exponential(matrix, shift, float(one.scale), stack.width)  # type: ignore[arg-type]
            yield one.stack_of(stack, values.reshape(len(stack), stack.width, stack.width))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """A series of non-negative terms where small entries matter, else polynomials in the Laplacian."""
        each = self.at_each_scale()
        series = [k for k, one in enumerate(each) if entrywise and not one._is_spectral(graph)]
        others = [k for k in range(len(each)) if k not in series]
        scales: Any = np.array([one.scale for one in each])
        parts: list[tuple[Stream, list[int]]] = []
        if series:
            shift, matrix = self._shifted(graph)
            parts.append((SeriesStream(Sparse.of(matrix / shift), Poisson(shift * scales[series])), series))
        if others:
            chosen = scales[others].tolist()
            parts.append((spectral_stream(graph, self.laplacian, lambda x: np.exp(-x), chosen, kind), others))
        return joined(parts)

    def walks(self, graph: Graph) -> WalkSums | No:
        """e^{−s(I − N)}: walks of j steps in N weigh e^{−s} sʲ/j!."""
        if graph.signed:
            return No("heat on signed graphs takes negative values, which cancel")
        if self.laplacian == "combinatorial":
            return No("with the combinatorial Laplacian heat takes as many steps as the largest degree times s")
        _, matrix = self._shifted(graph)
        found = WalkSums(Sparse.of(matrix, np.float32), cut(Poisson(np.array(self._scales()))))
        return found.settling(null_vectors(graph, "normalized"), graph.components)

    def noise(self, graph: Graph, size: Size) -> float:
        """None, unless the graph is signed or the eigendecomposition had to be used."""
        if not (graph.signed or self._is_spectral(graph)):
            return 0.0
        largest = 2.0 if self.laplacian == "normalized" else 2.0 * float(graph.degrees.max())
        return NOISE * (1.0 + float(self.scale) * largest)  # type: ignore[arg-type]

    def automatic(self, graphs: Sequence[Graph]) -> tuple[float, ...]:
        """By the spectral gap."""
        return graphwave_times(graphs) if self.scale == "graphwave" else automatic_times(graphs, self.laplacian)

    def _spectral(self, graph: Graph) -> Iterator[ProximityMatrix]:
        yield from spectral_matrices(graph, self.laplacian, lambda x: np.exp(-x), self._scales())

    def _scales(self) -> list[float]:
        return [float(one.scale) for one in self.at_each_scale()]  # type: ignore[arg-type]

    def _shifted(self, graph: Graph) -> tuple[float, sparse.csr_array]:
        """B = mI − L ≥ 0 with the smallest m."""
        matrix = laplacian_of(graph, self.laplacian)
        shift = float(matrix.diagonal().max()) or 1.0 if self.laplacian == "combinatorial" else 1.0
        return shift, (shift * sparse.eye_array(len(graph)) - matrix).tocsr()

    def _is_spectral(self, graph: Graph) -> bool:
        shift = 2 * float(graph.degrees.max()) if self.laplacian == "combinatorial" else 1.0
        return bool(float(self.scale) * shift > 2**MOST_SQUARINGS)  # type: ignore[arg-type]
