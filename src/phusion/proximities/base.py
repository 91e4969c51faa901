"""`Proximity` Ψ: from a graph to an n × n matrix S, one for each of its scales."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, wraps
from typing import Any, ClassVar, Self

import numpy as np

from phusion.component import Component
from phusion.errors import InputError
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.streams.base import Stream
from phusion.linalg.tall import Each, one_by_one
from phusion.linalg.walks import WalkSums
from phusion.proximities.matrix import NOISE, DenseMatrix, ProximityMatrix, Size
from phusion.proximities.stacked import StackedMatrix

__all__ = ["MULTIPLY", "Kinds", "No", "Proximity", "check_degrees", "check_products", "check_weights", "spread_of"]

_LEAST = float(np.finfo(np.float64).tiny)
_FURTHEST = 1e300
MULTIPLY = "Multiply all weights by a common factor"
_UNLIKE = 1e15  # times the smallest degree: the most that all may be, where eigenvectors are divided by it
_FAINTEST = -290.0  # in decimal digits: of smaller numbers some digits are lost


_INSTEAD = {
    "directed": ". Make the graph undirected: graph.undirected({how}), or --no-directed",
    "signed": ". signed_walk is made for signed graphs",
}


_IS: dict[str, Callable[[Graph], bool]] = {
    "directed": lambda graph: graph.directed,
    "signed": lambda graph: graph.signed,
    "weighted": lambda graph: graph.weighted,
    "self_loops": lambda graph: graph.n_self_loops > 0,
    "disconnected": lambda graph: graph.n_components > 1,
    "isolated": lambda graph: bool(graph.isolated.any()),
}


class No(str):
    """Why a kind of graph is refused."""


@dataclass(frozen=True)
class Kinds:
    """What a proximity does with each kind of graph, in words; `No` with the reason where it refuses.

    The documentation's table is made of these, and `Proximity.check` enforces them.
    """

    directed: str
    signed: str
    weighted: str = "weights enter through A"
    self_loops: str = "kept as given"
    disconnected: str = "exactly 0 between components"
    isolated: str = "zero row and column"

    def refused(self) -> dict[str, str]:
        """Kind → reason, for the kinds that are refused."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {kind: words for kind, words in given.items() if isinstance(words, No)}


