"""The designs that are tried: the paper's 7 Ψ × 5 σ, with scales and landmarks that fit the graph."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from phusion.embeddings.characteristic import Characteristic
from phusion.embeddings.svd import SVD
from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.nonlinearities.base import Nonlinearity
from phusion.nonlinearities.binarize import Binarize
from phusion.nonlinearities.identity import Identity
from phusion.nonlinearities.log import Log
from phusion.proximities.adjacency_power import AdjacencyPower
from phusion.proximities.base import Proximity
from phusion.proximities.fabp import Fabp
from phusion.proximities.heat import Heat
from phusion.proximities.katz import Katz
from phusion.proximities.laplacian_pinv import LaplacianPinv
from phusion.proximities.pagerank import Pagerank
from phusion.proximities.ppmi import Ppmi
from phusion.proximities.signed_walk import SignedWalk
from phusion.proximities.walk_power import WalkPower
from phusion.spec import Spec

__all__ = ["KINDS", "Candidate", "candidates_for", "dim_for"]

KINDS = ("positional", "structural")

_PROXIMITIES: dict[str, tuple[Proximity, ...]] = {
    "positional": (
        Ppmi(window=10),
        Heat(scale=0.1),
        Katz(beta="0.5/λmax"),
        Fabp(),
        LaplacianPinv(),
        AdjacencyPower(order=2),
        WalkPower(order=2),
    ),
    "structural": (
        Ppmi(window=10),
        Heat(scale="auto"),
        Katz(beta="auto"),
        Fabp(),
        LaplacianPinv(),
        AdjacencyPower(order="auto"),
        WalkPower(order="auto"),
    ),
}
_FOR_OTHERS: tuple[Proximity, ...] = (Pagerank(), SignedWalk())
"""Tried where a graph is directed or signed, which most of the seven do not take."""

_NONLINEARITIES: tuple[Nonlinearity, ...] = (Identity(), Log(), Binarize(5), Binarize(50), Binarize(95))


@dataclass(frozen=True)
class Candidate:
    """A design that may be recommended."""

    kind: str
    spec: Spec

    @property
    def words(self) -> str:
        """Ψ and σ."""
        return f"{_word(self.spec.proximity)} → {_word(self.spec.nonlinearity)}"


def candidates_for(graph: Graph, kind: str, dim: int = 128) -> list[Candidate]:
    """Those that take the graph."""
    embedding = SVD(dim=dim_for(graph, dim)) if kind == "positional" else Characteristic(upper="auto")
    proximities = _PROXIMITIES[kind] + (_FOR_OTHERS if graph.directed or graph.signed else ())
    found = []
    for proximity, nonlinearity in product(proximities, _NONLINEARITIES):
        try:
            proximity.check(graph)
        except InputError:
            continue
        sigma = nonlinearity.suited(proximity, embedding) if isinstance(nonlinearity, Log) else nonlinearity
        found.append(Candidate(kind, Spec(proximity, sigma, embedding, random_state=0)))
    return found


def dim_for(graph: Graph, dim: int) -> int:
    """No more columns than half the nodes, of which too few would be left to ask for."""
    return max(1, min(dim, len(graph) // 2))


def _word(component: Proximity | Nonlinearity) -> str:
    if isinstance(component, Binarize):
        return f"binarize {component.percentile:g}"
    return component.name
