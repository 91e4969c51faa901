"""What is left out of a sweep that would take too long, and why, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from phusion.execution.explain import time_in_words
from phusion.execution.resources import Resources
from phusion.sweeps.designs import Design
from phusion.sweeps.nodes import NodeProblem
from phusion.sweeps.problem import Problem
from phusion.sweeps.rule import Rule

__all__ = ["Sample", "sampled"]

_EXAMPLES = 5_000  # that an inner fold trains on where more would take too long
_PAIR = (2.5e-7, 1.2e-7)  # seconds for each pair of nodes and scale, positional and structural, on one core
_FIT = (5e-3, 1e-8)  # seconds of a fit: once, and for each example, column and label
_STEP = 4e-10  # seconds of a screening for each example and pair of columns
_LEAST = 10  # splits


@dataclass(frozen=True)
class Sample:
    """The designs and the rule that are left, and what was left out, in words."""

    designs: list[Design]
    rule: Rule
    notes: list[str]


def sampled(problem: Problem, designs: Sequence[Design], resources: Resources, minutes: float) -> Sample:
    """All of it, if it will take no more than these minutes by an estimate; half of them are for embeddings."""
    chosen, notes = _designs(problem, list(designs), resources, 30.0 * minutes)
    rule, more = _rule(problem, len(chosen), 30.0 * minutes)
    return Sample(chosen, rule, notes + more)


def _designs(
    problem: Problem, designs: list[Design], resources: Resources, seconds: float
) -> tuple[list[Design], list[str]]:
    """Of each kind those whose proximities take least time, as many as fit."""
    if not isinstance(problem, NodeProblem):  # graphs of a batch are small
        return designs, []
    groups: dict[tuple[Any, bool], list[Design]] = {}
    for design in designs:
        groups.setdefault((design.spec.proximity, design.spec.embedding.structural), []).append(design)
    times = {key: _embedding_seconds(problem, some, resources) for key, some in groups.items()}
    if sum(times.values()) <= seconds:
        return designs, []
    left: list[Design] = []
    kinds = {structural for _, structural in groups}
    for kind in kinds:  # both are tried
        spent = 0.0
        for key in sorted(
            (each for each in groups if each[1] == kind), key=lambda each: times[each] / len(groups[each])
        ):
            if not spent or spent + times[key] <= seconds / len(kinds):
                left += groups[key]
                spent += times[key]
    kept = {design.key for design in left}
    found = [design for design in designs if design.key in kept]
    note = (
        f"{len(found)} of {len(designs)} designs are tried: all would take about {time_in_words(sum(times.values()))} "
        f"to embed {problem.size:,} nodes; those left out cost most. --full tries all, --minutes allows more"
    )
    return found, [note]


def _embedding_seconds(problem: Problem, designs: Sequence[Design], resources: Resources) -> float:
    """All pairs of nodes, at each scale. A plan's own probe is better, but thirty of them take minutes themselves."""
    scales = sum(_PAIR[one.spec.embedding.structural] * len(one.spec.proximity.at_each_scale()) for one in designs)
    return float(scales * problem.size**2 / resources.n_threads)


def _rule(problem: Problem, n_designs: int, seconds: float) -> tuple[Rule, list[str]]:
    """Fewer splits, and then fewer examples for choosing, where fits take too long."""
    rule = problem.rule
    notes: list[str] = []
    n, labels, width = len(problem.truth), problem.truth.shape[1], 129
    fits = rule.keep * 2 + -(-rule.keep // 2) + -(-rule.keep // 4) * (rule.folds - 3) + 1

    def one(examples: int) -> float:
        fit = _FIT[0] + _FIT[1] * examples * width * labels
        return float(fits * fit + (n_designs + rule.trials) * _STEP * n * width**2)

    if one(n) * rule.n_splits <= seconds:
        return rule, notes
    whole = rule.n_splits * one(n)
    if n > _EXAMPLES:
        rule = replace(rule, examples=_EXAMPLES)
        notes.append(
            f"inner folds train on {_EXAMPLES:,} of {n:,} examples: with all, choosing would take about "
            f"{time_in_words(whole)}. Test scores are of classifiers trained on whole training parts"
        )
    per_split = one(min(n, _EXAMPLES) if n > _EXAMPLES else n)
    allowed = max(_LEAST, int(seconds / per_split))
    if allowed < rule.n_splits:
        seeds = max(1, allowed // rule.splits)
        rule = replace(rule, seeds=rule.seeds[:seeds], splits=min(rule.splits, allowed))
        notes.append(
            f"{rule.n_splits} of {problem.rule.n_splits} splits are made: all would take about "
            f"{time_in_words(per_split * problem.rule.n_splits)}. --full makes all, --minutes allows more"
        )
    return rule, notes
