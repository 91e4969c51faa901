"""How a design is chosen: screening, racing, inner folds."""

from __future__ import annotations

import numpy as np
from tests.sweeps.few_designs import noise

from phusion.sweeps.race import passed, race, raced
from phusion.sweeps.rule import Rule


def test_the_best_pass_the_screening_and_equal_ones_in_their_order():
    screened = {"a": [1.0, 1.0], "b": [3.0, 3.0], "c": [2.0, 4.0], "d": [0.0, 0.0]}
    assert passed(screened, 3) == ["b", "c", "a"]


def test_a_race_halves_the_field_and_asks_no_more_than_it_must():
    table = {"a": [5, 5, 5, 9, 9], "b": [6, 6, 6, 6, 6], "c": [7, 1, 9, 9, 9], "d": [0, 0, 9, 9, 9]}
    asked = []

    def judge(wanted):
        asked.extend(wanted[0])
        return [[float(table[one][fold]) for one, fold in some] for some in wanted]

    (found,) = raced([race(list(table), Rule(folds=5))], judge)
    assert found.winner == "b" and found.scores["b"] == [6.0] * 5
    assert {one: len(scores) for one, scores in found.scores.items()} == {"a": 3, "b": 5, "c": 2, "d": 2}
    assert len(asked) == 12 == len(set(asked))


def test_one_design_wins_its_race():
    (found,) = raced([race(["only"], Rule(folds=3))], lambda wanted: [[1.0] * len(some) for some in wanted])
    assert found.winner == "only"


def test_races_side_by_side_end_as_they_would_alone():
    random = np.random.default_rng(0)
    tables = [{one: random.integers(9, size=5).tolist() for one in "abcdefgh"[:count]} for count in (8, 1, 5)]

    def judge(wanted):
        return [[float(table[one][fold]) for one, fold in some] for table, some in zip(tables, wanted, strict=True)]

    together = raced([race(list(table), Rule()) for table in tables], judge)
    for table, found in zip(tables, together, strict=True):

        def alone(wanted, table=table):
            return [[float(table[one][fold]) for one, fold in wanted[0]]]

        assert raced([race(list(table), Rule())], alone) == [found]


def test_inner_folds_are_within_training_parts_and_the_last_part_is_everything(small):
    *splits, whole = small.parts
    assert len(splits) == 6 and whole.whole and len(whole.train) == 34 and not len(whole.test)
    for part in splits:
        assert not set(part.train) & set(part.test)
        assert sorted(np.concatenate(part.folds)) == list(range(len(part.train)))
    assert [part.test.tolist() for part in splits[:3]] != [part.test.tolist() for part in splits[3:]]


def test_fewer_examples_are_trained_on_where_that_is_the_rule(karate):
    from phusion.evaluation.logistic import OneVsRestLogistic
    from phusion.sweeps.nodes import NodeProblem

    problem = NodeProblem(karate, Rule(seeds=(0,), splits=1, folds=3, examples=12, metric="accuracy"))
    part, rows = problem.parts[0], noise(34, 3, 0)
    train, test = problem.inner(part, 0)
    assert len(train) == 12 and not set(train) & set(test) and set(train) | set(test) <= set(part.train)
    model = OneVsRestLogistic(intercept=False).fit(rows[train], problem.truth[train])
    right = model.decision_function(rows[test]).argmax(axis=1) == problem.truth[test].argmax(axis=1)
    assert list(problem.judged(rows, [(part, 0)])) == [100 * right.mean()]


def test_inner_folds_judged_together_get_what_each_gets_alone(small):
    rows = small.turned(noise(34, 6, 1))
    asked = [(part, fold) for part in small.parts for fold in range(len(part.folds))]
    assert list(small.judged(rows, asked)) == [score for one in asked for score in small.judged(rows, [one])]
