"""Why a design is recommended, in sentences; and all designs as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phusion.advice.candidates import Candidate
from phusion.advice.measures import Measures

__all__ = ["reasons_for", "table_of"]

_WHAT = {
    "structural": "the quarter of degree, neighbours' degree, core number and clustering a node is in",
    "positional": "made-up classes that neighbours mostly share",
}


def reasons_for(kind: str, order: Sequence[tuple[Candidate, Measures]]) -> list[str]:
    """Sentences about the first of these, beside the others."""
    candidate, best = order[0]
    told = [measures.told for _, measures in order]
    parts = ", ".join(f"{name} {value:.0f} %" for name, value in best.parts.items())
    reasons = [
        f"From its rows a linear model finds {best.told:.1f} % of {_WHAT[kind]} ({parts}): the median of {len(order)} "
        f"designs is {np.median(told):.1f} %, the worst {min(told):.1f} %."
    ]
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
        f"Stability {best.stability:.2f} when a tenth of the edges is taken away "
        f"(1 is unchanged; {stable} of {len(order)} designs are more stable)."
    )
    reasons.append(_shape(candidate, best))
    return reasons


def _shape(candidate: Candidate, best: Measures) -> str:
    names = {"sum": "sums", "variance": "variances", "entropy": "entropies"}
    bells = [names[name] for name, value in best.bells.items() if value > 0]
    tails = [names[name] for name, value in best.bells.items() if value < 0]
    words = [
        f"{', '.join(some)} are {what}" for some, what in ((bells, "bell-shaped"), (tails, "heavy-tailed")) if some
    ]
    rows = f"Of the rows of its matrix, {' and '.join(words)}; " if words else ""
    return f"{rows}effective rank of the embedding: {best.rank:.0f}."


def table_of(order: Sequence[tuple[Candidate, Measures]]) -> list[dict[str, Any]]:
    """A row for each design."""
    return [
        {
            "design": candidate.words,
            "told": measures.told,
            "parts": measures.parts,
            "stability": measures.stability,
            "effective_rank": measures.rank,
            "bell_over_tail": measures.bells,
        }
        for candidate, measures in order
    ]
