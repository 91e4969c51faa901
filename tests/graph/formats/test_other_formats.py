"""The other file formats, as other libraries write them, and as they come damaged."""

from __future__ import annotations

import zipfile

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import io, sparse
from tests.plain import entries, same

from phusion import as_batch, as_graph
from phusion.errors import FileError, GraphNotice, InputError, InputTypeError, PhusionError, UnreadableFileError
from phusion.graph.formats import graphml as graphml_module

KARATE = nx.karate_club_graph()


def test_graphml_of_networkx_and_igraph(tmp_path):
    nx.write_graphml(KARATE, tmp_path / "nx.graphml")
    graph = as_graph(tmp_path / "nx.graphml", labels="club")
    assert same(graph, as_graph(KARATE)) and graph.labels.counts == {"Mr. Hi": 17, "Officer": 17}
    g = igraph.Graph(n=3, edges=[(0, 1), (1, 0)], directed=True)
    g.es["weight"] = [1.5, 2.5]
    g.write_graphml(str(tmp_path / "ig.graphml"))
    graph = as_graph(tmp_path / "ig.graphml")
    assert entries(graph) == {("n0", "n1"): 1.5, ("n1", "n0"): 2.5} and len(graph) == 3


KEY = '<key id="w" for="edge" attr.name="weight" attr.type="double">{}</key>'
GRAPHML = f"<graphml>{KEY}<graph{{}}>{{}}</graph></graphml>"


def graphml(body, default="", graph=' edgedefault="undirected"'):
    return GRAPHML.format(default, graph, body)


def test_graphml_defaults_and_directions(write):
    nodes = '<node id="a"/><node id="b"/>'
    body = nodes + '<edge source="a" target="b"/>'
    assert entries(as_graph(write(graphml(body, "<default>2.5</default>"), "g.graphml")))["b", "a"] == 2.5
    arc = nodes + '<edge source="a" target="b" directed="true"/>'
    assert as_graph(write(graphml(arc), "g.graphml")).directed
    with pytest.raises(FileError, match="mixes directed"):
        as_graph(write(graphml(arc + '<edge source="a" target="b" directed="false"/>'), "g.graphml"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (graphml("<node id='a'>"), "well-formed"),
        (graphml("<node/>"), "no id"),
        (graphml('<node id="a"/><edge source="a"/>'), "no target"),
        (graphml('<node id="a"/><edge source="a" target="z"/>'), "'z', which is not declared"),
        (graphml('<node id="a"/><node id="a"/>'), "twice"),
        (graphml(""), "no nodes"),
        ("<graphml></graphml>", "no <graph>"),
        ('<!DOCTYPE g [<!ENTITY a "b">]><graphml>&a;</graphml>', "entities"),
        (graphml('<node id="a"><graph><node id="b"/></graph></node>'), "more than one"),
        (graphml('<node id="a"/><edge source="a" target="a"><data key="w">x</data></edge>'), "real number"),
    ],
)
def test_bad_graphml_is_refused(write, content, words):
    with pytest.raises(FileError, match=words):
        as_graph(write(content, "g.graphml"))


def test_gml_of_networkx_and_igraph(tmp_path):
    g = nx.relabel_nodes(KARATE, lambda i: f'm"{i}" & ü')
    nx.write_gml(g, tmp_path / "nx.gml")
    assert same(as_graph(tmp_path / "nx.gml"), as_graph(g))
    igraph.Graph(n=3, edges=[(0, 1)], directed=True).write_gml(str(tmp_path / "ig.gml"))
    graph = as_graph(tmp_path / "ig.gml")
    assert entries(graph) == {(0, 1): 1.0} and len(graph) == 3 and graph.directed


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("graph [ node [ id 1 ]", "cut off"),
        ("graph [ node [ id 1 ] ] ]", "without"),
        ("graph [ node [ label 3 ] ]", "no 'id'"),
        ("graph [ node [ id 1 ] edge [ source 1 ] ]", "no 'target'"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "2, which is not declared"),
        ("graph [ [ ] ]", "without a key"),
        ("graph [ 3 4 ]", "key is expected"),
        ("Creator 1", "one 'graph"),
        ("graph [ ]", "no nodes"),
    ],
)
def test_bad_gml_is_refused(write, content, words):
    with pytest.raises(FileError, match=words):
        as_graph(write(content, "g.gml"))


