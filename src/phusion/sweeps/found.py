"""What a ledger knows of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from phusion.errors import InputError
from phusion.experiments.ledger import Ledger
from phusion.spec import Spec
from phusion.sweeps.cells import choice_cell, embedding_cell, screen_cell, test_cell
from phusion.sweeps.designs import Design, label_of
from phusion.sweeps.problem import Problem

__all__ = ["Found", "Honest", "Row", "failed_in", "found_in", "screens_in", "winner_in"]


@dataclass(frozen=True)
class Honest:
    """The score of choosing: mean and spread (one standard deviation) over splits, in percent."""

    score: float
    spread: float
    splits: int

    def __str__(self) -> str:
        return f"{self.score:.2f} ± {self.spread:.2f} over {self.splits} splits"


@dataclass(frozen=True)
class Row:
    """One design in the leaderboard.

    Parameters
    ----------
    screening : mean score of the inner folds of all examples by the first step of the classifier; all designs have it.
    racing : mean score of inner folds of all examples by the classifier, of designs in the last race.
    folds : how many inner folds these are; the race went on without designs that have fewer than the winner.
    wins : splits in which it was chosen.
    seconds : its share of the time that embeddings took.
    """

    design: Design
    screening: float
    racing: float | None
    folds: int
    wins: int
    seconds: float


@dataclass(frozen=True)
class Found:
    """All that a finished sweep has found.

    Parameters
    ----------
    rows : the leaderboard, best first: designs of the last race, then all others by their screening.
    tests : all metrics of the chosen designs, for each split.
    naive : all metrics of the last choice on the same splits, which it has seen.
    failed : designs that could not be computed, with the reason.
    """

    winner: Design
    rows: tuple[Row, ...]
    tests: tuple[Mapping[str, float], ...]
    naive: tuple[Mapping[str, float], ...]
    failed: Mapping[str, str]

    def honest(self, metric: str) -> Honest:
        """Of the choice."""
        return _honest([test[metric] for test in self.tests])

    def optimistic(self, metric: str) -> Honest:
        """Of the last choice, as if it had been made beforehand."""
        return _honest([test[metric] for test in self.naive])

    def optimism(self, metric: str) -> float:
        """How much the second is above the first."""
        return self.optimistic(metric).score - self.honest(metric).score


def screens_in(problem: Problem, designs: Sequence[Design], ledger: Ledger) -> dict[str, dict[Any, list[float]]]:
    """Scores of inner folds by design and part, of those designs that are screened in all parts."""
    found: dict[str, dict[Any, list[float]]] = {}
    for design, results in _screens(problem, designs, ledger):
        if all(one is not None and one.error is None for one in results.values()):
            found[design.key] = {
                (part.seed, part.split): results[None if part.whole else part.seed].result[max(part.split, 0)]
                for part in problem.parts
            }
    return found


def winner_in(problem: Problem, designs: Sequence[Design], ledger: Ledger) -> Design:
    """The design chosen on all examples."""
    cell = choice_cell(problem, designs, problem.parts[-1])
    result = ledger.done([cell.key])[cell.key].result
    return _named(problem, designs, result)[result["winner"]]


def found_in(problem: Problem, designs: Sequence[Design], ledger: Ledger) -> Found:
    """Of a sweep that is finished."""
    keys = [choice_cell(problem, designs, part).key for part in problem.parts]
    done = ledger.done(keys)
    choices = [done[key].result for key in keys]
    winner = winner_in(problem, designs, ledger)
    cells = [test_cell(problem, winner.spec, seed) for seed in problem.rule.seeds]
    tests = ledger.done(cell.key for cell in cells)
    naive = [one for cell in cells for one in tests[cell.key].result]
    return Found(
        winner,
        tuple(_rows(problem, designs, ledger, choices)),
        tuple(choice["test"] for choice in choices[:-1]),
        tuple(naive),
        failed_in(problem, designs, ledger),
    )


def _rows(problem: Problem, designs: Sequence[Design], ledger: Ledger, choices: Sequence[Any]) -> list[Row]:
    wins = Counter(choice["winner"] for choice in choices[:-1])
    last = {key: fmean(scores) for key, scores in choices[-1]["raced"].items()}
    folds = {key: len(scores) for key, scores in choices[-1]["raced"].items()}
    screens = {
        key: fmean(each[problem.rule.seeds[0], -1]) for key, each in screens_in(problem, designs, ledger).items()
    }
    everyone = {design.key: design for design in designs}
    for choice in choices:
        everyone |= _named(problem, designs, choice)
        if choice is choices[-1]:
            screens |= {key: fmean(scores) for key, (_, scores) in choice["proposed"].items()}
    times = {key: embedding_cell(problem, design.spec).key for key, design in everyone.items() if key in screens}
    seconds = ledger.recorded(times.values())
    rows = [
        Row(everyone[key], screens[key], last.get(key), folds.get(key, 0), wins[key], seconds.get(time, 0.0))
        for key, time in times.items()
    ]
    return sorted(rows, key=lambda row: (-row.folds, -(row.racing or 0.0), -row.screening))


def _named(problem: Problem, designs: Sequence[Design], choice: Mapping[str, Any]) -> dict[str, Design]:
    """Designs by key, those that were proposed too."""
    proposed = [Spec.from_dict(spec) for spec, _ in choice["proposed"].values()]
    return {each.key: each for each in (*(Design(label_of(spec), spec) for spec in proposed), *designs)}


def _screens(problem: Problem, designs: Sequence[Design], ledger: Ledger) -> list[tuple[Design, dict[Any, Any]]]:
    seeds = (*problem.rule.seeds, None)
    cells = {design.key: {seed: screen_cell(problem, design.spec, seed).key for seed in seeds} for design in designs}
    done = ledger.done(key for each in cells.values() for key in each.values())
    return [(design, {seed: done.get(key) for seed, key in cells[design.key].items()}) for design in designs]


def failed_in(problem: Problem, designs: Sequence[Design], ledger: Ledger) -> dict[str, str]:
    """Designs that could not be computed, with the reason."""
    found = {}
    for design, results in _screens(problem, designs, ledger):
        for one in results.values():
            if one is not None and one.error is not None:
                found[design.label] = one.error
    return found


def _honest(scores: Sequence[float]) -> Honest:
    if not scores:
        raise InputError("no split is computed")
    return Honest(fmean(scores), stdev(scores) if len(scores) > 1 else 0.0, len(scores))
