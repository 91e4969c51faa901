"""Powers of the adjacency matrix."""

from __future__ import annotations

from typing import Any, Literal

from phusion.graph.graph import Graph
from phusion.parameter import Steps, StepsEach
from phusion.proximities.base import MULTIPLY, Kinds, check_products
from phusion.proximities.matrix import NOISE, Size
from phusion.proximities.powers import PowerProximity

__all__ = ["AdjacencyPower"]


class AdjacencyPower(PowerProximity, name="adjacency_power", scale="order", symbol="k"):
    r"""How many walks of k steps lead from one node to another.

    .. math:: S = A^k

    Parameters
    ----------
    order : number k of steps; several give one block of features each. ``"auto"``: 1, 2 and 3.

    References
    ----------
    PhUSION, section 4.1; Cao et al., *GraRep*, CIKM 2015.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.AdjacencyPower(order=2).dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[1., 0., 1.],
           [0., 2., 0.],
           [1., 0., 1.]])
    """

    order: Steps | StepsEach | Literal["auto"] = 2

    usual = (1, 2, 3)
    symmetric = True
    kinds = Kinds(directed="walks follow the arcs", signed="signs multiply along a walk")

    def check(self, graph: Graph) -> None:
        """Refuse weights whose products vanish."""
        super().check(graph)
        orders = [one.order for one in self.at_each_scale()] if self.settled else [1]
        check_products(graph.weight_range[1], max(map(int, orders)), MULTIPLY)  # type: ignore[arg-type]

    def step(self, graph: Graph) -> Any:
        """A."""
        return graph.adjacency

    def noise(self, graph: Graph, size: Size) -> float:
        """Of signed graphs, where walks cancel, by the size of what cancels."""
        return NOISE * float(graph.degrees.max()) ** self.order if graph.signed else 0.0  # type: ignore[operator]
