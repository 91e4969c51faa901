"""Node ids: any type, in the order of first appearance, however they are numbered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phusion.errors import InputError
from phusion.graph.columnar.plain_words import PlainWords
from phusion.graph.ids import as_id_array, find, number_endpoints

FAR = st.integers(-(2**63), 2**63 - 1)
NEAR = st.integers(-20, 20)


def first_appearance(pairs):
    return list(dict.fromkeys(node for pair in pairs for node in pair))


@given(st.lists(st.tuples(NEAR, NEAR), min_size=1) | st.lists(st.tuples(FAR, FAR), min_size=1))
def test_integers_are_numbered_as_they_appear(pairs):
    u, v = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    rows, cols, nodes = number_endpoints(u, v)
    assert nodes.tolist() == first_appearance(pairs)
    assert nodes.dtype == np.int64
    assert (nodes[rows] == u).all() and (nodes[cols] == v).all()


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), min_size=1))
def test_text_is_numbered_as_it_appears_by_words_and_by_objects(pairs):
    u, v = zip(*pairs, strict=True)
    for source, target in ((PlainWords.of(u[:1]).joined([PlainWords.of(u[1:])]), PlainWords.of(v)), (u, v)):
        rows, cols, nodes = number_endpoints(source, target)
        assert nodes.tolist() == first_appearance(pairs)
        assert nodes[rows].tolist() == list(u) and nodes[cols].tolist() == list(v)


def test_unsigned_and_narrow_integers_keep_their_values():
    top = 2**64 - 1
    rows, cols, nodes = number_endpoints(np.array([top, 0], np.uint64), np.array([5, top], np.uint64))
    assert nodes.tolist() == [top, 5, 0] and nodes.dtype == np.uint64
    assert (rows.tolist(), cols.tolist()) == ([0, 2], [1, 0])
    low = np.iinfo(np.int32).min
    rows, cols, nodes = number_endpoints(np.array([low], np.int32), np.array([low + 3], np.int32))
    assert nodes.tolist() == [low, low + 3] and nodes.dtype == np.int64


@given(st.lists(NEAR | st.text(max_size=2), unique=True), st.lists(NEAR | st.text(max_size=2)))
def test_find_gives_positions_or_minus_one(known, wanted):
    nodes, asked = np.array(known, dtype=object), np.array(wanted, dtype=object)
    expected = [known.index(x) if x in known else -1 for x in wanted]
    assert find(nodes, asked).tolist() == expected


@given(st.lists(FAR, unique=True), st.lists(FAR))
def test_find_among_integers(known, wanted):
    expected = [known.index(x) if x in known else -1 for x in wanted]
    assert find(np.array(known, dtype=np.int64), np.array(wanted, dtype=np.int64)).tolist() == expected


@pytest.mark.parametrize("ids", [[1, 1], ["a", "a"], np.array([3, 3]), [None], [float("nan")], [[1]]])
def test_ids_that_cannot_name_a_node_are_refused(ids):
    with pytest.raises(InputError):
        as_id_array(ids)
