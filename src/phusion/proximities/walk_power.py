"""Powers of the random-walk matrix."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from scipy import sparse

from phusion.graph.frozen import divided
from phusion.graph.graph import Graph
from phusion.parameter import Bounds, Steps, StepsEach
from phusion.proximities.base import Kinds, No
from phusion.proximities.powers import PowerProximity

__all__ = ["WalkPower"]


class WalkPower(PowerProximity, name="walk_power", scale="order", symbol="k"):
    r"""The probability to be at a node after k random steps.

    .. math:: S = R^k, \quad R = D^{-1} A

    Row i is the distribution of walks from node i; structural embedding functions look at columns.

    Parameters
    ----------
    order : number k of steps; several give one block of features each. ``"auto"``: 1, 2 and 3.
    loops : weight of a self-loop added to every node first, so that walks may stay; RetGK uses 1.

    References
    ----------
    PhUSION, section 4.1; Zhang et al., *RetGK*, NeurIPS 2018.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.WalkPower(order=2).dense(phusion.as_graph([("a", "b"), ("b", "c")]))
    array([[0.5, 0. , 0.5],
           [0. , 1. , 0. ],
           [0.5, 0. , 0.5]])
    """

    order: Steps | StepsEach | Literal["auto"] = 2
    loops: Annotated[float, Bounds(ge=0)] = 0.0

    usual = (1, 2, 3)
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any",
        signed=No("walks need non-negative weights"),
        isolated="zero row and column; 1 on the diagonal with loops > 0",
    )

    def step(self, graph: Graph) -> Any:
        """R, of A + loops · I."""
        if not self.loops:
            return graph.transition
        matrix = (graph.adjacency + self.loops * sparse.eye_array(len(graph))).tocsr()
        return divided(matrix, rows=np.asarray(matrix.sum(axis=1)).ravel())
