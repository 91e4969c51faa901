"""What a component may refuse, and whether it is so: every refusal gives a reason, which a graph must bear out.

Kinds of graphs are those a proximity declares. All else is about numbers: weights that doubles cannot hold together
with what a formula makes of them. An ordinary graph of a kind that is taken has none of these, so it is not refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from phusion.graph.graph import Graph

__all__ = ["unfounded"]


def unfounded(component: Any, graph: Graph, words: str) -> bool:
    """Whether this graph gives no reason for these words."""
    return not any(
        found and holds(component, graph, found) for pattern, holds in _REASONS.items()
        if (found := re.search(pattern, words))
    )  # fmt: skip


def _is_of_kind(component: Any, graph: Graph, found: re.Match[str]) -> bool:
    kind = found[1]
    declared = component.kinds.refused() if hasattr(component, "kinds") else {"signed"}
    return kind in declared and bool(getattr(graph, kind))


def _weights(holds: Callable[[float, float], bool]) -> Callable[..., bool]:
    """A reason that depends on the smallest and the largest magnitude of a weight."""

    def of_graph(component: Any, graph: Graph, found: re.Match[str]) -> bool:
        weights = np.abs(graph.adjacency.data)
        return weights.size > 0 and holds(float(weights.min()), float(weights.max()))

    return of_graph


def _no_cycles(component: Any, graph: Graph, found: re.Match[str]) -> bool:
    steps = (graph.adjacency.toarray() != 0).astype(np.float64)
    return not np.linalg.matrix_power(steps, len(graph)).any()


_REASONS: dict[str, Callable[[Any, Graph, re.Match[str]], bool]] = {
    r"does not take (directed|signed) graphs": _is_of_kind,
    r"below .* doubles lose their digits": _weights(lambda low, high: low < 2.3e-308),
    r"they differ by more than 1e\+300": _weights(lambda low, high: high / 1e300 > low),
    # cubes are the highest powers here, and fourth powers of degrees in FaBP's heuristic
    r"overflows on (this graph|weights this large|one of these)": _weights(lambda low, high: high > 1e70),
    r"below what doubles can tell from 0": _weights(lambda low, high: high < 1e-90),
    r"has no value on weights this small": _weights(lambda low, high: high < 1e-70),
    r"is too much for this graph's combinatorial Laplacian": _weights(lambda low, high: high > 5e3),
    r"with weight 1, nothing beside weights above 1e\+30": _weights(lambda low, high: high > 1e28),
    r"hang together by (weights|far too little)": _weights(lambda low, high: high > 1e7 * low),
    r"beyond double precision where degrees are": _weights(lambda low, high: high > 1e13 * low),
    r"is singular": _weights(lambda low, high: high > 1e12 * min(low, 1.0)),  # 1 is nothing beside such weights
    r"no cycles": _no_cycles,
    r"has no edges|edges between nodes have": lambda component, graph, found: graph.n_edges == graph.n_self_loops,
    r"the graph has negative weights": lambda component, graph, found: graph.signed,
    r"rank=(\d+) eigenpairs need as many nodes": lambda component, graph, found: int(found[1]) > len(graph),
    # squares of distances
    r"rows of nodes are as large as (\S+)\. ": lambda component, graph, found: float(found[1]) > 1e150,
}
