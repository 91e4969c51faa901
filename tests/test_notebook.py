"""How objects look in a notebook."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import numpy as np
import pytest
import sklearn
from scipy import sparse

import phusion
from phusion import Embedding, GraphPhUSION, PhUSION, as_graph, datasets, embed, preset
from phusion.execution.plan import Plan

KARATE = datasets.load("karate")
WICKED = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Tags, texts and attributes; every tag is closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.words, self.styles = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append(tag)
        assert [name for name, _ in attrs] in ([], ["style"])
        self.styles += [value for _, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def shown(thing):
    """The words of its card, which has no scripts, addresses or fixed colours."""
    page = Page(thing._repr_html_())
    assert set(page.tags) <= {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    assert not any(word in style for style in page.styles for word in ("background", "url", "#", "rgb"))
    return page.words


def test_a_graph_says_what_it_is():
    words = shown(KARATE)
    assert words[0] == "Graph karate"
    for due in ("34 nodes, 78 edges, undirected, unweighted, 2 classes", "1, 2, 3, 4, 5, 6, … (34 in all)",
                "Mr. Hi: 17, Officer: 17"):  # fmt: skip
        assert due in words
    with pytest.warns(phusion.errors.GraphNotice):
        noted = as_graph([("a", "b"), ("a", "b")])
    assert noted.reading.notes[0] in shown(noted)


@pytest.mark.parametrize(
    ("graph", "due"),
    [
        (phusion.Graph(sparse.csr_array((0, 0)), np.empty(0, dtype=int)), "0 nodes, 0 edges"),
        (as_graph([], nodes=["x"]), "1 node, 0 edges"),
        (as_graph([(0, 1)], directed=True), "2 nodes, 1 arc, directed"),
    ],
)
def test_graphs_with_hardly_anything_have_cards(graph, due):
    assert any(word.startswith(due) for word in shown(graph))


def test_a_graph_of_a_million_nodes_is_shown_at_once():
    n = 1_000_000
    ends = np.random.default_rng(0).integers(n, size=(2, 3_000_000))
    matrix = sparse.coo_array((np.ones(3_000_000), ends), shape=(n, n)).tocsr()
    matrix.data[:] = 1.0
    graph = as_graph(matrix, directed=True)
    began = time.process_time()
    words = shown(graph)
    assert time.process_time() - began < 0.5  # seconds of work, however busy the machine is
    assert any(word.startswith("1,000,000 nodes") for word in words)
    kept = set(vars(graph)) - {"_adjacency", "nodes", "directed", "attributes", "labels", "edge_attributes", "name",
                               "reading"}  # fmt: skip
    assert kept <= {"weighted", "signed", "n_self_loops"}  # nothing else was computed


def test_names_of_users_are_text_and_folders_of_a_machine_are_not_shown(tmp_path):
    (tmp_path / "friends.csv").write_text("a,b\nb,c\n")
    file = as_graph(tmp_path / "friends.csv")
    assert str(tmp_path) not in file._repr_html_() and "friends.csv" in file._repr_html_()
    names = [WICKED, f"{WICKED}2"]
    graph = as_graph([tuple(names)], labels={names[0]: WICKED, names[1]: "b"})
    graph = phusion.Graph(
        graph.adjacency, graph.nodes, attributes={WICKED: np.ones(2)}, labels=graph.labels, name=WICKED
    )
    found = Embedding(np.eye(2), graph.nodes, (WICKED, "<b>"), provenance={"warnings": [WICKED], "phusion": WICKED})
    for thing in (graph, found, PhUSION(WICKED), PhUSION(graph=WICKED), GraphPhUSION(WICKED)):
        assert "<script" not in thing._repr_html_() and "<b>" not in thing._repr_html_()
        assert any("<script>" in word for word in shown(thing))


def test_a_model_shows_the_formula_its_parts_and_whether_it_is_fitted():
    model = PhUSION("heat", "log", {"name": "svd", "dim": 4}, memory="1GB")
    words = shown(model)
    assert words[0] == "PhUSION: Y = ζ(σ(Ψ(A)))" and words[-1] == "not fitted"
    for sign, name in (("Ψ", "heat"), ("σ", "log"), ("ζ", "svd")):
        assert words[words.index(sign) + 1] == name
    assert any("dim = 4" in word for word in words) and any("memory = 1GB" in word for word in words)
    assert shown(model.fit(KARATE))[-1] == "fitted: 34 nodes × 4"


def test_a_model_for_graphs_shows_its_pooling():
    model = preset("netlsd")
    words = shown(model)
    assert words[0] == "GraphPhUSION: Y = ζ(σ(Ψ(A))), f = ρ(Y)" and words[words.index("ρ") + 1] == "trace"
    assert shown(model.fit([KARATE, KARATE]))[-1] == "fitted: 2 graphs × 250"


def test_a_model_that_cannot_be_fitted_says_why():
    words = shown(PhUSION("haet", "log"))
    assert words[words.index("Ψ") + 1] == "haet"
    assert words[-1] == "It cannot be fitted: no proximity Ψ is called 'haet'. Did you mean 'heat'?"


def test_notebooks_get_our_card_and_not_the_diagram_of_scikit_learn():
    model = PhUSION()
    assert model._repr_mimebundle_() == {"text/plain": repr(model), "text/html": model._repr_html_()}
    with sklearn.config_context(display="text"):
        assert model._repr_mimebundle_() == {"text/plain": repr(model)}


def test_a_plan_is_shown_without_measuring():
    plan = preset("netmf", dim=4).plan(KARATE)
    words = shown(plan)
    assert words[words.index("strategy") + 1].startswith("dense") and words[-1] == "explain() measures it"
    assert "seconds" not in vars(plan)
    measured = plan.explain()
    assert isinstance(plan, Plan) and shown(plan)[-1] in measured


def test_an_embedding_shows_some_of_its_rows_its_method_and_cautions():
    found = embed(KARATE, "graphwave")
    words = shown(found)
    assert words[0] == repr(found)
    assert words[words.index("1") + 2] == f"{found[1][1]:.4g}"
    assert "… and 29 more rows" in words and "karate: 34 nodes, 78 edges" in words
    assert words[words.index("σ") + 1] == "Identity()"
    warned = Embedding(found.values, found.nodes, found.features, found.spec, {"warnings": ["be careful"]})
    assert shown(warned)[-2:] == ["Mind:", "be careful"]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (1, 1), (2, 0)])
def test_embeddings_with_hardly_anything_have_cards(shape):
    empty = Embedding(np.ones(shape), np.arange(shape[0]), tuple(f"x{j}" for j in range(shape[1])))
    assert shown(empty)[0] == repr(empty)
    assert "not kept in the file it was loaded from" in shown(empty)


@pytest.mark.parametrize("dark", [False, True])
def test_cards_can_be_read_on_light_and_dark_pages(tmp_path, browser, dark):
    page = tmp_path / "page.html"
    style = "<style>:root{color-scheme:light dark}body{background:Canvas;color:CanvasText}</style>"
    page.write_text(f"<!doctype html><meta charset=utf-8>{style}{embed(KARATE, 'netmf', dim=4)._repr_html_()}")
    browser.open(page, dark=dark)
    assert browser.contrast("td") > 7 and browser.contrast("strong") > 7
    assert browser.requested() == [page.as_uri()] and browser.complaints() == []
