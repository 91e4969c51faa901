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

Found = re.Match[str]


def unfounded(component: Any, graph: Graph, words: str) -> bool:
    """Whether this graph gives no reason for these words."""
    reasons = ((holds, re.search(pattern, words)) for pattern, holds in _REASONS.items())
    return not any(found and holds(component, graph, found) for holds, found in reasons)


def _of_kind(component: Any, graph: Graph, found: Found) -> bool:
    declared = component.kinds.refused() if hasattr(component, "kinds") else {"signed"}
    return found[1] in declared and bool(getattr(graph, found[1]))


def _heavy(limit: float) -> Callable[..., bool]:
    """Some weight is above."""
    return lambda _, graph, __: graph.weight_range[1] > limit


def _light(limit: float) -> Callable[..., bool]:
    """All weights are below."""
    return lambda _, graph, __: graph.weight_range[1] < limit


def _faint(component: Any, graph: Graph, found: Found) -> bool:
    return graph.weight_range[0] < np.finfo(np.float64).tiny


def _apart(limit: float) -> Callable[..., bool]:
    """The largest weight is so many times the smallest."""
    return lambda _, graph, __: graph.weight_range[1] / limit > graph.weight_range[0]


def _beyond_1(component: Any, graph: Graph, found: Found) -> bool:
    """1, which is added to the diagonal, is nothing beside some weight, or that beside another."""
    low, high = graph.weight_range
    return high > 1e12 * min(low, 1.0)


def _no_cycles(component: Any, graph: Graph, found: Found) -> bool:
    steps = (graph.adjacency.toarray() != 0).astype(np.float64)
    return not np.linalg.matrix_power(steps, len(graph)).any()


def _no_edges(component: Any, graph: Graph, found: Found) -> bool:
    return graph.n_edges == graph.n_self_loops


def _signed(component: Any, graph: Graph, found: Found) -> bool:
    return bool(graph.signed)


def _few_nodes(component: Any, graph: Graph, found: Found) -> bool:
    return int(found[1]) > len(graph)


def _large_rows(component: Any, graph: Graph, found: Found) -> bool:
    return float(found[1]) > 1e150


_REASONS: dict[str, Callable[[Any, Graph, Found], bool]] = {
    r"does not take (directed|signed) graphs": _of_kind,
    r"below .* doubles lose their digits": _faint,
    r"they differ by more than 1e\+300": _apart(1e300),
    # cubes are the highest powers here
    r"overflows on (this graph|weights this large|one of these)": _heavy(1e70),
    r"svd overflows: squares": _heavy(1e50),
    r"below what doubles can tell from 0": _light(1e-90),
    r"is too much for this graph's combinatorial Laplacian": _heavy(5e3),
    r"with weight 1, nothing beside weights above 1e\+30": _heavy(1e28),
    r"hang together by (weights|far too little)": _apart(1e7),
    r"beyond double precision where degrees are": _apart(1e13),
    r"is singular": _beyond_1,
    r"has no cycles": _no_cycles,
    r"has no edges|edges between nodes have": _no_edges,
    r"has negative weights": _signed,
    r"rank=(\d+) eigenpairs need as many nodes": _few_nodes,
    r"rows of nodes are as large as (\S+)\. ": _large_rows,  # squares of distances
}
