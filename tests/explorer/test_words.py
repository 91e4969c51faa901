"""The page says what it shows to somebody who has never seen one."""

from __future__ import annotations

import numpy as np
import pytest
from hands import choose_colour, press_button, state, text, where
from shown_graphs import components, odd

import phusion


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {
        "karate": phusion.explore("karate", folder / "karate.html"),
        "odd": phusion.explore(odd(), folder / "odd.html"),
    }


@pytest.fixture
def karate(paths, browser):
    browser.open(paths["karate"], width=1400, height=900)
    return browser


@pytest.fixture
def page(paths, browser):
    browser.open(paths["odd"], width=1400, height=900)
    return browser


def choose(browser, name):
    browser.value(f"explorer.choose(explorer.ids.indexOf({name!r}))")


def drawn(browser, lens):
    """Boxes of names on a map, and discs of points."""
    return browser.value(
        f"""(map => {{ map.draw();
        const discs = explorer.ids.map((_, i) => [...map.place(i), map.radius]);
        return [map.written, discs, map.view.width, map.view.height]; }})(explorer.maps[{lens}])"""
    )


def left_out(browser):
    """Nodes alone at their place that have no name on the first map."""
    named = {name for one in drawn(browser, 0)[0] for name in one["words"].split(" · ")}
    single = browser.value("explorer.ids.filter((_, i) => explorer.maps[0].grid.same(i).length === 1)")
    return [name for name in single if name not in named]


def colour_at(browser, lens, across, down, node):
    """The colour of a pixel beside the middle of a node, of points and marks together."""
    return browser.value(
        f"""(map => {{ map.draw();
        const copy = document.createElement("canvas"), [x, y] = map.place({node});
        Object.assign(copy, {{ width: map.marks.width, height: map.marks.height }});
        const pen = copy.getContext("2d");
        pen.drawImage(map.points.canvas, 0, 0);
        pen.drawImage(map.marks, 0, 0);
        const place = [x + {across}, y + {down}].map(one => Math.round(one * map.ratio));
        return [...pen.getImageData(...place, 1, 1).data].slice(0, 3); }})(explorer.maps[{lens}])"""
    )


# captions


def test_captions_are_sentences_and_the_formula_stands_behind_them(karate):
    said = karate.value("[...document.querySelectorAll('.about > p')].map(one => one.innerText)")
    assert said[0].startswith("netmf describes each node by 34 numbers; the map shows the two directions in which")
    rows = phusion.embed("karate", "netmf", dim=34).values
    variances = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    held = f"which hold {100 * variances[:2].sum() / variances.sum():.0f} % of their differences (variance)"
    assert f"in which nodes differ most, {held}. The vertical axis is stretched 1.3 times." in said[0]
    assert "→" not in "".join(said) and "svd" not in "".join(said)
    assert karate.value("document.querySelector('.positional .about details').open") is False
    assert "Method: ppmi → log → svd, 34 columns, drawn by PCA." in text(karate, ".positional .about details")


def test_the_page_says_how_many_columns_it_took_and_how_to_see_an_embedding_of_ones_own(karate, tmp_path):
    said = text(karate, ".positional .about details")
    assert "an embedding of your own" in said and "with 34 columns" in said
    assert "phusion explore … --embedding near.npz" in said
    phusion.embed("karate", "netmf", dim=3).save(tmp_path / "near.npz")
    karate.open(phusion.explore("karate", tmp_path / "own.html", embeddings=tmp_path / "near.npz"))
    assert text(karate, ".positional .about > p").endswith("lie on each other.")
    assert "near describes each node by 3 numbers" in text(karate, ".positional .about")
    assert "shown as it was given, with its 3 columns" in text(karate, ".positional .about details")


def test_groups_of_tsne_are_not_to_be_measured(browser, tmp_path):
    browser.open(phusion.explore("karate", tmp_path / "page.html", map="tsne"))
    assert "How far apart groups are means nothing." in text(browser, ".positional .about > p")


