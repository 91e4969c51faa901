"""A graph whose ids and labels are code: every page, card and picture shows them, and runs none."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

import phusion
from phusion.experiments.ledger import Ledger
from phusion.experiments.reading import read_study
from phusion.report.content import Asked, report_of
from phusion.report.page import page_of as report_page
from phusion.sweeps.page import page_of as sweep_page

WICKED = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "${alert(3)}",
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b\u2029c",
    "'; alert(4); '",
    "javascript:alert(5)",
    "<!--<svg/onload=alert(6)>",
    "]]><x>",
    "&lt;b&gt;",
    "\u202egnp.exe",
    "bell\x07 and nul\x00",
]


def wicked() -> phusion.Graph:
    names = [*WICKED, *(f"n{i}" for i in range(20))]
    edges = [(names[i], names[(i + step) % len(names)]) for i in range(len(names)) for step in (1, 5)]
    graph = phusion.as_graph(edges, nodes=names, labels={name: WICKED[i % 4] for i, name in enumerate(names)})
    town = np.array([WICKED[i % len(WICKED)] for i in range(len(names))], dtype=object)
    return replace(graph, name=WICKED[0], attributes={WICKED[1]: town})


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def harmless(text: str, scripts: int = 0) -> None:
    """No tag and no attribute but those of the page itself."""
    tags = Tags(text).found
    assert sum(tag == "script" for tag, _ in tags) == scripts
    assert not {tag for tag, _ in tags} & {"img", "iframe", "object", "embed", "base", "link", "x"}
    for tag, attributes in tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("href", "src", "xlink:href", "action"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, name)
    for danger in ("<script>alert", "<img src=x", "<svg/onload", "49{%"):
        assert danger not in text, danger
    for script in re.findall(r"(?s)<script\b.*?</script>", text):
        assert "\u2028" not in script and "\u2029" not in script


def test_the_explorer_shows_them_as_text(tmp_path):
    text = phusion.explore(wicked(), tmp_path / "page.html").read_text(encoding="utf-8")
    harmless(text, scripts=len(re.findall(r"(?m)^\s*<script\b", text)))
    assert "alert(1)" in unescape(text.encode().decode("unicode_escape", errors="ignore"))


def test_the_report_shows_them_as_text(tmp_path):
    def quoted(word):
        return '"' + word.encode("unicode_escape").decode().replace('"', '\\"').replace("\\x", "\\u00") + '"'

    (tmp_path / "own.toml").write_text(
        f"title = {quoted(WICKED[0])}\nabout = {quoted(WICKED[1])}\ntask = 'node_clustering'\nfigure = 'bars'\n"
        + "datasets = ["
        + ", ".join(f"{{ name = {quoted(w)}, planted = {{ shape = 'house', count = 2, length = 6 }} }}" for w in WICKED)
        + "]\n[proximities]\n"
        + "".join(f"{quoted(word)} = 'katz'\n" for word in WICKED),
        encoding="utf-8",
    )
    study = read_study(tmp_path / "own.toml")
    with Ledger(tmp_path / "ledger.db") as ledger:
        text = report_page(report_of([Asked(study, WICKED[2])], ledger))
    harmless(text)
    assert "&lt;script&gt;alert(1)" in text


def test_the_page_of_a_sweep_shows_them_as_text():
    designs = {word: {"proximity": "katz", "embedding": {"name": "svd", "dim": 2 + i}} for i, word in enumerate(WICKED)}
    result = phusion.sweep("karate", designs=designs, seeds=(0,), splits=3, folds=3)
    object.__setattr__(result, "notes", tuple(WICKED))
    text = sweep_page(result)
    harmless(text)
    assert "&lt;script&gt;alert(1)" in text


def test_cards_of_notebooks_show_them_as_text():
    graph = wicked()
    found = phusion.Embedding(
        np.zeros((len(graph), len(WICKED))), graph.nodes, tuple(WICKED), provenance={"warnings": WICKED}
    )
    batch = phusion.GraphBatch((graph, graph), labels=np.array(WICKED[:2], dtype=object), name=WICKED[0])
    for thing in (graph, found, batch, phusion.PhUSION(WICKED[0]), phusion.GraphPhUSION(WICKED[1])):
        if hasattr(thing, "_repr_html_"):
            harmless(thing._repr_html_())


@pytest.mark.parametrize("annotate", WICKED)
def test_pictures_show_them_as_text(tmp_path, annotate):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    graph = wicked()
    embedding = phusion.embed(graph, "graphwave")
    axes = embedding.plot(graph.labels, map="pca", annotate=annotate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # letters that the font does not have
        axes.figure.savefig(tmp_path / "map.svg", format="svg", metadata={"Date": None})
    pyplot.close(axes.figure)
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not names & {"script", "foreignObject", "image", "img", "a"}
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
