"""Functions of the Laplacian's eigenvalues: one eigendecomposition serves them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Literal

import numpy as np
from scipy import linalg, sparse

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.chebyshev import NoPolynomialError, chebyshev_coefficients
from phusion.linalg.eigenpairs import leading_eigenpairs
from phusion.linalg.streams.base import Sparse
from phusion.linalg.streams.chebyshev import ChebyshevStream, LowRank
from phusion.proximities.matrix import NOISE, SpectralMatrix
from phusion.proximities.stacked import SpectralStack, Spectrum

__all__ = [
    "LaplacianName",
    "laplacian_of",
    "null_vectors",
    "spectral_matrices",
    "spectral_stack",
    "spectral_stream",
    "tolerance_of",
    "without_eigenvectors",
]

_LONGEST = 1e9  # products of scale and eigenvalue of which polynomials can tell
_MOST_WAVES = 4e5
_LONG = 24  # degrees of polynomials from which on it pays to look for the few eigenvectors that matter
_FEW = 48  # of them
_LARGE = 1_000  # nodes
_VAST = 400_000  # nodes beyond which looking for eigenvectors takes many minutes, and nothing is planned quickly
_eigenvectors: ContextVar[bool] = ContextVar("eigenvectors", default=True)

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


def spectral_stack(
    stack: Stack, laplacian: LaplacianName, kernel: Callable[[Array], Array], scales: Sequence[float]
) -> Iterator[SpectralStack]:
    """U g(sΛ) Uᵀ for each scale s, of all graphs of a stack by one call."""
    values, vectors = np.linalg.eigh(stack.blocks(laplacian_of(stack.union, laplacian)))
    values = np.maximum(values, 0.0)
    if not stack.union.signed:
        values[np.arange(stack.width) < stack.n_components[:, None]] = 0.0
    largest = dict(zip(map(id, stack.graphs), values.max(axis=1).tolist(), strict=True))
    spectrum = Spectrum(vectors, kernel(values[:, :, None] * np.asarray(scales)))
    for k, scale in enumerate(scales):
        yield SpectralStack(stack, spectrum, k, partial(_noise_at, scale, largest))


def _noise_at(scale: float, largest: dict[int, float], graph: Graph, values: Array) -> float:
    """As in `spectral_matrices`."""
    return NOISE * (1.0 + scale * largest[id(graph)])


@contextmanager
def without_eigenvectors() -> Iterator[None]:
    """Count on polynomials alone: whether eigenvectors are found in time, only the graph itself can tell."""
    before = _eigenvectors.set(False)
    try:
        yield
    finally:
        _eigenvectors.reset(before)


def tolerance_of(kind: Any) -> float:
    """How far a polynomial may be from the function it stands for, of the largest value."""
    return 1e-6 if np.dtype(kind) == np.float32 else 1e-15


def spectral_stream(
    graph: Graph, laplacian: LaplacianName, kernel: Callable[[Array], Array], scales: Sequence[float], kind: Any
) -> ChebyshevStream:
    """U g(sΛ) Uᵀ for each scale s, a block of columns at a time.

    Polynomials in M = I − L/h, whose eigenvalues are from −1 to 1. Where g vanishes but for a few eigenvalues, as heat
    does after a long time, the eigenvectors of these are all it takes.
    """
    matrix = laplacian_of(graph, laplacian)
    half = 1.0 if laplacian == "normalized" else max(float(matrix.diagonal().max(initial=0.0)), 1e-300)
    moved = (sparse.eye_array(len(graph)) - matrix / half).tocsr()
    tolerance = tolerance_of(kind)
    coefficients = [_polynomial(kernel, scale * half, tolerance) for scale in scales]
    low_rank = None
    long = any(found is None or len(found) > _LONG for found in coefficients)
    if _eigenvectors.get() and _LARGE < len(graph) <= _VAST and long:
        null = None if graph.signed else null_vectors(graph, laplacian)
        pairs = leading_eigenpairs(moved, _FEW, null, graph.components)
        if pairs is not None:
            values, vectors = pairs
            low_rank = _few_vectors(values, vectors, null, graph, kernel, scales, half, coefficients, tolerance)
    for scale, found in zip(scales, coefficients, strict=True):
        if found is None:
            raise InputError(
                f"scale={scale:g} is too much for this graph's {laplacian} Laplacian, whose eigenvalues go up to "
                f"{2 * half:.2g}: their product must stay below {_LONGEST:.0e} (heat), or {_MOST_WAVES:.0e} (wave). "
                "Use smaller scales or weights; graphs of up to 1,000 nodes take any"
            )
    return ChebyshevStream(
        Sparse.of(moved, kind), 0.0, tuple(found for found in coefficients if found is not None), low_rank=low_rank
    )


def _polynomial(kernel: Callable[[Array], Array], time: float, tolerance: float) -> Array | None:
    """Of g(time · (1 − x)); None if there is none short enough, or the product is nothing but rounding."""
    if time > _LONGEST:
        return None
    argument = 2.0 * np.finfo(np.float64).eps * time  # how well g's own argument is known
    try:
        found: Array = chebyshev_coefficients(
            partial(_of_time, kernel, time), -1.0, 1.0, max(tolerance, 1e-15 * time), argument
        )
    except NoPolynomialError:
        return None
    return found


def _of_time(kernel: Callable[[Array], Array], time: float, x: Array) -> Array:
    """g(time · (1 − x))."""
    return kernel(time * (1.0 - x))


def _few_vectors(
    values: Array,
    vectors: Array,
    null: Array | None,
    graph: Graph,
    kernel: Callable[[Array], Array],
    scales: Sequence[float],
    half: float,
    coefficients: list[Array | None],
    tolerance: float,
) -> LowRank | None:
    """The scales at which these eigenvectors are enough, which then need no polynomial."""
    weights, null_weights = np.zeros((len(scales), len(values))), np.zeros(len(scales))
    rest = np.linspace(-1.0, values.min(), 1_000)
    for k, scale in enumerate(scales):
        if np.abs(kernel(scale * half * (1.0 - rest))).max() <= tolerance:
            coefficients[k] = np.empty(0)
            weights[k] = kernel(scale * half * (1.0 - np.minimum(values, 1.0)))
            null_weights[k] = float(kernel(np.zeros(1))[0])
    if not null_weights.any():
        return None
    used = np.abs(weights).max(axis=0) > 0
    return LowRank(vectors[:, used], weights[:, used], graph.components, null, null_weights)


def null_vectors(graph: Graph, laplacian: LaplacianName) -> Array:
    """For each node, its entry in the null vector of its own component: √d or 1, of length 1 in each."""
    part = graph.components
    if laplacian == "combinatorial":
        entries = np.ones(len(graph))
    else:
        entries = np.where(graph.degrees > 0, np.sqrt(graph.degrees), 1.0)
    return entries / np.sqrt(np.bincount(part, weights=entries**2))[part]