def test_of_labelled_graphs_the_structural_map_says_by_what_else_to_colour(page, browser, tmp_path):
    hint = "Colouring by degree often shows what the places mean."
    assert hint in text(page, ".structural .about > p") and hint not in text(page, ".positional .about")
    browser.open(phusion.explore(components(), tmp_path / "page.html"))
    assert "Colouring" not in text(browser, ".structural .about")


def test_nodes_of_different_components_may_lie_on_each_other_and_that_is_said(browser, tmp_path):
    browser.open(phusion.explore(components(), tmp_path / "page.html"))
    said = "Nodes of different components can lie on each other: their role is the same."
    assert said in text(browser, ".structural .about > p") and said not in text(browser, ".positional .about")
    browser.open(phusion.explore("karate", tmp_path / "one.html"))
    assert "components" not in text(browser, ".structural .about")


def test_distances_of_the_two_maps_are_not_to_be_compared(page):
    said = "Compare them within a list, not between the two lists."
    choose(page, "Ligase 3")
    assert said in text(page, "#node ol.near + p")
    choose(page, "Lonely")  # which has one list
    assert said not in text(page, "#node")


def test_rings_and_lines_are_explained_in_their_colours(karate):
    said = text(karate, "#key")
    assert "Choose a node: thin lines then show its edges" in said and "Until then no edges are drawn" in said
    for lens in ("positional", "structural"):
        title = karate.value(f"getComputedStyle(document.querySelector('.{lens} h2')).color")
        assert karate.value(f"getComputedStyle(document.querySelector('#key .ring.{lens}')).stroke") == title


def test_the_middle_number_of_a_scale_stands_below_the_middle_of_its_colours(karate):
    choose_colour(karate, "degree")
    marks = karate.value("[...document.querySelectorAll('#legend .scale span')].map(s => s.textContent)")
    assert marks == ["1", "9", "17"]
    assert "in the middle" not in text(karate, "#legend")
    centre = "(b => (b.left + b.right) / 2)(document.querySelector({}).getBoundingClientRect())"
    strip, number = (
        karate.value(centre.format(repr(f"#legend .scale {one}"))) for one in ("svg", "span:nth-of-type(2)")
    )
    assert strip == pytest.approx(number, abs=1)


def test_where_all_degrees_are_equal_colours_are_those_of_something_else(browser, tmp_path):
    ring = phusion.as_graph([(i, (i + k) % 40) for i in range(40) for k in range(1, 7)])
    path = phusion.explore(ring, tmp_path / "ring.html")
    browser.open(path)
    field = "explorer.fields[explorer.state.field].name"
    assert browser.value(field) == "cluster: netmf" and "#" not in browser.value("location.href")
    choose_colour(browser, "degree")
    assert text(browser, "#legend").strip() == "all nodes: degree 12"
    assert browser.value("document.querySelector('#legend circle').getAttribute('fill')") == "rgb({},{},{})".format(
        *colour_at(browser, 0, 0, 0, 0)
    )
    browser.open(path, place=browser.value("location.hash"))
    assert browser.value(field) == "degree"
    assert browser.complaints() == []


def test_the_set_is_explained_after_the_node_and_comes_first_when_it_has_nodes(karate):
    order = "[...document.querySelectorAll('#panel > section')].map(one => one.id)"
    assert karate.value(order) == ["node", "picked"]
    assert text(karate, "#picked h2") == "Collect nodes" and "copy or download their ids" in text(karate, "#picked p")
    karate.value("explorer.pick([1, 2])")
    assert karate.value(order) == ["picked", "node"]
    assert text(karate, "#picked h2") == "Your set: 2 nodes"


def test_a_profile_says_what_its_curve_is(karate):
    choose(karate, "1")
    said = karate.value("[...document.querySelectorAll('#node h3 + p')].map(one => one.textContent)")
    assert said[0].startswith("How closely this node is tied to every node: the closest is at the left (rank 1)")
    assert said[0].endswith("Measured by ppmi → log (ppmi T10).")


# names


