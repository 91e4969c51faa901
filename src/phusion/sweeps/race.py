"""Choosing one design within a part: all are screened, the best are raced fold by fold, the better half goes on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from phusion.sweeps.rule import Rule

__all__ = ["Asked", "Race", "Raced", "passed", "race", "raced"]

Asked = tuple[str, int]
"""A design and an inner fold."""


@dataclass(frozen=True)
class Raced:
    """Who won, and the scores of the inner folds that each design in the race has seen."""

    winner: str
    scores: Mapping[str, Sequence[float]]


Race = Generator[list[Asked], Iterable[float], Raced]


def passed(screened: Mapping[str, Sequence[float]], keep: int) -> list[str]:
    """The designs with the best mean of their screening scores, best first; equal ones in the order they came in."""
    return sorted(screened, key=lambda one: -fmean(screened[one]))[:keep]


def race(order: Sequence[str], rule: Rule) -> Race:
    """Successive halving: each rung has more folds and half as many designs.

    It asks for the scores of some (design, inner fold), is sent them, asks again, and ends with who won. Equal means
    are decided by the order of screening.
    """
    left = list(order)
    scores: dict[str, list[float]] = {one: [] for one in order}
    for rung in rule.rungs:
        asked = [(one, fold) for one in left for fold in rung]
        for (one, _), score in zip(asked, (yield asked), strict=True):
            scores[one].append(score)
        left = sorted(left, key=lambda one: -fmean(scores[one]))
        left = left[: -(-len(left) // 2)] if rung != rule.rungs[-1] else left
    return Raced(left[0], scores)


def raced(
    races: Sequence[Race], judge: Callable[[Sequence[Sequence[Asked]]], Sequence[Iterable[float]]]
) -> list[Raced]:
    """Races side by side, none of which knows of another; `judge` has what each of them asks, and gives the scores."""
    asked = {k: next(each) for k, each in enumerate(races)}
    found: dict[int, Raced] = {}
    while asked:
        scores = judge([asked.get(k, []) for k in range(len(races))])
        for k in list(asked):
            try:
                asked[k] = races[k].send(scores[k])
            except StopIteration as end:
                found[k] = end.value
                del asked[k]
    return [found[k] for k in range(len(races))]
