"""Adamic and Adar's index, as HOPE defines it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from phusion.graph.frozen import divided
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.streams.base import Stream
from phusion.linalg.streams.products import ProductsStream
from phusion.proximities.base import Kinds, Proximity
from phusion.proximities.stacked import StackedMatrix

__all__ = ["AdamicAdar"]


class AdamicAdar(Proximity, name="adamic_adar"):
    r"""Shared neighbours, counting less the more neighbours they have.

    .. math:: S = A D^{-1} A

    Parameters
    ----------
    degree : ``"out"`` divides by the (out-)degree d, ``"total"`` by in- plus out-degree as HOPE does
        (twice d, on undirected graphs).

    References
    ----------
    Ou et al., HOPE, KDD 2016. Adamic and Adar (2003) divide by log d instead.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.AdamicAdar().dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[0.5, 0. , 0.5],
           [0. , 2. , 0. ],
           [0.5, 0. , 0.5]])
    """

    degree: Literal["out", "total"] = "out"

    symmetric = True
    dense_work = 0.0
    kinds = Kinds(
        directed="from i to a common neighbour, and from it to j",
        signed="signs multiply along a walk; degrees are sums of absolute weights",
    )

    @property
    def by_few_steps(self) -> bool:
        """Two."""
        return True

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        first, second = self._steps(graph)
        return (first @ second).toarray()  # type: ignore[no-any-return]

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix]:
        """The same sparse product, for all graphs of the stack together."""
        first, second = self._steps(stack.union)
        yield self.stack_of(stack, stack.blocks(first @ second), by_edges=True)

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Two steps."""
        first, second = self._steps(graph)
        steps = (second.T.tocsr(), first.T.tocsr()) if transposed else (first, second)
        return ProductsStream.of(steps, (2,), kind)

    def _steps(self, graph: Graph) -> tuple[Any, Any]:
        degrees = graph.degrees if self.degree == "out" else graph.degrees + graph.in_degrees
        return graph.adjacency, divided(graph.adjacency, rows=degrees)
