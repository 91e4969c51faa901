"""The page on a phone: everything fits, and nothing is covered that is needed."""

from __future__ import annotations

import pytest
from hands import press_button, state, text, where
from shown_graphs import components

import phusion


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {
        "karate": phusion.explore("karate", folder / "karate.html"),
        "components": phusion.explore(components(), folder / "components.html", positional="hope-common-neighbors"),
    }


def choose(browser, name):
    browser.value(f"explorer.choose(explorer.ids.indexOf({name!r}))")


def find(browser, name):
    """Type a name and press Enter."""
    browser.value(
        f"""(box => {{ box.focus(); box.value = {name!r}; box.dispatchEvent(new Event("input")); }})(search)"""
    )
    browser.press("Enter")


def views(browser):
    return browser.value("explorer.maps.map(map => [map.view.x, map.view.y, map.view.zoom])")


def edges_of(browser, selector):
    """Where an element begins and ends in the window, from above."""
    return browser.value(f"(b => [b.top, b.bottom])(document.querySelector({selector!r}).getBoundingClientRect())")


def test_on_a_phone_both_maps_are_seen_at_once_and_details_are_a_tap_away(paths, browser):
    browser.open(paths["karate"], width=390, height=844)
    assert browser.value("explorer.maps[1].box.getBoundingClientRect().bottom") < 844
    assert browser.value("getComputedStyle(document.querySelector('#down')).display") == "none"
    choose(browser, "34")
    assert text(browser, "#down") == "3417 neighbours: details ↓"
    assert browser.value("getComputedStyle(document.querySelector('#down')).display") == "flex"
    assert browser.contrast("#down") >= 4.5
    press_button(browser, "#down")
    assert 0 <= edges_of(browser, "#node h2")[0] < 60
    assert edges_of(browser, "#down")[1] < 0


@pytest.mark.parametrize("node", ["eve@example.org", "lonely@example.org"])
def test_the_button_to_the_details_has_room_for_a_name(tmp_path, browser, node):
    loops = [("eve@example.org",) * 2, ("lonely@example.org",) * 2]
    pairs = [*(("eve@example.org", other) for other in range(11)), *loops]
    browser.open(phusion.explore(pairs, tmp_path / "page.html"), width=390, height=844)
    choose(browser, node)
    assert text(browser, "#down bdi") == node
    for part in ("bdi", "span"):
        assert browser.value(f"(one => one.scrollWidth <= one.offsetWidth)(document.querySelector('#down {part}'))")


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("name", ["karate", "components"])
def test_captions_above_the_maps_can_be_read_whole(paths, browser, name, width):
    browser.open(paths[name], width=width)
    for lens, said in (("positional", "close in the graph"), ("structural", "alike in role")):
        assert text(browser, f".{lens} .head .small") == f"near: {said}"
        whole = browser.value(
            f"""(one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight &&
            one.getBoundingClientRect().right <= {width})(document.querySelector(".{lens} .head .small"))"""
        )
        assert whole
        assert edges_of(browser, f".{lens} .head .small")[1] <= edges_of(browser, f".{lens} .map")[0] + 4
    assert browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("height", [844, 664])
def test_the_button_to_the_details_does_not_cover_the_legend(paths, browser, height):
    browser.open(paths["components"], width=390, height=height)
    find(browser, "d")
    top, bottom = edges_of(browser, "#down")
    assert top > 0 and bottom <= height
    assert edges_of(browser, "#legend")[0] >= bottom
    choose(browser, "a")
    browser.value("document.querySelector('#legend').scrollIntoView({ block: 'end' })")
    assert edges_of(browser, "#legend")[0] >= edges_of(browser, "#down")[1]


@pytest.mark.parametrize("height", [844, 700, 664])
def test_finding_a_node_that_is_in_view_moves_no_map(paths, browser, height):
    browser.open(paths["components"], width=390, height=height)
    before = views(browser)
    for name in browser.value("explorer.ids"):
        find(browser, name)
        assert browser.value(f"explorer.ids[{state(browser, 'selected')}]") == name
        assert views(browser) == before


def test_a_node_under_the_button_is_brought_above_it(paths, browser):
    browser.open(paths["components"], width=390, height=540)
    choose(browser, "a")
    top = edges_of(browser, "#down")[0]
    lowest = max(range(12), key=lambda node: where(browser, node, lens=1)[1])
    assert where(browser, lowest, lens=1)[1] > top
    before = views(browser)
    find(browser, browser.value(f"explorer.ids[{lowest}]"))
    assert top - 40 < where(browser, lowest, lens=1)[1] < top - 11
    assert [view[0] for view in views(browser)] == [view[0] for view in before]


def test_a_node_out_of_view_comes_to_the_middle(paths, browser):
    browser.open(paths["karate"], width=390)
    node = browser.value("explorer.ids.indexOf('17')")
    browser.value("explorer.maps[0].view.zoomAt(100, 60, 8)")
    find(browser, "17")
    middle = browser.value(
        "(b => [(b.left + b.right) / 2, (b.top + b.bottom) / 2])(explorer.maps[0].box.getBoundingClientRect())"
    )
    assert where(browser, node) == pytest.approx(middle, abs=2)


@pytest.mark.parametrize(("width", "keys"), [(390, False), (1400, True)])
def test_hints_are_for_the_hands_one_has(paths, browser, width, keys):
    browser.open(paths["karate"], width=width)
    browser.value("document.querySelector('#help').open = true")
    said = browser.value("document.body.innerText")
    for word in ("Shift", "Space", "Click it", "Arrows go", "Mouse and keys"):
        assert (word in said) is keys, word
    assert ("Tap a node" in said) is not keys
