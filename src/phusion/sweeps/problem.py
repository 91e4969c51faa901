"""`Problem`: examples with labels, how they are split, and how well rows predict them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.evaluation.directions import directions
from phusion.evaluation.first_step import first_step_scores
from phusion.evaluation.splits import folds
from phusion.evaluation.top_labels import measured, measured_by, most_frequent, top_labels
from phusion.execution.resources import Resources
from phusion.graph.ids import Array
from phusion.spec import Spec
from phusion.sweeps.rule import Part, Rule

__all__ = ["Problem"]


class Problem(ABC):
    """Nodes of one graph, or many graphs, with their labels.

    Embeddings are computed from the graph alone, once, for all examples; labels enter only here.

    Parameters
    ----------
    rule : how a design is chosen.
    truth : which example has which label.
    """

    graphs: bool
    """Whether an example is a graph, not a node."""
    size: int
    """Nodes of the graph, or of the largest one."""

    def __init__(self, rule: Rule, truth: Array) -> None:
        self.rule, self.truth = rule, truth
        self._check()

    def _check(self) -> None:
        """Refuse what no classifier can learn from."""
        what = "graphs" if self.graphs else "labelled nodes"
        n_classes = int(self.truth.any(axis=0).sum())
        if n_classes < 2:
            raise InputError(
                f"a sweep needs labels of two classes at least, to tell designs apart; got {n_classes or 'none'}"
            )
        needed = max(self.rule.folds + 2, self.rule.splits if self.graphs else 0)
        inside = int(min(len(part.train) for part in self.parts)) if len(self.truth) > 2 else 0
        if len(self.truth) < needed or inside < 2 * self.rule.folds:
            raise InputError(
                f"{self.rule.folds} inner folds of a training part need {2 * self.rule.folds} examples in it; of "
                f"{len(self.truth):,} {what} a training part has {inside}. Give more labels, or fewer folds: "
                "folds=2 (--folds 2)"
            )

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What is embedded and what is predicted, by content."""
        labels = sha256(np.packbits(self.truth, axis=None).tobytes() + str(self.truth.shape).encode())
        return {**self.embedded_identity, "labels": labels.hexdigest()[:32]}

    @property
    @abstractmethod
    def embedded_identity(self) -> dict[str, Any]:
        """What is embedded, by content."""

    @abstractmethod
    def embedded(self, specs: Sequence[Spec], resources: Resources) -> list[Any]:
        """Rows of each spec for the examples, or the error of those that cannot be computed."""

    @abstractmethod
    def outer(self, seed: int) -> list[tuple[Array, Array]]:
        """(train, test) of each split."""

    def turned(self, rows: Array) -> Array:
        """Rows in the directions that matter to the classifier, in single precision; all below is of such rows."""
        return directions(rows, self.rule.C).astype(np.float32)

    @abstractmethod
    def predicted(self, train: Array, truth: Array, test: Array, counts: Array) -> Array:
        """The labels that a classifier gives these examples, each as many as its count says."""

    @cached_property
    def parts(self) -> list[Part]:
        """All splits, then the whole."""
        found = [
            self._part(seed, number, train, test)
            for seed in self.rule.seeds
            for number, (train, test) in enumerate(self.outer(seed))
        ]
        everything = np.arange(len(self.truth))
        return [*found, self._part(self.rule.seeds[0], -1, everything, everything[:0])]

    def _part(self, seed: int, split: int, train: Array, test: Array) -> Part:
        random = np.random.RandomState(np.random.SeedSequence([seed, split + 1]).generate_state(4))
        inner = tuple(fold for _, fold in folds(len(train), self.rule.folds, random))
        return Part(seed, split, train, test, inner)

    # how well rows predict, seen from a part

    def screened(self, rows: Array, part: Part) -> list[float]:
        """The score of each inner fold by the first step of a logistic regression. Test examples are not looked at."""
        train, truth = self._with_intercept(rows[part.train]), self.truth[part.train]
        scores = first_step_scores(train, truth, part.folds, self.rule.C)
        return [self._score(truth[fold], found) for fold, found in zip(part.folds, scores, strict=True)]

    def _with_intercept(self, rows: Array) -> Array:
        return np.hstack([rows.astype(np.float64), np.ones((len(rows), 1))])

    def judged(self, rows: Array, asked: Iterable[tuple[Part, int]]) -> Iterator[float]:
        """The scores of some inner folds by the classifier itself."""
        for part, fold in asked:
            train, test = self.inner(part, fold)
            truth = self.truth[test]
            found = self.predicted(rows[train], self.truth[train], rows[test], truth.sum(axis=1))
            yield measured_by(self.rule.metric, truth, found)

    def inner(self, part: Part, fold: int) -> tuple[Array, Array]:
        """The examples that an inner fold is judged with, and those of the fold; both of the training part."""
        others = np.concatenate([each for k, each in enumerate(part.folds) if k != fold])
        others = others[: self.rule.examples]  # in random order as they are
        return part.train[others], part.train[part.folds[fold]]

    def tested(self, rows: Array, part: Part) -> dict[str, float]:
        """All metrics on the test examples, by a classifier trained on the whole training part."""
        truth = self.truth[part.test]
        found = self.predicted(rows[part.train], self.truth[part.train], rows[part.test], truth.sum(axis=1))
        return measured(truth, found)

    @cached_property
    def baseline(self) -> float:
        """What naming the most frequent labels of a training part for every test example gets, mean over all splits."""
        parts = [part for part in self.parts if not part.whole]
        found = []
        for part in parts:
            truth = self.truth[part.test]
            named = most_frequent(self.truth[part.train], truth.sum(axis=1))
            found.append(measured_by(self.rule.metric, truth, named))
        return float(np.mean(found))

    def _score(self, truth: Array, scores: Array) -> float:
        return measured_by(self.rule.metric, truth, top_labels(scores, truth.sum(axis=1)))
