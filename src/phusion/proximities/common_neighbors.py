"""Common neighbours."""

from __future__ import annotations

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.proximities.base import Kinds, Proximity

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
    kinds = Kinds(directed="from i to a common neighbour, and from it to j", signed="signs multiply along a walk")

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        return (graph.adjacency @ graph.adjacency).toarray()  # type: ignore[no-any-return]
