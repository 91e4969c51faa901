"""Predicting the classes of graphs from their rows, or from a kernel between them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from phusion.errors import InputError
from phusion.evaluation.splits import folds
from phusion.graph.ids import Array

__all__ = ["GraphClassification"]


@dataclass(frozen=True)
class GraphClassification:
    """A support vector machine, cross-validated as the paper's was.

    For each seed one generator, that of ``numpy.random.seed(seed)``, orders the graphs, and the order is cut into parts
    as equal as can be (``numpy.array_split``). Each part is tested once, by a machine with unscaled features that is
    trained on the others and draws from the same generator, fold after fold: scikit-learn's `LinearSVC` in its dual
    form, whose iterations end at 1,000. The paper's ± is the spread (ddof 0) of the seeds' mean accuracies.

    Parameters
    ----------
    folds : parts that a random order of the graphs is cut into.
    C : weight of the examples.
    classifier : ``"linear"`` for rows of features, ``"kernel"`` for a square matrix of similarities.
    """

    folds: int = 10
    C: float = 1.0
    classifier: Literal["linear", "kernel"] = "linear"

    metrics = ("accuracy",)

    def __post_init__(self) -> None:
        if self.folds < 2 or self.C <= 0:
            raise InputError(f"graph classification needs folds ≥ 2 and C > 0; got {self.folds}, {self.C}")
        if self.classifier not in ("linear", "kernel"):
            raise InputError(f"classifier is 'linear' or 'kernel'; got {self.classifier!r}")

    def score(self, rows: Array, classes: Array, seed: int) -> dict[str, list[float]]:
        """Accuracy on each fold of this seed, in percent."""
        if len(rows) < self.folds:
            raise InputError(f"{self.folds} folds need as many graphs at least; got {len(rows)}")
        if self.classifier == "kernel" and np.shape(rows) != (len(rows), len(rows)):
            raise InputError(
                "classifier = 'kernel' needs a square matrix of similarities between graphs, as the preset retgk-1 "
                f"makes; got rows of features, {' × '.join(map(str, np.shape(rows)))}: take classifier = 'linear'"
            )
        if len(np.unique(classes)) < 2:
            raise InputError("graph classification needs two classes at least; all graphs have the same")
        random = np.random.RandomState(seed)  # one generator for the order and the machine, as published
        found = []
        for train, test in folds(len(rows), self.folds, random):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # its iterations end at 1,000, as published
                model = self._model(random)
                if self.classifier == "kernel":
                    guessed = model.fit(rows[np.ix_(train, train)], classes[train]).predict(rows[np.ix_(test, train)])
                else:
                    guessed = model.fit(rows[train], classes[train]).predict(rows[test])
            found.append(100.0 * float((guessed == classes[test]).mean()))
        return {"accuracy": found}

    def _model(self, random: np.random.RandomState) -> Any:
        if self.classifier == "kernel":
            return SVC(C=self.C, kernel="precomputed")
        return LinearSVC(C=self.C, dual=True, random_state=random)
