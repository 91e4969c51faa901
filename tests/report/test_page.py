"""The page as a browser shows it: nothing dangerous, nothing loaded, light and dark, on a desk and on a phone."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from made_up import OWN, classified, clustered, distributed, recorded

from phusion.experiments.ledger import Ledger
from phusion.experiments.reading import paper_studies, read_study
from phusion.report.content import Asked, report_of
from phusion.report.markdown import markdown_of
from phusion.report.page import page_of


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report of a dangerous study and two of the paper's."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "own.toml").write_text(OWN, encoding="utf-8")
    mine = read_study(folder / "own.toml")
    studies = [paper_studies()[name].quick() for name in ("rank_struc", "rows_structural")]
    with Ledger(folder / "ledger.sqlite") as ledger:
        recorded(ledger, mine, failing_once)
        recorded(ledger, studies[0], classified)
        recorded(ledger, studies[1], distributed)
        command = "phusion study '<script>alert(5)</script>.toml'"
        asked = [Asked(mine, command), *(Asked(one, f"phusion reproduce {one.name}", True) for one in studies)]
        path = folder / "report.html"
        path.write_text(page_of(report_of(asked, ledger, quick=True)), encoding="utf-8")
    return path


def failing_once(profile, dataset, label, seed):
    failed = (label, seed) == ("heat", 1) and dataset.startswith("second")
    return "Error: <svg onload=alert(4)>" if failed else clustered(profile, dataset, label, seed)


class Tags(HTMLParser):
    """All tags with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_names_of_studies_data_sets_designs_and_errors_are_escaped(page, ledger, own):
    text = page.read_text(encoding="utf-8")
    for danger in ("<script", "<img", "<b>", "<svg onload"):
        assert danger not in text
    assert "&lt;script&gt;alert(3)&lt;/script&gt;" in text
    markdown = markdown_of(report_of([Asked(read_study(own), "x `y`\n# z")], ledger))
    assert "<" not in markdown
    assert "second \\| \\*data\\* set" in markdown


def test_the_page_names_no_address_and_allows_none(page):
    text = page.read_text(encoding="utf-8")
    tags = Tags(text).found
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "image", "iframe", "object", "embed", "base", "use"}
    places = {f"#{attributes['id']}" for _, attributes in tags if "id" in attributes}
    for tag, attributes in tags:
        assert not set(attributes) & {"src", "srcset", "data", "action", "poster", "background", "xlink:href"}, tag
        assert attributes.get("href") is None or attributes["href"] in places
        assert not [name for name in attributes if name.startswith("on")]
    style = text.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text


def test_a_browser_loads_one_file_and_runs_nothing(page, browser):
    browser.open(page)
    assert browser.requested() == [page.as_uri()]
    assert browser.complaints() == []
    assert browser.value("document.scripts.length + document.images.length") == 0
    assert browser.value("document.title") == "The tables and figures of the PhUSION paper, cell by cell"
    assert browser.value("document.querySelector('#study-1 h2').textContent") == "Mine & <script>alert(1)</script>"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_can_be_read_in_light_and_dark(page, browser, dark):
    browser.open(page, dark=dark)
    behind = browser.value("getComputedStyle(document.body).backgroundColor")
    assert (behind == "rgb(20, 24, 31)") == dark
    for selector in ("h1", ".note", "a", "td", "thead th", ".agrees", ".close", ".differs", "figcaption", "p.small"):
        assert browser.contrast(selector) >= 4.5, selector
    words = browser.value("getComputedStyle(document.querySelector('svg text')).fill")
    bar = browser.value("getComputedStyle(document.querySelector('svg .fill-1')).fill")
    assert (words, bar) == (
        ("rgb(228, 232, 239)", "rgb(110, 168, 234)") if dark else ("rgb(28, 35, 48)", "rgb(47, 111, 183)")
    )


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_the_page_never_scrolls_sideways(page, browser, width):
    browser.open(page, width=width)
    assert browser.value("innerWidth") == width
    assert browser.value("document.documentElement.scrollWidth") <= width


def test_on_a_phone_wide_tables_scroll_and_keep_their_first_column(page, browser):
    browser.open(page, width=390)
    place = browser.value(
        """(() => {
        const box = [...document.querySelectorAll('.wide')].find(one => one.scrollWidth > one.clientWidth + 300);
        box.scrollLeft = 200;
        return [box.scrollLeft, box.querySelector('tbody th').getBoundingClientRect().left, box.tabIndex];
        })()"""
    )
    assert place == [200, 12, 0]


def test_tables_of_all_designs_are_folded_and_open_to_fit_a_phone(page, browser):
    browser.open(page, width=390)
    grids = "[...document.querySelectorAll('#study-2 details .wide')]"
    assert browser.value(f"{grids}.filter(one => one.checkVisibility()).length") == 0
    browser.value("document.querySelector('#study-2 details summary').click()")
    assert browser.value(f"{grids}.filter(one => one.checkVisibility()).length") == 4
    assert browser.value(f"{grids}.filter(one => one.scrollWidth > one.clientWidth).length") == 0
    assert browser.value("document.documentElement.scrollWidth") <= 390
    assert browser.contrast("summary") >= 4.5


def test_on_a_desk_the_tables_of_the_paper_fit(page, browser):
    browser.open(page, width=1200)
    wide = "[...document.querySelectorAll('#study-2 .wide')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert browser.value(wide) == 0


def test_text_in_figures_stays_inside_them(page, browser):
    browser.open(page, width=390)
    outside = browser.value(
        """[...document.querySelectorAll('svg text')].filter(one => {
        const words = one.getBoundingClientRect(), all = one.ownerSVGElement.getBoundingClientRect();
        return words.left < all.left - 1 || words.right > all.right + 1 || words.bottom > all.bottom + 1;
        }).map(one => one.textContent)"""
    )
    assert outside == []
