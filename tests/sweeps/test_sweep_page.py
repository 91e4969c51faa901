"""The page of a sweep, in a real browser."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest
from tests.sweeps.few_designs import FEW

import phusion
from phusion.sweeps.designs import designs_of
from phusion.sweeps.effects import effects_of
from phusion.sweeps.found import Row
from phusion.sweeps.frontier import frontier, frontier_figure
from phusion.sweeps.page import page_of

DANGER = "<script>alert(1)</script> & “friends”"


@pytest.fixture(scope="module")
def result():
    designs = {(DANGER if name == "heat" else name): given for name, given in FEW.items()}
    found = phusion.sweep("karate", designs=designs, seeds=(0,), splits=3, folds=3)
    object.__setattr__(found, "notes", ("<img src=x> is left out",))
    return found


@pytest.fixture(scope="module")
def text(result):
    return page_of(result)


@pytest.fixture(scope="module")
def page(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "sweep.html"
    path.write_text(text, encoding="utf-8")
    return path


def row(label, screening, seconds):
    return Row(designs_of({label: FEW["heat"]})[0], screening, None, 0, 0, seconds)


def test_names_are_escaped_and_nothing_is_loaded(text):
    class Tags(HTMLParser):
        def handle_starttag(self, tag, attrs):
            self.found.append((tag, dict(attrs)))

    assert "<script" not in text and "<img" not in text and "&lt;script&gt;" in text
    tags = Tags()
    tags.found = []
    tags.feed(text)
    assert not {tag for tag, _ in tags.found} & {"script", "link", "img", "iframe", "object", "use"}
    assert not [attrs for _, attrs in tags.found if {"src", "srcset", "onload"} & set(attrs)]
    assert "default-src 'none'" in text and "url(" not in text


def test_the_page_says_the_score_its_spread_and_what_needs_no_embedding(result, text):
    assert "over 3 splits" in text and "Leaderboard" in text and "proximity" in text
    assert f"Naming the most frequent labels for all gets {result.baseline:.2f}" in text


@pytest.mark.parametrize(("above", "words"), [(1.5, "an <strong>optimism of +1.50 points"), (-2.0, "no more than")])
def test_optimism_is_only_what_is_above_the_honest_score(result, monkeypatch, above, words):
    monkeypatch.setattr(type(result), "optimism", property(lambda _: above))
    text = page_of(result)
    assert words in text and ("optimism of" in text) == (above > 0)


def test_many_scales_are_said_in_short(karate):
    specs = {"few": [0.1, 1.0], "many": np.logspace(-2, 2, 250).tolist()}
    designs = {
        name: {"proximity": {"name": "heat", "scale": scale}, "embedding": "diagonal"} for name, scale in specs.items()
    }
    rows = [Row(design, 50.0, None, 0, 0, 1.0) for design in designs_of(designs)]
    words = {share.choice for effect in effects_of(rows) for share in effect.shares if effect.about == "scale"}
    assert words == {"0.1, 1", "0.01 … 100 (250 values)"}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_can_be_read_in_light_and_dark(page, browser, dark):
    browser.open(page, dark=dark)
    assert browser.complaints() == [] and browser.requested() == [page.as_uri()]
    for selector in ("h1", ".score", ".score .small", ".note", "a", "td", "tr.winner th", "figcaption", "pre"):
        assert browser.contrast(selector) >= 4.5, selector


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_the_page_never_scrolls_sideways(page, browser, width):
    browser.open(page, width=width)
    assert browser.value("document.documentElement.scrollWidth") <= width


OUTSIDE = """[...document.querySelectorAll('svg text')].filter(one => {
    const words = one.getBoundingClientRect(), all = one.ownerSVGElement.getBoundingClientRect();
    return words.left < all.left - 1 || words.right > all.right + 1 || words.bottom > all.bottom + 1;
}).map(one => one.textContent)"""


def test_text_in_the_figure_stays_inside_it(page, browser):
    browser.open(page, width=390)
    assert browser.value(OUTSIDE) == []


@pytest.mark.parametrize("number", [0.005, 0.05, 0.2, 500, 20000])
@pytest.mark.parametrize(("above", "cheaper"), [(0.6, 1), (0.1, 12)], ids=["one time", "a decade"])
def test_numbers_at_the_end_of_the_times_stay_inside(number, above, cheaper, browser, tmp_path):
    slowest = 1.002 * number / 10**above  # so that the scale ends just behind the number
    figure = frontier_figure([row("cheap", 50.0, slowest / cheaper), row("slow", 60.0, slowest)], "")
    assert f">{number:g}<" in figure.svg
    path = tmp_path / "figure.html"
    path.write_text(f"<!doctype html><style>svg{{width:360px}} .small{{font-size:11px}}</style>{figure.svg}")
    browser.open(path, width=390)
    assert browser.value(OUTSIDE) == []


def test_the_frontier_has_what_nothing_cheaper_beats():
    rows = [row("slow", 90.0, 10.0), row("good", 95.0, 5.0), row("cheap", 50.0, 0.1), row("bad", 40.0, 1.0)]
    assert [one.design.label for one in frontier(rows)] == ["cheap", "good"]
    assert frontier_figure(rows[:1], "").svg.count("<circle") == 1


def test_effects_are_means_of_all_designs_that_share_a_choice():
    rows = [Row(design, score, None, 0, 0, 1.0) for design, score in zip(designs_of(FEW), (1, 2, 4, 6, 8), strict=True)]
    effects = {effect.part: {share.choice: share for share in effect.shares} for effect in effects_of(rows)}
    assert effects["Ψ"]["heat"].mean == 4.0 and effects["Ψ"]["heat"].best == 6.0 and effects["Ψ"]["heat"].designs == 3
    assert effects["σ"]["log (floor one)"].mean == 1.0
    assert next(iter(effects["Ψ"])) == "walk_power"
