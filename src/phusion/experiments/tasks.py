"""What a study asks of each embedding, by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from scipy import stats

import phusion.experiments.row_statistics as _row_statistics
from phusion.errors import InputError, suggest
from phusion.evaluation.clustering import NodeClustering
from phusion.evaluation.graph_classification import GraphClassification
from phusion.evaluation.link_prediction import LinkPrediction
from phusion.evaluation.node_classification import NodeClassification
from phusion.experiments.mistakes import StudyError, at
from phusion.graph.ids import Array

__all__ = ["EMBEDDINGS", "TASKS", "RowDistributions", "shape_of", "task_of", "vuong"]

_ROUNDING = 1e-6  # of single precision, added up over a row
_REGISTERED = _row_statistics.__name__  # its component is registered by the import


@dataclass(frozen=True)
class RowDistributions:
    """The distributions of row sums, variances and entropies of σ(S), and how bell-shaped or heavy-tailed they are.

    Parameters
    ----------
    bins : of each histogram.
    """

    bins: int = 40

    metrics = ("sum", "variance", "entropy")

    def score(self, rows: Array, labels: Any, seed: int) -> dict[str, Any]:
        """For each statistic: a histogram, skewness, and which of two shapes fits better."""
        return {name: self._described(rows[:, k]) for k, name in enumerate(self.metrics)}

    def _described(self, values: Array) -> dict[str, Any]:
        around = None
        if _all_alike(values):
            middle, reach = float(values.mean()), max(0.5, float(np.abs(values).max()) / 2)
            around = (middle - reach, middle + reach)
        counts, edges = np.histogram(values, self.bins, around)
        return {"counts": counts.tolist(), "edges": edges.tolist(), **shape_of(values)}


def _all_alike(values: Array) -> bool:
    """As the row sums of a random walk are: neither a bell nor a tail."""
    return bool(np.ptp(values) <= _ROUNDING * np.abs(values).max())


def shape_of(values: Array) -> dict[str, float]:
    """How much likelier, per value, a normal distribution is than a one-sided exponential tail, both fitted.

    The normal one has the mean and spread of the values. The exponential one begins at the smallest value and has the
    mean of the values, or is mirrored, from the largest value down, where they are skewed to the left.
    """
    if _all_alike(values):
        return dict.fromkeys(("skewness", "kurtosis", "bell_over_tail"), 0.0)
    centred = (values - values.mean()) / values.std()
    skewness = float(stats.skew(centred))
    mirrored = centred if skewness >= 0 else -centred
    from_least = mirrored - mirrored.min()
    bell = float(stats.norm.logpdf(centred).mean())
    tail = float(stats.expon.logpdf(from_least, scale=from_least.mean()).mean())
    return {"skewness": skewness, "kurtosis": float(stats.kurtosis(centred)), "bell_over_tail": bell - tail}


def vuong(found: Mapping[str, Any]) -> float:
    r"""Vuong's z of a shape that `RowDistributions` described: the mean difference over its standard error.

    Beyond ±1.96 it is significant which of normal (above) and exponential (below) is likelier, if values were
    independent; those of neighbouring nodes are not quite. For the standardised value x of a row, a tail that begins m
    spreads from the mean, and skewness g, the logarithms of the likelihoods differ by

    .. math:: -x^2/2 + \mathrm{sign}(g)\, x/m + \text{const}, \quad
       \text{with variance } (\text{kurtosis} + 2)/4 - |g|/m + 1/m^2,

    so that a ledger's numbers tell it.

    References
    ----------
    Vuong (1989). Likelihood ratio tests for model selection and non-nested hypotheses. Econometrica 57.
    """
    difference, skewness, kurtosis = (float(found[name]) for name in ("bell_over_tail", "skewness", "kurtosis"))
    if not difference:
        return 0.0
    reach = math.exp(difference + 0.5 * math.log(2.0 * math.pi) - 0.5)  # m, from the mean log-likelihoods of both
    variance = (kurtosis + 2.0) / 4.0 - abs(skewness) / reach + 1.0 / reach**2
    return difference * math.sqrt(sum(found["counts"]) / variance)


TASKS: dict[str, Any] = {
    "node_classification": NodeClassification,
    "node_clustering": NodeClustering,
    "graph_classification": GraphClassification,
    "link_prediction": LinkPrediction,
    "row_distributions": RowDistributions,
}
EMBEDDINGS = {"row_distributions": "row_statistics"}
"""Of tasks that take no other."""


def task_of(name: str, protocol: Mapping[str, Any]) -> Any:
    """The task with its protocol."""
    found = TASKS[name]
    known = _types(name)
    for key, value in protocol.items():
        if key not in known:
            raise StudyError(f"the protocol of {name} has no key {key!r}.{suggest(key, known)}", "protocol", key)
        if not _fits(value, known[key]):
            raise StudyError(f"the protocol of {name} has {key} = {_shown(known[key])}; got {value!r}", "protocol", key)
    try:
        return found(**protocol)
    except InputError as error:
        raise at(error, "protocol") from error


@cache
def _types(name: str) -> dict[str, Any]:
    hints = get_type_hints(TASKS[name])
    return {field.name: hints[field.name] for field in fields(TASKS[name])}


def _fits(value: Any, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return type(value) is str and value in get_args(kind)
    if get_origin(kind) is UnionType:
        return any(_fits(value, one) for one in get_args(kind))
    if kind is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is kind


def _shown(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    if get_origin(kind) is UnionType:
        return " or ".join(_shown(one) for one in get_args(kind) if one is not type(None))
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, str(kind))
