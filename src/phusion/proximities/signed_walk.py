"""Signed random walk with restart."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.solve import solve
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.series import Geometric, SeriesStream
from phusion.linalg.streams.signed_walk import SignedWalkStream
from phusion.parameter import Bounds
from phusion.proximities.base import Kinds, Proximity
from phusion.proximities.matrix import Size

__all__ = ["SignedWalk"]

Share = Annotated[float, Bounds(gt=0, lt=1)]
Attenuation = Annotated[float, Bounds(ge=0, le=1)]


class SignedWalk(Proximity, name="signed_walk", scale="restart", symbol="c"):
    r"""Where a surfer is found who changes sign on negative edges; trust minus distrust.

    .. math:: r_+ = (1-c)\big(\tilde A_+^\top r_+ + \beta \tilde A_-^\top r_-
       + (1-\gamma) \tilde A_+^\top r_-\big) + c q, \quad
       r_- = (1-c)\big(\tilde A_-^\top r_+ + \gamma \tilde A_+^\top r_- + (1-\beta) \tilde A_-^\top r_-\big)

    Row i of S is r₊ − r₋ with the restart q at node i (or one of the two). Ã₊ and Ã₋ are the positive and negative
    parts of A with rows divided by Σ|A_ij|. The plain form ignores who is whose enemy: S = c (I − (1 − c) Ã)⁻¹.

    Parameters
    ----------
    restart : probability c to return home at each step; several give one block of features each.
        ``"auto"``: 0.5, 0.15 and 0.05.
    beta : belief that an enemy of my enemy is my friend, β.
    gamma : belief that a friend of my enemy is my enemy, γ.
    score : ``"net"`` for r₊ − r₋, ``"positive"`` for r₊, ``"negative"`` for r₋.
    form : ``"srwr"`` as above, or ``"plain"``, which sRDE uses (score must be ``"net"``).

    References
    ----------
    Jung et al., *Personalized Ranking in Signed Networks using Signed Random Walk with Restart*, ICDM 2016.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.SignedWalk(restart=0.5).dense(phusion.as_graph([("a", "b", -1)])).round(4)
    array([[ 0.4889, -0.2889],
           [-0.2889,  0.4889]])
    """

    restart: Share | tuple[Share, ...] | Literal["auto"] = 0.15
    beta: Attenuation = 0.5
    gamma: Attenuation = 0.9
    score: Literal["net", "positive", "negative"] = "net"
    form: Literal["srwr", "plain"] = "srwr"

    usual = (0.5, 0.15, 0.05)
    cancels = True
    copies = 12
    kinds = Kinds(
        directed="walks follow the arcs and end at nodes without any",
        signed="what it is made for; without negative edges r₋ is 0",
        isolated="c on the diagonal",
    )

    def check_parameters(self) -> None:
        """The plain form has one score."""
        if self.form == "plain" and self.score != "net":
            raise InputError(f"SignedWalk(form='plain') has only score='net'; got score={self.score!r}")

    def dense(self, graph: Graph) -> Array:
        """S at one c."""
        c = float(self.restart)  # type: ignore[arg-type]
        home = np.eye(len(graph))
        step = graph.transition.toarray()
        if self.form == "plain":
            return solve(home - (1.0 - c) * step, c * home)[0]  # type: ignore[no-any-return]
        friends, foes = np.maximum(step, 0.0).T, np.maximum(-step, 0.0).T
        # adding both equations, r₊ + r₋ is the walk without signs; what is left is one system for r₋
        both, _ = solve(home - (1.0 - c) * (friends + foes), c * home)
        negative, _ = solve(home - (1.0 - c) * (self.gamma * friends - self.beta * foes), (1.0 - c) * (foes @ both))
        found = {"net": both - 2.0 * negative, "positive": both - negative, "negative": negative}
        return np.ascontiguousarray(found[self.score].T)

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream:
        """Series over walks, always in double precision."""
        restarts = [float(one.restart) for one in self.at_each_scale()]  # type: ignore[arg-type]
        step = graph.transition
        if self.form == "plain":
            shares = np.array(restarts)
            return SeriesStream(Sparse.of(step.T if transposed else step), Geometric(1.0 - shares, shares))
        friends, foes = step.maximum(0.0), (-step).maximum(0.0)
        steps = (friends + foes, self.gamma * friends - self.beta * foes, foes)
        both, mixed, hostile = (Sparse.of(each.T if transposed else each) for each in steps)
        return SignedWalkStream(both, mixed, hostile, tuple(restarts), self.score, outward=transposed)

    def noise(self, graph: Graph, size: Size) -> float:
        """Grows as the restart gets rare."""
        return super().noise(graph, size) / float(self.restart)  # type: ignore[arg-type]
