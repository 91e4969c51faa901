"""Powers of the adjacency matrix."""

from __future__ import annotations

from collections.abc import Iterator

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.parameter import Count, Counts
from phusion.proximities.base import Kinds, Proximity
from phusion.proximities.matrix import NOISE, ProximityMatrix
from phusion.proximities.powers import powers

__all__ = ["AdjacencyPower"]


class AdjacencyPower(Proximity, name="adjacency_power", scale="order", symbol="k"):
    r"""How many walks of k steps lead from one node to another.

    .. math:: S = A^k

    Parameters
    ----------
    order : number k of steps; several give one block of features each.

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

    order: Count | Counts = 2

    symmetric = True
    kinds = Kinds(directed="walks follow the arcs", signed="signs multiply along a walk")

    def dense(self, graph: Graph) -> Array:
        """S at one order."""
        return next(powers(graph.adjacency, (self.order,)))  # type: ignore[arg-type]

    def noise(self, graph: Graph, values: Array) -> float:
        """Of signed graphs, where walks cancel, by the size of what cancels."""
        return NOISE * float(graph.degrees.max()) ** self.order if graph.signed else 0.0  # type: ignore[operator]

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each order, from one sequence of powers."""
        each = self.at_each_scale()
        for one, values in zip(each, powers(graph.adjacency, [p.order for p in each]), strict=True):  # type: ignore[misc]
            yield one.matrix_of(graph, values)
