"""The registry: every data set is what its entry says, and what is not here says how to get it."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from phusion import GraphBatch, as_batch, as_graph, datasets
from phusion.datasets.registry import Dataset, RemoteFile
from phusion.datasets.store import _verify_counts
from phusion.errors import DatasetError

REAL = [name for name in datasets.names() if name != "karate"]
PAPER = ["blogcatalog", "ppi", "wikipedia", "brazil", "europe", "usa", "imdb-multi", "proteins", "ptc-mr"]


def test_karate_is_always_here(no_data):
    karate = datasets.load("karate")
    assert karate.labels.counts == {"Mr. Hi": 17, "Officer": 17}
    assert karate.nodes.tolist()[:3] == [1, 2, 3] and karate.n_components == 1


def test_the_nine_of_the_paper_are_known():
    assert [name for name in datasets.names() if datasets.find(name).paper] == PAPER


@pytest.mark.parametrize("name", REAL)
def test_real_data_sets_load_with_the_counts_of_their_entry(data, name):
    dataset = datasets.find(name)
    assert datasets.is_here(dataset)
    found = datasets.load(name)  # verifies checksums and counts
    assert found.name == name and isinstance(found, GraphBatch) == dataset.batch


def test_every_file_of_the_data_folder_is_known_and_loads_through_the_door(data):
    known = {file.path for name in REAL for file in datasets.find(name).files.values()}
    files = {str(f.relative_to(data)) for f in data.rglob("*") if f.is_file() and f.suffix not in (".json", ".md")}
    assert files == known
    for path in sorted(files):
        if "labels-" not in path:
            (as_batch if path.endswith(".zip") else as_graph)(data / path)


# what data/INDEX.md says: nodes, edges without loops, loops, components, isolated, weights
INDEX = {
    "blogcatalog": (10312, 333983, 0, 1, 0, (1, 1)),
    "ppi": (3890, 37845, 894, 35, 30, (1, 1)),
    "wikipedia": (4777, 92295, 222, 1, 0, (0.5, 1941.5)),
    "brazil": (131, 1003, 71, 1, 0, (1, 1)),
    "europe": (399, 5993, 2, 1, 0, (1, 1)),
    "usa": (1190, 13599, 0, 3, 0, (1, 1)),
    "dblp-2010": (326186, 807700, 0, None, 25539, (1, 1)),
    "bitcoin-alpha": (3783, 24186, 0, None, 0, (-10, 10)),
    "bitcoin-otc": (5881, 35592, 0, None, 0, (-10, 10)),
}


@pytest.mark.parametrize("name", INDEX)
def test_graphs_are_as_the_index_describes_them(data, name):
    nodes, edges, loops, components, isolated, weights = INDEX[name]
    graph = datasets.load(name)
    assert (len(graph), graph.n_edges - loops, graph.n_self_loops) == (nodes, edges, loops)
    assert components in (None, graph.n_components)
    assert graph.isolated.sum() == isolated
    assert (graph.adjacency.data.min(), graph.adjacency.data.max()) == weights
    assert graph.directed == graph.signed == name.startswith("bitcoin")


def test_signs_labels_and_ids_are_as_the_index_says(data):
    for name, plus, minus in (("bitcoin-alpha", 22650, 1536), ("bitcoin-otc", 32029, 3563)):
        weights = datasets.load(name).adjacency.data
        assert ((weights > 0).sum(), (weights < 0).sum()) == (plus, minus)
    assert sorted(datasets.load("brazil").labels.counts.values()) == [32, 32, 32, 35]
    usa = datasets.load("usa")
    assert sorted(usa.labels.counts.values()) == [297, 297, 297, 299]
    assert (usa.nodes.min(), usa.nodes.max()) == (10005, 16746)
    blog = datasets.load("blogcatalog").labels
    assert (blog.per_node.min(), blog.per_node.max(), round(blog.per_node.mean(), 2)) == (1, 11, 1.40)


@pytest.mark.parametrize(
    ("name", "graphs", "nodes", "edges", "classes", "disconnected", "isolated"),
    [
        ("imdb-multi", 1500, 13.00, 65.94, {1: 500, 2: 500, 3: 500}, 0, 0),
        ("proteins", 1113, 39.06, 72.82, {1: 663, 2: 450}, 46, 5),
        ("ptc-mr", 344, 14.29, 14.69, {-1: 192, 1: 152}, 0, 0),
    ],
)
def test_batches_are_as_the_index_describes_them(data, name, graphs, nodes, edges, classes, disconnected, isolated):
    batch = datasets.load(name)
    assert len(batch) == graphs
    assert round(batch.n_nodes / graphs, 2) == nodes and round(batch.n_edges / graphs, 2) == edges
    assert {label: int((batch.labels == label).sum()) for label in classes} == classes
    assert sum(graph.n_components > 1 for graph in batch) == disconnected
    assert sum(int(graph.isolated.sum()) for graph in batch) == isolated
    assert not any(graph.weighted for graph in batch)  # arcs listed twice are no weights


def test_checksums_agree_with_the_metadata_beside_the_data(data):
    said = {}
    for meta in data.rglob("META.json"):
        for name, facts in json.loads(meta.read_text()).items():
            said[name] = {facts["sha256"], facts["raw_sha256"]}
    files = [file for name in REAL for file in datasets.find(name).files.values()]
    compared = 0
    for file in files:
        key = file.path.rpartition("/")[2]
        assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
        if key in said:
            compared += 1
            assert {file.sha256, file.url_sha256 or file.sha256} == said[key]
    assert compared == 14


def test_what_is_not_here_says_both_ways_to_get_it(no_data):
    with pytest.raises(DatasetError, match=r"PHUSION_DATA.*paper/airports/usa-airports.*https://"):
        datasets.load("usa")
    with pytest.raises(DatasetError, match=r"PHUSION_DATA.*make the file from its origin"):
        datasets.load("dblp-2010")
    assert not datasets.is_here(datasets.find("usa"))
    with pytest.raises(DatasetError, match="Did you mean 'brazil'"):
        datasets.load("brasil")


def test_a_changed_file_is_not_taken_for_the_known_one(no_data, monkeypatch, tmp_path):
    monkeypatch.setenv("PHUSION_DATA", str(tmp_path))
    (tmp_path / "POS.mat").write_bytes(b"something else")
    with pytest.raises(DatasetError, match="sha256 is " + hashlib.sha256(b"something else").hexdigest()):
        datasets.load("wikipedia")


def test_wrong_counts_are_noticed():
    entry = Dataset("toy", "", "", "", False, {"nodes": 3, "edges": 1}, {"graph": RemoteFile("p", "s")})
    with pytest.raises(DatasetError, match="nodes: 2 instead of 3"):
        _verify_counts(entry, as_graph([(0, 1)]))


def test_a_download_is_verified_and_kept(no_data, monkeypatch, tmp_path):
    """Through pooch, from a server on this machine."""
    import http.server
    import threading
    from functools import partial

    from phusion.datasets import store

    content = b"1 2\n2 3\n"
    (tmp_path / "toy.txt").write_bytes(content)
    for proxy in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(proxy, raising=False)
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    monkeypatch.setattr(http.server.SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/toy.txt"
        good = RemoteFile("toy.txt", hashlib.sha256(content).hexdigest(), url)
        bad = RemoteFile("toy.txt", "0" * 64, url)
        entry = Dataset("toy", "", "", "", False, {"nodes": 3, "edges": 2}, {"graph": bad})
        with pytest.raises(DatasetError, match="could not be fetched"):
            store._fetch(entry, bad)
        path = store._fetch(entry, good)
        server.shutdown()
    assert path.read_bytes() == content
    assert store._fetch(entry, good) == path  # from the cache: the server has gone
