"""Positive pointwise mutual information of random walks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from phusion.cautions import caution
from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.spectrum import largest_eigenpairs
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.low_rank import LowRankStream
from phusion.linalg.streams.products import ProductsStream
from phusion.linalg.streams.series import Listed, SeriesStream
from phusion.linalg.streams.sparse_sums import SparseSumsStream
from phusion.parameter import Count, Positive, Steps, StepsEach
from phusion.proximities.base import Kinds, No, Proximity, check_degrees, spread_of
from phusion.proximities.matrix import NOISE, ProximityMatrix, Size
from phusion.proximities.powers import in_sequence, powers
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Ppmi"]

_SHORT = 3  # windows whose sums may stay sparse


class Ppmi(Proximity, name="ppmi", scale="window", symbol="T"):
    r"""How much more often two nodes meet in a window of a random walk than by chance.

    .. math:: S = \frac{\mathrm{vol}}{bT} \Big(\sum_{r=1}^{T} R^r\Big) D^{-1}

    NetMF factorises log max(S, 1). With `rank` the sum is replaced by its eigen-approximation, which smooths it:
    the `rank` largest eigenvalues λ of N = D^-½ A D^-½ with max(0, (1/T) Σ λ^r).

    Parameters
    ----------
    window : length T of the window; several windows give one block of features each. ``"auto"``: 1, 3 and 10.
    negative : number b of negative samples; only scales S.
    rank : None for the exact sum, or the number of eigenpairs of NetMF's approximation (256 in its paper).

    References
    ----------
    PhUSION, section 4.1; Qiu et al., *Network Embedding as Matrix Factorization*, WSDM 2018.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Ppmi(window=1).dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[0., 2., 0.],
           [2., 0., 2.],
           [0., 2., 0.]])
    """

    window: Steps | StepsEach | Literal["auto"] = 10
    negative: Positive = 1.0
    rank: Count | None = None

    usual = (1, 3, 10)
    symmetric = True
    against_chance = True
    dense_work = 0.0
    kinds = Kinds(
        directed=No("it compares with the stationary distribution d/vol, which undirected graphs have"),
        signed=No("walks need non-negative weights"),
    )

    def check(self, graph: Graph) -> None:
        """Also where eigenvectors have no right digit left, once they are divided by the smallest degrees."""
        super().check(graph)
        if self.rank is not None:
            check_degrees(graph, "ppmi with a rank", ", or use rank=None")

    def dense(self, graph: Graph) -> Array:
        """S at one window."""
        return next(self._sums(graph))

    @property
    def by_few_steps(self) -> bool:
        """Of short windows."""
        windows: Any = [one.window for one in self.at_each_scale()]
        return self.rank is None and self.settled and max(windows) <= _SHORT

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each window, from one sequence of powers."""
        for one, values in zip(self.at_each_scale(), self._sums(graph), strict=True):
            yield one.matrix_of(graph, values)

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """The same sums of powers, for all graphs of the stack together."""
        return self._stacked(stack) if self.rank is None else None

    def _stacked(self, stack: Stack) -> Iterator[StackedMatrix]:
        windows: Any = [one.window for one in self.at_each_scale()]
        _, inverse = self._factors(stack.union)
        factor = np.array([graph.volume for graph in stack.graphs])[:, None, None] / self.negative
        columns = stack.by_node(inverse)[:, None, :]
        found = in_sequence(
            windows, lambda ascending: self._exact(stack.union, ascending, factor, columns, stack.width)
        )
        for one, values in zip(self.at_each_scale(), found, strict=True):
            yield one.stack_of(stack, values, by_edges=True)

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """A sum of powers for all windows, or products of the eigenvectors."""
        windows: Any = [one.window for one in self.at_each_scale()]
        factor, inverse = self._factors(graph)
        if self.rank is not None:
            scaled, filtered = self._eigenpairs(graph, windows, np.sqrt(inverse))
            weights = tuple((factor * each).astype(kind) for each in filtered)
            return LowRankStream(np.ascontiguousarray(scaled, kind), weights, graph.components)
        table = np.zeros((max(windows) + 1, len(windows)))
        for k, window in enumerate(windows):
            table[1 : window + 1, k] = 1.0 / window
        if max(windows) <= _SHORT:
            orders = tuple(range(1, max(windows) + 1))
            found = ProductsStream.of((graph.transition,) * len(orders), orders, kind)
            if found.sparse:
                return SparseSumsStream(found, table[1:], factor * inverse)
        right = (factor * inverse).astype(kind)
        return SeriesStream(Sparse.of(graph.transition, kind), Listed(table.astype(kind)), right=right)

    def noise(self, graph: Graph, size: Size) -> float:
        """The eigen-approximation has absolute errors, the sum of powers has none."""
        if self.rank is None:
            return 0.0
        return max(NOISE, float(np.finfo(np.float64).eps * np.sqrt(spread_of(graph)))) * size.largest

    def _sums(self, graph: Graph) -> Iterator[Array]:
        windows: Any = [one.window for one in self.at_each_scale()]
        factor, inverse = self._factors(graph)
        if self.rank is not None:
            scaled, filtered = self._eigenpairs(graph, windows, np.sqrt(inverse))
            yield from (factor * (scaled * each) @ scaled.T for each in filtered)
            return
        yield from in_sequence(windows, lambda ascending: self._exact(graph, ascending, factor, inverse))

    def _factors(self, graph: Graph) -> tuple[float, Array]:
        """Vol / b and 1/d."""
        inverse = np.divide(1.0, graph.degrees, out=np.zeros(len(graph)), where=graph.degrees > 0)
        return graph.volume / self.negative, inverse

    def _exact(
        self, graph: Graph, windows: Sequence[int], factor: Any, inverse: Array, size: int | None = None
    ) -> Iterator[Array]:
        """The sums of powers; of graphs of this size side by side, one n × n array for each."""
        shape = (len(graph), len(graph)) if size is None else (-1, size, size)
        total: Any = 0.0
        for r, power in enumerate(powers(graph.transition, range(1, max(windows) + 1), size), 1):
            total = total + power.reshape(shape)
            if r in windows:
                yield (factor / r) * total * inverse

    def _eigenpairs(self, graph: Graph, windows: list[int], root: Array) -> tuple[Array, list[Array]]:
        """D^-½ U, and what each eigenvalue becomes for each window."""
        if int(self.rank or 0) > len(graph):
            raise InputError(
                f"rank={self.rank} eigenpairs need as many nodes; this graph has {len(graph):,}. "
                "Use a smaller rank, or rank=None for the exact matrix"
            )
        values, vectors, cut = largest_eigenpairs(graph.normalized_adjacency, int(self.rank or 0))
        if cut:
            caution(
                f"rank={self.rank} cuts through equal eigenvalues: nodes with equal roles may get unequal rows; "
                "another rank, or rank=None, does not"
            )
        filtered = [np.maximum(sum(values**r for r in range(1, window + 1)) / window, 0.0) for window in windows]
        return root[:, None] * vectors, filtered
