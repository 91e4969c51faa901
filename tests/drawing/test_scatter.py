"""Points and their names on axes."""

from __future__ import annotations

import numpy as np

from phusion import as_graph, embed
from phusion.drawing.canvas import canvas
from phusion.drawing.scatter import name_points
from phusion.drawing.slices import heaps


def test_names_of_points_cover_neither_points_nor_each_other():
    points = np.array([[x, y] for x in range(5) for y in range(5)], dtype=float)
    points = np.vstack([points, points[:3] + 0.12])
    axes = embed(as_graph([(i, i + 1) for i in range(27)]), {"proximity": "heat", "embedding": "characteristic"}).plot(
        map="pca"
    )
    axes.clear()
    axes.scatter(*points.T, s=9)
    name_points(axes, points[:4], ["one", "two", "three", "four"])
    places = axes.transData.transform(points)
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 4 and not any(box.contains(*place) for box in boxes for place in places)
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_a_name_that_would_be_nearer_to_another_point_is_left_out_unless_it_is_asked_for():
    axes = canvas(4, 4)[1][0, 0]
    points = np.array([[x, y] for x in range(3) for y in range(3)], dtype=float) / 50
    axes.scatter(*np.vstack([points, [[1, 1]]]).T)
    name_points(axes, points[4:5], ["in the middle"], all_of_them=False)
    assert not axes.texts
    name_points(axes, points[4:5], ["in the middle"])
    assert [text.get_text() for text in axes.texts] == ["in the middle"]


def test_points_of_one_place_are_one_heap_but_for_rounding():
    points = np.array([[0.0, 0.0], [5.0, 1.0], [1e-9, 0.0], [2.0, 2.0], [5.0, 1.0], [5.0, 1.0]])
    assert [heap.tolist() for heap in heaps(points)] == [[0, 2], [1, 4, 5]]
    assert [heap.tolist() for heap in heaps(np.zeros((3, 2)))] == [[0, 1, 2]]
    assert heaps(points[:2]) == []
