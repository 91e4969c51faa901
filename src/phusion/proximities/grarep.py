"""GraRep's positive log probabilities of k steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.parameter import Count, Counts
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import ProximityMatrix
from phusion.proximities.powers import powers

__all__ = ["Grarep"]


class Grarep(Proximity, name="grarep", scale="order", symbol="k"):
    r"""How much likelier k steps lead to a node from here than from anywhere.

    .. math:: S_{ij} = \max\Big(0, \log \frac{R^k_{ij}}{\sum_t R^k_{tj}} - \log \frac{1}{n}\Big)

    Parameters
    ----------
    order : number k of steps; several give one block of features each, which is GraRep.

    References
    ----------
    Cao et al., *GraRep: Learning Graph Representations with Global Structural Information*, CIKM 2015 (λ = 1).

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Grarep(order=1).dense(phusion.as_graph([("a", "b"), ("b", "c")])).round(4)
    array([[0.    , 0.4055, 0.    ],
           [1.0986, 0.    , 1.0986],
           [0.    , 0.4055, 0.    ]])
    """

    order: Count | Counts = 1

    cancels = True
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any",
        signed=No("logarithms of probabilities need non-negative weights"),
        disconnected="exactly 0 between components; n counts all nodes",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one order."""
        return _positive_log(next(powers(graph.transition, (self.order,))))  # type: ignore[arg-type]

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each order, from one sequence of powers."""
        each = self.at_each_scale()
        for one, values in zip(each, powers(graph.transition, [p.order for p in each]), strict=True):  # type: ignore[misc]
            yield one.matrix_of(graph, _positive_log(values))


def _positive_log(power: Array) -> Array:
    received = power.sum(axis=0)
    ratio = power * (len(power) / np.where(received > 0, received, 1.0))
    values: Array = np.log(np.maximum(ratio, 1.0))
    return values
