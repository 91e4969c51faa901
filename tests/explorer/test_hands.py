"""The page in a browser: everything that hands and keys can do to it."""

from __future__ import annotations

import numpy as np
import pytest
from hands import alone, around, button_called, choose_colour, coloured, press_button, set_value, state, text, where
from shown_graphs import CLASSES, DANGER, dangerous

import phusion


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return phusion.explore(dangerous(), tmp_path_factory.mktemp("page") / "page.html", positional=["netmf", "hope"])


@pytest.fixture
def page(path, browser):
    browser.open(path)
    return browser


def test_pointing_at_a_node_shows_its_name_label_and_degree_in_both_maps(page):
    node = alone(page)
    page.mouse("Moved", *where(page, node))
    assert state(page, "hovered") == node
    assert page.value("tip.hidden") is False
    said = page.value("tip.textContent").split("\n")
    assert said[0] == page.value(f"explorer.ids[{node}]").split("\n")[0]
    assert "neighbour" in said[-1]
    page.mouse("Moved", *where(page, node, lens=1))
    assert state(page, "hovered") == node
    page.mouse("Moved", 2, 2)
    assert state(page, "hovered") == -1
    assert page.value("tip.hidden") is True


def test_of_a_small_graph_nodes_have_their_names_and_equal_rows_are_told(page):
    assert page.value("explorer.ids.length") <= 40
    places = "new Set(Array.from(explorer.ids, (_, i) => String(explorer.maps[1].place(i)))).size"
    n, n_places = page.value("explorer.ids.length"), page.value(places)
    assert n_places < n
    said = text(page, ".structural .about")
    assert f"{n} nodes are at {n_places} places: those with equal numbers lie on each other" in said
    assert 0.6 * n_places < page.value("explorer.maps[1].written.length") <= n_places


def test_choosing_a_node_shows_everything_that_is_known_of_it(page):
    node = alone(page)
    page.click(*where(page, node))
    assert state(page, "selected") == node
    assert text(page, "#node h2") == page.value(f"explorer.ids[{node}]")
    facts = text(page, "#node dl")
    for name in ("label", "degree", "component", "age", "town <x>", "cluster: netmf", "cluster: graphwave"):
        assert name in facts
    assert "cluster: hope" not in facts
    titles = page.value("[...document.querySelectorAll('#node h3')].map(one => one.textContent)")
    assert [title.partition(":")[0] for title in titles] == [
        "Nearest", "Most alike", "Surroundings", "Proximity profile", "Proximity profile",
    ]  # fmt: skip
    embedding = phusion.embed(dangerous(), "netmf", dim=30)
    names = page.value("[...document.querySelector('#node ol.near').querySelectorAll('bdi')].map(b => b.textContent)")
    identity = page.value(f"explorer.ids[{node}]")
    assert len(names) == len(embedding.nodes) // 4  # of a small graph
    near = [name for name, _ in embedding.nearest(identity, len(names) + 2)]
    assert names == [name for name in near if name not in ("n28", "n29")][: len(names)]  # which have no edges
    degree = len(dangerous().adjacency[[node]].indices)
    assert page.value("document.querySelectorAll('#node svg .node').length") == degree + 1
    assert page.value("document.querySelectorAll('#node polyline').length") == 2
    page.click(*around(page)[0][3])
    assert state(page, "selected") == -1


def test_a_near_node_a_neighbour_and_a_profile_lead_on(page):
    page.value("explorer.choose(0)")
    first = page.value("document.querySelector('#node ol.near bdi').textContent")
    press_button(page, "#node ol.near button")
    assert text(page, "#node h2") == first
    page.value("document.querySelectorAll('#node svg .node')[0].dispatchEvent(new MouseEvent('click'))")
    assert text(page, "#node h2") != first


def test_nodes_at_one_place_are_chosen_one_after_the_other(page):
    leaves = list(range(15, 28))  # of the star: alike, so that they have one place in the structural map
    assert page.value("explorer.maps[1].grid.same(15).length") == len(leaves)
    place = where(page, 15, lens=1)
    page.mouse("Moved", *place)
    assert "and 12 others at this place" in page.value("tip.textContent")
    seen = set()
    for _ in leaves:
        page.click(*place)
        seen.add(state(page, "selected"))
    assert seen == set(leaves)


