"""Positive pointwise mutual information of random walks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.spectrum import largest_eigenpairs
from phusion.parameter import Count, Counts, Positive
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Ppmi"]


class Ppmi(Proximity, name="ppmi", scale="window", symbol="T"):
    r"""How much more often two nodes meet in a window of a random walk than by chance.

    .. math:: S = \frac{\mathrm{vol}}{bT} \Big(\sum_{r=1}^{T} R^r\Big) D^{-1}

    NetMF factorises log max(S, 1). With `rank` the sum is replaced by its eigen-approximation, which smooths it:
    the `rank` largest eigenvalues λ of N = D^-½ A D^-½ with max(0, (1/T) Σ λ^r).

    Parameters
    ----------
    window : length T of the window; several windows give one block of features each.
    negative : number b of negative samples; only scales S.
    rank : None for the exact sum, or the number of eigenpairs of NetMF's approximation (256 in its paper).

    References
    ----------
    PhUSION, section 4.1; Qiu et al., *Network Embedding as Matrix Factorization*, WSDM 2018, eq. 10 and algorithm 4.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Ppmi(window=1).dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[0., 2., 0.],
           [2., 0., 2.],
           [0., 2., 0.]])
    """

    window: Count | Counts = 10
    negative: Positive = 1.0
    rank: Count | None = None

    symmetric = True
    kinds = Kinds(
        directed=No("it compares with the stationary distribution d/vol, which undirected graphs have"),
        signed=No("walks need non-negative weights. signed_walk is made for signed graphs"),
    )

    def dense(self, graph: Graph) -> Array:
        """S at one window."""
        return next(self._sums(graph))

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each window, from one sequence of powers."""
        for one, values in zip(self.at_each_scale(), self._sums(graph), strict=True):
            yield one.matrix_of(graph, values)

    def noise(self, graph: Graph, values: Array) -> float:
        """The eigen-approximation has absolute errors, the sum of powers has none."""
        return 0.0 if self.rank is None else 64 * float(np.finfo(np.float64).eps) * float(np.abs(values).max())

    def _sums(self, graph: Graph) -> Iterator[Array]:
        inverse = np.divide(1.0, graph.degrees, out=np.zeros(len(graph)), where=graph.degrees > 0)
        windows = [one.window for one in self.at_each_scale()]
        factor = graph.volume / self.negative
        if self.rank is not None:
            yield from self._approximations(graph, windows, factor, np.sqrt(inverse))  # type: ignore[arg-type]
            return
        sums, power = {}, np.eye(len(graph))
        total = np.zeros((len(graph), len(graph)))
        for r in range(1, max(windows) + 1):  # type: ignore[operator]
            power = graph.transition @ power
            total += power
            if r in windows:
                sums[r] = (factor / r) * total * inverse
        yield from (sums[window] for window in windows)  # type: ignore[index]

    def _approximations(self, graph: Graph, windows: list[int], factor: float, root: Array) -> Iterator[Array]:
        if int(self.rank or 0) > len(graph):
            raise InputError(
                f"rank={self.rank} eigenpairs need as many nodes; this graph has {len(graph):,}. "
                "Use a smaller rank, or rank=None for the exact matrix"
            )
        values, vectors = largest_eigenpairs(graph.normalized_adjacency, int(self.rank or 0))
        scaled = root[:, None] * vectors
        for window in windows:
            filtered = np.maximum(sum(values**r for r in range(1, window + 1)) / window, 0.0)
            yield factor * (scaled * filtered) @ scaled.T
