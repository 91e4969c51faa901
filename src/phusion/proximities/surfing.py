"""DNGR's random surfing."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.parameter import Bounds, Count
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

    alpha: Share | tuple[Share, ...] = 0.98
    steps: Count = 10

    cancels = True
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
