"""Common neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.streams.base import Stream
from phusion.linalg.streams.products import ProductsStream
from phusion.proximities.base import MULTIPLY, Kinds, Proximity, check_products
from phusion.proximities.stacked import StackedMatrix

__all__ = ["CommonNeighbors"]


class CommonNeighbors(Proximity, name="common_neighbors"):
    r"""How many neighbours two nodes share.

    .. math:: S = A^2

    References
    ----------
    Ou et al., HOPE, KDD 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.CommonNeighbors().dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[1., 0., 1.],
           [0., 2., 0.],
           [1., 0., 1.]])
    """

    symmetric = True
    dense_work = 0.0
    kinds = Kinds(directed="from i to a common neighbour, and from it to j", signed="signs multiply along a walk")

    @property
    def by_few_steps(self) -> bool:
        """Two."""
        return True

    def check(self, graph: Graph) -> None:
        """Refuse weights whose products vanish."""
        super().check(graph)
        check_products(graph.weight_range[1], 2, MULTIPLY)

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        return (graph.adjacency @ graph.adjacency).toarray()  # type: ignore[no-any-return]

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix]:
        """The same sparse product, for all graphs of the stack together."""
        adjacency = stack.union.adjacency
        yield self.stack_of(stack, stack.blocks(adjacency @ adjacency), by_edges=True)

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Two steps."""
        step = graph.adjacency.T.tocsr() if transposed else graph.adjacency
        return ProductsStream.of((step, step), (2,), kind)
