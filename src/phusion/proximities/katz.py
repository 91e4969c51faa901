"""Katz's index; the seed paper calls it PPR."""

from __future__ import annotations

import warnings
from typing import Annotated

import numpy as np

from phusion.errors import InputError, MethodWarning
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.solve import solve
from phusion.parameter import Bounds, Positive
from phusion.proximities.base import Kinds, Proximity

__all__ = ["Katz"]

Relative = Annotated[
    str,
    Bounds(pattern=r"^[0-9.]+(e-?[0-9]+)?/(λmax|lambda_max)$", words="relative, like '0.5/λmax'"),
]


class Katz(Proximity, name="katz", scale="beta", symbol="b"):
    r"""Every walk counts, longer walks count less.

    .. math:: S = (I - \beta A)^{-1} \beta A

    It is the sum of (βA)^k over all k ≥ 1 where βλmax < 1. Beyond that it is still defined, and computed with a
    warning, but is not that sum and has negative entries.

    Parameters
    ----------
    beta : decay per step, β > 0, or relative to the largest eigenvalue, as ``"0.5/λmax"`` (``"0.5/lambda_max"``);
        several give one block of features each.

    References
    ----------
    Katz (1953). PhUSION, section 4.1, calls it PPR, after Ou et al., *Asymmetric Transitivity Preserving Graph
    Embedding* (HOPE), KDD 2016, eq. 5.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.Katz(beta=0.5).dense(phusion.as_graph([("a", "b")])).round(4)
    array([[0.3333, 0.6667],
           [0.6667, 0.3333]])
    """

    beta: Positive | Relative | tuple[Positive | Relative, ...] = 0.01

    symmetric = True
    kinds = Kinds(
        directed="walks follow the arcs: S_ij counts walks from i to j",
        signed="signs multiply along a walk",
    )

    def number(self, graph: Graph) -> float:
        """Decay β on this graph."""
        if not isinstance(self.beta, str):
            return self.beta  # type: ignore[return-value]
        share = float(self.beta.partition("/")[0])
        if graph.lambda_max == 0.0 and graph.volume:
            raise InputError(f"beta={self.beta!r}: λmax is 0, as this graph has no cycles; give beta as a number")
        return share / graph.lambda_max if graph.lambda_max > 0 else share

    def dense(self, graph: Graph) -> Array:
        """S at one β."""
        beta = self.number(graph)
        adjacency = graph.adjacency.toarray()
        values, condition = solve(np.eye(len(graph)) - beta * adjacency, beta * adjacency)
        if condition == 0.0:
            raise InputError(
                f"I − βA is singular at β={beta:g}: 1/β is an eigenvalue of A (λmax = {graph.lambda_max:.6g}). "
                f"Use beta below {1 / graph.lambda_max:.3g}, or relative to it, such as beta='0.5/λmax'"
            )
        if beta * graph.lambda_max >= 1:
            warnings.warn(
                f"Katz with βλmax = {beta * graph.lambda_max:.3g} ≥ 1 is solved exactly, but is not a sum over walks; "
                f"for one use beta below 1/λmax = {1 / graph.lambda_max:.3g}, such as beta='0.5/λmax'",
                MethodWarning,
                stacklevel=2,
            )
        return values  # type: ignore[no-any-return]

    def noise(self, graph: Graph, values: Array) -> float:
        """None where the system is diagonally dominant, so that elimination only ever adds; else by its condition."""
        beta = self.number(graph)
        if beta * float(graph.in_degrees.max()) < 1 and not graph.signed:
            return 0.0
        inverse = np.abs(values + np.eye(len(graph))).sum(axis=0).max()  # (I − βA)⁻¹ = I + S
        condition = float(inverse) * (1.0 + beta * float(graph.in_degrees.max()))
        return 16 * float(np.finfo(np.float64).eps) * condition * float(np.abs(values).max())
