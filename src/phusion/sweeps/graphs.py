"""Whole graphs as examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.svm import LinearSVC

from phusion.errors import InputError
from phusion.evaluation.splits import folds
from phusion.execution.resources import Resources
from phusion.graph.batch import GraphBatch
from phusion.graph.ids import Array
from phusion.graph.labels import Labels
from phusion.graph_estimator import model_of
from phusion.provenance import fingerprint_of
from phusion.spec import Spec
from phusion.sweeps.problem import Problem
from phusion.sweeps.rule import Rule

__all__ = ["GraphProblem"]


class GraphProblem(Problem):
    """The paper's protocol: a linear support vector machine on unscaled rows, a random order cut into parts."""

    graphs = True

    def __init__(self, batch: GraphBatch, rule: Rule) -> None:
        if batch.labels is None:
            raise InputError("a sweep of many graphs needs a class for each: labels=, or a TUDataset with graph labels")
        self.batch, self.size = batch, max(len(graph) for graph in batch)
        truth = Labels.from_values(np.asarray(batch.labels).tolist()).membership.toarray()
        if not truth.any(axis=1).all():
            raise InputError(
                f"{int((~truth.any(axis=1)).sum()):,} of {len(batch):,} graphs have no class; leave them out"
            )
        super().__init__(rule, truth)

    @cached_property
    def embedded_identity(self) -> dict[str, Any]:
        """All graphs."""
        return {"graphs": fingerprint_of(list(self.batch))}

    def outer(self, seed: int) -> list[tuple[Array, Array]]:
        """The paper's parts."""
        return list(folds(len(self.truth), self.rule.splits, np.random.RandomState(seed)))

    def embedded(self, specs: Sequence[Spec], resources: Resources) -> list[Any]:
        """One design after another, each in stacks of many graphs."""
        return [self._rows(spec, resources) for spec in specs]

    def _rows(self, spec: Spec, resources: Resources) -> Any:
        how = {"memory": resources.memory, "threads": resources.threads, "precision": resources.precision}
        try:
            return model_of(spec, **how).fit_transform(list(self.batch))
        except Exception as error:
            return error

    def predicted(self, train: Array, truth: Array, test: Array, counts: Array) -> Array:
        """scikit-learn's machine in its dual form, whose iterations end at 1,000, as published."""
        classes = truth.argmax(axis=1)
        found = np.zeros((len(test), truth.shape[1]), dtype=bool)
        guessed: Any = classes[0]
        if len(np.unique(classes)) > 1:
            guessed = LinearSVC(C=self.rule.C, dual=True, random_state=0).fit(train, classes).predict(test)
        found[np.arange(len(test)), guessed] = True
        return found