def test_metis_with_weights_comments_and_isolated_nodes(write):
    graph = as_graph(write("% c\n4 2\n2 3\n1\n1\n\n", "g.graph"))
    assert len(graph) == 4 and graph.n_edges == 2 and graph.isolated.tolist() == [False] * 3 + [True]
    weighted = as_graph(write("3 2 011 1\n5 2 1.5 3 2\n6 1 1.5\n7 1 2\n", "g.metis"))
    assert entries(weighted)[0, 1] == 1.5 and any("node weights" in n for n in weighted.reading.notes)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("2 1\n2\n", 2, "announces 2 nodes but lists 1"),
        ("2 1\n2\n1\n1\n", 4, "announces 2 nodes but lists 3"),
        ("2 3\n2\n1\n", None, "announces 3 edges"),
        ("2 1\n3\n1\n", 2, "neighbour 3 is not one"),
        ("2 1\nx\n1\n", 2, "'x' is not a number"),
        ("2 1 1\n2\n1 1\n", 2, "has 1 numbers"),
        ("a b\n", 1, "starts with"),
        ("% c\n", None, "empty"),
    ],
)
def test_bad_metis_is_refused_with_its_line(write, content, line, words):
    with pytest.raises(FileError, match=words) as caught:
        as_graph(write(content, "g.graph"))
    assert caught.value.line == line


def test_konect_kinds(write):
    arcs = as_graph(write("% asym posweighted\n% 2 4 4\n1 2 0.5\n2 1 3\n", "out.example"))
    assert arcs.directed and arcs.nodes.tolist() == [1, 2, 3, 4] and entries(arcs)[2, 1] == 3.0
    plain = as_graph(write("% sym unweighted\n1 2 1 1082008561\n2 3 1 1082008562\n", "g.konect"))
    assert not plain.weighted and not plain.directed
    with pytest.warns(GraphNotice, match="two-mode"):
        sides = as_graph(write("% bip unweighted\n% 2 2 3\n1 1\n2 1\n", "g.konect"))
    assert sides.nodes.tolist() == ["L1", "L2", "R1", "R2", "R3"]
    assert entries(sides)["L2", "R1"] == 1.0 and sides.n_edges == 2
    with pytest.raises(FileError, match=r"integers 1\.\.n"):
        as_graph(write("% sym unweighted\na b\n", "g.konect"))


def test_matrix_market(tmp_path, write):
    a = sparse.coo_array(nx.to_numpy_array(KARATE))
    io.mmwrite(tmp_path / "g.mtx", a)
    assert (as_graph(tmp_path / "g.mtx").adjacency.toarray() == a.toarray()).all()
    head = "%%MatrixMarket matrix coordinate {} {}\n"
    pattern = as_graph(write(head.format("pattern", "symmetric") + "3 3 2\n2 1\n3 3\n", "p.mtx"))
    assert entries(pattern) == {(0, 1): 1.0, (1, 0): 1.0, (2, 2): 1.0}
    assert as_graph(write(head.format("pattern", "general") + "2 2 1\n1 2\n", "d.mtx")).directed
    for bad, words in (
        (head.format("complex", "general") + "1 1 1\n1 1 1 2\n", "complex"),
        (head.format("real", "general") + "2 3 1\n1 3 1\n", "square"),
        (head.format("real", "general") + "2 2 5\n1 1 1\n", "announces 5 entries but has 1"),
    ):
        with pytest.raises(FileError, match=words):
            as_graph(write(bad, "bad.mtx"))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "bsr"])
def test_npz_of_scipy(tmp_path, form):
    a = nx.to_scipy_sparse_array(KARATE, dtype=float).asformat(form)
    sparse.save_npz(tmp_path / "g.npz", a)
    assert (as_graph(tmp_path / "g.npz").adjacency.toarray() == a.toarray()).all()


