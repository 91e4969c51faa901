"""The page in a browser: everything that hands and keys can do to it."""

from __future__ import annotations

import pytest
from shown_graphs import CLASSES, DANGER, dangerous

import phusion


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Dangerous names, two designs for the first map."""
    out = tmp_path_factory.mktemp("page") / "page.html"
    return phusion.explore(dangerous(), out, positional=["netmf", "hope"])


@pytest.fixture
def page(path, browser):
    browser.open(path)
    return browser


def where(browser, node, lens=0):
    """The place of a node in the window."""
    return browser.value(
        f"""(() => {{ const map = explorer.maps[{lens}], box = map.box.getBoundingClientRect(), [x, y] = map.place({node});
        return [box.left + map.box.clientLeft + x, box.top + map.box.clientTop + y]; }})()"""
    )


def alone(browser, lens=0):
    """A node at whose place no other is."""
    apart = (
        "i => explorer.maps.every(m => [...m.design.points.keys()].length && m.grid.same(i).length === 1 && near(m, i))"
    )
    near = """const near = (m, i) => explorer.ids.slice(0, 30).every((_, j) => j === i ||
        Math.hypot(m.place(i)[0] - m.place(j)[0], m.place(i)[1] - m.place(j)[1]) > 16)"""
    return browser.value(f"(() => {{ {near}; return explorer.ids.map((_, i) => i).slice(0, 30).find({apart}); }})()")


def state(browser, name):
    return browser.value(f"explorer.state.{name}")


def text(browser, selector):
    return browser.value(f"document.querySelector({selector!r}).textContent")


def press_button(browser, selector):
    browser.value(f"document.querySelector({selector!r}).click()")


def button_called(browser, inside, words):
    browser.value(
        f"[...document.querySelectorAll({inside!r} + ' button')].find(b => b.textContent.includes({words!r})).click()"
    )


COLOURED = """(lens => {
    const map = explorer.maps[lens], copy = document.createElement("canvas");
    map.draw();
    Object.assign(copy, { width: map.points.canvas.width, height: map.points.canvas.height });
    const pen = copy.getContext("2d");
    pen.drawImage(map.points.canvas, 0, 0);
    const data = pen.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += data[k] > 100;
    return count;
})"""


def coloured(browser, lens=0):
    """How many pixels the points of a map cover."""
    return browser.value(f"{COLOURED}({lens})")


def test_it_loads_one_file_and_complains_of_nothing(page, path):
    assert page.requested() == [path.as_uri()]
    assert page.complaints() == []
    assert page.value("document.title") == "<danger> & co: explore"
    assert page.value("document.querySelectorAll('img, iframe, link').length") == 0
    assert page.value("explorer.maps.map(map => map.points.constructor.name)") == ["GlPoints", "GlPoints"]
    assert coloured(page, 0) > 500
    assert coloured(page, 1) > 500


def test_an_injected_script_does_not_run(page):
    page.value(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.bad = 1' }))"
    )
    page.value("document.body.insertAdjacentHTML('beforeend', '<p id=x onclick=\"window.bad = 2\"></p>'); x.click()")
    assert page.value("window.bad ?? null") is None


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
    assert names == [name for name, _ in embedding.nearest(identity, 10)]
    degree = len(dangerous().adjacency[[node]].indices)
    assert page.value("document.querySelectorAll('#node svg .node').length") == degree + 1
    assert page.value("document.querySelectorAll('#node polyline').length") == 2
    page.click(
        *page.value(
            "(() => { const b = explorer.maps[0].box.getBoundingClientRect(); return [b.left + 4, b.bottom - 4]; })()"
        )
    )
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
    page.value("search.value = ''")
    page.press("z", "z")
    assert "no node" in text(page, "#found")
    page.press("Escape")
    assert page.value("found.hidden") is True
    page.press("Escape")
    assert page.value("search.value") == ""
    page.value("search.value = '<SCRIPT'; search.dispatchEvent(new Event('input'))")
    assert text(page, "#found li") == DANGER[0]


def choose_colour(browser, name):
    browser.value(
        f"""(() => {{ const menu = document.getElementById("colour");
        menu.value = explorer.fields.findIndex(field => field.name === {name!r});
        menu.dispatchEvent(new Event("change")); }})()"""
    )


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
    page.value(
        "(box => { box.value = 500; box.dispatchEvent(new Event('change')); })(document.querySelector('#legend input'))"
    )
    assert page.value("explorer.ids.filter((_, i) => explorer.isShown(i)).length") == 15
    page.value(
        "(box => { box.value = ''; box.dispatchEvent(new Event('change')); })(document.querySelector('#legend input'))"
    )
    assert page.value("explorer.ids.filter((_, i) => explorer.isShown(i)).length") == 30


def around(browser, lens=0):
    """The corners of a map, and back."""
    left, top, right, bottom = browser.value(
        f"(b => [b.left + 5, b.top + 5, b.right - 5, b.bottom - 5])(explorer.maps[{lens}].box.getBoundingClientRect())"
    )
    middle = (left + right) / 2
    return [(left, top), (right, top), (right, bottom), (left, bottom)], [
        (left, top),
        (middle, top),
        (middle, bottom),
        (left, bottom),
    ]


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
        "window.kept = []; URL.createObjectURL = blob => { kept.push(blob); return 'blob:x'; }; HTMLAnchorElement.prototype.click = function () { kept.push(this.download); }"
    )
    button_called(page, "#picked", ".txt")
    assert page.value("kept[1]") == "nodes.txt"
    assert page.value("kept[0].text()").startswith("\n".join(DANGER))
    button_called(page, "#picked", ".csv")
    table = page.value("kept[2].text()")
    assert table.startswith(
        "node,label,degree,component,age,town <x>,cluster: netmf,cluster: hope,cluster: graphwave\r\n"
    )
    assert '"""quoted"" & \'so\'"' in table and '"two\nlines, a comma"' in table
    page.value(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { window.copied = text; } } })"
    )
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
    page.value(
        "(menu => { menu.value = '1'; menu.dispatchEvent(new Event('change')); })(document.querySelector('#design-positional'))"
    )
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


