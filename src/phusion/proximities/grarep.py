"""GraRep's positive log probabilities of k steps."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.streams.base import MappedStream, Stream
from phusion.parameter import Steps, StepsEach
from phusion.proximities.base import Kinds, No
from phusion.proximities.powers import PowerProximity

__all__ = ["Grarep"]


class Grarep(PowerProximity, name="grarep", scale="order", symbol="k"):
    r"""How much likelier k steps lead to a node from here than from anywhere.

    .. math:: S_{ij} = \max\Big(0, \log \frac{R^k_{ij}}{\sum_t R^k_{tj}} - \log \frac{1}{n}\Big)

    Parameters
    ----------
    order : number k of steps; several give one block of features each, which is GraRep. ``"auto"``: 1, 2 and 3.

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

    order: Steps | StepsEach | Literal["auto"] = 1

    usual = (1, 2, 3)
    cancels = True
    operands = 1.0
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any",
        signed=No("logarithms of probabilities need non-negative weights"),
        disconnected="exactly 0 between components; n counts all nodes",
    )

    def step(self, graph: Graph) -> Any:
        """R."""
        return graph.transition

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Columns of R^k, then the logarithm; what each node receives is known beforehand."""
        powers = super().stream(graph, entrywise=entrywise, kind=kind, transposed=transposed)
        back = self.step(graph).T.tocsr()
        orders: Any = [one.order for one in self.at_each_scale()]
        received, shares = np.ones(len(graph)), {}
        for order in range(1, max(orders) + 1):
            received = back @ received
            if order in orders:
                shares[order] = (len(graph) / np.where(received > 0, received, 1.0)).astype(kind)
        each = tuple(shares[order] for order in orders)
        return MappedStream(powers, partial(_positive_logarithm, each, transposed))

    def of_power(self, power: Array) -> Array:
        """The positive logarithm of how much more than its share a node receives."""
        received = power.sum(axis=0)
        ratio = power * (len(power) / np.where(received > 0, received, 1.0))
        return np.asarray(np.log(np.maximum(ratio, 1.0)))


def _positive_logarithm(shares: Any, transposed: bool, power: Any, k: int, start: int, stop: int) -> Any:
    """What `of_power` gives, for some columns of the k-th power or its transpose."""
    power = power.toarray() if not isinstance(power, np.ndarray) else power
    power *= shares[k][:, None] if transposed else shares[k][start:stop]
    return np.log(np.maximum(power, 1.0, out=power), out=power)
