"""What is approximate on a page says how near it is; what was computed before is shown as it is."""

from __future__ import annotations

import numpy as np
import pytest
from hands import coloured, text
from test_explored import shown
from tests.million.large_graphs import graph_of

import phusion
from phusion.cli import main
from phusion.errors import FileError, InputError, InputTypeError
from phusion.execution import certify
from phusion.explorer import computed, designs

HEAT = {"roles": {"proximity": {"name": "heat", "scale": [0.1, 1.0]}, "embedding": "characteristic"}}
NEAR = {"near": {"proximity": "edge_pmi", "embedding": {"name": "svd", "dim": 8, "applications": 4}}}


@pytest.fixture
def too_lenient(monkeypatch):
    """Thresholds that are chosen carelessly, so that held-out nodes tell."""
    monkeypatch.setattr(certify, "_MARGIN", 1e6)


@pytest.fixture
def larger(monkeypatch):
    """Every graph is a large one."""
    monkeypatch.setattr(designs, "LARGE", 10)
    monkeypatch.setattr(computed, "PROFILED", 10)


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "graph.csv"
    rows, cols, _ = graph_of("expander").edge_list()
    path.write_text("".join(f"{a},{b}\n" for a, b in zip(rows, cols, strict=True)))
    return path


def wide():
    """Large enough for approximate singular vectors, which graphs up to 1,000 nodes do not get."""
    from tests.execution.ways import preferential

    return preferential(1_100, 4)


def designs_of(words):
    return {design["name"]: design for lens in words["lenses"] for design in lens["designs"]}


def test_the_certificate_is_on_the_page_with_every_scale(browser, tmp_path):
    page = phusion.explore(
        graph_of("expander"), tmp_path / "page.html", positional="hope", structural=HEAT, accuracy=0.01, map="pca"
    )
    browser.open(page)
    exact = phusion.embed(graph_of("expander"), HEAT["roles"], accuracy=0.01).certificate
    said = text(browser, ".lens.structural .accuracy")
    assert text(browser, ".lens.structural .sure summary").startswith("Certificate met: error ")
    for each in exact.scales:
        for number in (each.median, each.p95, each.max):
            assert f"{100 * number:.3f}" in said
        assert each.scale in said
    assert "16 nodes drawn evenly" in said
    assert browser.value("document.querySelectorAll('.lens.structural tbody tr').length") == 2
    assert browser.value("document.querySelector('.lens.structural .sure details').open") is False
    assert browser.value("document.querySelector('.lens.positional .accuracy')") is None  # exact
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [390, 1200])
def test_a_missed_certificate_is_seen_without_colours(too_lenient, browser, tmp_path, width):
    with pytest.warns(phusion.errors.MethodWarning, match="misses the accuracy"):
        page = phusion.explore(
            graph_of("expander"), tmp_path / "page.html", positional="hope", structural=HEAT, accuracy=0.001, map="pca"
        )
    browser.open(page, width=width)
    assert "Certificate MISSED at heat_s" in text(browser, ".lens.structural .sure summary")
    assert "missed" in text(browser, ".lens.structural tbody")
    assert browser.value("document.querySelector('.lens.structural .sure details').open") is True
    assert browser.contrast(".lens.structural .sure summary") >= 4.5
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert coloured(browser, 1) > 300
    assert browser.complaints() == []


def test_the_command_prints_certificates_and_has_the_exit_code_of_a_missed_one(
    too_lenient, monkeypatch, edges, tmp_path, capsys
):
    words = [
        "explore",
        str(edges),
        "-o",
        str(tmp_path / "page.html"),
        "--force",
        "--map",
        "pca",
        "--positional",
        "hope",
    ]
    assert main([*words, "--accuracy", "0.001"]) == 6
    told = capsys.readouterr()
    assert "graphwave: certificate: MISSED" in told.out and "misses the accuracy" in told.err
    assert (tmp_path / "page.html").exists()
    monkeypatch.undo()
    assert main([*words, "--accuracy", "0.05"]) == 0
    assert "graphwave: certificate: met" in capsys.readouterr().out
    assert main(words) == 0
    assert "certificate" not in capsys.readouterr().out  # up to 20,000 nodes all columns are computed anyway
    assert main([*words, "--accuracy", "fine"]) == 2
    assert "accuracy is 'exact'" in capsys.readouterr().err


