"""DNGR's random surfing."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.streams.base import MappedStream, Sparse, Stream
from phusion.linalg.streams.series import Listed, SeriesStream
from phusion.parameter import Bounds, Steps
from phusion.proximities.base import Kinds, No, Proximity

__all__ = ["Surfing"]

Share = Annotated[float, Bounds(gt=0, le=1)]


class Surfing(Proximity, name="surfing", scale="alpha"):
    r"""How much more often a surfer who returns home now and then sees a node than by chance.

    .. math:: S_{ij} = \max\Big(0, \log \frac{M_{ij} \sum M}{\sum_t M_{it} \sum_t M_{tj}}\Big), \quad
       M = \sum_{k=1}^{K} P_k, \quad P_k = \alpha P_{k-1} R + (1 - \alpha) I, \quad P_0 = I

    Parameters
    ----------
    alpha : probability to go on at each step, 0 < α ≤ 1; several give one block of features each.
        ``"auto"``: 0.5, 0.85 and 0.98.
    steps : number K of steps.

    References
    ----------
    Cao et al., *Deep Neural Networks for Learning Graph Representations* (DNGR), AAAI 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Surfing(steps=1, alpha=1.0).dense(phusion.as_graph([("a", "b"), ("b", "c")])).round(4)
    array([[0.    , 0.4055, 0.    ],
           [1.0986, 0.    , 1.0986],
           [0.    , 0.4055, 0.    ]])
    """

    alpha: Share | tuple[Share, ...] | Literal["auto"] = 0.98
    steps: Steps = 10

    usual = (0.5, 0.85, 0.98)
    cancels = True
    operands = 1.0
    dense_work = 0.0
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any",
        signed=No("logarithms of probabilities need non-negative weights"),
        isolated="only its diagonal entry, log of ΣM over its own; zero if α = 1",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one α."""
        alpha = float(self.alpha)  # type: ignore[arg-type]
        home = np.eye(len(graph))
        # transposed, so that the sparse matrix stands on the left: P_kᵀ = αRᵀP_{k−1}ᵀ + (1 − α)I
        back = graph.transition.T.tocsr()
        place, seen = home, np.zeros_like(home)
        for _ in range(self.steps):
            place = alpha * (back @ place) + (1.0 - alpha) * home
            seen += place
        seen = seen.T
        rows, columns = seen.sum(axis=1), seen.sum(axis=0)
        expected = rows[:, None] * columns
        ratio = np.divide(seen * seen.sum(), expected, out=np.zeros_like(seen), where=expected > 0)
        values: Array = np.log(np.maximum(ratio, 1.0))
        return values

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """M is a polynomial in R; its row and column sums are known beforehand."""
        alphas = [float(one.alpha) for one in self.at_each_scale()]  # type: ignore[arg-type]
        powers = np.arange(self.steps + 1)
        # Σ_k P_k with P_k = (αR)^k + (1 − α) Σ_{i<k} (αR)^i
        columns = [alpha**powers * ((1.0 - alpha) * (self.steps - powers) + (powers > 0)) for alpha in alphas]
        table = np.array(columns).T
        rows = [_sums(graph.transition, weights) for weights in columns]
        received = [_sums(graph.transition.T.tocsr(), weights) for weights in columns]
        step = graph.transition.T.tocsr() if transposed else graph.transition
        series = SeriesStream(Sparse.of(step, kind), Listed(table.astype(kind)))
        sides = (received, rows) if transposed else (rows, received)
        return MappedStream(series, partial(_positive_logarithm, *sides))


def _sums(matrix: Any, weights: Array) -> Array:
    """Row sums of Σ_j w_j Mʲ."""
    vector = np.ones(matrix.shape[0])
    total: Array = weights[0] * vector
    for weight in weights[1:]:
        vector = matrix @ vector
        total = total + weight * vector
    return total


def _positive_logarithm(rows: Any, columns: Any, seen: Any, k: int, start: int, stop: int) -> Any:
    """What `dense` makes of M, for some columns of the k-th or its transpose."""
    expected = rows[k][:, None] * columns[k][start:stop]
    ratio = np.multiply(seen, rows[k].sum(), dtype=np.float64)
    np.divide(ratio, expected, out=ratio, where=expected > 0)
    ratio[expected <= 0] = 0.0
    del expected  # two arrays at a time are what the stream reckons with
    np.maximum(ratio, 1.0, out=ratio)
    return np.log(ratio, out=ratio).astype(seen.dtype, copy=False)
