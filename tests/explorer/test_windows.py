"""The page in every kind of window: with and without WebGL, light and dark, on a desk and on a phone."""

from __future__ import annotations

import numpy as np
import pytest
from hands import alone, button_called, coloured, press_button, state, text, where
from shown_graphs import dangerous

import phusion
from phusion.explorer import computed


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return phusion.explore(dangerous(), tmp_path_factory.mktemp("page") / "page.html", positional=["netmf", "hope"])


@pytest.fixture
def page(path, browser):
    browser.open(path)
    return browser


def test_it_loads_one_file_and_complains_of_nothing(page, path):
    assert page.requested() == [path.as_uri()]
    assert page.complaints() == []
    assert page.value("document.title") == "<danger> & co: explore"
    assert page.value("document.querySelectorAll('img, iframe, link').length") == 0
    assert coloured(page, 0) > 500
    assert coloured(page, 1) > 500


@pytest.fixture
def with_webgl(browser):
    """As if there were a graphics card: WebGL is taken though it is only imitated."""
    name = browser.before_pages(
        """const before = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, options) {
            return before.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false }); };"""
    )
    yield browser
    browser.no_longer(name)


def test_webgl_draws_the_same_points_and_hides_the_same(path, browser, with_webgl):
    browser.open(path)
    assert browser.value("explorer.maps.map(map => map.points.constructor.name)") == ["GlPoints", "GlPoints"]
    drawn = [coloured(browser, lens) for lens in (0, 1)]
    press_button(browser, "#legend li button")
    assert 0 < coloured(browser, 0) < drawn[0]
    button_called(browser, "#legend", "show all")
    browser.value("explorer.maps.forEach(map => map.withoutWebGl())")
    for lens in (0, 1):
        assert coloured(browser, lens) == pytest.approx(drawn[lens], rel=0.15)


@pytest.mark.parametrize("without_webgl", ["null"], indirect=True)
def test_many_points_are_drawn_without_webgl_too(browser, without_webgl, tmp_path, monkeypatch):
    def made_up(graph, specs, resources):  # the page is tested here, not the methods
        values = np.random.default_rng(0).normal(size=(len(graph), 3))
        return [phusion.Embedding(values, graph.nodes, ("a", "b", "c"), spec) for spec in specs]

    monkeypatch.setattr(computed, "embed_together", made_up)
    monkeypatch.setattr(computed, "PROFILED", 0)
    graph = phusion.as_graph([(i, i // 3) for i in range(1, 2100)], labels=[i % 2 for i in range(2100)])
    browser.open(phusion.explore(graph, tmp_path / "many.html", map="pca"))
    assert browser.value("explorer.maps[0].points.constructor.name") == "PlainPoints"
    whole = coloured(browser, 0)
    assert whole > 200
    press_button(browser, "#legend li button")
    assert 0 < coloured(browser, 0) < whole
    assert browser.complaints() == []


def test_an_injected_script_does_not_run(page):
    page.value("window.one = document.createElement('script'); one.textContent = 'window.bad = 1'")
    page.value("document.body.append(one)")
    page.value("document.body.insertAdjacentHTML('beforeend', '<p id=x onclick=\"window.bad = 2\"></p>'); x.click()")
    assert page.value("window.bad ?? null") is None


@pytest.fixture(params=["null", "{ createProgram() { throw new Error('no shaders'); } }"], ids=["none", "broken"])
def without_webgl(browser, request):
    name = browser.before_pages(
        f"""const before = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {{
            return kind.startsWith("webgl") ? {request.param} : before.call(this, kind, ...rest); }};"""
    )
    yield browser
    browser.no_longer(name)


def test_without_webgl_points_are_drawn_on_a_plain_canvas(path, browser, without_webgl):
    browser.open(path)
    assert browser.value("explorer.maps.map(map => map.points.constructor.name)") == ["PlainPoints", "PlainPoints"]
    assert browser.complaints() == []
    assert coloured(browser, 0) > 500
    node = alone(browser)
    browser.click(*where(browser, node))
    assert state(browser, "selected") == node
    press_button(browser, "#legend li button")
    assert browser.complaints() == []


def test_a_lost_context_is_replaced(path, browser, with_webgl):
    browser.open(path)
    browser.value("explorer.maps[0].points.gl.getExtension('WEBGL_lose_context').loseContext()")
    browser.value("new Promise(done => setTimeout(done, 100))")
    assert browser.value("explorer.maps[0].points.constructor.name") == "PlainPoints"
    assert coloured(browser, 0) > 500


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_light_and_dark_and_the_other_by_a_button(path, browser, dark):
    browser.open(path, dark=dark)
    colours = {True: "rgb(20, 24, 31)", False: "rgb(255, 255, 255)"}
    behind = "getComputedStyle(document.body).backgroundColor"
    assert browser.value(behind) == colours[dark]
    press_button(browser, "#theme")
    assert browser.value(behind) == colours[not dark]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_can_be_read_in_light_and_dark(path, browser, dark):
    browser.open(path, dark=dark)
    browser.value("explorer.choose(0); explorer.pick([1]); document.querySelector('#search').value = 'n'")
    browser.value("document.querySelector('#search').dispatchEvent(new Event('input'))")
    quiet = ("header p", ".small", "#legend .count", "dt", ".go .far")
    strong = ("h1", ".positional h2", ".structural h2", "#legend bdi", "dd", "h3.structural")
    for selector in (*quiet, *strong, "#lasso", "#move", "#found [aria-selected=true]"):
        assert browser.contrast(selector) >= 4.5, selector


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


@pytest.mark.long
@pytest.mark.slow
def test_blogcatalog_is_a_page_of_few_megabytes_that_opens_at_once(data, browser, tmp_path):
    page = phusion.explore("blogcatalog", tmp_path / "blogcatalog.html")
    assert page.stat().st_size < 15e6
    browser.open(page)
    assert browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd") < 5000
    assert browser.value("explorer.ids.length") == 10_312
    browser.value("explorer.choose(100)")
    assert text(browser, "#node h2") == browser.value("explorer.ids[100]")
    assert browser.complaints() == []
