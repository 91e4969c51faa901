"""Why a design is recommended, in sentences; and all designs as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phusion.advice.candidates import Candidate
from phusion.advice.measures import Measures
from phusion.experiments.tasks import shape_of
from phusion.graph.graph import Graph

__all__ = ["FEW", "FRAGILE", "STEADY", "degrees_of", "headline", "reasons_for", "table_of", "told_small"]

FEW = 30
"""Nodes below which shapes are not told, and designs hardly: a class of a tenth of them has one or two."""

FRAGILE, STEADY = 0.2, 0.5
"""Stability below which a design is not stable, and above which it is."""

_MARGIN = 0.5  # points by which a design must be better than guessing
_HEAVY = 5  # times the median number of neighbours, which the largest reaches where a tail is heavy

_WHAT = {
    "structural": "the quarter of degree, neighbours' degree, core number and clustering a node is in",
    "positional": "made-up classes that neighbours mostly share",
}


def reasons_for(kind: str, order: Sequence[tuple[Candidate, Measures]], n_nodes: int = FEW) -> list[str]:
    """Sentences about the first of these, beside the others, as measured on so many nodes."""
    best = order[0][1]
    told = [measures.told for _, measures in order]
    parts = ", ".join(f"{name} {value:.0f} %" for name, value in best.parts.items())
    reasons = [
        f"From its rows a linear model finds {best.told:.1f} % of {_WHAT[kind]} ({parts}). Guessing finds "
        f"{best.guessed:.1f} %; the median of {len(order)} designs is {np.median(told):.1f} %, the worst "
        f"{min(told):.1f} %."
    ]
    if max(told) <= best.guessed + _MARGIN:
        reasons.append("That is no better than guessing: nothing here speaks for this design, or for any other.")
    if len(order) > 1:
        rival, its = max(order[1:], key=lambda one: one[1].told)
        if its.told > best.told:
            reasons.append(
                f"{rival.words} tells {its.told - best.told:.1f} points more, but is less stable: "
                f"{its.stability:.2f} against {best.stability:.2f}."
            )
        else:
            reasons.append(f"Next is {rival.words} with {its.told:.1f} %.")
    stable = sum(measures.stability > best.stability for _, measures in order)
    reasons.append(
        f"Stability {best.stability:.2f} when a tenth of the edges is taken away, {best.under_noise:.2f} when as many "
        f"random ones are added (1 is unchanged; {stable} of {len(order)} designs are more stable to the first)."
    )
    reasons += _fragile(order)
    reasons.append(_shape(best, n_nodes))
    return reasons


def headline(kind: str, order: Sequence[tuple[Candidate, Measures]]) -> str:
    """The design that is recommended; where it is not stable, that, and which one is, as nobody reads all reasons."""
    first, best = order[0]
    if best.stability >= FRAGILE:
        return f"{kind}: {first.words}"
    instead = _steady(order)
    if instead is None:
        return f"{kind}: {first.words}, which is not stable; nor is any that tells more than guessing"
    return (
        f"{kind}: {first.words}, which is not stable; {instead[0].words} is, and tells {instead[1].told:.1f} % in "
        f"place of {best.told:.1f} %"
    )


def _steady(order: Sequence[tuple[Candidate, Measures]]) -> tuple[Candidate, Measures] | None:
    """Of the stable designs after the first the one that tells most."""
    steady = [one for one in order[1:] if one[1].stability > STEADY and one[1].told > one[1].guessed]
    return max(steady, key=lambda one: one[1].told, default=None)


def _fragile(order: Sequence[tuple[Candidate, Measures]]) -> list[str]:
    """What to take instead, where the first would change with a few edges."""
    if order[0][1].stability >= FRAGILE:
        return []
    instead = _steady(order)
    words = "Rows move as far as they are apart: compare them within this graph, not with other versions of it."
    if instead is not None:
        words += (
            f" If edges are uncertain, take {instead[0].words}: {instead[1].told:.1f} %, stability "
            f"{instead[1].stability:.2f}."
        )
    return [words]


def degrees_of(graph: Graph) -> str:
    """How many neighbours nodes have, in words."""
    counts = np.diff(graph.adjacency.indptr)
    shape = shape_of(counts.astype(np.float64))["bell_over_tail"] if counts.any() else 0.0
    heavy = shape < 0 and counts.max() >= _HEAVY * max(1.0, float(np.median(counts)))
    words = "; a heavy tail: some have very many" if heavy else "; a bell shape" if shape > 0 else ""
    words = words if len(counts) >= FEW else ""
    alone = int((counts == 0).sum())
    return (
        f"nodes have {counts.min():,} to {counts.max():,} neighbours, {np.median(counts):,.0f} in the median and "
        f"{counts.mean():,.1f} on average{words}{f'; {alone:,} have none' if alone else ''}"
    )


def told_small(graph: Graph, dim: int) -> str:
    """That a graph is too small to tell, and what to begin with instead; `dim` is a number of columns that it has."""
    near = "hope" if graph.directed or graph.signed else "netmf"
    alike = "srde" if graph.signed else "pagerank with characteristic" if graph.directed else "graphwave"
    return (
        f"{len(graph)} nodes are too few to tell which design is best: percentages rest on a handful of nodes, and "
        f"another seed gives others. Begin with {near} (dim={dim}) for places and {alike} for roles, and "
        "look at both with phusion explore; advice begins to tell something at some 30 nodes"
    )


def _shape(best: Measures, n_nodes: int) -> str:
    names = {"sum": "sums", "variance": "variances", "entropy": "entropies"}
    bells = [names[name] for name, value in best.bells.items() if value > 0]
    tails = [names[name] for name, value in best.bells.items() if value < 0]
    words = [
        f"{', '.join(some)} are {what}" for some, what in ((bells, "bell-shaped"), (tails, "heavy-tailed")) if some
    ]
    rank = f"ffective rank of the embedding: {best.rank:.0f}."
    return f"Of the rows of its matrix, {' and '.join(words)}; e{rank}" if words and n_nodes >= FEW else f"E{rank}"


def table_of(order: Sequence[tuple[Candidate, Measures]]) -> list[dict[str, Any]]:
    """A row for each design."""
    return [
        {
            "design": candidate.words,
            "told": measures.told,
            "parts": measures.parts,
            "guessed": measures.guessed,
            "stability": measures.stability,
            "under_noise": measures.under_noise,
            "effective_rank": measures.rank,
            "bell_over_tail": measures.bells,
        }
        for candidate, measures in order
    ]
