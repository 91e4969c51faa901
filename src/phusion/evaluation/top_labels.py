"""Predicting as many labels as an example has, and how right that is."""

from __future__ import annotations

import numpy as np

from phusion.graph.ids import Array

__all__ = ["METRICS", "measured", "measured_by", "most_frequent", "top_labels"]

METRICS = ("micro_f1", "macro_f1", "accuracy")


def top_labels(scores: Array, counts: Array) -> Array:
    """As many of the highest scores of each row as its count says."""
    if (counts == 1).all():  # the same without sorting
        found = np.zeros(scores.shape, dtype=bool)
        found[np.arange(len(scores)), scores.argmax(axis=1)] = True
        return found
    order = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    return np.asarray(order < counts[:, None])


def most_frequent(shown: Array, counts: Array) -> Array:
    """As many labels for each example as its count says, those that are most frequent among the ones shown.

    >>> most_frequent(np.array([[True, False], [True, False], [False, True]]), np.array([1, 2])).tolist()
    [[True, False], [True, True]]
    """
    often = shown.sum(axis=0).astype(np.float64)
    return top_labels(np.tile(often, (len(counts), 1)), counts)


def measured(truth: Array, found: Array) -> dict[str, float]:
    """All metrics, in percent.

    >>> truth = np.array([[True, False], [True, False], [False, True]])
    >>> round(measured(truth, np.array([[True, False], [False, True], [False, True]]))["accuracy"], 2)
    66.67
    """
    return {metric: measured_by(metric, truth, found) for metric in METRICS}


def measured_by(metric: str, truth: Array, found: Array) -> float:
    """One of them; a class that is neither there nor predicted counts 0, as published."""
    if metric == "accuracy":
        return 100.0 * float((truth == found).all(axis=1).mean())
    if metric == "micro_f1":
        either = int(np.count_nonzero(truth)) + int(np.count_nonzero(found))
        return 200.0 * int(np.count_nonzero(truth & found)) / max(either, 1)
    right = (truth & found).sum(axis=0, dtype=np.float64)
    either_of_each = truth.sum(axis=0, dtype=np.float64) + found.sum(axis=0)
    of_each = np.divide(2.0 * right, either_of_each, out=np.zeros_like(right), where=either_of_each > 0)
    return 100.0 * float(of_each.mean())
