"""Fast belief propagation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from phusion.cautions import caution
from phusion.errors import InputError
from phusion.graph.frozen import divided
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.solve import SINGULAR, is_positive_definite, solve
from phusion.linalg.spectrum import spectral_radius
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.series import Geometric, SeriesStream
from phusion.linalg.walks import WalkSums, cut
from phusion.parameter import Bounds
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.matrix import NOISE, Size
from phusion.proximities.resolvent import resolvent_stream
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Fabp"]

_HEAVIEST = 1e153  # a sum of degrees whose square is a number
_CONVERGES = 0.999  # the largest eigenvalue of M up to which a sum over walks ends within thousands of steps

NotNegative = Annotated[float, Bounds(ge=0)]
Heuristic = Annotated[
    str,
    Bounds(pattern=r"(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?\*)?auto", words="'auto' or a multiple like '0.1*auto'"),
]


class Fabp(Proximity, name="fabp"):
    r"""How far belief in one node spreads to another.

    .. math:: S = (I + aD - cA)^{-1}

    The heuristic is a = 4h²/(1 − 4h²), c = 2h/(1 − 4h²) with the "about-half" homophily
    h² = (−c₁ + √(c₁² + 4c₂)) / 8c₂, c₁ = tr D + 2, c₂ = tr D² − 1.

    Parameters
    ----------
    a : weight of the degrees: a number, ``"auto"`` for the heuristic, or a multiple of it like ``"10*auto"``.
    c : weight of the neighbours: a number, ``"auto"``, or a multiple like ``"0.01*auto"``.

    References
    ----------
    PhUSION, section 4.1 and appendix B; Koutra et al., *Unifying Guilt-by-Association Approaches*, ECML PKDD 2011.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Fabp(a=1, c=1).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    a: NotNegative | Heuristic = "auto"
    c: NotNegative | Heuristic = "auto"

    symmetric = True
    kinds = Kinds(
        directed=No("belief spreads both ways along an edge"),
        signed=No("the homophily heuristic needs non-negative weights"),
        isolated="1 on the diagonal",
    )

    def coefficients(self, graph: Graph) -> tuple[float, float]:
        """The numbers a and c on this graph."""
        if graph.volume == 0:
            heuristic = (0.0, 0.0)  # D and A are zero: any will do
        else:
            total = graph.degrees.sum()
            if total > _HEAVIEST:
                raise InputError("the heuristic of FaBP overflows on weights this large; divide them by their maximum")
            squares = (graph.degrees**2).sum()
            # the formula, without dividing by c₂ and without differences, in which small weights would be lost:
            # √(c₁² + 4c₂) = rest − tr D, and 1 − 4h² = rest / (2 + rest)
            rest = total + np.sqrt(total**2 + 4.0 * total + 4.0 * squares)
            heuristic = (2.0 / rest, np.sqrt(2.0 * (2.0 + rest)) / rest)
        a, c = (_number(given, auto) for given, auto in zip((self.a, self.c), heuristic, strict=True))
        return a, c

    def system(self, graph: Graph) -> Array:
        """I + aD − cA."""
        a, c = self.coefficients(graph)
        matrix: Array = np.diag(1.0 + a * graph.degrees) - c * graph.adjacency.toarray()
        return matrix

    def dense(self, graph: Graph) -> Array:
        """The formula."""
        a, c = self.coefficients(graph)
        system = self.system(graph)
        values, condition = solve(system, np.eye(len(graph)))
        definite = is_positive_definite(system)
        if condition == 0.0 or (condition < SINGULAR and not definite):
            raise InputError(_singular(a, c))
        if not definite:
            caution(_indefinite(a, c))
        return values  # type: ignore[no-any-return]

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix]:
        """The same systems, for all graphs of the stack together, where all are positive definite."""
        a, c = (
            np.array(each)[:, None] for each in zip(*(self.coefficients(graph) for graph in stack.graphs), strict=True)
        )
        systems = -c[:, :, None] * stack.blocks(stack.union.adjacency)
        nodes = np.arange(stack.width)
        systems[:, nodes, nodes] += 1.0 + a * stack.by_node(stack.union.degrees)
        np.linalg.cholesky(systems)  # an error, where some are not
        yield self.stack_of(stack, np.linalg.solve(systems, np.eye(stack.width)))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream | None:
        """I + aD − cA = E^½ (I − M) E^½ with E = I + aD; then the series in M, or polynomials in it."""
        a, c = self.coefficients(graph)
        scale, matrix, radius = self._factored(graph, a, c)
        if radius >= 1.0:
            caution(_indefinite(a, c))
        elif entrywise:
            size = radius or 1.0
            weights = Geometric(np.array([size]), np.ones(1))
            return SeriesStream(Sparse.of(matrix / size), weights, left=scale, right=scale)
        try:
            return resolvent_stream(matrix, radius, _inverse, kind, graph.components, scale)
        except InputError as error:
            raise InputError(_singular(a, c)) from error

    def walks(self, graph: Graph) -> WalkSums | No:
        """Walks in M weigh as much as each other, and M is small."""
        a, c = self.coefficients(graph)
        scale, matrix, radius = self._factored(graph, a, c)
        if radius >= _CONVERGES:
            return No(_indefinite(a, c))
        size = radius or 1.0
        weights = cut(Geometric(np.array([size]), np.ones(1)))
        return WalkSums(Sparse.of(matrix / size, np.float32), weights, scale, scale)

    def _factored(self, graph: Graph, a: float, c: float) -> tuple[Array, Any, float]:
        """E^-½, M, and a bound of the eigenvalues of M."""
        scale = 1.0 / np.sqrt(1.0 + a * graph.degrees)
        matrix = divided(c * graph.adjacency, rows=1.0 / scale, cols=1.0 / scale)
        radius = min(float((c * graph.degrees * scale**2).max()), 1.0)  # no row of E⁻¹cA sums to more
        return scale, matrix, radius if radius < 1.0 else spectral_radius(matrix, symmetric=True)

    def noise(self, graph: Graph, size: Size) -> float:
        """None where the system is diagonally dominant, so that elimination only ever adds; else by its condition."""
        a, c = self.coefficients(graph)
        loops = graph.adjacency.diagonal()
        if (1.0 + a * graph.degrees - c * loops > c * (graph.degrees - loops)).all():
            return 0.0
        system = np.abs(1.0 + a * graph.degrees - c * loops) + c * (graph.degrees - loops)  # column sums
        return NOISE * size.column_sum * float(system.max()) * size.largest


def _inverse(x: Array) -> Array:
    """1/(1 − x)."""
    values: Array = 1.0 / (1.0 - x)
    return values


def _singular(a: float, c: float) -> str:
    return f"I + aD − cA is singular at a={a:g}, c={c:g} on this graph; use a smaller c"


def _indefinite(a: float, c: float) -> str:
    return (
        f"I + aD − cA is not positive definite at a={a:g}, c={c:g}: belief does not settle there, and entries "
        "may be negative; a smaller c avoids that"
    )


def _number(given: float | str, auto: float) -> float:
    if not isinstance(given, str):
        return given
    return float(given.partition("*")[0]) * auto if "*" in given else auto
