"""Saying on the command line what graph with planted roles is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from phusion.graph.graph import Graph

__all__ = ["Planted"]


@Parameter(name="*")
@dataclass
class Planted:
    """A graph with planted roles, where no GRAPH is given."""

    shape: Literal["house", "open_house", "fan", "star", "clique", "cycle"] = "house"
    """What is planted."""
    count: int = 5
    """How many copies."""
    base: Literal["cycle", "chain", "torus"] = "cycle"
    """On what."""
    length: int = 30
    """Nodes of the base; of a torus, its side."""
    size: int | None = None
    """Nodes of the shape, where it has a choice."""
    noise: int = 0
    """Random edges to add."""

    def graph(self, seed: int) -> Graph:
        """The graph; the seed is that of its noise."""
        from phusion.datasets.generated import planted

        return planted(**vars(self), seed=seed)
