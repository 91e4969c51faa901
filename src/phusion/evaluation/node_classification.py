"""Predicting the labels of nodes from their rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler

from phusion.errors import InputError
from phusion.evaluation.logistic import OneVsRestLogistic
from phusion.evaluation.splits import shuffled
from phusion.evaluation.top_labels import METRICS, measured, top_labels
from phusion.execution.threads import Threads
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["NodeClassification"]


@dataclass(frozen=True)
class NodeClassification:
    """One-vs-rest logistic regression on random splits.

    A node with k labels is predicted the k labels of the highest scores (of a single label that is the most likely
    class). Nodes without a label are left out.

    Parameters
    ----------
    splits, train_size : so many random splits from each seed, with this share to train on.
    C : weight of the examples against the penalty.
    scaled : whether features are first brought to mean 0 and variance 1 of the training part.
    classifier : ``"batched"``, all labels at once, or ``"liblinear"``, scikit-learn's, one after the other, to its own
        tolerance (1e-4).
    """

    splits: int = 10
    train_size: float = 0.8
    C: float = 1.0
    scaled: bool = False
    classifier: Literal["batched", "liblinear"] = "batched"

    metrics = METRICS

    def __post_init__(self) -> None:
        if self.splits < 1 or not 0 < self.train_size < 1 or self.C <= 0:
            raise InputError(
                f"node classification needs splits ≥ 1, a train_size between 0 and 1 and C > 0; got {self.splits}, "
                f"{self.train_size}, {self.C}"
            )
        if self.classifier not in ("batched", "liblinear"):
            raise InputError(f"classifier is 'batched' or 'liblinear'; got {self.classifier!r}")

    def score(self, rows: Array, labels: Labels, seed: int, threads: int = 1) -> dict[str, list[float]]:
        """Each metric on each split of this seed, in percent."""
        truth = labels.membership.toarray()
        known = truth.any(axis=1)
        rows, truth = rows[known], truth[known]
        if truth.any(axis=0).sum() < 2:
            raise InputError(f"node classification needs nodes of two classes at least; got {labels.counts}")
        if len(rows) < 5:
            raise InputError(f"node classification needs 5 labelled nodes at least; got {len(rows)}")
        splits = list(shuffled(len(rows), self.splits, self.train_size, seed))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Label not .* is present in all training examples", UserWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)  # liblinear's iterations end at 100, as published
            found = list(Threads(threads).map(partial(self._measured, rows, truth), splits))
        return {metric: [one[metric] for one in found] for metric in self.metrics}

    def _measured(self, rows: Array, truth: Array, train: Array, test: Array) -> dict[str, float]:
        scores = self._scores(rows[train], truth[train], rows[test])
        return measured(truth[test], top_labels(scores, truth[test].sum(axis=1)))

    def _scores(self, train: Array, truth: Array, test: Array) -> Array:
        if self.scaled:
            scaler = StandardScaler().fit(train)
            train, test = scaler.transform(train), scaler.transform(test)
        if self.classifier == "batched":
            return OneVsRestLogistic(self.C).fit(train, truth).decision_function(test)  # type: ignore[no-any-return]
        model = OneVsRestClassifier(LogisticRegression(C=self.C, solver="liblinear")).fit(train, truth.astype(int))
        return np.asarray(model.predict_proba(test))
