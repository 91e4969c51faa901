"""Figures show what was computed: bars, histograms, roles, maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phusion import as_graph, datasets, embed, plots
from phusion.drawing.colours import class_marks
from phusion.drawing.maps import plane
from phusion.errors import InputError, MethodWarning, OutputError
from phusion.experiments.ledger import Ledger
from phusion.experiments.own import classified, row_distributions
from phusion.experiments.runner import cell_of
from phusion.experiments.sources import Source
from phusion.plots.bars import draw_bars
from phusion.plots.rows import draw_rows

KARATE = datasets.load("karate")
PLANTED = datasets.planted("house", 3, length=12)
PSI = ["PPMI", "HK", "PPR", "FaBP", "L⁺", "A²", "R²"]
SIGMA = ["Identity", "Log", "Bin 5", "Bin 50", "Bin 95"]

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept") / "ledger.sqlite"


@pytest.fixture(scope="module")
def scored(kept):
    return classified(KARATE, splits=2, ledger=kept)


@pytest.fixture(scope="module")
def spread(kept):
    return row_distributions(KARATE, bins=10, ledger=kept)


def heights(figure):
    """σ → heights of its bars by Ψ."""
    axes = figure.axes[0]
    return {group.get_label(): [bar.get_height() for bar in group] for group in axes.containers}


def test_there_is_a_bar_for_each_of_35_designs_as_high_as_the_ledger_says(scored, kept):
    figure = draw_bars(scored)
    found = heights(figure)
    assert list(found) == SIGMA
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == PSI
    source = scored.study.sources[0]
    with Ledger(kept) as ledger:
        for design in scored.study.designs("own"):
            key = cell_of(scored.study, "own", source, design, 0).key
            splits = ledger.done([key])[key].result["micro_f1"]
            assert len(splits) == 2
            assert found[design.nonlinearity][PSI.index(design.proximity)] == np.mean(splits)


def test_the_best_bar_is_marked_and_the_largest_class_is_a_line(scored):
    axes = draw_bars(scored).axes[0]
    values = [value for some in heights(axes.figure).values() for value in some]
    unique = values.count(max(values)) == 1
    assert [text.get_text() for text in axes.texts] == ([f"{max(values):.1f}"] if unique else [])
    line = next(line for line in axes.lines if line.get_label() == "largest class")
    assert list(line.get_ydata()) == [50.0, 50.0]


def test_what_the_ledger_has_is_not_computed_again_whatever_the_graph_is_called(scored, kept):
    assert scored.outcome.computed == 35
    again = as_graph(KARATE.adjacency, nodes=KARATE.nodes, labels=KARATE.labels.values)
    other = classified(again, splits=2, ledger=kept)
    assert other.outcome.computed == 0 and heights(draw_bars(other)) == heights(draw_bars(scored))
    swapped = as_graph(KARATE, labels=["x", *["y"] * 33])
    assert Source.of(swapped)[0].as_dict() != Source.of(again)[0].as_dict() == Source.of(KARATE)[0].as_dict()


def test_positional_bars_have_at_most_as_many_columns_as_nodes():
    club = datasets.barbell(5, 3)
    grid = classified(club, "positional", splits=1)
    assert {design.spec.embedding.dim for design in grid.study.designs("own")} == {13}
    assert "13 nodes, positional (SVD)" in draw_bars(grid).axes[0].get_title(loc="left")


def test_designs_that_do_not_take_the_graph_are_gaps_with_a_reason():
    arcs = as_graph([(i, (i * 7 + k) % 20) for i in range(20) for k in (1, 2)], directed=True, labels=["a", "b"] * 10)
    with pytest.warns(MethodWarning, match="HK is left out: .*undirected"):
        figure = plots.bars(arcs, splits=1)
    found = heights(figure)
    assert all(np.isnan(found[sigma][PSI.index("HK")]) for sigma in SIGMA)
    assert all(np.isfinite(found[sigma][PSI.index("A²")]) for sigma in SIGMA)
    crosses = sum(len(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "x")
    assert crosses == sum(np.isnan(value) for some in found.values() for value in some)


def test_histograms_are_those_of_the_rows_of_each_matrix(spread):
    figure = draw_rows(spread)
    grid = np.array(figure.axes).reshape(7, 5)
    assert [axes.get_title() for axes in grid[0]] == SIGMA
    assert [axes.get_ylabel() for axes in grid[:, 0]] == PSI
    steps = grid[PSI.index("A²"), 0].patches[0].get_data()
    power = KARATE.adjacency.toarray() @ KARATE.adjacency.toarray()
    counts, edges = np.histogram(power.sum(axis=1), 10)
    assert np.array_equal(steps.values, counts) and np.allclose(steps.edges, edges)
    entropies = draw_rows(spread, "entropy")
    share = power / power.sum(axis=1, keepdims=True)
    due = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=1)
    shown = np.array(entropies.axes).reshape(7, 5)[PSI.index("A²"), 0].patches[0].get_data()
    assert np.array_equal(shown.values, np.histogram(due, 10)[0])


def test_row_sums_that_are_all_alike_are_told_from_bells_and_tails(spread):
    grid = np.array(draw_rows(spread).axes).reshape(7, 5)
    colours = {axes.patches[0].get_facecolor() for axes in grid.ravel()}
    assert len(colours) == 3
    walk = grid[PSI.index("R²"), 0].patches[0]  # rows of a random walk sum to 1
    assert [patch.get_facecolor() for patch in grid.ravel()[0].figure.legends[0].get_patches()][
        2
    ] == walk.get_facecolor()


def points_of(axes):
    return {
        str(one.get_label()): np.asarray(one.get_offsets()) for one in axes.collections if one.get_label()[0] != "_"
    }


def test_roles_have_one_colour_in_the_graph_and_in_its_map():
    left, right = plots.roles(PLANTED, structural="graphwave").axes
    points = plane(embed(PLANTED, "graphwave").values, "pca")
    roles = PLANTED.labels.values
    for role in PLANTED.labels.classes.tolist():
        assert np.allclose(points_of(right)[role], points[roles == role])
        assert len(points_of(left)[role]) == (roles == role).sum()
        colours = {one.get_facecolor()[0].tobytes() for axes in (left, right) for one in axes.collections
                   if one.get_label() == role}  # fmt: skip
        assert len(colours) == 1
    assert len(left.collections[0].get_segments()) == PLANTED.n_edges
    assert "× 3" in [text.get_text() for text in right.texts]  # three roofs, one place


def test_where_nodes_of_several_roles_lie_at_one_place_each_has_its_slice():
    leaves = {"a": "x", "b": "y", "c": "y", "d": "z", "e": "x", "f": "y", "hub": "z"}
    figure = plots.roles(as_graph([("hub", leaf) for leaf in "abcdef"], labels=leaves))
    right = figure.axes[1]
    leaf = points_of(right)["x"][0]
    slices = [one for one in right.collections if one.get_label()[0] == "_"]
    assert [one.get_facecolor()[0].tolist() for one in slices] == [
        one.get_facecolor()[0].tolist() for one in right.collections if one.get_label() in ("x", "y", "z")
    ]
    assert all(np.allclose(one.get_offsets(), leaf, atol=1e-9) for one in slices)
    assert [text.get_text() for text in right.texts] == ["× 6"]
    assert right.get_legend().get_title().get_text() == "label"
    assert not any(one.get_label()[0] == "_" for one in figure.axes[0].collections[1:])


def test_roles_of_nothing_are_those_of_a_planted_graph():
    figure = plots.roles()
    assert figure.axes[0].get_title() == "55 nodes, 75 edges"
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()][:2] == ["base", "foot"]


def test_a_map_shows_both_lenses_with_labels_or_degrees():
    figure = plots.map(KARATE, positional="netmf", structural="graphwave", annotate=[1, 34])
    left, right = figure.axes
    assert [axes.get_title() for axes in (left, right)] == ["positional: netmf", "structural: graphwave"]
    points = plane(embed(KARATE, "netmf", dim=34).values, "pca")
    assert np.allclose(points_of(left)["Mr. Hi"], points[KARATE.labels.values == "Mr. Hi"])
    assert tuple(text.get_text() for text in right.texts) == ("1", "34")
    bare = as_graph(KARATE.adjacency, nodes=KARATE.nodes)
    degrees = plots.map(bare)
    assert np.array_equal(degrees.axes[0].collections[0].get_array(), KARATE.degrees)
    assert len(degrees.axes) == 3 and degrees.axes[2].get_ylabel() == "degree"
    parts = plots.map(as_graph([(0, 1), (2, 3), (3, 4), (4, 2)]), color="component")
    assert set(points_of(parts.axes[0])) == {"1", "2"}


def test_nodes_of_a_small_graph_are_named_where_there_is_room():
    friends = as_graph(
        [(f"{one}@example.org", f"{other}@example.org") for one, other in ("ab", "bc", "ca", "cd", "de")]
    )
    figure = plots.map(friends)
    figure.draw_without_rendering()
    for axes in figure.axes[:2]:
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) >= 4 and all(axes.bbox.contains(*box.min) and axes.bbox.contains(*box.max) for box in boxes)
        assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])
    assert not any(axes.texts for axes in plots.map(friends, annotate=[]).axes[:2])
    assert not any(axes.texts for axes in plots.map(KARATE).axes[:2])


def test_the_colour_bar_of_degrees_has_whole_ticks():
    for graph in (as_graph([(0, 1), (1, 2), (2, 3), (3, 1), (1, 4)]), as_graph(KARATE.adjacency)):
        ticks = plots.map(graph).axes[2].get_yticks()
        assert len(ticks) >= 2 and np.array_equal(ticks, np.round(ticks))
    halves = plots.map(as_graph([(0, 1)]), color=[0.0, 0.5]).axes[2].get_yticks()
    assert not np.array_equal(halves, np.round(halves))


def test_of_a_large_graph_a_sample_is_shown():
    figure = plots.map(KARATE, sample=10, color="degree")
    assert [len(axes.collections[0].get_offsets()) for axes in figure.axes[:2]] == [10, 10]


def test_marks_of_the_key_are_those_of_the_points():
    figure = plots.map(KARATE, map="pca")
    handles = figure.axes[1].get_legend().legend_handles
    assert [tuple(handle.get_facecolor()[0]) for handle in handles] == [
        tuple(one.get_facecolor()[0]) for one in figure.axes[1].collections
    ]
    assert class_marks(0) != class_marks(1)


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_files_are_the_same_every_time_and_not_replaced_unasked(tmp_path, suffix):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, second):
        assert plots.save(plots.roles(PLANTED), path) == path
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(OutputError, match="exists"):
        plots.save(plots.roles(PLANTED), first)
    plots.save(plots.map(KARATE), first, overwrite=True)
    assert first.read_bytes() != second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [first.name, second.name]


def test_a_style_of_the_user_changes_nothing(tmp_path):
    import matplotlib

    plots.save(plots.roles(PLANTED), tmp_path / "a.svg")
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": None, "axes.facecolor": "red"}):
        plots.save(plots.roles(PLANTED), tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_names_of_users_are_no_formulas_and_letters_that_cannot_be_drawn_are_said(tmp_path):
    names = ["$a_{$", "b$", "朋友"]
    graph = as_graph([(names[0], names[1]), (names[1], names[2]), (2, names[0])], labels=[*names, "$"])
    graph = replace(graph, name="$\\frac{$\n" * 30, attributes={"$x_{$": np.arange(4)})
    with pytest.warns(MethodWarning, match="drawn as boxes"):
        plots.save(plots.map(graph, annotate=names), tmp_path / "a.svg")
    plots.save(plots.map(graph, color="$x_{$"), tmp_path / "b.svg")
    with pytest.warns(MethodWarning, match="drawn as boxes"):
        plots.save(plots.roles(graph), tmp_path / "c.svg")
    assert len(list(tmp_path.iterdir())) == 3


def test_figures_are_shown_by_notebooks_and_leave_no_window_open():
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    assert plots.roles(PLANTED)._repr_png_().startswith(b"\x89PNG")
    assert pyplot.get_fignums() == before


def test_bad_input_is_named(tmp_path):
    bare = as_graph(KARATE.adjacency, nodes=KARATE.nodes)
    with pytest.raises(InputError, match=r"no labels.*--labels FILE"):
        plots.bars(bare)
    with pytest.raises(InputError, match=r"no labels, which are its roles"):
        plots.roles(bare)
    with pytest.raises(InputError, match=r"two classes at least; all labels are 'x'"):
        plots.bars(bare, ["x"] * 34)
    with pytest.raises(InputError, match="5 labelled nodes at least; got 2"):
        plots.bars(bare, {1: "a", 2: "b"})
    with pytest.raises(InputError, match=r"up to 10 nodes.*--limit 34"):
        plots.bars(KARATE, limit=10)
    with pytest.raises(InputError, match="kind is 'positional' or 'structural'"):
        plots.bars(KARATE, kind="both")
    with pytest.raises(InputError, match="dim is for positional"):
        plots.bars(KARATE, dim=3)
    with pytest.raises(InputError, match="splits ≥ 1"):
        plots.bars(KARATE, splits=0)
    with pytest.raises(InputError, match="statistic is 'sum', 'variance' or 'entropy'"):
        plots.rows(KARATE, statistic="mean")
    with pytest.raises(InputError, match="up to 2,000 nodes; this one has 3,000"):
        plots.roles(datasets.planted("house", 1, length=2_995))
    with pytest.raises(InputError, match="Did you mean 'degree'"):
        plots.map(KARATE, color="degre")
    with pytest.raises(InputError, match="no labels to colour by"):
        plots.map(bare, color="label")
    with pytest.raises(InputError, match="give it as positional"):
        plots.map(KARATE, structural="netmf")
    with pytest.raises(InputError, match="1 ids are not in the graph, such as 99"):
        plots.map(KARATE, annotate=99)
    with pytest.raises(InputError, match=r"ends in \.svg, \.pdf, \.png; got '\.gif'"):
        plots.save(plots.roles(PLANTED), tmp_path / "a.gif")
    with pytest.raises(OutputError, match="does not exist"):
        plots.save(plots.roles(PLANTED), tmp_path / "none" / "a.svg")