@pytest.mark.parametrize("lens", [0, 1])
@pytest.mark.parametrize("chosen", ["", "1", "34"])
@pytest.mark.parametrize("width", [390, 1000, 1400])
def test_names_cover_neither_each_other_nor_points(paths, browser, lens, chosen, width):
    browser.open(paths["karate"], width=width)
    if chosen:
        choose(browser, chosen)
    boxes, discs, wide, high = drawn(browser, lens)
    assert len(boxes) > (8 if width == 390 else 16)
    for at, one in enumerate(boxes):
        left, right, top, bottom = one["left"], one["left"] + one["wide"], one["top"], one["top"] + 15
        assert left >= 0 and top >= 0 and right <= wide and bottom <= high
        for other in boxes[:at]:
            apart = left >= other["left"] + other["wide"] or other["left"] >= right
            assert apart or abs(top - other["top"]) >= 15, (one["words"], other["words"])
        for x, y, radius in discs:
            away = (x - max(left, min(x, right))) ** 2 + (y - max(top, min(y, bottom))) ** 2
            assert away >= radius**2 or one["hits"], one["words"]
    assert sum(one["hits"] > 0 for one in boxes) <= (1 if chosen else 0)


def test_names_that_are_left_out_come_when_one_zooms_in(paths, browser):
    browser.open(paths["karate"], width=390)
    absent = left_out(browser)
    assert absent and "34" not in absent  # who has most neighbours
    browser.value(f"(map => map.view.zoomAt(...map.place(explorer.ids.indexOf({absent[0]!r})), 8))(explorer.maps[0])")
    assert absent[0] in {one["words"] for one in drawn(browser, 0)[0]}
    assert "Names that have no room are left out" in text(browser, "#key")


def test_the_node_that_is_pointed_at_has_its_name_and_moves_no_other(paths, browser):
    browser.open(paths["karate"], width=390)
    before = drawn(browser, 0)[0]
    node = browser.value("explorer.ids.indexOf('3')")
    browser.mouse("Moved", *where(browser, node))
    assert state(browser, "hovered") == node
    assert drawn(browser, 0)[0] == before
    absent = left_out(browser)[0]
    browser.value(f"explorer.state.hovered = explorer.ids.indexOf({absent!r})")
    assert absent in [one["words"] for one in drawn(browser, 0)[0]]


def test_nodes_at_one_place_are_told_apart_though_their_names_have_commas(page):
    words = [one["words"] for one in drawn(page, 0)[0]]
    assert "Aquaporin-1 · Protein, putative" in words
    node = page.value("explorer.ids.indexOf('Aquaporin-1')")
    page.mouse("Moved", *where(page, node))
    assert "and 1 other at this place" in page.value("tip.textContent")


def test_many_names_at_one_place_are_counted_and_names_with_dots_quoted(browser, tmp_path):
    leaves = [f"a leaf number {i}" for i in range(9)]
    graph = phusion.as_graph([("hub", leaf) for leaf in leaves] + [("x·y", "z"), ("w", "z"), ("z", "hub")])
    browser.open(phusion.explore(graph, tmp_path / "page.html"), width=1400)
    words = [one["words"] for one in drawn(browser, 1)[0]]
    assert "a leaf number 0 and 8 more" in words
    assert "“x·y” · “w”" in words


@pytest.mark.parametrize("webgl", [False, True])
def test_classes_at_one_place_have_a_slice_each_and_colours_do_not_blend(paths, browser, webgl):
    name = browser.before_pages(
        f"""const before = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, options) {{
            if (kind === "webgl") options = {{ ...options, failIfMajorPerformanceCaveat: {str(not webgl).lower()} }};
            return before.call(this, kind, options); }};"""
    )
    browser.open(paths["odd"], width=1400)
    browser.no_longer(name)
    node = browser.value("explorer.ids.indexOf('Aquaporin-1')")
    field = "explorer.fields[0].classes.indexOf"
    assert browser.value(f"[{field}('membrane'), {field}('unknown')]") == [1, 3]
    sides = [colour_at(browser, 0, across, 0, node) for across in (3, -3)]
    assert sorted(sides) == sorted([[0xE0, 0x7B, 0x28], [0xC4, 0x48, 0x8A]])
    press_button(browser, "#legend li:nth-child(2) button")
    assert colour_at(browser, 0, 3, 0, node) == colour_at(browser, 0, -3, 0, node) == [0xC4, 0x48, 0x8A]


