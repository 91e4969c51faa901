"""What an adversarial tester found, kept found."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import io, sparse
from tests.plain import entries, same

from phusion import as_batch, as_graph, write_graph
from phusion.errors import FileError, GraphNotice, InputError, PhusionError
from phusion.graph import lines


def test_a_cut_off_matrix_market_file_does_not_crash(write):
    head = "%%MatrixMarket matrix coordinate real general\n3 3 3\n"
    for body in ("2 1 1.5e", "2 1 1.;5\n1 2 3\n3 1 2\n", "1 2\n1 2 3\n1 3 1\n", "1 9 1\n1 2 1\n2 2 1\n", ""):
        with pytest.raises(FileError):
            as_graph(write(head + body, "g.mtx"))


def test_matrix_market_of_scipy_in_every_kind(tmp_path):
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 3, (6, 6)).astype(float)
    symmetric = dense + dense.T
    skew = np.triu(dense, 1) - np.triu(dense, 1).T
    for a, symmetry in ((dense, "general"), (symmetric, "symmetric"), (skew, "skew-symmetric")):
        for matrix in (a, sparse.coo_array(a)):
            io.mmwrite(tmp_path / "g.mtx", matrix, symmetry=symmetry)
            assert (as_graph(tmp_path / "g.mtx").adjacency.toarray() == a).all()


def test_masked_entries_are_no_edges():
    with pytest.warns(GraphNotice, match="2 masked"):
        graph = as_graph(np.ma.masked_equal([[0, 5, 9], [5, 0, 1], [9, 1, 0]], 9))
    assert entries(graph) == {(0, 1): 5.0, (1, 0): 5.0, (1, 2): 1.0, (2, 1): 1.0}


def test_lambda_max_among_eigenvalues_of_nearly_equal_size():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(420, 600))
        a = sparse.random(n, n, 0.005, random_state=seed, format="csr")
        a.data *= rng.choice([1, -1], a.nnz)
        expected = np.abs(np.linalg.eigvals(a.toarray())).max()
        assert as_graph(a).lambda_max == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("content", "name", "nodes"),
    [
        ("x;y NA\nNA b;c\n", "g.txt", ["x;y", "NA", "b;c"]),
        ("Doe,J Roe,K\nRoe,K Poe,L\n", "g.edgelist", ["Doe,J", "Roe,K", "Poe,L"]),
        ("a;b;1,5\nb;c;2,5\n", "g.csv", ["a", "b", "c"]),
        ("New York,Paris\nParis,Los Angeles\n", "g.csv", ["New York", "Paris", "Los Angeles"]),
        ("a\u00a0x b\nb c\n", "g.txt", ["a\u00a0x", "b", "c"]),
        (",u,v\n0,ann,bob\n1,bob,cy\n", "g.csv", ["ann", "bob", "cy"]),
        ("source target\n1 ann bob\n2 bob cy\n", "g.txt", ["ann", "bob", "cy"]),  # as R writes
        ("# hello\n" * 250_000 + "1 2\n", "g.txt", [1, 2]),
        ("\n" * 2_000_000 + "1 2\n", "g.txt", [1, 2]),
        ("1\t2\t\n2\t3\t\n", "g.tsv", [1, 2, 3]),
    ],
)
def test_ids_are_cut_where_people_mean_it(write, content, name, nodes):
    assert as_graph(write(content, name)).nodes.tolist() == nodes


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("1 -> 2\n2 -> 3\n", "source=0, target=2"),
        ("(0, 0) (0, 1) {}\n(0, 1) (1, 1) {}\n", "tuples"),
        ("source,target,weight\n1,2\n2,3\n", "header names 3 columns, but the line after it has 2"),
        ("source,target\n1,2,3,4\n", "header names 2 columns"),
        ("1 2\n" + "x" * 200_000 + " 3 4\n", "line 2"),
        ("0 1\n0 2 \r3\n", "line 2"),
        ('source,target\n"a\nb",c\nc,d\n', "quoted word runs over"),
        ("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n", "mixes directed and undirected"),
        ("% sym unweighted\n01 3\n2 3\n", r"integers 1\.\.n"),
        ("1 2\n" * 3_000_000 + "a\x00b c\n", "binary"),
    ],
)
def test_what_is_no_plain_list_is_refused(write, content, words):
    with pytest.raises(FileError, match=words):
        as_graph(write(content))


def test_a_possible_header_is_mentioned(write):
    with pytest.warns(GraphNotice, match="'knower known', was read as data"):
        as_graph(write("knower,known\nann,bob\n", "g.csv"))
    assert as_graph(write("person,friend\nann,bob\n", "g.csv"), header=True).nodes.tolist() == ["ann", "bob"]


def test_the_line_of_a_late_trailing_tab(write, monkeypatch):
    monkeypatch.setattr(lines, "_BLOCK", 1000)
    with pytest.raises(FileError) as caught:
        as_graph(write("1\t2\n" * 5000 + "7\t8\t\n", "g.tsv"))
    assert caught.value.line == 5001


def test_partial_weights_of_networkx_count_one(write):
    graph = as_graph(write("1 2 {'weight': 3.0}\n3 4 {}\n"))
    assert entries(graph) == {(1, 2): 3.0, (2, 1): 3.0, (3, 4): 1.0, (4, 3): 1.0}


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ('source,target\nx,set{1}\nx,set{2}\n"set{1}",y\n', ["x", "set{1}", "set{2}", "y"]),
        ("a ${x}\nb {y}\n", ["a", "${x}", "b", "{y}"]),
        ("f{1: 2}\tg\ng\th{}\n", ["f{1: 2}", "g", "h{}"]),
        ("{a},b,2.5\n{a},c{d: 1},3\n", ["{a}", "b", "c{d: 1}"]),
    ],
)
def test_braces_in_ids_are_theirs_and_no_data_of_networkx(write, text, nodes):
    graph = as_graph(write(text, "g.csv" if "," in text else "g.txt"))
    assert graph.nodes.tolist() == nodes and graph.n_edges == len(text.splitlines()) - ("source" in text)


@pytest.mark.parametrize("delimiter", [" ", ",", ";", "\t", "|"])
def test_data_of_networkx_is_a_last_word_whatever_stands_between_words(tmp_path, delimiter):
    given = nx.Graph()
    given.add_edge("a{1}", "b", weight=3.0, colour="red, blue")
    given.add_edge("b", "c{}")
    nx.write_edgelist(given, tmp_path / "g.edgelist", delimiter=delimiter)
    found = entries(as_graph(tmp_path / "g.edgelist"))
    assert found[("a{1}", "b")] == 3.0 and found[("b", "c{}")] == 1.0 and len(found) == 4


def test_the_index_pandas_saves_is_not_a_weight(tmp_path):
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}, index=[7, 9])
    frame.to_parquet(tmp_path / "g.parquet")
    assert not as_graph(tmp_path / "g.parquet").weighted


def test_nodes_of_another_type_are_refused_and_matrices_can_be_named(write):
    with pytest.raises(InputError, match="same type"):
        as_graph(write("1 2\n"), nodes=["1", "2", "7"])
    with pytest.raises(InputError, match="same type"):
        as_graph([("a", "b")], nodes=3)
    assert as_graph(np.ones((2, 2)), nodes=["x", "y"]).nodes.tolist() == ["x", "y"]
    with pytest.raises(InputError, match="2 nodes without names"):
        as_graph(np.ones((2, 2)), nodes=["x"])
    assert len(as_graph(np.ones((2, 2)), nodes=4)) == 4


class Scalar:
    """Enough of a torch scalar: equal to none but itself."""

    def detach(self):
        return self

    def cpu(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return np.array([2, 1])


def test_tensors_are_no_ids_but_lists_of_them_are():
    with pytest.raises(InputError, match="tensor cannot be a node id"):
        as_graph([(Scalar(), Scalar())])
    assert as_graph([(1, 2)], nodes=Scalar()).nodes.tolist() == [2, 1]
    assert as_graph([(1, 2)], labels=Scalar()).labels.values.tolist() == [2, 1]


def test_geometric_edge_features_are_mentioned_and_bad_indices_named():
    data = SimpleNamespace(edge_index=np.array([[0, 1], [1, 0]]), num_nodes=None, edge_attr=np.array([3.0, 3.0]))
    with pytest.warns(GraphNotice, match="edge_attr is kept"):
        graph = as_graph(data)
    assert len(graph) == 2 and graph.edge_attributes["edge_attr"].tolist() == [3, 3]
    assert entries(as_graph(data, weight="edge_attr"))[0, 1] == 3.0
    data.edge_index = np.array([[0, -1], [1, 0]])
    with pytest.raises(InputError, match="names node -1"):
        as_graph(data)


def test_frames_that_might_be_matrices():
    a = pd.DataFrame([[0, 1, 2], [1, 0, 0], [2, 0, 0]], index=list("abc"), columns=list("abc"))
    assert same(as_graph(a[["b", "a", "c"]]), as_graph(a))
    with pytest.raises(InputError, match="may be a matrix or edges"):
        as_graph(pd.DataFrame([[10, 20], [20, 30]]))
    with pytest.raises(InputError, match="two ends"):
        as_graph((np.array([0, 1, 2]), np.array([1, 2, 3])))


@pytest.mark.parametrize(
    "thing",
    [
        [(1, 2, 10**400)],
        nx.Graph([(1, 2, {"weight": 10**400})]),
        pl.scan_csv("no-such-file-anywhere.csv"),
        "a\x00b",
        "x" * 5000,
        [(1, 2, 1e308), (2, 3, 1e308)],
    ],
)
def test_nothing_but_phusion_errors_escapes(thing):
    with pytest.raises(PhusionError):
        as_graph(thing)


def test_what_does_not_fit_in_memory_is_refused(write):
    with pytest.raises(InputError, match="does not fit in memory"):
        as_graph([(1, 2)], nodes=10**15)
    with pytest.raises(PhusionError):
        as_graph([(1, 2)], weight=3.5)


def test_wide_integers_of_polars_keep_their_values():
    frame = pl.DataFrame({"source": [2**70, 1], "target": [1, 2]}, schema={"source": pl.Int128, "target": pl.Int64})
    assert as_graph(frame).nodes.tolist() == [2**70, 1, 2]


def test_edgeless_lists_with_nodes_are_graphs(write):
    empty = pd.DataFrame({"source": [], "target": []})
    for thing in ([], empty, write("", "e.txt"), write("# c\n", "c.txt")):
        assert as_graph(thing, nodes=["a", "b"]).nodes.tolist() == ["a", "b"]


def test_announced_sizes_are_compared(write):
    with pytest.raises(FileError, match=r"line 2: node 1 lists 2, but 2 does not list 1"):
        as_graph(write("3 1\n2\n3\n\n", "g.graph"))
    with pytest.warns(GraphNotice, match="7 edges are announced but 1 lines"):
        as_graph(write("% sym unweighted\n% 7 5 5\n1 2\n", "g.konect"))


def test_unsigned_ids_can_be_written(tmp_path):
    graph = as_graph([(2**64 - 1, 5)])
    for suffix in ("csv", "npz", "parquet", "gml", "graphml"):
        write_graph(graph, tmp_path / f"g.{suffix}")
        assert same(as_graph(tmp_path / f"g.{suffix}"), graph)


def test_lossy_files_can_be_read(tmp_path):
    arcs = as_graph([(0, 1), (1, 2), (2, 2)], directed=True)
    write_graph(arcs, tmp_path / "g.graph", lossy=True)
    assert as_graph(tmp_path / "g.graph").n_edges == 2
    with pytest.raises(InputError, match="two of the node ids are the same"):
        write_graph(as_graph([(1, "1"), ("1", 2)]), tmp_path / "g.npz", lossy=True)


def test_the_adjacency_is_frozen_in_depth():
    graph = as_graph([(0, 1), (1, 2)])
    before = graph.adjacency.toarray()
    graph.adjacency.data = np.zeros(4)
    graph.laplacian.data = np.ones(7)
    for spoil in (lambda a: a.resize((1, 1)), lambda a: a.setdiag(5)):
        with pytest.raises(ValueError, match="read-only"), warnings.catch_warnings():
            warnings.simplefilter("ignore", sparse.SparseEfficiencyWarning)
            spoil(graph.adjacency)
            raise ValueError("read-only or not, only the view was changed")
    assert (graph.adjacency.toarray() == before).all()
    assert graph.laplacian.toarray().sum() == 0


def test_extreme_weights_give_finite_matrices():
    for weight in (1e-320, 1e-300, 1e300):
        graph = as_graph([(0, 1, weight), (1, 2, weight)])
        for matrix in (graph.transition, graph.normalized_adjacency, graph.normalized_laplacian):
            assert np.isfinite(matrix.data).all()
        assert graph.transition.toarray()[1] == pytest.approx([0.5, 0, 0.5])


def test_a_full_disk_behind_the_output_has_its_code():
    program = "import sys; from phusion.cli import main; sys.exit(main(['formats']))"
    command = [sys.executable, "-c", program]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 4 and "cannot write the result" in done.stderr and "Traceback" not in done.stderr


SUFFIXES = ["csv", "edgelist", "graphml", "gml", "mtx", "mat", "npz", "parquet", "graph", "konect", "csv.gz"]


def damaged(whole: bytes, times: int):
    """Copies of a file, cut off or with some bytes changed; the same ones every time."""
    chance = random.Random(0)
    for _ in range(times):
        data = bytearray(whole)
        if chance.random() < 0.4:
            data = data[: chance.randrange(1, len(data))]
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        yield bytes(data)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_damaged_files_of_every_format_give_a_graph_or_a_phusion_error(tmp_path, suffix):
    start = 1 if suffix == "konect" else 0
    pairs = np.random.default_rng(0).integers(0, 12, (25, 2)) + start
    edges = [(int(u), int(v), 1.5) for u, v in pairs if u != v]
    path = tmp_path / f"g.{suffix}"
    write_graph(as_graph(edges, nodes=range(start, 12 + start), directed=False), path, lossy=True)
    for data in damaged(path.read_bytes(), 60):
        path.write_bytes(data)
        try:
            as_graph(path)
        except PhusionError:
            continue


def test_damaged_tudatasets_give_a_batch_or_a_phusion_error(tmp_path):
    path = tmp_path / "T.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("T/T_A.txt", "1, 2\n2, 1\n3, 4\n" * 20)
        archive.writestr("T/T_graph_indicator.txt", "1\n1\n2\n2\n")
    for data in damaged(path.read_bytes(), 100):
        path.write_bytes(data)
        try:
            as_batch(path)
        except PhusionError:
            continue


# a second tester, and a reviewer


def test_options_of_the_edge_file_do_not_reach_the_other_files(write):
    nodes = as_graph(write("person,friend\nann,bob\n", "a.csv"), header=True, nodes=write("zed\nyan\n", "n.txt")).nodes
    assert nodes.tolist() == ["zed", "yan", "ann", "bob"]
    table = write("id,x\na,1\nb,2\nc,1\n", "n.csv")
    assert as_graph(write("a|b\nb|c\n"), delimiter="|", nodes=table).nodes.tolist() == ["a", "b", "c"]
    tags = as_graph(write("#a b\nb c\n"), comments="", nodes=write("#z\n#a\nb\n", "n.txt"))
    assert tags.nodes.tolist() == ["#z", "#a", "b", "c"]


def test_a_name_above_numbers_makes_a_header(write):
    cities = as_graph([("Paris", "Rome")], nodes=write("city,pop\nParis,3\nOslo,1\n", "c.csv"))
    assert cities.nodes.tolist() == ["Paris", "Oslo", "Rome"] and cities.attributes["pop"].tolist()[:2] == [3, 1]
    graph = as_graph(write("person,friend,strength,since\nada,bob,2.5,2001\nbob,cleo,1,2003\n", "f.csv"))
    assert graph.nodes.tolist() == ["ada", "bob", "cleo"] and entries(graph)["bob", "ada"] == 2.5
    with pytest.raises(InputError, match=r"f\.csv: weight='strenght': no such column. Did you mean 'strength'"):
        as_graph(write("person,friend,strength\nada,bob,2.5\n", "f.csv"), weight="strenght")


def test_lines_are_never_joined_by_a_late_quote(write):
    for late in ('"p q\nr" s\n', '"open\n'):
        with pytest.raises(FileError, match="quoted word runs over") as caught:
            as_graph(write("x y\n" * 300 + late))
        assert caught.value.line == 301


def test_edge_attributes_keep_what_each_direction_says():
    data = SimpleNamespace(edge_index=np.array([[0, 1], [1, 0]]), num_nodes=2, edge_attr=np.array([3.0, 7.0]))
    assert as_graph(data).edge_attributes["edge_attr"].tolist() == [3, 7]
    data.edge_attr[0] = 9.0  # the caller's own array
    graph = as_graph(data)
    data.edge_attr[0] = 5.0
    assert graph.edge_attributes["edge_attr"][0] == 9.0


def test_things_of_pyarrow():
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    edges = [("a", "b"), ("b", "c")]
    assert as_graph(edges, labels=pa.array(["x", "y", None])).labels.counts == {"x": 1, "y": 1}
    assert as_graph(edges, nodes=pa.array(["c", "z"])).nodes.tolist() == ["c", "z", "a", "b"]
    assert as_graph(pa.record_batch({"source": ["a"], "target": ["b"]})).nodes.tolist() == ["a", "b"]
    with pytest.raises(PhusionError):
        as_graph(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_labels_in_odd_forms():
    edges = [("a", "b"), ("b", "c")]
    series = pd.Series({"c": "C", "a": "A", "b": "B"})
    assert as_graph(edges, labels=series).labels.values.tolist() == ["A", "B", "C"]
    assert as_graph(edges, labels=np.array([[5], [0], [7]])).labels.values.tolist() == [5, 0, 7]
    frame = pd.DataFrame({"id": ["a", "b"], "label": ["x", "y"], "age": [3, 4]})
    with pytest.warns(GraphNotice, match="labels not used: 'age'"):
        assert as_graph(edges, labels=frame).labels.counts == {"x": 1, "y": 1}
    assert as_graph(edges, labels=["x", pd.NA, np.array(["x", "y"])]).labels.counts == {"x": 2, "y": 1}
    for labels in ([{}, {"k": 1}, 3], np.array([["a", "X"]] * 3)):
        with pytest.raises(PhusionError):
            as_graph(edges, labels=labels)
    with pytest.raises(PhusionError):
        as_batch([edges], labels=3)


def test_integer_ids_of_objects_match_files(write):
    labels = write("1 a\n2 b\n", "l.txt")
    assert as_graph(nx.Graph([(1, 2)]), labels=labels).labels.values.tolist() == ["a", "b"]
    assert as_graph([(1, 2)], nodes=write("7\n1\n", "n.txt")).nodes.tolist() == [7, 1, 2]
    with pytest.raises(PhusionError):
        as_graph(write("1 2\n"), labels=write(f"{2**64 + 1} a\n", "big.txt"))
    wide = as_graph(write(f"1 {2**63 + 1}\n"), labels=write(f"{2**63 + 1} a\n", "w.txt"))
    assert wide.labels.values.tolist() == [None, "a"]


@pytest.mark.parametrize("suffix", ["mtx", "npz", "mat", "graph"])
def test_weights_of_matrices_can_be_ignored_but_not_named(tmp_path, suffix):
    write_graph(as_graph([(0, 1, 2.5)]), tmp_path / f"g.{suffix}")
    assert not as_graph(tmp_path / f"g.{suffix}", weight=None).weighted
    with pytest.raises(InputError, match="no names"):
        as_graph(tmp_path / f"g.{suffix}", weight="typo")


def test_what_writing_loses_is_said(tmp_path):
    assert "the order of nodes is not kept" in write_graph(as_graph([(0, 2), (1, 2)], nodes=3), tmp_path / "g.csv")
    table = pd.DataFrame({"id": ["a", "b"], "node_type": ["x", "y\x01"]})
    graph = as_graph([("a", "b")], nodes=table, labels=[1.5, "x"])
    assert any("node_type" in lost for lost in write_graph(graph, tmp_path / "g.gml"))
    assert any("node_type" in lost for lost in write_graph(graph, tmp_path / "g.graphml"))
    assert "classes are written as text" in write_graph(graph, tmp_path / "g.npz")
    assert as_graph(tmp_path / "g.graphml").nodes.tolist() == ["a", "b"]
    assert write_graph(nx.path_graph(3), tmp_path / "p.gml") == ()
    with pytest.raises(InputError):
        write_graph(as_graph([("{a}", "b")]), tmp_path / "brace.csv")
    with pytest.raises(InputError):
        write_graph(as_graph([("\ud800", "b")]), tmp_path / "surrogate.parquet")
    with pytest.raises(InputError):
        write_graph(graph, tmp_path / "dense.npy.gz")


def test_batches_take_options_or_refuse_them(tmp_path):
    graph = as_graph([(1, 2)])
    assert as_batch([graph], directed=True)[0].directed
    for thing, options in (
        ([graph], {"directed": "no"}),
        (as_batch([graph]), {"directed": True}),
        ([[(1, 2)]], {"weight": True}),
    ):
        with pytest.raises(PhusionError):
            as_batch(thing, **options)


def test_frozen_down_to_the_labels():
    labels = as_graph([(0, 1)], labels=["x", "y"]).labels
    with pytest.raises(ValueError, match="read-only"):
        labels.classes[0] = "z"
    with pytest.raises(ValueError, match="read-only"):
        labels.membership.data[:] = False


def test_attributes_keep_their_type_when_nodes_are_only_reordered():
    g = nx.Graph([(1, 2)])
    nx.set_node_attributes(g, {1: {"a": 2**60 + 1, "f": True}, 2: {"a": 1, "f": False}})
    moved = as_graph(g, nodes=[2, 1]).attributes
    assert moved["a"].tolist() == [1, 2**60 + 1] and moved["f"].tolist() == [False, True]
    with pytest.raises(InputError, match="attribute of that name"):
        as_graph(g, nodes=pd.DataFrame({"id": [1], "a": [3]}))


@pytest.mark.parametrize(
    "thing",
    [
        [(1, 2, np.datetime64("2020-01-01"))],
        pd.DataFrame({"source": [1], "target": [2], "weight": pd.to_timedelta([1], "D")}),
        nx.Graph([(1, 2, {"weight": [1, 2]})]),
        nx.Graph([(1, 2, {"weight": [1, 2]}), (2, 3, {"weight": [1]})]),
    ],
)
def test_what_cannot_weigh_is_refused(thing):
    with pytest.raises(PhusionError):
        as_graph(thing)


def test_more_small_things(write, tmp_path):
    assert as_graph(write("1 2\n1 -0")).nodes.tolist() == ["1", "2", "-0"]
    nullable = pd.DataFrame([[0, 1], [1, 0]], index=list("ab"), columns=list("ab"), dtype="Int64")
    assert as_graph(nullable).nodes.tolist() == ["a", "b"]
    assert as_graph(nx.Graph([(1, 2, {"a": 1, 0: 2})])).n_edges == 1
    said = as_graph(write("1 2\n" + "# c\n" * 2000 + "3 4\n")).reading.notes
    assert any(note.startswith("2,000 lines between") for note in said)
    with pytest.raises(FileError, match="line 4"):
        as_graph(write("1\t2\n\t# c\n3\t4\n5\t6\t7\n", "g.tsv"))
    mixed = '<edge source="a" target="b" directed="true"/><edge source="b" target="a"/>'
    nodes = '<node id="a"/><node id="b"/>'
    with pytest.raises(FileError, match="mixes"):
        as_graph(write(f'<graphml><graph edgedefault="undirected">{nodes}{mixed}</graph></graphml>', "g.graphml"))
    text = "# undirected version of the directed graph\n1 2\n"
    assert not as_graph(write(text)).directed
    cancelling = sparse.coo_array(
        ([1.0, -1.0, 2.0, -2.0, 1.0, 1.0], ([0, 0, 1, 1, 1, 2], [1, 1, 0, 0, 2, 1])), shape=(3, 3)
    )
    assert not as_graph(cancelling).directed
    for odd in ("id [ x 1 ]", 'id 1 label "a&#99999999;"', "id " + "9" * 5000):
        try:
            as_graph(write(f"graph [ node [ {odd} ] ]", "g.gml"))
        except PhusionError:
            continue
    with pytest.raises(FileError, match=r"1\.\.n"):
        as_graph(write("% bip unweighted\n0 1\n", "g.konect"))
    with pytest.raises(FileError, match="ASCII"):
        as_graph(write("1 2\n"), delimiter="§")


def test_zips_of_macs_and_zipped_lists_on_the_command_line(tmp_path, capsys):
    from phusion.cli import main

    with zipfile.ZipFile(tmp_path / "D.zip", "w") as archive:
        archive.writestr("D/D_A.txt", "1, 2\n2, 1\n")
        archive.writestr("D/D_graph_indicator.txt", "1\n1\n")
        archive.writestr("D/D_node_labels.txt", "1.0\n2.0\n")
        archive.writestr("__MACOSX/D/._D_A.txt", b"\x00\x05")
    assert as_batch(tmp_path / "D.zip")[0].labels.values.tolist() == [1, 2]
    with zipfile.ZipFile(tmp_path / "g.edgelist.zip", "w") as archive:
        archive.writestr("g.edgelist", "1 2\n")
    assert main(["inspect", str(tmp_path / "g.edgelist.zip")]) == 0
    assert main(["inspect", "karate", "--directed"]) == 0
    assert "directed" in capsys.readouterr().out
    assert main(["inspect", "brasil"]) == 3
    assert "Did you mean 'brazil'" in capsys.readouterr().err
