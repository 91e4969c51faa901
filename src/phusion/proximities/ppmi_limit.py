"""Pointwise mutual information for infinite windows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from phusion.cautions import caution
from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.streams.base import MappedStream, Stream
from phusion.proximities.base import Kinds, No, Proximity, check_degrees
from phusion.proximities.laplacian_pinv import LaplacianPinv
from phusion.proximities.matrix import Size

__all__ = ["PpmiLimit"]

_LARGEST = 1e7  # entry of 𝓛⁺


class PpmiLimit(Proximity, name="ppmi_limit"):
    r"""What T · (PPMI_T − 1) tends to as the window T grows.

    .. math:: S = 1 + \mathrm{vol} \cdot D^{-1/2} (\mathcal{L}^+ - I) D^{-1/2}

    The limit exists on connected graphs that are not bipartite; elsewhere the formula is computed all the same.

    References
    ----------
    Chanpuriya and Musco, *InfiniteWalk: Deep Network Embeddings as Laplacian Embeddings with a Nonlinearity*, KDD 2020.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.PpmiLimit().dense(phusion.as_graph([("a", "b"), ("b", "c"), ("c", "a")])).round(4)
    array([[-0.6667,  0.3333,  0.3333],
           [ 0.3333, -0.6667,  0.3333],
           [ 0.3333,  0.3333, -0.6667]])
    """

    symmetric = True
    cancels = True
    across = True
    kinds = Kinds(
        directed=No("it is a limit of ppmi, which undirected graphs have"),
        signed=No("walks need non-negative weights"),
        disconnected="1 between components, as the formula says, with a warning (also on bipartite graphs)",
        isolated="row and column of ones",
    )

    def check(self, graph: Graph) -> None:
        """Also where 𝓛⁺ − I has no right digit left, once it is divided by the smallest degrees."""
        super().check(graph)
        check_degrees(graph, "ppmi_limit")

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        self._mention(graph)
        inverse = np.divide(1.0, graph.degrees, out=np.zeros(len(graph)), where=graph.degrees > 0)
        pinv = _checked(next(LaplacianPinv().matrices(graph)).toarray())
        root = np.sqrt(inverse)
        values: Array = 1.0 + graph.volume * (root[:, None] * pinv * root - np.diag(inverse))
        return values

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """From columns of the pseudoinverse."""
        self._mention(graph)
        inverse = np.divide(1.0, graph.degrees, out=np.zeros(len(graph)), where=graph.degrees > 0)
        pinv = LaplacianPinv().stream(graph, entrywise=entrywise, kind=kind, transposed=transposed)
        return MappedStream(pinv, partial(_limit, graph.volume, inverse))

    def _mention(self, graph: Graph) -> None:
        """Say where the limit does not exist."""
        parts, halves = graph.n_components, _n_bipartite(graph)
        if parts > 1 or halves:
            why = f"has {parts:,} components" if parts > 1 else "is bipartite"
            caution(f"ppmi_limit: this graph {why}, so that the limit does not exist; the formula's value is used")

    def noise(self, graph: Graph, size: Size) -> float:
        """That of the pseudoinverse, scaled like it."""
        smallest = float(graph.degrees[graph.degrees > 0].min(initial=np.inf))
        if not np.isfinite(smallest):
            return 0.0
        # no entry of 𝓛⁺ is much larger, and 1 is taken from those on its diagonal
        largest = max(1.0, (size.largest + 1.0) * smallest / graph.volume)
        return LaplacianPinv().noise(graph, Size(lambda: (largest, largest))) * graph.volume / smallest


def _checked(pinv: Any) -> Any:
    """Rounding grows with the square of these entries, and degrees make it larger still."""
    if float(np.abs(pinv).max(initial=0.0)) > _LARGEST:
        raise InputError(
            "ppmi_limit is beyond double precision: parts of this graph hang together by weights 1e7 times smaller "
            "than others. Remove such edges, or use ppmi"
        )
    return pinv


def _limit(volume: float, inverse: Any, pinv: Any, k: int, start: int, stop: int) -> Any:
    """What `dense` makes of the pseudoinverse, for some columns."""
    root = np.sqrt(inverse)
    _checked(pinv)
    pinv *= root[:, None] * (volume * root[start:stop])
    pinv += 1.0
    pinv[np.arange(start, stop), np.arange(stop - start)] -= volume * inverse[start:stop]
    return pinv


def _n_bipartite(graph: Graph) -> int:
    """How many components are bipartite: those that fall apart when every edge goes to a copy of the graph."""
    doubled = sparse.block_array([[None, graph.adjacency], [graph.adjacency, None]])
    return int(csgraph.connected_components(doubled, directed=False)[0]) - graph.n_components
