"""Functions of the Laplacian's eigenvalues: one eigendecomposition serves them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from scipy import linalg

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.proximities.matrix import NOISE, SpectralMatrix

__all__ = ["LaplacianName", "laplacian_of", "null_vectors", "spectral_matrices"]

LaplacianName = Literal["normalized", "combinatorial"]


def laplacian_of(graph: Graph, name: LaplacianName) -> Any:
    """𝓛 or L."""
    return graph.normalized_laplacian if name == "normalized" else graph.laplacian


def spectral_matrices(
    graph: Graph, laplacian: LaplacianName, kernel: Callable[[Array], Array], scales: Sequence[float]
) -> Iterator[SpectralMatrix]:
    """U g(sΛ) Uᵀ for each scale s."""
    values, vectors = linalg.eigh(laplacian_of(graph, laplacian).toarray(), overwrite_a=True, check_finite=False)
    values = np.maximum(values, 0.0)  # Laplacians are positive semidefinite; rounding is not
    if not graph.signed:
        values[: graph.n_components] = 0.0  # one for each component, exactly
    for scale in scales:
        filtered = kernel(scale * values)
        # eigenvalues have absolute errors of the size of the largest
        noise = NOISE * (1.0 + scale * float(values.max(initial=0.0)))
        yield SpectralMatrix(vectors, filtered, graph.components, noise=noise)


def null_vectors(graph: Graph, laplacian: LaplacianName) -> Array:
    """For each node, its entry in the null vector of its own component: √d or 1, of length 1 in each."""
    part = graph.components
    if laplacian == "combinatorial":
        entries = np.ones(len(graph))
    else:
        entries = np.where(graph.degrees > 0, np.sqrt(graph.degrees), 1.0)
    return entries / np.sqrt(np.bincount(part, weights=entries**2))[part]