@pytest.mark.parametrize("missing", ["none", "broken"])
def test_without_webgl_points_are_drawn_on_a_plain_canvas(path, browser, missing):
    answer = "null" if missing == "none" else "{ createProgram() { throw new Error('no shaders'); } }"
    name = browser.before_pages(
        f"""const before = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {{
            return kind.startsWith("webgl") ? {answer} : before.call(this, kind, ...rest); }};"""
    )
    try:
        browser.open(path)
        assert browser.value("explorer.maps.map(map => map.points.constructor.name)") == ["PlainPoints", "PlainPoints"]
        assert browser.complaints() == []
        assert coloured(browser, 0) > 500
        node = alone(browser)
        browser.click(*where(browser, node))
        assert state(browser, "selected") == node
        press_button(browser, "#legend li button")
        assert browser.complaints() == []
    finally:
        browser.no_longer(name)


def test_a_lost_context_is_replaced(page):
    page.value("explorer.maps[0].points.gl.getExtension('WEBGL_lose_context').loseContext()")
    page.value("new Promise(done => setTimeout(done, 100))")
    assert page.value("explorer.maps[0].points.constructor.name") == "PlainPoints"
    assert coloured(page, 0) > 500


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_light_and_dark_and_the_other_by_a_button(path, browser, dark):
    browser.open(path, dark=dark)
    colours = {True: "rgb(20, 24, 31)", False: "rgb(255, 255, 255)"}
    behind = "getComputedStyle(document.body).backgroundColor"
    assert browser.value(behind) == colours[dark]
    press_button(browser, "#theme")
    assert browser.value(behind) == colours[not dark]


@pytest.mark.parametrize("width", [320, 390, 1000, 1600])
def test_the_page_never_scrolls_sideways_and_maps_are_stacked_on_a_phone(path, browser, width):
    browser.open(path, width=width)
    browser.value("explorer.choose(4)")
    assert browser.value("document.documentElement.scrollWidth") <= width
    first, second = browser.value("explorer.maps.map(map => map.box.getBoundingClientRect().toJSON())")
    if width < 600:
        assert second["top"] > first["bottom"]
        assert first["width"] > width - 40
    else:
        assert second["left"] > first["right"]
        assert first["height"] > 300


def test_two_fingers_zoom_and_one_moves(path, browser):
    browser.open(path, width=390)
    left, top = browser.value("(b => [b.left + 100, b.top + 100])(explorer.maps[0].box.getBoundingClientRect())")
    browser.touch("Start", [(left, top), (left + 60, top)])
    browser.touch("Move", [(left - 30, top), (left + 90, top)])
    browser.touch("End", [])
    assert browser.value("explorer.maps[0].view.zoom") > 1.5
    middle = browser.value("explorer.maps[0].view.x")
    browser.touch("Start", [(left, top)])
    browser.touch("Move", [(left + 50, top)])
    browser.touch("End", [])
    assert browser.value("explorer.maps[0].view.x") < middle


@pytest.mark.parametrize("n", [1, 2, 5])
def test_tiny_graphs_work(n, browser, tmp_path):
    graph = phusion.as_graph([(i, i + 1) for i in range(n - 1)], nodes=n)
    browser.open(phusion.explore(graph, tmp_path / "tiny.html"))
    for node in range(n):
        browser.value(f"explorer.choose({node})")
        assert text(browser, "#node h2") == str(node)
    browser.click(*where(browser, 0))
    assert state(browser, "selected") >= 0
    browser.press("ArrowLeft", "ArrowRight", "Enter")
    assert browser.complaints() == []


def test_names_of_nodes_that_are_not_shown_lead_nowhere(browser, tmp_path):
    browser.open(phusion.explore("karate", tmp_path / "few.html", sample=6))
    for node in range(6):
        browser.value(f"explorer.choose({node})")
        assert browser.complaints() == []
    assert browser.value("document.querySelectorAll('#node span.go').length") > 0
    assert "left out" in browser.value("[...document.querySelectorAll('#node h3')].map(h => h.textContent).join()")
    assert "6 of 34 nodes" in text(browser, "details.note")
