"""Personalised PageRank."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.linalg.solve import solve
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.chebyshev import ChebyshevStream
from phusion.linalg.streams.series import Geometric, SeriesStream
from phusion.linalg.walks import WalkSums, cut
from phusion.parameter import Bounds
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.spectral import null_vectors, tolerance_of
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Pagerank"]

Share = Annotated[float, Bounds(gt=0, lt=1)]


_UNEVEN = 1e4  # √d of the strongest by that of the weakest node: by so much D^-½ … D^½ multiplies rounding


class Pagerank(Proximity, name="pagerank", scale="alpha"):
    r"""Where a walk that returns home now and then is found.

    .. math:: S = (1 - \alpha)(I - \alpha R)^{-1}

    Row i is the personalised PageRank of node i; HOPE calls it rooted PageRank.

    Parameters
    ----------
    alpha : probability to go on at each step, 0 < α < 1; several give one block of features each.
        ``"auto"``: 0.5, 0.85 and 0.95.

    References
    ----------
    Page et al. (1999); Ou et al., HOPE, KDD 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Pagerank(alpha=0.5).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    alpha: Share | tuple[Share, ...] | Literal["auto"] = 0.85

    usual = (0.5, 0.85, 0.95)
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any: such rows sum to less than 1",
        signed=No("walks need non-negative weights"),
        isolated="1 − α on the diagonal: the walk ends at once",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one α."""
        alpha = float(self.alpha)  # type: ignore[arg-type]
        # transposed, elimination meets a matrix that is diagonally dominant by columns and needs no pivoting
        system = np.eye(len(graph)) - alpha * graph.transition.toarray().T
        values, condition = solve(system, (1.0 - alpha) * np.eye(len(graph)))
        if condition == 0.0:
            raise InputError(f"I − αR cannot be solved in double precision at α={alpha!r}; use a smaller alpha")
        return np.ascontiguousarray(values.T)

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix]:
        """The same systems, for all graphs of the stack together."""
        identity = np.eye(stack.width)
        step = stack.blocks(stack.union.transition).transpose(0, 2, 1)
        for one in self.at_each_scale():
            alpha = float(one.alpha)  # type: ignore[arg-type]
            values = np.linalg.solve(identity - alpha * step, (1.0 - alpha) * identity)
            yield one.stack_of(stack, np.ascontiguousarray(values.transpose(0, 2, 1)))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """The series over walks; or, of undirected graphs, polynomials in N where absolute accuracy is enough."""
        alphas = np.array([float(one.alpha) for one in self.at_each_scale()])  # type: ignore[arg-type]
        root = _roots(graph)
        uneven = root.max(initial=1.0) > _UNEVEN * root.min(initial=root.max(initial=1.0))
        if graph.directed or entrywise or uneven:
            step = graph.transition.T.tocsr() if transposed else graph.transition
            return SeriesStream(Sparse.of(step), Geometric(alphas, 1.0 - alphas))
        tolerance = tolerance_of(kind)
        found = tuple(chebyshev_coefficients(partial(_resolvent, alpha), -1.0, 1.0, tolerance) for alpha in alphas)
        left, right = (root, 1.0 / root) if transposed else (1.0 / root, root)
        matrix = Sparse.of(graph.normalized_adjacency, kind)
        return ChebyshevStream(matrix, 0.0, found, left.astype(kind), right.astype(kind))

    def walks(self, graph: Graph) -> WalkSums | No:
        """Walks of j steps weigh (1 − α) αʲ; R = D^-½ N D^½."""
        if graph.directed:
            return No("pagerank is approximated on undirected graphs")
        alphas = np.array([float(one.alpha) for one in self.at_each_scale()])  # type: ignore[arg-type]
        root = _roots(graph)
        weights = cut(Geometric(alphas, 1.0 - alphas))
        found = WalkSums(Sparse.of(graph.normalized_adjacency, np.float32), weights, 1.0 / root, root)
        settled = np.where(graph.degrees > 0, null_vectors(graph, "normalized"), 0.0)  # who is alone goes nowhere
        return found.settling(settled, graph.components)


def _roots(graph: Graph) -> Array:
    """√d; of nodes without edges any number will do, and one like the others adds no rounding."""
    degrees = graph.degrees
    found: Array = np.sqrt(np.where(degrees > 0, degrees, degrees.max(initial=0.0) or 1.0))
    return found


def _resolvent(alpha: float, x: Array) -> Array:
    """(1 − α)/(1 − αx)."""
    values: Array = (1.0 - alpha) / (1.0 - alpha * x)
    return values