def test_numpy_files(tmp_path, write):
    a = nx.to_numpy_array(KARATE)
    np.save(tmp_path / "g.npy", a)
    np.savez(tmp_path / "g.npz", adjacency=a, other=np.arange(3))
    for name in ("g.npy", "g.npz"):
        assert as_graph(tmp_path / name).n_edges == 78
    np.save(tmp_path / "evil.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "none.npz", x=np.arange(3))
    for name in ("evil.npy", "none.npz"):
        with pytest.raises(FileError):
            as_graph(tmp_path / name)
    with pytest.raises(FileError, match="though its suffix says so"):
        as_graph(write(b"\x00\x01garbage", "g.npz"))


def test_matlab(tmp_path, write):
    a = nx.to_scipy_sparse_array(KARATE)
    group = np.zeros((34, 3))
    group[:5, 0] = group[3:9, 1] = 1
    io.savemat(tmp_path / "g.mat", {"network": a, "group": group})
    graph = as_graph(tmp_path / "g.mat")
    assert graph.n_edges == 78 and graph.labels.counts == {0: 5, 1: 6, 2: 0} and graph.labels.multi
    io.savemat(tmp_path / "named.mat", {"friends": a, "gnd": np.arange(34) % 2, "junk": 3})
    with pytest.warns(GraphNotice, match="'friends'.*not used: 'junk'"):
        assert as_graph(tmp_path / "named.mat").labels.counts == {0: 17, 1: 17}
    io.savemat(tmp_path / "none.mat", {"x": np.arange(3)})
    with pytest.raises(FileError, match="no variable 'network'"):
        as_graph(tmp_path / "none.mat")
    with pytest.raises(FileError, match="readable MATLAB"):
        as_graph(write(b"MATLAB 5.0 MAT-file" + bytes(200), "cut.mat"))


def test_parquet_of_pandas(tmp_path, write):
    pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, 2.0]}).to_parquet(tmp_path / "g.parquet")
    assert entries(as_graph(tmp_path / "g.parquet"))["c", "b"] == 2.0
    pd.DataFrame({"only": [1]}).to_parquet(tmp_path / "one.parquet")
    with pytest.raises(FileError, match="two columns"):
        as_graph(tmp_path / "one.parquet")
    with pytest.raises(FileError, match="readable Parquet"):
        as_graph(write(b"PAR1 cut off", "cut.parquet"))


TU = {
    "A": "1, 2\n2, 1\n1, 2\n2, 1\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n3\n",
    "graph_labels": "1\n-1\n1\n",
    "node_labels": "0\n1\n0\n2\n2\n0\n",
    "node_attributes": "0.5, 1\n1, 2\n2, 3\n3, 4\n4, 5\n5, 6\n",
    "edge_labels": "7\n7\n7\n7\n8\n8\n",
}


def tu_zip(path, parts, inside="T//T_"):
    with zipfile.ZipFile(path, "w") as archive:
        for part, content in parts.items():
            archive.writestr(f"{inside}{part}.txt", content)
    return path


def test_tudataset_zip_and_folder(tmp_path):
    batch = as_batch(tu_zip(tmp_path / "T.zip", TU))
    assert [len(g) for g in batch] == [3, 2, 1] and [g.n_edges for g in batch] == [1, 1, 0]
    assert batch.labels.tolist() == [1, -1, 1]
    assert batch[1].nodes.tolist() == [4, 5] and batch[1].labels.values.tolist() == [2, 2]
    assert batch[0].edge_attributes["edge_labels"].tolist() == [7, 7]
    assert batch[2].attributes["node_attributes"].tolist() == [[5, 6]]
    assert any("2 repeated" in note for note in batch.notes)
    folder = tmp_path / "T"
    folder.mkdir()
    for part, content in TU.items():
        (folder / f"T_{part}.txt").write_text(content)
    (folder / "notes.txt").mkdir()
    assert [same(a, b) for a, b in zip(as_batch(folder), batch, strict=True)] == [True] * 3
    (folder / "T_graph_labels.txt").unlink()
    (folder / "T_graph_labels.txt").mkdir()
    with pytest.raises(UnreadableFileError, match=r"T_graph_labels\.txt: this is a folder"):
        as_batch(folder)


