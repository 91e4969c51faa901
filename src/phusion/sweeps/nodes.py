"""Nodes of one graph as examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.evaluation.directions import directions
from phusion.evaluation.logistic import OneVsRestLogistic
from phusion.evaluation.many_logistic import many_logistic_scores
from phusion.evaluation.splits import shuffled
from phusion.evaluation.top_labels import top_labels
from phusion.execution.planning import SMALL
from phusion.execution.resources import Resources
from phusion.execution.writing import finished
from phusion.graph.fingerprint import fingerprint
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.spec import Spec
from phusion.sweeps.problem import Problem
from phusion.sweeps.rule import Part, Rule
from phusion.together import embed_together

__all__ = ["NodeProblem"]

_ROUGH = 1e-3  # of scores: enough to choose by


class NodeProblem(Problem):
    """The paper's protocol: one-vs-rest logistic regression on unscaled rows, random splits, as many labels as true.

    Nodes without a label are embedded with the others, but neither trained on nor tested.
    """

    graphs = False

    def __init__(self, graph: Graph, rule: Rule) -> None:
        if graph.labels is None:
            raise InputError(
                "a sweep needs labels of the nodes: labels= or --labels FILE, with a line NODE,LABEL for each"
            )
        self.graph, self.size = graph, len(graph)
        truth = graph.labels.membership.toarray()
        self.known = truth.any(axis=1)
        super().__init__(rule, truth[self.known])

    @cached_property
    def embedded_identity(self) -> dict[str, Any]:
        """The graph and its ids."""
        return {"graph": fingerprint(self.graph), "labelled": int(self.known.sum())}

    def outer(self, seed: int) -> list[tuple[Array, Array]]:
        """As `phusion.evaluation.NodeClassification` splits them."""
        return list(shuffled(len(self.truth), self.rule.splits, self.rule.train_size, seed))

    def embedded(self, specs: Sequence[Spec], resources: Resources) -> list[Any]:
        """Designs of one proximity share it, and those that differ only in the length of rows share all."""
        plain = list(dict.fromkeys(spec.replace(normalize=None) for spec in specs))
        rows = dict(zip(plain, self._together(plain, resources), strict=True))
        return [_of_length(spec, rows[spec.replace(normalize=None)]) for spec in specs]

    def _together(self, specs: Sequence[Spec], resources: Resources) -> list[Any]:
        """What cannot be computed together is computed one by one."""
        for how in dict.fromkeys((self._quickest(resources), resources)):
            try:
                return [found.values[self.known] for found in embed_together(self.graph, specs, how)]
            except Exception as error:
                problem = error
        return [problem] if len(specs) == 1 else [self._together([spec], resources)[0] for spec in specs]

    def _quickest(self, resources: Resources) -> Resources:
        """Blocks of columns: one pass serves many designs, which dense factorisations do one after the other."""
        blocked = self.size > SMALL and resources.strategy == "auto"
        return replace(resources, strategy="blocked") if blocked else resources

    def turned(self, rows: Array) -> Array:
        """With a 1 in each, turned with the rest: regressions of them have no other intercept."""
        return directions(rows, self.rule.C, intercept=True).astype(np.float32)

    def _with_intercept(self, rows: Array) -> Array:
        return rows

    def judged(self, rows: Array, asked: Iterable[tuple[Part, int]]) -> Iterator[float]:
        """The regressions of all inner folds that are asked for side by side, exact enough to choose by."""
        inner = [self.inner(part, fold) for part, fold in asked]
        trains, tests = [train for train, _ in inner], [test for _, test in inner]
        for test, scores in zip(
            tests, many_logistic_scores(rows, self.truth, trains, tests, self.rule.C, _ROUGH), strict=True
        ):
            yield self._score(self.truth[test], scores)

    def predicted(self, train: Array, truth: Array, test: Array, counts: Array) -> Array:
        """One-vs-rest logistic regression."""
        model = OneVsRestLogistic(self.rule.C, intercept=False).fit(train, truth)
        return top_labels(model.decision_function(test), counts)


def _of_length(spec: Spec, rows: Any) -> Any:
    if spec.normalize is None or isinstance(rows, Exception):
        return rows
    rows = rows.copy()
    finished(spec, rows)
    return rows
