"""Places of a drawn graph: near in the picture as in the graph."""

from __future__ import annotations

import numpy as np
import pytest

from phusion import as_graph, datasets
from phusion.drawing.layout import places


def spans(points, pairs):
    return np.array([np.linalg.norm(points[u] - points[v]) for u, v in pairs])


def test_a_path_is_a_line_with_a_step_between_neighbours():
    points = places(as_graph([(i, i + 1) for i in range(9)]))
    assert spans(points, [(i, i + 1) for i in range(9)]) == pytest.approx(1.0, abs=0.02)
    assert np.linalg.norm(points[0] - points[9]) == pytest.approx(9.0, abs=0.1)
    assert np.ptp(points[:, 0]) > 20 * np.ptp(points[:, 1])  # the long way lies flat


def test_a_ring_is_a_circle_and_the_rays_of_a_star_stand_apart():
    ring = places(as_graph([(i, (i + 1) % 12) for i in range(12)]))
    assert np.std(np.linalg.norm(ring, axis=1)) < 0.02 * np.mean(np.linalg.norm(ring, axis=1))
    star = places(as_graph([(0, i) for i in range(1, 7)]))
    pairs = [(i, j) for i in range(1, 7) for j in range(1, i)]
    assert spans(star, pairs).min() > 0.5


def test_edges_are_shorter_than_other_pairs_and_the_drawing_is_the_same_every_time():
    graph = datasets.load("karate")
    points = places(graph)
    rows, columns, _ = graph.edge_list()
    joined = spans(points, zip(rows, columns, strict=True)).mean()
    everyone = spans(points, [(i, j) for i in range(34) for j in range(i)]).mean()
    assert joined < 0.6 * everyone
    assert np.array_equal(points, places(graph))


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 0)], [(0, 1), (2, 3), (4, 4)]])
def test_few_nodes_self_loops_and_parts_that_nothing_joins_have_places(edges):
    n = 6 if edges else 1
    points = places(as_graph(edges, nodes=n))
    assert points.shape == (n, 2) and np.isfinite(points).all()
    assert n == 1 or spans(points, [(i, j) for i in range(n) for j in range(i)]).min() > 0.3


def test_weights_signs_and_directions_do_not_count():
    plain = as_graph([(0, 1), (1, 2), (2, 3)])
    other = as_graph([(0, 1, -5.0), (1, 2, 0.1), (2, 3, 7.0)], directed=True)
    assert np.allclose(places(plain), places(other))
