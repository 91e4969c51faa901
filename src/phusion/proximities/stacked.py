"""`StackedMatrix`: the matrices of many small graphs, padded with zeros to one size."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.proximities.matrix import DenseMatrix

__all__ = ["SpectralStack", "Spectrum", "StackedMatrix"]


class StackedMatrix:
    """S, or σ(S), of each graph of a stack.

    Rows of padding mean nothing; entries of real nodes with padding are 0.
    """

    def __init__(
        self, stack: Stack, values: Array | None, *, symmetric: bool, noise: Callable[[Graph, Array], float]
    ) -> None:
        self.stack = stack
        self.symmetric = symmetric
        self._values = values
        self._noise = noise

    @property
    def values(self) -> Array:
        """All entries, graph by graph: g × m × m."""
        if self._values is None:
            self._values = self._written_out()
        return self._values

    def diagonals(self) -> Array:
        """The entries S_uu of each graph: g × m."""
        return self.values.diagonal(axis1=1, axis2=2)

    def matrix(self, place: int) -> DenseMatrix:
        """That of one graph, without the padding."""
        graph = self.stack.graphs[place]
        values = self.values[place, : len(graph), : len(graph)]
        return DenseMatrix(values, symmetric=self.symmetric, noise=self._noise(graph, values))

    def _written_out(self) -> Array:
        raise NotImplementedError


class Spectrum:
    """The eigenvectors of each graph, and what each eigenvalue becomes at each scale: g × m × scales."""

    def __init__(self, vectors: Array, weights: Array) -> None:
        self.vectors = vectors
        self.weights = weights

    @cached_property
    def diagonals(self) -> Array:
        """Of U diag(w) Uᵀ at all scales by one product: g × m × scales."""
        return self.vectors**2 @ self.weights


class SpectralStack(StackedMatrix):
    """U diag(w) Uᵀ within each component of each graph, at one scale, written out only if that is asked for."""

    def __init__(self, stack: Stack, spectrum: Spectrum, scale: int, noise: Callable[[Graph, Array], float]) -> None:
        super().__init__(stack, None, symmetric=True, noise=noise)
        self._spectrum = spectrum
        self._scale = scale

    def diagonals(self) -> Array:
        """The entries S_uu, without the others."""
        found: Array = self._spectrum.diagonals[:, :, self._scale]
        return found

    def _written_out(self) -> Array:
        vectors = self._spectrum.vectors
        weights = np.ascontiguousarray(self._spectrum.weights[:, :, self._scale])
        if (weights >= 0).all():  # a matrix times its own transpose is half the work, and symmetric
            last = int((weights > 1e-20 * weights.max()).any(axis=0).nonzero()[0].max(initial=-1)) + 1
            halves = vectors[:, :, :last] * np.sqrt(weights[:, None, :last])
            product: Array = halves @ halves.transpose(0, 2, 1)
        else:
            product = (vectors * weights[:, None, :]) @ vectors.transpose(0, 2, 1)
            product = (product + product.transpose(0, 2, 1)) / 2
        if self.stack.apart is not None:
            product[self.stack.apart] = 0.0
        return product