def test_tudataset_with_scattered_nodes_and_graphs_without_any(tmp_path):
    parts = {"A": "1, 3\n3, 1\n", "graph_indicator": "3\n1\n3\n", "graph_labels": "0\n1\n0\n1\n"}
    batch = as_batch(tu_zip(tmp_path / "T.zip", parts))
    assert [g.nodes.tolist() for g in batch] == [[2], [], [1, 3], []]
    assert "2 graphs have no nodes" in batch.notes[-1]
    assert batch[2].n_edges == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"A": None}, r"lacks T_A\.txt"),
        ({"graph_indicator": None}, r"lacks T_graph_indicator\.txt"),
        ({"A": "1, 9\n"}, "names node 9"),
        ({"A": "1, 4\n", "edge_labels": None}, "different graphs"),
        ({"A": "1, x\n"}, "line 1.*expected 2 integers"),
        ({"A": "1, 2\n1\n"}, "line 2"),
        ({"graph_labels": "1\n"}, "names graph 3"),
        ({"node_labels": "1\n"}, "has 1 lines for 6 nodes"),
        ({"edge_labels": "1\n"}, "has 1 lines for 6 edges"),
        ({"graph_indicator": ""}, "no nodes"),
        ({"graph_indicator": "0\n1\n1\n1\n1\n1\n"}, "start at 1"),
    ],
)
def test_bad_tudatasets_are_refused(tmp_path, change, words):
    parts = {k: v for k, v in {**TU, **change}.items() if v is not None}
    with pytest.raises(FileError, match=words):
        as_batch(tu_zip(tmp_path / "T.zip", parts))


def test_one_graph_and_many_are_not_mixed_up(tmp_path, write):
    path = tu_zip(tmp_path / "T.zip", TU)
    with pytest.raises(InputTypeError, match=r"holds 3 graphs; use phusion\.as_batch"):
        as_graph(path)
    with pytest.raises(InputTypeError, match="holds one graph"):
        as_batch(write("1 2\n"))
    with pytest.raises(PhusionError, match="folder"):
        as_graph(tmp_path)
    with pytest.raises(FileError, match="zip"):
        as_batch(write(path.read_bytes()[:300], "cut.zip"))


def test_the_suffix_may_mislead_and_the_format_can_be_named(write):
    with pytest.warns(GraphNotice, match="suffix says Matrix Market"):
        assert as_graph(write("a b\n", "g.mtx")).nodes.tolist() == ["a", "b"]
    with pytest.warns(GraphNotice, match=r"'\.foo' is not known"):
        assert len(as_graph(write("a b\n", "g.foo"))) == 2
    assert as_graph(write("2 1\n2\n1\n", "g.txt"), format="metis").n_edges == 1
    with pytest.raises(InputError, match="Did you mean 'metis'"):
        as_graph(write("2 1\n2\n1\n", "g.txt"), format="mettis")


def test_paths_that_cannot_be_read(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        as_graph(tmp_path / "none.txt")
    for error in (OSError, ValueError, PhusionError):
        with pytest.raises(error):
            as_graph(str(tmp_path / "none.txt"))


def test_a_file_without_permission_says_so(write, monkeypatch):
    import pathlib

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    file = write("1 2\n")
    monkeypatch.setattr(pathlib.Path, "open", refuse)  # tests may run as root, who may read everything
    with pytest.raises(FileError, match="no permission"):
        as_graph(file)


def test_a_name_of_millions_of_letters_is_read_in_few_pieces(write, monkeypatch):
    """Older expats read a name again from its start with each piece."""
    pieces = []
    fed = graphml_module._feed

    class Counted:
        def __init__(self, parser):
            self._parser = parser

        def Parse(self, data, final):  # noqa: N802
            pieces.append(len(data))
            return self._parser.Parse(data, final)

    monkeypatch.setattr(graphml_module, "_feed", lambda parser, stream: fed(Counted(parser), stream))
    with pytest.raises(FileError, match="not well-formed"):
        as_graph(write("<graphml><" + "o" * 10_000_000, "g.graphml"))
    assert len(pieces) < 12
