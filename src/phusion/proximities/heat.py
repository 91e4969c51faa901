"""The heat kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Self

import numpy as np
from scipy import sparse

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.exponential import MOST_SQUARINGS, shifted_exponential
from phusion.parameter import Positive, Positives
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import ProximityMatrix
from phusion.proximities.spectral import LaplacianName, laplacian_of, spectral_matrices

__all__ = ["Heat"]


class Heat(Proximity, name="heat", scale="scale", symbol="s"):
    r"""How much heat from one node is at another after some time.

    .. math:: S = U g_s(\Lambda) U^\top, \quad g_s(\lambda) = e^{-s\lambda}

    with the eigenpairs :math:`\Lambda, U` of the Laplacian. Computed as a series of non-negative terms, so that small
    entries are right to their own last digits; errors are below 1e-11 up to s = 1000.

    Parameters
    ----------
    scale : how long heat flows, s > 0; several scales give one block of features each. ``"auto"`` takes GraphWave's
        two, −ln 0.95 · √(0.5/λ₂) and −ln 0.80 · √(0.5/λ₂), with the spectral gap λ₂ of the largest component
        (of several graphs: the median gap).
    laplacian : ``"normalized"`` 𝓛 = I − D^-½ A D^-½, or ``"combinatorial"`` L = D − A.

    References
    ----------
    PhUSION, section 4.1; Donnat et al., *Learning Structural Node Embeddings via Diffusion Wavelets*, KDD 2018, eq. 1–2
    and section 4.2 (scales).

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Heat(scale=1.0).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.5677, 0.4323],
           [0.4323, 0.5677]])
    """

    scale: Positive | Positives | Literal["auto"] = 1.0
    laplacian: LaplacianName = "normalized"

    symmetric = True
    kinds = Kinds(
        directed=No("heat flows both ways along an edge. Make the graph undirected first"),
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

    def noise(self, graph: Graph, values: Array) -> float:
        """None, unless the graph is signed or the eigendecomposition had to be used."""
        level = super().noise(graph, values)
        return level or (64 * float(np.finfo(np.float64).eps) if self._is_spectral(graph) else 0.0)

    def fitted(self, graphs: Sequence[Graph]) -> Self:
        """With ``"auto"`` made the scales of these graphs."""
        if self.scale != "auto":
            return self
        gaps = [gap for graph in graphs if (gap := graph.spectral_gap())]
        if not gaps:
            raise InputError(
                'scale="auto" needs the spectral gap λ₂, which unsigned graphs with edges between nodes have (it '
                "is not searched for in huge ones); give scales instead, such as scale=[0.1, 1, 10]"
            )
        root = np.sqrt(0.5 / float(np.median(gaps)))
        return self.replace(scale=(float(-np.log(0.95) * root), float(-np.log(0.80) * root)))

    def _spectral(self, graph: Graph) -> Iterator[ProximityMatrix]:
        scales = [float(one.scale) for one in self.at_each_scale()]  # type: ignore[arg-type]
        kernels = [lambda values, s=s: np.exp(-s * values) for s in scales]
        yield from spectral_matrices(graph, self.laplacian, kernels)

    def _shifted(self, graph: Graph) -> tuple[float, sparse.csr_array]:
        """B = mI − L ≥ 0 with the smallest m."""
        matrix = laplacian_of(graph, self.laplacian)
        shift = float(matrix.diagonal().max()) if self.laplacian == "combinatorial" else 1.0
        return shift, (shift * sparse.eye_array(len(graph)) - matrix).tocsr()

    def _is_spectral(self, graph: Graph) -> bool:
        shift = 2 * float(graph.degrees.max()) if self.laplacian == "combinatorial" else 1.0
        return bool(float(self.scale) * shift > 2**MOST_SQUARINGS)  # type: ignore[arg-type]
