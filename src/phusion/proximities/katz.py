"""Katz's index; the seed paper calls it PPR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from phusion.cautions import caution
from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack
from phusion.linalg.solve import SINGULAR, solve
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.joined import joined
from phusion.linalg.streams.series import Geometric, SeriesStream
from phusion.linalg.walks import WalkSums, cut
from phusion.parameter import Bounds, Positive
from phusion.proximities.base import Kinds, No, Proximity, check_products
from phusion.proximities.matrix import NOISE, Size
from phusion.proximities.resolvent import resolvent_stream
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Katz"]

_SHARES = (0.1, 0.5, 0.9)  # of 1/λmax
_CONVERGES = 0.999  # βλmax up to which a sum over walks ends within thousands of steps
_POLE = 1e-13  # |1 − βλmax| that may be rounding, as in `resolvent`
_DOMINANT = 0.9  # βd up to which a system is well conditioned and the sum over walks surely converges

Relative = Annotated[
    str,
    Bounds(pattern=r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?/(λmax|lambda_max)", words="relative, like '0.5/λmax'"),
]


class Katz(Proximity, name="katz", scale="beta", symbol="b"):
    r"""Every walk counts, longer walks count less.

    .. math:: S = (I - \beta A)^{-1} \beta A

    It is the sum of (βA)^k over all k ≥ 1 where βλmax < 1. Beyond that it is still defined, and computed with a
    warning, but is not that sum and has negative entries.

    Parameters
    ----------
    beta : decay per step, β > 0, or relative to the largest eigenvalue, as ``"0.5/λmax"`` (``"0.5/lambda_max"``);
        several give one block of features each. ``"auto"``: 0.1, 0.5 and 0.9 of 1/λmax (on directed graphs without
        cycles, where λmax is 0 and every β will do: 0.1, 0.5 and 0.9 of 1/max d).

    References
    ----------
    Katz (1953). PhUSION, section 4.1, calls it PPR, after Ou et al., *Asymmetric Transitivity Preserving Graph
    Embedding* (HOPE), KDD 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Katz(beta=0.5).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.3333, 0.6667],
           [0.6667, 0.3333]])
    """

    beta: Positive | Relative | tuple[Positive | Relative, ...] | Literal["auto"] = 0.01

    symmetric = True
    kinds = Kinds(
        directed="walks follow the arcs: S_ij counts walks from i to j",
        signed="signs multiply along a walk",
    )

    def check_parameters(self) -> None:
        """A relative β must be positive too."""
        for one in self.beta if isinstance(self.beta, tuple) else (self.beta,):
            if isinstance(one, str) and one not in self.rules and not float(one.partition("/")[0]) > 0:
                raise InputError(f"Katz needs beta > 0; got {one!r}")

    def check(self, graph: Graph) -> None:
        """Refuse a decay that leaves nothing of walks of two steps."""
        super().check(graph)
        for beta in self.beta if isinstance(self.beta, tuple) else (self.beta,):
            if not isinstance(beta, str):
                largest = float(beta) * float(graph.degrees.max(initial=0.0))
                check_products(largest, 2, "Use a larger beta, such as beta='0.5/λmax'")

    def automatic(self, graphs: Sequence[Graph]) -> tuple[Any, ...]:
        """Shares of the largest decay for which walks can be summed."""
        if all(graph.lambda_max > 0 or not graph.volume for graph in graphs):
            return tuple(f"{share}/λmax" for share in _SHARES)
        largest = max(float(graph.degrees.max(initial=0.0)) for graph in graphs)
        return tuple(share / largest for share in _SHARES)

    def number(self, graph: Graph) -> float:
        """Decay β on this graph."""
        if not isinstance(self.beta, str):
            return self.beta  # type: ignore[return-value]
        share = float(self.beta.partition("/")[0])
        if graph.lambda_max == 0.0 and graph.volume:
            raise InputError(
                f"beta={self.beta!r}: λmax is 0, as this graph has no cycles; give beta as a "
                "number, such as 0.1 (--set beta=0.1), or take the preset hope-pagerank"
            )
        return share / graph.lambda_max if graph.lambda_max > 0 else share

    def stacked(self, stack: Stack, *, entrywise: bool) -> Iterator[StackedMatrix] | None:
        """The same systems, for all graphs of the stack together, where no row comes near the end of the series."""
        largest = float(stack.union.degrees.max())
        for one in self.at_each_scale():
            if isinstance(one.beta, str) or float(one.beta) * largest > _DOMINANT:  # type: ignore[arg-type]
                return None
        return self._stacked(stack)

    def _stacked(self, stack: Stack) -> Iterator[StackedMatrix]:
        adjacency = stack.blocks(stack.union.adjacency)
        for one in self.at_each_scale():
            beta = float(one.beta)  # type: ignore[arg-type]
            yield one.stack_of(stack, np.linalg.solve(np.eye(stack.width) - beta * adjacency, beta * adjacency))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream | None:
        """The series over walks where small entries matter, else polynomials in A; beyond the series, also its pole.

        None for directed graphs beyond the series.
        """
        each = self.at_each_scale()
        betas = [one.number(graph) for one in each]
        for beta in betas:
            _refuse_pole(beta, graph)
        step = graph.adjacency.T.tocsr() if transposed else graph.adjacency
        radius = graph.lambda_max
        walks = [k for k, beta in enumerate(betas) if beta * radius < 1]
        if not (graph.directed or (entrywise and not graph.signed)):
            walks = []
        others = [k for k in range(len(betas)) if k not in walks]
        parts: list[tuple[Stream, list[int]]] = []
        if walks:
            size = radius or 1.0 / max(betas)  # without cycles λmax is 0, and walks end: βA as it is
            ratios = size * np.array([betas[k] for k in walks])
            parts.append((SeriesStream(Sparse.of(step / size), Geometric(ratios, np.ones(len(walks)), 1)), walks))
        for k in others:
            self._mention(betas[k], radius)
            found = None
            if not graph.directed:
                try:
                    found = resolvent_stream(
                        betas[k] * graph.adjacency, betas[k] * radius, _walks, kind, graph.components
                    )
                except InputError as error:
                    raise InputError(_singular(betas[k], radius)) from error
            if found is None:
                return None
            parts.append((found, [k]))
        return joined(parts)

    def walks(self, graph: Graph) -> WalkSums | No:
        """Walks of j ≥ 1 steps in A weigh βʲ."""
        if graph.directed or graph.signed:
            return No(f"katz is approximated on undirected graphs without negative weights; this one is {graph!r}")
        betas = np.array([one.number(graph) for one in self.at_each_scale()])
        size = graph.lambda_max or 1.0
        if float(betas.max()) * size >= _CONVERGES:
            return No(
                f"katz with βλmax = {float(betas.max()) * size:.3g} is no sum over walks that soon ends; "
                f"use beta below 1/λmax = {1.0 / size:.3g}, such as beta='0.5/λmax'"
            )
        weights = cut(Geometric(size * betas, np.ones(len(betas)), 1))
        return WalkSums(Sparse.of(graph.adjacency / size, np.float32), weights)

    def _mention(self, beta: float, radius: float) -> None:
        """Say where S is not a sum over walks."""
        if beta * radius >= 1:
            caution(
                f"Katz with βλmax = {beta * radius:.3g} ≥ 1 is solved exactly, but is not a sum over walks; "
                f"for one use beta below 1/λmax = {1 / radius:.3g}, such as beta='0.5/λmax'"
            )

    def dense(self, graph: Graph) -> Array:
        """S at one β."""
        beta = self.number(graph)
        _refuse_pole(beta, graph)
        adjacency = graph.adjacency.toarray()
        values, condition = solve(np.eye(len(graph)) - beta * adjacency, beta * adjacency)
        converges = beta * graph.lambda_max < 1 and not graph.signed  # elimination only adds, at any condition
        if condition < SINGULAR and not (converges and condition > 0):
            raise InputError(_singular(beta, graph.lambda_max))
        self._mention(beta, graph.lambda_max)
        return values  # type: ignore[no-any-return]

    def noise(self, graph: Graph, size: Size) -> float:
        """None where the system is diagonally dominant, so that elimination only ever adds; else by its condition."""
        beta = self.number(graph)
        if beta * float(graph.in_degrees.max()) < 1 and not graph.signed:
            return 0.0
        inverse = 1.0 + size.column_sum  # (I − βA)⁻¹ = I + S
        condition = inverse * (1.0 + beta * float(graph.in_degrees.max()))
        return NOISE * condition * size.largest


def _walks(x: Array) -> Array:
    """x/(1 − x)."""
    values: Array = x / (1.0 - x)
    return values


def _refuse_pole(beta: float, graph: Graph) -> None:
    """1/β is λmax but for rounding: on which side of it, or how near, nobody can tell."""
    if not graph.signed and abs(1.0 - beta * graph.lambda_max) < _POLE:  # of signed graphs −λmax may be the eigenvalue
        raise InputError(_singular(beta, graph.lambda_max))


def _singular(beta: float, radius: float) -> str:
    return (
        f"I − βA is singular at β={beta:g} (λmax = {radius:.6g}): 1/β is an eigenvalue of A, or "
        "weights differ beyond double precision. "
        "Use beta below 1/λmax, such as beta='0.5/λmax'"
    )
