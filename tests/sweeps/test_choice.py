"""How a design is chosen: screening, racing, inner folds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.sweeps.few_designs import noise

from phusion.evaluation.directions import directions
from phusion.evaluation.first_step import first_step_scores
from phusion.evaluation.logistic import OneVsRestLogistic
from phusion.sweeps.race import passed, raced
from phusion.sweeps.rule import Rule


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


def test_the_best_pass_the_screening_and_equal_ones_in_their_order():
    screened = {"a": [1.0, 1.0], "b": [3.0, 3.0], "c": [2.0, 4.0], "d": [0.0, 0.0]}
    assert passed(screened, 3) == ["b", "c", "a"]


def test_a_race_halves_the_field_and_asks_no_more_than_it_must():
    table = {"a": [5, 5, 5, 9, 9], "b": [6, 6, 6, 6, 6], "c": [7, 1, 9, 9, 9], "d": [0, 0, 9, 9, 9]}
    asked = []

    def judge(some):
        asked.extend(some)
        return [float(table[one][fold]) for one, fold in some]

    found = raced(list(table), Rule(folds=5), judge)
    assert found.winner == "b" and found.scores["b"] == [6.0] * 5
    assert {one: len(scores) for one, scores in found.scores.items()} == {"a": 3, "b": 5, "c": 2, "d": 2}
    assert len(asked) == 12 == len(set(asked))


def test_one_design_wins_its_race():
    assert raced(["only"], Rule(folds=3), lambda some: [1.0] * len(some)).winner == "only"


def test_inner_folds_are_within_training_parts_and_the_last_part_is_everything(small):
    *splits, whole = small.parts
    assert len(splits) == 6 and whole.whole and len(whole.train) == 34 and not len(whole.test)
    for part in splits:
        assert not set(part.train) & set(part.test)
        assert sorted(np.concatenate(part.folds)) == list(range(len(part.train)))
    assert [part.test.tolist() for part in splits[:3]] != [part.test.tolist() for part in splits[3:]]


def test_fewer_examples_are_trained_on_where_that_is_the_rule(karate):
    from phusion.sweeps.nodes import NodeProblem

    seen = []

    class Counting(NodeProblem):
        def predicted(self, train, truth, test, counts, *, exact):
            seen.append((len(train), exact))
            return super().predicted(train, truth, test, counts, exact=exact)

    problem = Counting(karate, Rule(seeds=(0,), splits=1, folds=3, examples=12))
    rows = noise(34, 3, 0)
    problem.judged(rows, problem.parts[0], 0)
    problem.tested(rows, problem.parts[0])
    assert seen == [(12, False), (27, True)]