class Proximity(Component, family="proximities"):
    """A node proximity S = Ψ(A). `dense` states the formula; everything else must agree with it."""

    kinds: ClassVar[Kinds]
    symmetric: ClassVar[bool] = False
    """Whether S is symmetric on every undirected graph."""
    cancels: ClassVar[bool] = False
    """Whether entries are differences of larger numbers, so that their rounding errors are absolute."""
    operands: ClassVar[float] = 0.0
    """How large the numbers are, at least, whose differences the entries are: 1 for logarithms."""
    across: ClassVar[bool] = False
    """Whether nodes of different components have a proximity other than 0."""
    against_chance: ClassVar[bool] = False
    """Whether 1 is what chance gives, so that only what exceeds it says something."""
    copies: ClassVar[int] = 8
    """How many n × n arrays of doubles exist at a time, at most, where the matrix is written out."""
    dense_work: ClassVar[float] = 4.0
    """Floating-point operations of the formula for each of n³, at the speed of a matrix product, about."""
    rules: ClassVar[tuple[str, ...]] = ("auto",)
    """What may stand in place of scales."""
    usual: ClassVar[tuple[Any, ...]] = ()
    """The scales of ``"auto"``, from near to far, where they are the same for all graphs."""
    scale_parameter: ClassVar[str | None] = None
    symbol: ClassVar[str] = ""

    def __init_subclass__(cls, *, scale: str | None = None, symbol: str = "", **facts: Any) -> None:
        cls.scale_parameter = scale
        cls.symbol = symbol or scale or ""
        if "dense" in vars(cls):
            cls.dense = _checked(cls.dense)  # type: ignore[assignment, method-assign]
        super().__init_subclass__(**facts)

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.scale_value
        if isinstance(value, tuple) and len(set(value)) < len(value):
            raise InputError(f"{type(self).__name__} has the same {self.scale_parameter} twice in {list(value)}")

    def dense(self, graph: Graph) -> Array:
        """S at one scale as an n × n array: the formula itself.

        Whatever a subclass computes here is checked before (kinds of graphs, one scale) and finished after
        (exact symmetry, exact zeros between components, no overflow).
        """
        raise NotImplementedError

    @classmethod
    def own_name(cls, name: str) -> str:
        """``scale`` means the scale, whatever it is called here: β, the window, the order."""
        return cls.scale_parameter or name if name == "scale" else name

    @property
    def scale_value(self) -> Any:
        """The scale, or the tuple of scales; None if this proximity has none."""
        return getattr(self, self.scale_parameter) if self.scale_parameter else None

    def at_each_scale(self) -> tuple[Self, ...]:
        """One proximity for each scale."""
        found: tuple[Self, ...] = _each_scale(self)
        return found

    @property
    def by_few_steps(self) -> bool:
        """Whether walks of a few steps tell everything: the exact way is then taken, whatever accuracy is asked for."""
        return False

    @property
    def settled(self) -> bool:
        """Whether scales are given, not a rule that finds them."""
        return self.scale_value not in self.rules

    def fitted(self, graphs: Sequence[Graph]) -> Self:
        """The same with the scales that ``"auto"`` stands for on these graphs, which other graphs must share."""
        return self if self.settled else self.replace(**{str(self.scale_parameter): self.automatic(graphs)})

    def automatic(self, graphs: Sequence[Graph]) -> tuple[Any, ...]:
        """The scales for these graphs, by the rule that stands in their place; here the same for all graphs."""
        return self.usual

    def check(self, graph: Graph) -> None:
        """Refuse graphs for which the formula makes no sense, with the reason."""
        check_weights(graph)
        for kind, reason in self.kinds.refused().items():
            if _IS[kind](graph):
                hint = _INSTEAD.get(kind, "").format(how='"sum"' if graph.weighted else "")  # as lists are read
                raise InputError(f"{type(self).__name__} does not take {kind.replace('_', '-')} graphs: {reason}{hint}")

    def matrices(self, graph: Graph, *, entrywise: bool = True) -> Iterator[ProximityMatrix]:
        """S at each scale. With ``entrywise=False`` small entries may have absolute errors of rounding size."""
        for one in self.at_each_scale():
            yield one._matrix(graph, one.dense(graph))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream | None:
        """Columns of S (of Sᵀ, if `transposed`) at every scale without n × n arrays; None if there is no such way.

        The optional fast path, for graphs that `check` accepts. It agrees with `dense`: in each entry if `entrywise`,
        else up to rounding of the largest. `kind` is the type of numbers, double or single.
        """
        return None

    def walks(self, graph: Graph) -> WalkSums | No:
        """S at every scale as sums over walks in which longer walks weigh less; why it is not, if it is not.

        The optional form of local proximities, for graphs that `check` accepts: it can be approximated in time that
        grows with the number of edges.
        """
        return No(f"{self.name} is not a sum over walks in which longer walks weigh less")

    def edge_entries(self, graph: Graph) -> int | None:
        """How many entries S has, at most, at the scale with most; None where it is not sparse as edges are."""
        return None

    def edge_matrix(self, graph: Graph, kind: Any, each: Each = one_by_one) -> EdgeMatrix:
        """S at one scale as a sparse matrix to multiply with, where `edge_entries` says that it is one.

        The optional fast path of embedding functions that factorise S. It agrees with `dense`.
        """
        raise NotImplementedError

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """S of many small graphs at once, at each scale; None if there is no such way.

        The optional fast path for graphs that `check` accepts. It agrees with `matrices`. An error or a caution here
        only means that these graphs are computed one by one, where it is repeated if it is due.
        """
        return None

    def stack_of(self, stack: Stack, values: Array, *, by_edges: bool = False) -> StackedMatrix:
        """Values of the formula for a stack, finished as those of `dense` are.

        With `by_edges` they are made of sparse products alone, whose zeros between components are exact already.
        """
        symmetric = self.symmetric and not stack.union.directed
        if symmetric:
            values = _mean(values, values.transpose(0, 2, 1))
        if stack.apart is not None and not by_edges:
            values[stack.apart] = 0.0
        if not np.isfinite(values).all():
            raise InputError(f"{self!r} overflows on one of these graphs")
        return StackedMatrix(stack, values, symmetric=symmetric, noise=self._noise_in_stack)

    def _noise_in_stack(self, graph: Graph, values: Array) -> float:
        return self.noise(graph, Size.of(values))

    def matrix_of(self, graph: Graph, values: Array) -> DenseMatrix:
        """Values of the formula as a matrix, finished as those of `dense` are."""
        return self._matrix(graph, self.finished(graph, values))

    def _matrix(self, graph: Graph, values: Array) -> DenseMatrix:
        symmetric = self.symmetric and not graph.directed
        return DenseMatrix(values, symmetric=symmetric, noise=self.noise(graph, Size.of(values)))

    def finished(self, graph: Graph, values: Array) -> Array:
        """The values with exact symmetry and exact zeros between components; an overflow is named."""
        if self.symmetric and not graph.directed:
            values = _mean(values, values.T)
        if not self.across and graph.n_components > 1:
            values[graph.components[:, None] != graph.components] = 0.0
        if not np.isfinite(values).all():
            raise InputError(
                f"{self!r} overflows on this graph: some entries are beyond 1e308. "
                "Use a smaller scale, or divide the weights by their maximum"
            )
        return values

    def noise(self, graph: Graph, size: Size) -> float:
        """How far rounding may move an entry of a matrix this large, beyond a few units of its own last digit."""
        return NOISE * max(size.largest, self.operands) if self.cancels or graph.signed else 0.0


