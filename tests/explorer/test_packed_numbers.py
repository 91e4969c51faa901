"""What the page carries is what the library computes: maps, nearest nodes, profiles, bytes."""

from __future__ import annotations

import base64
import json
from itertools import pairwise

import numpy as np
import pytest

import phusion
from phusion.explorer.edges import edges_of, thinned
from phusion.explorer.fields import classes_field
from phusion.explorer.neighbours import clusters, nearest, nearest_among
from phusion.explorer.payload import Pack, json_of, quantised
from phusion.explorer.profiles import ProximityProfile, ranks
from phusion.explorer.sample import displayed


def unpacked(pack, reference):
    """As the page's script reads it."""
    data = base64.b64decode(pack.base64())
    kind = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "b16": "<u2"}[reference["type"]]
    assert reference["at"] % 4 == 0
    found = np.frombuffer(data, dtype=kind, count=reference["length"], offset=reference["at"])
    return (found.astype("<u4") << 16).view("<f4") if reference["type"] == "b16" else found


@pytest.mark.parametrize("values", [[], [0], [1, 255], [3, 256], [65536, 7], [[1, 2], [3, 4]]], ids=str)
def test_whole_numbers_come_back(values):
    pack = Pack()
    pack.whole([1, 2, 3])
    reference = pack.whole(np.array(values, dtype=np.int64))
    assert unpacked(pack, reference).tolist() == np.ravel(values).tolist()


def test_numbers_come_back_as_well_as_their_kind_can():
    given = np.array([0.0, -1.5, np.pi, 1e-30, 1e30, -7e-12])
    pack = Pack()
    exact, rough = pack.numbers(given), pack.rough(given)
    np.testing.assert_allclose(unpacked(pack, exact), given, rtol=1e-7)
    np.testing.assert_allclose(unpacked(pack, rough), given, rtol=4e-3)


def test_points_keep_their_shape_and_are_in_the_middle():
    points = quantised(np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]])).astype(float)
    assert points[:, 0].tolist() == [0, 65535, 65535]
    np.testing.assert_allclose(points[:, 1].mean(), (points[0, 1] * 2 + points[2, 1]) / 3)
    assert points[2, 1] - points[0, 1] == pytest.approx(65535 / 2, abs=1)
    assert (points[0, 1] + points[2, 1]) / 2 == pytest.approx(32768, abs=1)
    assert quantised(np.zeros((3, 2))).tolist() == [[32768, 32768]] * 3


def test_of_many_classes_the_largest_come_first_and_those_of_no_shown_node_are_left_out():
    names = [f"class {number}" for number in range(50)]
    codes = np.array([7, 3, 7, -1, 49, 7, 3])  # −1 has none
    pack = Pack()
    field = classes_field("kind", codes, names, pack)
    assert field["classes"] == ["class 7", "class 3", "class 49"]
    assert unpacked(pack, field["values"]).tolist() == [1, 2, 1, 0, 3, 1, 2]
    few = classes_field("kind", np.array([1, -1, 0]), names[:2], pack)
    assert few["classes"] == names[:2]
    assert unpacked(pack, few["values"]).tolist() == [2, 0, 1]


def test_json_cannot_end_its_script():
    given = {"a": "</script><!--<script>", "b": "שלום & \u2028 'x' \"y\" 😀", "c": ["\ud800"]}
    text = json_of(given)
    assert not set(text) & set("<>&")
    assert text.isascii()
    assert json.loads(text) == given


@pytest.mark.parametrize("shape", [(60, 7), (5, 3), (300, 20), (2, 2)])
def test_nearest_nodes_are_those_of_the_embedding(shape):
    values = np.random.default_rng(1).normal(size=shape) + 100
    embedding = phusion.Embedding(values, np.arange(len(values)), tuple("x" * (i + 1) for i in range(shape[1])))
    places, distances = nearest(values, 10)
    for i in range(len(values)):
        expected = embedding.nearest(i, 10)
        assert places[i].tolist() == [node for node, _ in expected]
        np.testing.assert_allclose(distances[i], [far for _, far in expected], rtol=1e-9)


