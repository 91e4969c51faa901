"""What figures are given: a graph in any form, perhaps with labels; and what became of the run behind a figure."""

from __future__ import annotations

import warnings
from typing import Any

from phusion.errors import InputError, MethodWarning, callers_level
from phusion.experiments.own import Grid
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph
from phusion.inputs import one_graph
from phusion.shortcuts import loaded

__all__ = ["check_seed", "graph_given", "problems", "tell"]


def graph_given(graph: Any, labels: Any = None) -> Graph:
    """The graph to draw, with these labels instead of its own if some are given."""
    found = one_graph(loaded(graph))
    if len(found) == 0:
        raise InputError("the graph has no nodes, so there is nothing to draw")
    return found if labels is None else as_graph(found, labels=labels)


def check_seed(seed: Any) -> None:
    """Refuse what is no seed."""
    if type(seed) is not int or seed < 0:
        raise InputError(f"seed is a whole number ≥ 0; got {seed!r}")


def problems(grid: Grid) -> list[str]:
    """What of the 35 designs is not drawn, and why; and what was warned of."""
    found = [f"{label} is left out: {reason}" for label, reason in grid.refused.items()]
    found += [f"{label} failed: {error}" for label, error in grid.outcome.failed.items()]
    return found + [f"{where}: {message}" for message, where in grid.outcome.warned.items()]


def tell(grid: Grid) -> None:
    """Warn of all that."""
    for words in problems(grid):
        warnings.warn(words, MethodWarning, stacklevel=callers_level())