def test_nodes_that_one_dot_covers_are_chosen_one_after_the_other(browser, tmp_path):
    """Their rows differ a little, so that they are not at one place."""
    random = np.random.default_rng(0)
    rows = np.vstack([random.normal(size=(20, 2)), 5 + 1e-3 * random.normal(size=(4, 2))])
    embedding = phusion.Embedding(rows, np.arange(24), ("x", "y"), phusion.presets.find("netmf").spec)
    ring = phusion.as_graph([(i, (i + 1) % 24) for i in range(24)])
    browser.open(phusion.explore(ring, tmp_path / "page.html", embeddings={"mine": embedding}, map="pca"))
    assert browser.value("explorer.maps[0].grid.same(20).length") == 1
    place = where(browser, 20)
    browser.mouse("Moved", *place)
    assert "and 3 others at this place" in browser.value("tip.textContent")
    seen = [browser.click(*place) or state(browser, "selected") for _ in range(5)]
    assert set(seen) == {20, 21, 22, 23} and seen[4] == seen[0]
    lone = where(browser, 3)
    assert [browser.click(*lone) or state(browser, "selected") for _ in range(2)] == [3, 3]


def test_dangerous_names_are_words_everywhere(page):
    for node, name in enumerate(DANGER):
        page.value(f"explorer.choose({node})")
        assert text(page, "#node h2") == name
    assert page.value("document.querySelectorAll('main script, main img, main b, main i').length") == 0
    legend = page.value("[...document.querySelectorAll('#legend bdi')].map(one => one.textContent)")
    assert legend == [*sorted(CLASSES), "no label"]
    assert page.complaints() == []


def test_search_by_keyboard(page):
    page.press("/")
    assert page.value("document.activeElement.id") == "search"
    page.press("n", "1")
    options = page.value("[...document.querySelectorAll('#found li')].map(one => one.textContent)")
    assert options == [f"n{i}" for i in range(10, 20)]
    page.press("ArrowDown", "ArrowDown", "ArrowUp")
    assert text(page, "#found [aria-selected=true]") == "n11"
    assert page.value("search.getAttribute('aria-activedescendant')") == "found-1"
    page.press("Enter")
    assert state(page, "selected") == 11
    assert page.value("found.hidden") is True
    assert page.value("document.activeElement.classList.contains('map')")  # keys are the map's again
    page.press("/")  # what was found is selected, and typed over
    page.press("z", "z")
    assert "no node" in text(page, "#found")
    page.press("Escape")
    assert page.value("found.hidden") is True
    page.press("Escape")
    assert page.value("search.value") == "" and page.value("document.activeElement.id") != "search"
    page.value("search.value = '<SCRIPT'; search.dispatchEvent(new Event('input'))")
    assert text(page, "#found li") == DANGER[0]


@pytest.mark.parametrize(
    "name", ["label", "degree", "component", "age", "town <x>", "cluster: netmf", "cluster: hope", "cluster: graphwave"]
)
def test_colour_by_everything(page, name):
    choose_colour(page, name)
    assert page.value("explorer.fields[explorer.state.field].name") == name
    kind = page.value("explorer.fields[explorer.state.field].kind")
    assert page.value("document.querySelectorAll('#legend li button, #legend .ramp').length") >= 1
    assert (page.value("document.querySelectorAll('#legend .ramp').length") == 1) == (kind == "number")
    assert page.complaints() == []


def test_the_legend_shows_and_hides_classes(page):
    whole = coloured(page)
    press_button(page, "#legend li button")
    hidden = page.value("explorer.ids.filter((_, i) => !explorer.isShown(i)).length")
    assert hidden == 9
    assert coloured(page) < whole
    assert page.value("document.querySelector('#legend li button').getAttribute('aria-pressed')") == "false"
    button_called(page, "#legend", "show all")
    assert coloured(page) == whole
    page.value("document.querySelector('#legend li button').dispatchEvent(new MouseEvent('click', { shiftKey: true }))")
    assert page.value("explorer.ids.filter((_, i) => explorer.isShown(i)).length") == 9


def test_the_range_of_numbers_hides_what_is_outside(page):
    choose_colour(page, "age")
    set_value(page, "#legend input", "500")
    assert page.value("explorer.ids.filter((_, i) => explorer.isShown(i)).length") == 15
    set_value(page, "#legend input", "")
    assert page.value("explorer.ids.filter((_, i) => explorer.isShown(i)).length") == 30