def test_of_equal_rows_the_earlier_are_nearest_and_their_distance_is_zero():
    values = np.repeat(np.random.default_rng(0).normal(size=(4, 6)), 3, axis=0)
    places, distances = nearest(values, 2)
    assert places[0].tolist() == [1, 2] and places[4].tolist() == [3, 5]
    assert not distances.any()
    assert nearest(np.zeros((1, 3)), 10)[0].shape == (1, 0)


@pytest.mark.parametrize("able", [[0, 2, 3, 5], [1], []], ids=str)
def test_nearest_among_some_rows_names_no_other_and_others_have_none(able):
    values = np.random.default_rng(0).normal(size=(6, 3))
    mask = np.isin(np.arange(6), able)
    places, distances = nearest_among(values, 10, mask)
    assert places.shape == distances.shape == (6, max(0, len(able) - 1))
    for i in able:
        assert sorted([i, *places[i].tolist()]) == able
        assert np.allclose(distances[i], np.linalg.norm(values[places[i]] - values[i], axis=1))
    assert not places[~mask].any() and not distances[~mask].any()


def test_profiles_are_the_sorted_columns_of_the_proximity():
    graph = phusion.as_graph([(1, 2), (2, 3), (3, 4), (4, 1), (4, 5), (5, 6)])
    spec = phusion.Spec("pagerank", "identity", ProximityProfile())
    rows = phusion.run(graph, [spec])[0].values
    matrix = phusion.proximities.Pagerank().dense(graph)
    for u, row in enumerate(rows):
        column = matrix[:, u]
        assert row[6:12] == pytest.approx(np.sort(column)[::-1])
        assert column[row[:6].astype(int)] == pytest.approx(row[6:12])
        assert row[12:] == pytest.approx(np.sort(column)[::-1][ranks(6) - 1])


def test_the_profile_is_in_no_list():
    assert "proximity_profile" not in phusion.component.known("embeddings")


def test_a_sample_has_the_degrees_of_all():
    rng = np.random.default_rng(0)
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 600, size=(1500, 2)).tolist() if pair[0] != pair[1]}
    graph = phusion.as_graph(sorted(pairs))
    shown = displayed(graph, 100, seed=1)
    assert len(set(shown.tolist())) == 100
    assert np.array_equal(shown, displayed(graph, 100, seed=1))
    assert graph.degrees[shown].mean() == pytest.approx(graph.degrees.mean(), rel=0.05)
    assert displayed(graph, 10_000).tolist() == list(range(len(graph)))


def test_crowded_lists_are_thinned_evenly():
    starts = np.array([0, 2, 12, 12, 112])
    keep = thinned(starts, 30)
    counts = [int(keep[a:b].sum()) for a, b in pairwise(starts)]
    assert counts == [2, 10, 0, 18]
    assert np.diff(np.flatnonzero(keep[12:])).max() <= 6
    assert thinned(starts, 112).all()


def test_edges_hold_both_directions_and_loops_stand_aside():
    graph = phusion.as_graph([("a", "b", 2.0), ("b", "c", -1.0), ("c", "b", 3.0), ("c", "c", 1.0)], directed=True)
    pack = Pack()
    found = {name: unpacked(pack, one).tolist() for name, one in edges_of(graph, np.arange(3), pack).items()}
    assert found.pop("loop") == [0, 0, 1]
    assert found == {"start": [0, 1, 3, 4], "index": [1, 0, 2, 1], "count": [1, 2, 1], "negative": [0, 0, 1, 1]}


def test_clusters_are_numbered_by_size():
    values = np.repeat([[0.0, 0.0], [9.0, 9.0], [0.0, 9.0]], [3, 10, 5], axis=0)
    assert clusters(values, 3).tolist() == [2] * 3 + [0] * 10 + [1] * 5
    assert set(clusters(np.ones((6, 2)), 4).tolist()) == {0}