def test_a_structural_method_that_cannot_be_approximated_is_refused_with_the_reason(tmp_path):
    with pytest.raises(InputError, match="cannot be approximated: histogram needs every entry"):
        phusion.explore(graph_of("expander"), tmp_path / "page.html", structural="srde", accuracy=0.01)


def test_approximate_singular_vectors_show_their_fidelity_and_keep_their_profile(browser, tmp_path):
    page = phusion.explore(wide(), tmp_path / "page.html", positional=NEAR, structural=HEAT, map="pca")
    browser.open(page)
    measured = phusion.embed(wide(), NEAR["near"]).fidelity[0]
    said = text(browser, ".lens.positional .accuracy")
    assert f"residuals {measured.residual_median:.1%} (median), {measured.residual_largest:.1%} (largest)" in said
    browser.value("explorer.choose(0)")
    titles = browser.value("[...document.querySelectorAll('#node h3')].map(one => one.textContent)")
    assert sum(title.startswith("Proximity profile") for title in titles) == 2
    assert browser.complaints() == []


def test_large_graphs_get_methods_that_grow_with_their_edges_and_the_page_says_so(larger, tmp_path):
    words = shown(wide(), tmp_path, map="pca")
    found = designs_of(words)
    assert list(found) == ["edge-pmi", "heat"]
    assert found["edge-pmi"]["words"] == "edge_pmi → identity → svd → low_pass"
    assert "scale=(0.1, 1.0, 10.0)" in found["heat"]["spec"]
    assert all(design["profile"] is None for design in found.values())
    assert found["heat"]["accuracy"]["sentence"] == "Certificate: exact"  # auto, and it takes no minute
    assert any("edge-pmi and heat are shown: the cost grows with the edges" in note for note in words["notes"])
    asked = shown(wide(), tmp_path, positional=NEAR, structural=HEAT, map="pca", overwrite=True)
    assert not any("cost grows" in note for note in asked["notes"])


@pytest.mark.parametrize(
    ("graph", "names"),
    [
        (phusion.as_graph([(i, (i * 7 + 1) % 300) for i in range(300)], directed=True), ["edge-pmi", "walk_power"]),
        (phusion.as_graph([(i, i + 1, (-1.0) ** i) for i in range(200)]), ["hope", "adjacency_power"]),
    ],
    ids=["directed", "signed"],
)
@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
def test_large_directed_and_signed_graphs_have_a_page_too(larger, graph, names, tmp_path):
    assert list(designs_of(shown(graph, tmp_path, map="pca"))) == names


def test_embeddings_that_were_written_are_shown_as_they_are(browser, edges, tmp_path, capsys):
    near, roles = tmp_path / "near.npz", tmp_path / "roles.parquet"
    parts = ["--proximity", "heat", "--embedding", "characteristic", "--accuracy", "0.01", "--partitioned"]
    assert main(["embed", str(edges), "-o", str(near), "--preset", "hope", "--set", "dim=8"]) == 0
    assert main(["embed", str(edges), "-o", str(roles), *parts]) == 0
    capsys.readouterr()
    page = tmp_path / "page.html"
    given = ["--embedding", str(near), "--embedding", f"my roles={roles}"]
    assert main(["explore", str(edges), "-o", str(page), *given, "--sample", "100", "--map", "pca"]) == 0
    told = capsys.readouterr()
    assert "my roles: certificate: met" in told.out and "100 of 600 nodes are shown" in told.err
    browser.open(page)
    assert browser.value("explorer.ids.length") == 100
    assert text(browser, "#design-positional").strip() == "near"
    assert text(browser, "#design-structural").strip() == "my roles"
    assert "Certificate met" in text(browser, ".lens.structural .accuracy")
    assert "Computed before" in text(browser, "details.note")
    browser.value("explorer.choose(5)")
    first = browser.value("document.querySelector('#node ol.near bdi').textContent")
    ids = [int(one) for one in browser.value("explorer.ids")]
    rows = phusion.Embedding.load(near)
    values = rows.values[rows.positions(ids)]
    distances = np.linalg.norm(values - values[5], axis=1)
    distances[5] = np.inf
    assert int(first) == ids[int(np.argmin(distances))]
    assert browser.complaints() == []


