"""How a design is chosen: screening, racing, inner folds."""

from __future__ import annotations

import numpy as np
from tests.sweeps.few_designs import noise

from phusion.sweeps.race import passed, raced
from phusion.sweeps.rule import Rule


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
