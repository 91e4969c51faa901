"""Choosing one design within a part: all are screened, the best are raced fold by fold, the better half goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from phusion.sweeps.rule import Rule

__all__ = ["Raced", "passed", "raced"]


@dataclass(frozen=True)
class Raced:
    """Who won, and the scores of the inner folds that each design in the race has seen."""

    winner: str
    scores: Mapping[str, Sequence[float]]


def passed(screened: Mapping[str, Sequence[float]], keep: int) -> list[str]:
    """The designs with the best mean of their screening scores, best first; equal ones in the order they came in."""
    return sorted(screened, key=lambda one: -fmean(screened[one]))[:keep]


def raced(order: Sequence[str], rule: Rule, judge: Callable[[Sequence[tuple[str, int]]], Iterable[float]]) -> Raced:
    """Successive halving: each rung has more folds and half as many designs.

    `judge` gives the score of each (design, inner fold). Equal means are decided by the order of screening.
    """
    left = list(order)
    scores: dict[str, list[float]] = {one: [] for one in order}
    for rung in rule.rungs:
        asked = [(one, fold) for one in left for fold in rung]
        for (one, _), score in zip(asked, judge(asked), strict=True):
            scores[one].append(score)
        left = sorted(left, key=lambda one: -fmean(scores[one]))
        left = left[: -(-len(left) // 2)] if rung != rule.rungs[-1] else left
    return Raced(left[0], scores)