def test_a_hub_lies_above_the_points_around_it(karate):
    choose_colour(karate, "degree")
    hub = karate.value("explorer.ids.indexOf('34')")
    x, y = where(karate, hub)
    close = [one for one in range(34) if abs(where(karate, one)[0] - x) + abs(where(karate, one)[1] - y) < 10]
    assert max(close) > hub  # which the order of nodes would put above it
    last = "[...document.querySelectorAll('#legend .scale rect')].at(-1).getAttribute('fill')"
    assert karate.value(last) == "rgb({},{},{})".format(*colour_at(karate, 0, 0, 0, hub))


def test_several_labels_of_a_node_are_told_apart_though_they_have_commas(browser, tmp_path):
    graph = phusion.as_graph([(1, 2), (2, 3)], labels={1: ["old, tall", "kind"], 2: ["kind"]})
    browser.open(phusion.explore(graph, tmp_path / "page.html"))
    browser.value("explorer.choose(0)")
    assert "kind · old, tall" in text(browser, "#node dl")


# self-loops and nodes without edges


def test_a_self_loop_is_named_wherever_it_is_counted(page):
    choose(page, "Ligase 3")
    facts = page.value(
        "[...document.querySelectorAll('#node dt')].map(one => [one.textContent, one.nextSibling.textContent])"
    )
    assert dict(facts)["degree"] == "5 (with its self-loop)"
    titles = page.value("[...document.querySelectorAll('#node h3')].map(one => one.textContent)")
    assert "Surroundings: 4 neighbours and an edge to itself" in titles
    assert page.value("document.querySelectorAll('#node svg .loop').length") == 1
    assert "4 neighbours and an edge to itself" in text(page, "#said")
    choose(page, "Myosin-9")
    assert "self-loop" not in text(page, "#node")


def test_a_node_without_edges_is_near_none_and_nobody_is_near_it(page):
    choose(page, "Lonely")
    titles = page.value("[...document.querySelectorAll('#node h3')].map(one => one.textContent)")
    assert titles == [
        "Nearest: positional, netmf",
        "Most alike: structural, graphwave",
        "Surroundings: no edges",
        "Proximity profile: structural, graphwave",
    ]
    assert "This node has no edges to others, so it is near none." in text(page, "#node h3 + p")
    assert "Where it is on the positional map means nothing." in text(page, "#node h3 + p")
    assert page.value("document.querySelectorAll('#node ol.near').length") == 2  # most alike, and its profile
    assert "Add nearest" not in text(page, "#node") and "Add neighbours" not in text(page, "#node")
    assert "1 node, drawn hollow, has no edges" in text(page, ".positional .about")
    assert "hollow" not in text(page, ".structural .about")
    for node in range(page.value("explorer.ids.length") - 1):
        page.value(f"explorer.choose({node})")
        assert "Lonely" not in text(page, "#node ol.near")
    assert page.complaints() == []


def test_it_is_drawn_hollow_on_the_positional_map_alone(page):
    node = page.value("explorer.ids.indexOf('Lonely')")
    middle, other = (colour_at(page, lens, 0, 0, node) for lens in (0, 1))
    assert middle == [0xFB, 0xFC, 0xFD] and other == [186, 193, 203]


def test_a_node_with_an_edge_to_itself_alone_is_near_none(browser, tmp_path):
    graph = phusion.as_graph([(i, (i + 1) % 9) for i in range(9)] + [("self", "self")])
    browser.open(phusion.explore(graph, tmp_path / "page.html"))
    choose(browser, "self")
    assert "This node has no edges to others, so it is near none." in text(browser, "#node h3 + p")
    assert "0 neighbours and an edge to itself" in text(browser, "#said")
    assert "1 node, drawn hollow, has no edges to others" in text(browser, ".positional .about")
    for node in range(9):
        browser.value(f"explorer.choose({node})")
        assert "self" not in browser.value("document.querySelector('#node ol.near').textContent")


def test_the_advice_to_show_an_own_embedding_keeps_the_other_map(page):
    assert "--embedding near.npz --structural graphwave" in text(page, ".positional .about code")
    assert "--embedding roles.npz --positional netmf" in text(page, ".structural .about code")
