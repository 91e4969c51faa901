"""The first step of a regression, and the directions that matter to it."""

from __future__ import annotations

import numpy as np
import pytest

from phusion.evaluation.directions import directions
from phusion.evaluation.first_step import first_step_scores
from phusion.evaluation.logistic import OneVsRestLogistic


def noise(n, dim, seed):
    return np.random.default_rng(seed).normal(size=(n, dim))


@pytest.mark.parametrize(("n", "dim"), [(60, 40), (60, 5), (40, 80)])
def test_the_first_step_of_each_fold_is_that_of_the_other_examples(n, dim):
    X, Y = noise(n, dim, 0), noise(n, 3, 1) > 0.5
    parts = np.array_split(np.random.default_rng(2).permutation(n), 5)
    for part, found in zip(parts, first_step_scores(X, Y, parts, C=2.0), strict=True):
        others = np.setdiff1d(np.arange(n), part)
        signs = np.where(Y[others], 1.0, -1.0)
        step = np.linalg.solve(np.eye(dim) + 0.5 * X[others].T @ X[others], X[others].T @ signs)
        assert np.allclose(X[part] @ step, found)


def test_examples_in_no_part_are_learnt_from():
    X, Y = noise(30, 4, 0), noise(30, 2, 1) > 0
    (found,) = first_step_scores(X, Y, [np.arange(10)])
    signs = np.where(Y[10:], 1.0, -1.0)
    step = np.linalg.solve(np.eye(4) + 0.25 * X[10:].T @ X[10:], 0.5 * X[10:].T @ signs)
    assert np.allclose(X[:10] @ step, found)


def test_directions_change_no_score_that_a_regression_gives():
    X = noise(80, 4, 0) @ noise(4, 30, 1) + 1e-7 * noise(80, 30, 2)
    Y = noise(80, 2, 3) + X[:, :2] > 0
    turned = directions(X)
    assert turned.shape == (80, 4)
    plain = OneVsRestLogistic().fit(X[:60], Y[:60]).decision_function(X[60:])
    assert np.allclose(OneVsRestLogistic().fit(turned[:60], Y[:60]).decision_function(turned[60:]), plain, atol=1e-4)
    assert directions(np.zeros((5, 3))).shape == (5, 1)


def test_the_intercept_is_turned_with_the_rest():
    X, Y = noise(80, 6, 0) + 3.0, noise(80, 2, 3) > 0.4
    turned = directions(X, intercept=True)
    assert turned.shape == (80, 7)
    plain = OneVsRestLogistic().fit(X[:60], Y[:60]).decision_function(X[60:])
    found = OneVsRestLogistic(intercept=False).fit(turned[:60], Y[:60]).decision_function(turned[60:])
    assert np.allclose(found, plain, atol=1e-6)


def test_single_precision_is_enough_for_turned_rows():
    X, Y = noise(200, 30, 0) * np.logspace(-3, 3, 30) + 5.0, noise(200, 3, 1) > 0
    turned = directions(X, intercept=True)
    parts = np.array_split(np.random.default_rng(2).permutation(200), 5)
    exact = first_step_scores(turned, Y, parts)
    for one, rough in zip(exact, first_step_scores(turned.astype(np.float32), Y, parts), strict=True):
        assert rough.dtype == np.float32 and np.abs(one - rough).max() < 1e-3
