"""What a sweep keeps in the ledger, and under which key: by data, design, split and inner fold."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from phusion.execution.resources import Precision
from phusion.experiments.ledger import Cell
from phusion.spec import Spec
from phusion.sweeps.designs import Design
from phusion.sweeps.problem import Problem
from phusion.sweeps.rule import Part

__all__ = ["PRECISION", "choice_cell", "embedding_cell", "judgement_cell", "screen_cell", "test_cell"]

PRECISION: Precision = "single"
"""Designs are judged by embeddings in single precision; the winner is computed in the one that is asked for."""
_OUTER = ("splits", "train_size", "C")


def embedding_cell(problem: Problem, spec: Spec) -> Cell:
    """The seconds that the embedding took, its share of what it was computed with."""
    return Cell("own", problem.embedded_identity, spec.as_dict(), "sweep: embedding", {}, 0, PRECISION)


def screen_cell(problem: Problem, spec: Spec, seed: int | None) -> Cell:
    """One design in all splits of a seed, or in the whole: the scores of the inner folds by the first step."""
    protocol = problem.rule.about(*_OUTER, "metric", "folds") | ({"whole": True} if seed is None else {})
    return _cell(problem, spec.as_dict(), "sweep: screening", protocol, problem.rule.seeds[0] if seed is None else seed)


def judgement_cell(problem: Problem, spec: Spec, part: Part, fold: int) -> Cell:
    """One design on one inner fold of a part, by the classifier itself."""
    protocol = problem.rule.about(*_OUTER, "metric", "folds", "examples") | {"split": part.split, "fold": fold}
    return _cell(problem, spec.as_dict(), "sweep: inner fold", protocol, part.seed)


def choice_cell(problem: Problem, designs: Sequence[Design], part: Part) -> Cell:
    """What was chosen in a part, among which designs, and how it did on the examples that were not looked at."""
    among = sha256(" ".join(sorted(design.key for design in designs)).encode()).hexdigest()[:32]
    protocol = problem.rule.about(*_OUTER, "metric", "folds", "keep", "trials", "kind", "examples") | {
        "split": part.split
    }
    return _cell(problem, {"among": among}, "sweep: choice", protocol, part.seed)


def test_cell(problem: Problem, spec: Spec, seed: int) -> Cell:
    """One design on the test examples of all splits of a seed, as if it had been chosen beforehand."""
    return _cell(problem, spec.as_dict(), "sweep: test", problem.rule.about(*_OUTER), seed)


def _cell(problem: Problem, spec: dict[str, Any], task: str, protocol: dict[str, Any], seed: int) -> Cell:
    return Cell("own", problem.identity, spec, task, protocol, seed, PRECISION)
