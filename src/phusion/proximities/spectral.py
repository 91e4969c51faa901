"""Functions of the Laplacian's eigenvalues: one eigendecomposition serves them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from scipy import linalg

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.proximities.matrix import SpectralMatrix

__all__ = ["LaplacianName", "laplacian_of", "null_vectors", "spectral_matrices"]

LaplacianName = Literal["normalized", "combinatorial"]


def laplacian_of(graph: Graph, name: LaplacianName) -> Any:
    """𝓛 or L."""
    return graph.normalized_laplacian if name == "normalized" else graph.laplacian


def spectral_matrices(
    graph: Graph, laplacian: LaplacianName, kernels: Sequence[Callable[[Array], Array]]
) -> Iterator[SpectralMatrix]:
    """U g(Λ) Uᵀ for each kernel g."""
    values, vectors = linalg.eigh(laplacian_of(graph, laplacian).toarray(), overwrite_a=True, check_finite=False)
    values = np.maximum(values, 0.0)  # Laplacians are positive semidefinite; rounding is not
    for kernel in kernels:
        filtered = kernel(values)
        noise = 64 * float(np.finfo(np.float64).eps) * float(np.abs(filtered).max(initial=0.0))
        yield SpectralMatrix(vectors, filtered, graph.components, noise=noise)


def null_vectors(graph: Graph, laplacian: LaplacianName) -> Array:
    """For each node, its entry in the null vector of its own component: √d or 1, of length 1 in each."""
    part = graph.components
    if laplacian == "combinatorial":
        entries = np.ones(len(graph))
    else:
        entries = np.where(graph.degrees > 0, np.sqrt(graph.degrees), 1.0)
    return entries / np.sqrt(np.bincount(part, weights=entries**2))[part]