def test_rows_are_matched_by_id_and_not_by_place(tmp_path):
    graph = graph_of("expander")
    order = np.random.default_rng(0).permutation(len(graph))
    found = phusion.embed(graph, "hope", dim=4)
    turned = phusion.Embedding(found.values[order], found.nodes[order], found.features, found.spec)
    from phusion.explorer.given import given_designs

    places = np.array([3, 77, 500])
    [design] = given_designs(graph, places, turned)
    assert (design.name, design.lens) == ("katz identity svd", "positional")
    assert np.array_equal(design.given.values, found.values[places])


def test_one_lens_alone_is_a_page(browser, tmp_path):
    found = phusion.embed("karate", "graphwave")
    browser.open(phusion.explore("karate", tmp_path / "page.html", embeddings={"mine": found}))
    assert browser.value("explorer.maps.length") == 1
    browser.value("explorer.choose(0)")
    assert text(browser, "#node h2") == "1"
    assert browser.complaints() == []
    both = shown("karate", tmp_path, embeddings=[found], positional="hope", overwrite=True)
    assert list(designs_of(both)) == ["hope", "heat identity characteristic"]


def test_what_is_no_embedding_of_this_graph_is_refused_in_a_sentence(tmp_path, write, capsys):
    other = phusion.embed([("a", "b"), ("b", "c")], "hope", dim=2)
    with pytest.raises(InputError, match="34 of the graph's 34 nodes have no row in it, such as 1; it has 3 rows"):
        phusion.explore("karate", tmp_path / "page.html", embeddings=other)
    other.save(tmp_path / "other.parquet")
    with pytest.raises(FileError, match=r"other\.parquet.*with ids like 'a'"):
        phusion.explore("karate", tmp_path / "page.html", embeddings=tmp_path / "other.parquet")
    more = phusion.as_graph(phusion.datasets.load("karate").adjacency)
    part = phusion.as_graph([(0, 1), (1, 2)])
    with pytest.raises(InputError, match="it has 34 rows and the graph 3 nodes"):
        phusion.explore(part, tmp_path / "page.html", embeddings=phusion.embed(more, "hope", dim=2))
    graphs = phusion.embed([phusion.datasets.load("karate")], "netlsd")
    with pytest.raises(InputError, match="rows of graphs"):
        phusion.explore("karate", tmp_path / "page.html", embeddings=graphs)
    with pytest.raises(InputTypeError, match="got int"):
        phusion.explore("karate", tmp_path / "page.html", embeddings=[3])
    phusion.embed("karate", "hope", dim=2).save(tmp_path / "plain.csv")
    out = tmp_path / "page.html"
    for source, says in [
        (tmp_path / "plain.csv", "does not tell which method made it"),
        (write("no parquet", "broken.parquet"), "this is not an embedding in Parquet"),
        (tmp_path / "absent.parquet", "there is no such file"),
    ]:
        assert main(["explore", "karate", "-o", str(out), "--embedding", str(source)]) == 3
        assert says in capsys.readouterr().err
    assert main(["explore", "karate", "-o", str(out), "--embedding", "near.zip"]) == 2
    assert "names no format for embeddings" in capsys.readouterr().err
    assert not out.exists()