def _mean(one: Array, other: Array) -> Array:
    """Of two matrices that are the same but for rounding; what overflows here is refused as what did before."""
    with np.errstate(over="ignore"):
        values: Array = (one + other) / 2
    return values


def check_weights(graph: Graph) -> None:
    """Refuse weights of which doubles keep no digits, or not all at once: quotients of them are no numbers."""
    smallest, largest = graph.weight_range
    if smallest < _LEAST:
        raise InputError(
            f"the smallest weight is {smallest:.3g}; below {_LEAST:.2g} doubles lose their digits. "
            "Multiply all weights by a common factor, or drop such edges"
        )
    if largest / _FURTHEST > smallest:
        raise InputError(
            f"weights are from {smallest:.3g} to {largest:.3g}: they differ by more than {_FURTHEST:g}, which no "
            "formula survives in doubles. Use their logarithms, or drop the smallest"
        )


def spread_of(graph: Graph) -> float:
    """How many times the smallest degree all degrees are."""
    return float(graph.volume / graph.degrees[graph.degrees > 0].min(initial=np.inf))


def check_degrees(graph: Graph, name: str, instead: str = "") -> None:
    """Refuse degrees so different that what is divided by the smallest has no right digit left."""
    if spread_of(graph) > _UNLIKE:
        raise InputError(
            f"{name} is beyond double precision where degrees are from {graph.degrees[graph.degrees > 0].min():.3g} on "
            f"and their sum is {graph.volume:.3g}: these differ by more than 1e15. Remove the lightest edges{instead}"
        )


def check_products(largest: float, count: int, remedy: str) -> None:
    """Refuse a formula whose products of `count` numbers up to `largest` have lost their digits: they would be 0."""
    if 0.0 < largest < 1.0 and count * np.log10(largest) < _FAINTEST:
        raise InputError(
            f"products of {count:,} numbers of at most {largest:.3g} are below what doubles can tell from 0. {remedy}"
        )


def _checked(dense: Callable[[Any, Graph], Array]) -> Callable[[Any, Graph], Array]:
    """The formula, for graphs it takes and one scale at a time."""

    @wraps(dense)
    def checked(self: Proximity, graph: Graph) -> Array:
        graph = as_graph(graph)
        self.check(graph)
        if isinstance(self.scale_value, tuple) or not self.settled:
            raise InputError(f"{self!r} is not one scale: see fitted([graph]) and at_each_scale()")
        return self.finished(graph, dense(self, graph))

    return checked


@lru_cache(maxsize=64)
def _each_scale(proximity: Any) -> Any:
    """One of each scale; kept, because thousands of small graphs ask for the same hundreds of scales."""
    value = proximity.scale_value
    if not isinstance(value, tuple):
        return (proximity,)
    return tuple(proximity.replace(**{proximity.scale_parameter: one}) for one in value)
