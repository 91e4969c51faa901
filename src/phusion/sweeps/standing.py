"""`Standing`: how far a sweep is, and who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from phusion.experiments.ledger import Ledger
from phusion.sweeps.cells import choice_cell, screen_cell
from phusion.sweeps.designs import Design
from phusion.sweeps.problem import Problem

__all__ = ["Leader", "Standing", "standing_in"]


@dataclass(frozen=True)
class Leader:
    """A design that is screened, its mean score over inner folds, and in how many splits it was chosen."""

    label: str
    screening: float
    wins: int


@dataclass(frozen=True)
class Standing:
    """What is done, and what is known so far.

    Parameters
    ----------
    what : what is under way.
    screened, designs : designs that are screened, of all.
    chosen, splits : splits that have chosen, of all.
    leaders : the best designs so far, best first.
    honest : mean test score of the splits that have chosen; None while none has.
    remaining : seconds that are left, about; None while nothing is known.
    """

    what: str
    screened: int
    designs: int
    chosen: int
    splits: int
    leaders: tuple[Leader, ...]
    honest: float | None
    remaining: float | None


def standing_in(
    problem: Problem, designs: Sequence[Design], ledger: Ledger, what: str, elapsed: float, begun: tuple[int, int]
) -> Standing:
    """From the ledger; `begun` are designs and splits that were done before, `elapsed` the seconds since then."""
    cells = {design.key: screen_cell(problem, design.spec, None).key for design in designs}
    done = ledger.done(cells.values())
    choices = {choice_cell(problem, designs, part).key for part in problem.parts if not part.whole}
    chosen = [one.result for one in ledger.done(choices).values()]
    wins = Counter(one["winner"] for one in chosen)
    leaders = [
        Leader(design.label, fmean(done[cells[design.key]].result[0]), wins[design.key])
        for design in designs
        if cells[design.key] in done and done[cells[design.key]].error is None
    ]
    leaders.sort(key=lambda one: (-one.wins, -one.screening))
    honest = fmean(one["test"][problem.rule.metric] for one in chosen) if chosen else None
    remaining = _remaining(len(done), len(designs), len(chosen), len(choices), elapsed, begun)
    return Standing(what, len(done), len(designs), len(chosen), len(choices), tuple(leaders), honest, remaining)


def _remaining(
    screened: int, designs: int, chosen: int, splits: int, elapsed: float, begun: tuple[int, int]
) -> float | None:
    """As long as the rest takes at the pace so far; screening all is taken for as long as all choices."""
    share = 0.5 * screened / designs + 0.5 * chosen / splits
    before = 0.5 * begun[0] / designs + 0.5 * begun[1] / splits
    return elapsed * (1.0 - share) / (share - before) if share - before > 0.02 else None