def test_the_lasso_picks_nodes_and_their_ids_can_be_taken_away(page):
    press_button(page, "#lasso")
    assert page.value("document.querySelector('#lasso').getAttribute('aria-pressed')") == "true"
    everything, half = around(page)
    page.drag(half)
    some = page.value("explorer.state.picked.size")
    assert 0 < some < 30
    page.drag(everything)
    assert page.value("explorer.state.picked.size") == 30
    assert "30 nodes" in text(page, "#picked h2")
    page.value(
        """window.kept = [];
        URL.createObjectURL = blob => { kept.push(blob); return "blob:x"; };
        HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };"""
    )
    button_called(page, "#picked", ".txt")
    assert page.value("kept[1]") == "nodes.txt"
    assert page.value("kept[0].text()").startswith("\n".join(DANGER))
    button_called(page, "#picked", ".csv")
    table = page.value("kept[2].text()")
    assert table.startswith("node,label,degree,component,age,town <x>,cluster: netmf,cluster: hope,cluster: graphwave")
    assert '"""quoted"" & \'so\'"' in table and '"two\nlines, a comma"' in table
    page.value("window.clips = { writeText: async text => { window.copied = text; } }")
    page.value("Object.defineProperty(navigator, 'clipboard', { value: clips })")
    button_called(page, "#picked", "Copy")
    assert page.value("copied").splitlines()[-1] == "n29"
    button_called(page, "#picked", "Clear")
    assert page.value("explorer.state.picked.size") == 0


def test_shift_adds_to_the_set(page):
    node = alone(page)
    page.click(*where(page, node), shift=True)
    assert page.value("[...explorer.state.picked]") == [node]
    assert state(page, "selected") == -1
    page.value("explorer.choose(14)")
    button_called(page, "#node", "Add neighbours")
    assert page.value("explorer.state.picked.size") >= 14
    page.click(*where(page, node), shift=True)
    assert node not in page.value("[...explorer.state.picked]")


def test_switching_the_design_keeps_what_is_chosen(page):
    page.value("explorer.choose(3); explorer.pick([1, 2])")
    before = page.value("[...explorer.maps[0].design.points].join()")
    set_value(page, "#design-positional", "1")
    assert page.value("[...explorer.maps[0].design.points].join()") != before
    assert state(page, "selected") == 3
    assert page.value("explorer.state.picked.size") == 2
    assert "katz" in text(page, ".positional .about")
    assert "hope" in text(page, "#node h3")
    assert page.value("document.querySelector('#design-structural').disabled") is True


def test_zoom_and_move_by_mouse(page):
    node = alone(page)
    x, y = where(page, node)
    page.mouse("Wheel", x, y, wheel=-300)
    assert page.value("explorer.maps[0].view.zoom") > 1.3
    assert where(page, node) == pytest.approx([x, y], abs=0.5)
    page.drag([(x + 60, y + 60), (x + 80, y + 70), (x + 110, y + 80)])
    assert where(page, node) == pytest.approx([x + 50, y + 20], abs=6)
    assert state(page, "selected") == -1
    press_button(page, "#reset")
    assert page.value("explorer.maps[0].view.zoom") == 1
    assert page.value("explorer.maps[1].view.zoom") == 1


def test_everything_by_keyboard_alone(page):
    order = []
    for _ in range(12):
        page.press("Tab")
        order.append(page.value("document.activeElement.id || document.activeElement.className"))
    assert order[:8] == ["theme", "search", "colour", "move", "lasso", "reset", "design-positional", "map"]
    page.value("explorer.maps[0].box.focus()")
    assert page.value("getComputedStyle(explorer.maps[0].box).outlineStyle") in ("solid", "auto")
    page.press("ArrowRight")
    first = state(page, "hovered")
    assert first >= 0
    visited = {first}
    for key in ("ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft"):
        page.press(key)
        visited.add(state(page, "hovered"))
    assert len(visited) > 1
    assert text(page, "#said")
    page.press("Enter")
    assert state(page, "selected") == state(page, "hovered")
    page.press(" ")
    assert page.value("explorer.state.picked.size") == 1
    zoom = page.value("explorer.maps[0].view.zoom")
    page.press("+")
    assert page.value("explorer.maps[0].view.zoom") > zoom
    middle = page.value("explorer.maps[0].view.x")
    page.press("ArrowRight", shift=True)
    assert page.value("explorer.maps[0].view.x") > middle
    page.press("0")
    assert page.value("explorer.maps[0].view.zoom") == 1
    page.press("l")
    assert state(page, "mode") == "lasso"
    page.press("Escape", "Escape", "Escape")
    assert (state(page, "mode"), state(page, "selected")) == ("move", -1)
    assert page.value("explorer.state.picked.size") == 0


def test_the_address_keeps_what_is_chosen(page, path):
    page.value("explorer.choose(0); explorer.colourBy(1)")
    kept = page.value("location.hash")
    assert kept.startswith("#node=")
    page.open(path, place=kept)
    assert state(page, "selected") == 0
    assert state(page, "field") == 1
    assert text(page, "#node h2") == DANGER[0]
