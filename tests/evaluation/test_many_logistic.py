"""Regressions side by side find what each finds alone."""

from __future__ import annotations

import numpy as np
import pytest

from phusion.evaluation.directions import directions
from phusion.evaluation.logistic import OneVsRestLogistic
from phusion.evaluation.many_logistic import many_logistic_scores


def noise(n, dim, seed):
    return np.random.default_rng(seed).normal(size=(n, dim))


def halves(n, count, seed=0):
    orders = [np.random.default_rng([seed, k]).permutation(n) for k in range(count)]
    return [order[: n // 2] for order in orders], [order[n // 2 :] for order in orders]


def alone(X, Y, train, test, C):
    model = OneVsRestLogistic(C, intercept=False).fit(X[train].astype(float), Y[train])
    return model.decision_function(X[test].astype(float))


def separable(n):
    X = noise(n, 6, 3)
    return X, X[:, :3] > 0


CASES = {
    "plain": (noise(120, 9, 0), noise(120, 4, 1) + noise(120, 9, 0)[:, :4] > 0),
    "of very different size": (noise(120, 8, 0) * np.logspace(-3, 3, 8), noise(120, 3, 1) > 0),
    "told apart exactly": separable(100),
    "wider than examples": (noise(40, 90, 0), noise(40, 2, 1) > 0),
    "large": (300.0 * noise(150, 20, 0), noise(150, 20, 0)[:, :2] + 0.5 * noise(150, 2, 1) > 0),
}


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("case", CASES)
def test_scores_are_those_of_the_regression_alone(case, C):
    X, Y = CASES[case]
    X = directions(X, C, intercept=True).astype(np.float32)
    trains, tests = halves(len(X), 7)
    found = list(many_logistic_scores(X, Y, trains, tests, C, tol=1e-5))
    for train, test, scores in zip(trains, tests, found, strict=True):
        wanted = alone(X, Y, train, test, C)
        assert np.abs(scores - wanted).max() < 2e-2 * (1 + np.abs(wanted).max())
        assert (((scores > 0) == (wanted > 0)) | (np.abs(wanted) < 2e-2 * np.abs(wanted).max())).all()


def test_labels_of_examples_that_are_not_trained_on_change_nothing(monkeypatch):
    X, Y = CASES["plain"]
    X = directions(X, intercept=True).astype(np.float32)
    trains, tests = halves(len(X), 5)
    together = list(many_logistic_scores(X, Y, trains, tests))
    turned = Y.copy()
    turned[tests[0]] = ~turned[tests[0]]  # others are trained on these
    after = list(many_logistic_scores(X, turned, trains, tests))
    assert np.allclose(after[0], together[0], rtol=1e-4, atol=1e-4)
    assert not np.allclose(after[1], together[1], rtol=0.1)
    monkeypatch.setattr("phusion.evaluation.many_logistic._COLUMNS", 2)
    for few, many in zip(many_logistic_scores(X, Y, trains, tests), together, strict=True):
        assert np.allclose(few, many, rtol=1e-4, atol=1e-4)


def test_labels_that_all_have_or_none_have_infinite_scores():
    X, Y = noise(20, 3, 0), np.column_stack([np.ones(20, bool), np.zeros(20, bool), np.arange(20) % 2 == 0])
    Y[15:] = ~Y[15:]
    (found,) = many_logistic_scores(X, Y, [np.arange(15)], [np.arange(15, 20)])
    assert (found[:, 0] == np.inf).all() and (found[:, 1] == -np.inf).all() and np.isfinite(found[:, 2]).all()
    (none,) = many_logistic_scores(X, Y[:, :2], [np.arange(15)], [np.arange(15, 20)])
    assert np.isinf(none).all()


def test_what_single_precision_does_not_find_is_found_in_double(monkeypatch):
    monkeypatch.setattr("phusion.evaluation.many_logistic._STEPS", 1)
    X, Y = CASES["plain"]
    trains, tests = halves(len(X), 3)
    for train, test, scores in zip(trains, tests, many_logistic_scores(X, Y, trains, tests), strict=True):
        assert np.allclose(scores, alone(X, Y, train, test, 1.0), atol=5e-3)


def test_few_of_many_examples_are_trained_on_alone():
    X, Y = directions(noise(400, 5, 0), intercept=True), noise(400, 2, 1) + noise(400, 5, 0)[:, :2] > 0
    orders = [np.random.default_rng(k).permutation(400) for k in range(3)]
    trains, tests = [order[:60] for order in orders], [order[60:90] for order in orders]
    for train, test, scores in zip(trains, tests, many_logistic_scores(X, Y, trains, tests), strict=True):
        assert np.allclose(scores, alone(X, Y, train, test, 1.0), atol=5e-3)
