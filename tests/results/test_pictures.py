"""A quick look: `embedding.plot()`."""

from __future__ import annotations

import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgba

from phusion import Embedding, Labels, datasets, embed
from phusion.drawing.colours import MISSING, class_marks
from phusion.drawing.maps import plane
from phusion.errors import InputError, InputTypeError, MissingLibraryError

matplotlib.use("Agg")
from matplotlib import pyplot

KARATE = datasets.load("karate")
NEAR = embed(KARATE, "netmf", dim=8)


@pytest.fixture(autouse=True)
def nothing_stays_open():
    yield
    pyplot.close("all")


def drawn(axes):
    """Label → points."""
    return {str(one.get_label()): np.asarray(one.get_offsets()) for one in axes.collections}


def made(values, nodes=None, **more):
    values = np.asarray(values, dtype=float)
    names = tuple(f"x{j}" for j in range(values.shape[1]))
    return Embedding(values, np.arange(len(values)) if nodes is None else nodes, names, **more)


def test_points_are_those_of_the_map_and_classes_have_their_colours():
    axes = NEAR.plot(KARATE.labels, map="pca")
    points = plane(NEAR.values, "pca")
    found = drawn(axes)
    assert set(found) == {"Mr. Hi", "Officer"}
    for number, name in enumerate(("Mr. Hi", "Officer")):
        assert np.array_equal(found[name], points[KARATE.labels.values == name])
        assert tuple(axes.collections[number].get_facecolor()[0]) == to_rgba(class_marks(number)[0])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Mr. Hi", "Officer"]
    assert axes.get_title() == "34 nodes × 8, ppmi → log → svd"


def test_without_colours_there_is_no_key_and_the_seed_decides_a_random_map():
    axes = NEAR.plot(map="tsne", seed=4)
    assert axes.get_legend() is None and len(axes.figure.axes) == 1
    assert np.array_equal(axes.collections[0].get_offsets(), plane(NEAR.values, "tsne", 4))


def test_numbers_have_a_colour_bar_and_missing_ones_are_grey():
    degrees = {node: degree for node, degree in zip(KARATE.nodes.tolist(), KARATE.degrees, strict=True) if node > 3}
    axes = NEAR.plot(degrees)
    grey, known = axes.collections
    assert len(grey.get_offsets()) == 3 and tuple(grey.get_facecolor()[0]) == to_rgba(MISSING)
    assert np.array_equal(known.get_array(), KARATE.degrees[KARATE.nodes > 3])
    assert axes.get_legend() is None and axes.figure.axes[1].get_ylabel() == "(grey: none)"


def test_missing_classes_are_the_last_of_the_legend():
    axes = NEAR.plot([None, *["b"] * 16, *["a"] * 17])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b", "none"]
    assert len(drawn(axes)["none"]) == 1


def test_a_column_by_name_or_number():
    named = NEAR.plot(NEAR.features[2])
    assert np.array_equal(named.collections[0].get_array(), NEAR.values[:, 2])
    assert named.figure.axes[1].get_ylabel() == NEAR.features[2]
    assert np.array_equal(NEAR.plot(0).collections[0].get_array(), NEAR.values[:, 0])


def test_ids_are_written_beside_their_points():
    axes = NEAR.plot(annotate=[34, 1], map="pca")
    points = plane(NEAR.values, "pca")
    last, first = points[KARATE.positions([34, 1])]
    assert {text.get_text(): tuple(text.xy) for text in axes.texts} == {"34": tuple(last), "1": tuple(first)}
    pairs = made(np.eye(3), [("a", 1), ("a", 2), ("b", 1)])
    assert [text.get_text() for text in pairs.plot(annotate=("a", 2)).texts] == ["('a', 2)"]
    assert [text.get_text() for text in made(np.eye(2), ["ada", "bob"]).plot(annotate="bob").texts] == ["bob"]


def test_it_draws_on_axes_that_are_given():
    _, pair = pyplot.subplots(1, 2)
    assert NEAR.plot(KARATE.labels, ax=pair[1]) is pair[1]
    assert not pair[0].collections and len(pair[1].collections) == 2
    assert len(pyplot.get_fignums()) == 1


def test_graphs_are_drawn_too():
    graphs = embed([[(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2), (2, 0)]], "netlsd")
    axes = graphs.plot(["edge", "path", "ring"], annotate=[2])
    assert set(drawn(axes)) == {"edge", "path", "ring"} and axes.texts[0].get_text() == "2"
    with pytest.raises(InputError, match="3 graphs; got 2"):
        graphs.plot(["edge", "path"])


@pytest.mark.parametrize("values", [np.ones((1, 4)), np.arange(5.0)[:, None], np.ones((6, 3)), np.ones((1, 1))])
def test_one_row_one_column_and_equal_rows_are_drawn(values):
    axes = made(values).plot(np.arange(len(values)))
    axes.figure.canvas.draw()
    assert np.array_equal(axes.collections[0].get_offsets(), plane(values, "pca"))


def test_words_are_not_taken_for_formulas_or_hidden():
    axes = made(np.eye(3)).plot(["$x$", "_hidden", "a" * 90])
    axes.figure.canvas.draw()
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert words[0] == r"\$x\$" and words[1] == "hidden" and len(words[2]) == 28


def test_bad_input_is_named():
    with pytest.raises(InputError, match=r"34 nodes; got 3"):
        NEAR.plot(["a", "b", "c"])
    with pytest.raises(InputError, match="are no nodes, such as 99"):
        NEAR.plot({99: "a"})
    with pytest.raises(InputError, match="99 is not among the nodes"):
        NEAR.plot(annotate=[99])
    with pytest.raises(InputError, match=r"no column is called 'ppmi_log_svd_7'. Did you mean 'ppmi_T10_log_svd_7'"):
        NEAR.plot("ppmi_log_svd_7")
    with pytest.raises(InputError, match="numbered from 0 to 7; got 8"):
        NEAR.plot(8)
    with pytest.raises(InputError, match="Did you mean 'tsne'"):
        NEAR.plot(map="tnse")
    with pytest.raises(InputError, match="seed is a whole number"):
        NEAR.plot(seed=-1)
    with pytest.raises(InputTypeError, match="a mapping from ids"):
        NEAR.plot(3.5)
    with pytest.raises(InputError, match="not finite"):
        made([[1.0, np.nan]]).plot()
    with pytest.raises(InputError, match="no rows"):
        made(np.empty((0, 2)), np.empty(0, dtype=int)).plot()
    assert not pyplot.get_fignums()  # what is refused leaves nothing open


def test_without_matplotlib_it_says_how_to_install_it(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingLibraryError, match=r"pip install matplotlib, or 'phusion-embed\[plots\]'"):
        NEAR.plot(Labels.from_values(KARATE.labels.values))
