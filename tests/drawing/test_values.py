"""What nodes are coloured by."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas
import pytest

from phusion import Labels
from phusion.drawing.colours import class_marks, few_classes
from phusion.drawing.values import SEVERAL, Classes, Numbers, given_for, of_labels
from phusion.errors import InputError, InputTypeError

IDS = np.array([10, 20, 30])


def named(found):
    return [None if code < 0 else found.names[code] for code in found.codes]


@pytest.mark.parametrize(
    ("given", "due"),
    [
        (["b", "a", None], ["b", "a", None]),
        ([True, False, True], ["True", "False", "True"]),
        (["1", 2, float("nan")], ["1", "2", None]),
        ({20: "x", 10: "y"}, ["y", "x", None]),
        (pandas.Series(["x", "y", pandas.NA], index=[30, 20, 10]), [None, "y", "x"]),
        (pandas.Series(["x", "y", "z"]), ["x", "y", "z"]),  # an index that holds no ids is none
        (Labels.from_values([1, None, [1, 2]]), ["1", None, SEVERAL]),
    ],
)
def test_words_and_labels_are_classes_by_id_or_in_order(given, due):
    found = given_for(IDS, given)
    assert isinstance(found, Classes) and named(found) == due


@pytest.mark.parametrize(
    "given",
    [[1, 2.5, None], {10: 1, 20: np.float32(2.5)}, np.array([1.0, 2.5, np.nan]), pandas.Series([1.0, 2.5, None])],
)
def test_numbers_are_numbers_and_missing_ones_are_none(given):
    found = given_for(IDS, given)
    assert isinstance(found, Numbers)
    assert np.array_equal(found.values, [1.0, 2.5, np.nan], equal_nan=True)


def test_wrong_lengths_ids_and_kinds_are_named():
    with pytest.raises(InputError, match=r"one value for each of the 3 nodes; got 2"):
        given_for(IDS, ["a", "b"])
    with pytest.raises(InputError, match=r"3 graphs; got 4"):
        given_for(IDS, Labels.from_values("abcd"), "graph")
    with pytest.raises(InputError, match=r"1 ids of colours are no nodes, such as 40; ids look like 10"):
        given_for(IDS, {10: "a", 40: "b"})
    with pytest.raises(InputError, match=r"shape \(3, 2\)"):
        given_for(IDS, np.zeros((3, 2)))
    for wrong in ("red", 7, object()):
        with pytest.raises(InputTypeError, match="a mapping from ids"):
            given_for(IDS, wrong)


def test_classes_differ_in_colour_and_mark_and_no_pair_comes_twice():
    pairs = [class_marks(number) for number in range(42)]
    assert len(set(pairs)) == 42
    assert all(one[0] != two[0] and one[1] != two[1] for one, two in pairwise(pairs))


def test_of_many_classes_the_largest_keep_their_names():
    codes = np.array([*(i for i in range(30) for _ in range(i + 1)), -1])
    found, others = few_classes(Classes(codes, tuple(f"c{i}" for i in range(30))))
    assert others == 11 and len(found.names) == 20
    assert found.names[:2] == ("c11", "c12") and found.names[-1] == "11 other classes"
    assert found.codes[-1] == -1 and (found.codes[:66] == 19).all() and (found.codes[66:-1] < 19).all()
    few = of_labels(Labels.from_values(["a", "b"]))
    assert few_classes(few) == (few, 0)
