"""Reading what was written gives the graph back, in every format that can hold it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.plain import entries, same

from phusion import as_graph, write_graph
from phusion.errors import InputError, OutputError
from phusion.graph.files import all_formats
from phusion.graph.write import losses

INTEGERS = st.integers(-(2**63), 2**63 - 1)
WORDS = st.text(min_size=1, max_size=5)
WEIGHTS = st.floats(1e-300, 1e300) | st.floats(-100, -0.01) | st.integers(1, 9).map(float)


@st.composite
def graphs(draw):
    """Any graph a file might hold: odd ids of one type, weights or none, loops, isolated nodes."""
    ids = draw(
        st.lists(INTEGERS, min_size=1, max_size=7, unique=True)
        | st.lists(WORDS, min_size=1, max_size=7, unique=True)
        | st.integers(1, 7).map(lambda n: list(range(n)))
        | st.integers(1, 7).map(lambda n: list(range(1, n + 1)))
    )
    some = st.sampled_from(ids)
    pairs = draw(st.lists(st.tuples(some, some), max_size=10, unique_by=lambda p: frozenset(p)))
    weighted = draw(st.booleans())
    edges = [(u, v, draw(WEIGHTS)) if weighted else (u, v) for u, v in pairs]
    return as_graph(edges, nodes=ids, directed=draw(st.booleans()))


WRITTEN = sorted(
    (name, suffix) for name, form in all_formats().items() if form.holds for suffix in form.suffixes if suffix != ".npy"
)


@pytest.mark.parametrize(("name", "suffix"), WRITTEN)
@given(graph=graphs())
def test_what_a_format_can_hold_comes_back(tmp_path_factory, name, suffix, graph):
    path = tmp_path_factory.mktemp("g") / f"graph{suffix}"
    hard, _ = losses(graph, all_formats()[name], path)
    if hard:
        with pytest.raises(InputError, match="cannot keep"):
            write_graph(graph, path)
        assert not path.exists()
        return
    write_graph(graph, path)
    back = as_graph(path)
    assert same(graph, back, order=name != "edgelist")
    assert back.isolated.sum() == graph.isolated.sum()


@pytest.mark.parametrize(("name", "suffix"), WRITTEN)
def test_every_format_holds_a_plain_graph(tmp_path, name, suffix):
    """So that the property above does not pass by refusing everything."""
    start = 1 if name == "konect" else 0
    graph = as_graph([(start, start + 1, 0.1), (start + 1, start + 2, 1 / 3)])
    write_graph(graph, tmp_path / f"g{suffix}")
    assert same(graph, as_graph(tmp_path / f"g{suffix}"))


@pytest.mark.parametrize("compression", ["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize("suffix", ["csv", "mtx", "graphml", "npz", "parquet", "graph"])
def test_compression_by_suffix(tmp_path, suffix, compression):
    graph = as_graph([(0, 1), (1, 2)])
    path = tmp_path / f"g.{suffix}.{compression}"
    write_graph(graph, path)
    assert same(graph, as_graph(path))
    first = path.read_bytes()
    write_graph(graph, path, overwrite=True)
    if suffix != "npz":  # a zip archive carries the time
        assert path.read_bytes() == first


@given(graphs())
def test_networkx_scipy_and_frames_round_trip(graph):
    ids = graph.nodes.tolist()
    g = nx.DiGraph() if graph.directed else nx.Graph()
    g.add_nodes_from(ids)
    g.add_weighted_edges_from((u, v, w) for (u, v), w in entries(graph).items())
    assert same(as_graph(g), graph)
    matrix = as_graph(sparse.csc_array(graph.adjacency), directed=graph.directed)
    assert (matrix.adjacency != graph.adjacency).nnz == 0
    rows, cols, weights = graph.edge_list()
    if len(rows):
        frame = pd.DataFrame(
            {"source": graph.nodes[rows], "target": graph.nodes[cols], "weight": weights}, dtype=object
        ).astype({"weight": float})
        assert entries(as_graph(frame, nodes=ids, directed=graph.directed)) == entries(graph)


def test_labels_and_attributes_where_they_are_held(tmp_path):
    g = nx.karate_club_graph()
    graph = as_graph(g, labels="club")
    assert write_graph(graph, tmp_path / "g.npz") == ("node attributes are not written",)
    assert as_graph(tmp_path / "g.npz").labels.counts == graph.labels.counts
    assert write_graph(graph, tmp_path / "g.graphml") == ("labels are not written",)
    assert as_graph(tmp_path / "g.graphml", labels="club").labels.counts == graph.labels.counts
    write_graph(graph, tmp_path / "g.mat", lossy=True)
    assert [*as_graph(tmp_path / "g.mat").labels.counts.values()] == [17, 17]
    assert sparse.load_npz(tmp_path / "g.npz").nnz == 156  # scipy opens it too


def test_loss_is_refused_unless_accepted(tmp_path):
    lonely = as_graph([("a", "b")], nodes=["c"])
    with pytest.raises(InputError, match=r"nodes without edges.*\.graphml"):
        write_graph(lonely, tmp_path / "g.csv")
    assert "nodes without edges" in write_graph(lonely, tmp_path / "g.csv", lossy=True)
    loops = as_graph([(0, 1), (1, 1)])
    with pytest.raises(InputError, match="self-loops"):
        write_graph(loops, tmp_path / "g.graph")
    with pytest.raises(InputError, match="direction"):
        write_graph(as_graph([(0, 1)], directed=True), tmp_path / "g.graph")
    with pytest.raises(InputError, match="node ids"):
        write_graph(as_graph([((1, 2), "a")]), tmp_path / "g.npz")
    for path, words in (("g.foo", "names no format"), ("g.zip", "does not write"), ("g", "names no format")):
        with pytest.raises(InputError, match=words):
            write_graph(lonely, tmp_path / path)
    with pytest.raises(InputError, match="Did you mean 'gml'"):
        write_graph(lonely, tmp_path / "g", format="gmll")


def test_outputs_appear_whole_or_not_at_all(tmp_path, monkeypatch):
    graph = as_graph([(0, 1)])
    path = tmp_path / "g.gml"
    write_graph(graph, path)
    with pytest.raises(OutputError, match="exists"):
        write_graph(graph, path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(all_formats()["gml"]), "write", full)
    with pytest.raises(OutputError, match="No space left"):
        write_graph(graph, path, overwrite=True)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["g.gml"]
    with pytest.raises(OutputError, match="does not exist"):
        write_graph(graph, tmp_path / "no" / "folder" / "g.npz")


def test_large_integers_and_every_digit_survive(tmp_path):
    ids = [2**62 + 1, -(2**63)]
    graph = as_graph([(ids[0], ids[1], np.nextafter(0.1, 1))])
    for suffix in ("csv", "edgelist", "graphml", "gml", "npz", "parquet"):
        write_graph(graph, tmp_path / f"g.{suffix}")
        assert same(as_graph(tmp_path / f"g.{suffix}"), graph)


@pytest.mark.parametrize("word", ["0|", "a;", "b,", ";0"])
def test_ids_that_begin_or_end_like_a_delimiter_are_not_written_between_blanks(tmp_path, word):
    graph = as_graph([(word, word, 2.0)])
    with pytest.raises(InputError, match="cannot keep"):
        write_graph(graph, tmp_path / "g.dat")
    write_graph(graph, tmp_path / "g.csv")
    assert as_graph(tmp_path / "g.csv").nodes.tolist() == [word]
