"""Predicting as many labels as an example has, and how right that is."""

from __future__ import annotations

import numpy as np

from phusion.graph.ids import Array

__all__ = ["METRICS", "measured", "top_labels"]

METRICS = ("micro_f1", "macro_f1", "accuracy")


def top_labels(scores: Array, counts: Array) -> Array:
    """As many of the highest scores of each row as its count says."""
    order = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    return np.asarray(order < counts[:, None])


def measured(truth: Array, found: Array) -> dict[str, float]:
    """In percent; a class that is neither there nor predicted counts 0, as published.

    >>> truth = np.array([[True, False], [True, False], [False, True]])
    >>> round(measured(truth, np.array([[True, False], [False, True], [False, True]]))["accuracy"], 2)
    66.67
    """
    right = (truth & found).sum(axis=0, dtype=np.float64)
    either = truth.sum(axis=0, dtype=np.float64) + found.sum(axis=0)
    each = np.divide(2.0 * right, either, out=np.zeros_like(right), where=either > 0)
    return {
        "micro_f1": 100.0 * float(2.0 * right.sum() / max(either.sum(), 1.0)),
        "macro_f1": 100.0 * float(each.mean()),
        "accuracy": 100.0 * float((truth == found).all(axis=1).mean()),
    }
