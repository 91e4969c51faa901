"""Edge lists as people write them."""

from __future__ import annotations

import bz2
import gzip
import lzma

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from tests.plain import entries

from phusion import as_graph
from phusion.errors import FileError, GraphNotice, PhusionError
from phusion.graph import lines

PATH = {(1, 2): 1.0, (2, 1): 1.0, (2, 3): 1.0, (3, 2): 1.0}


@pytest.mark.parametrize(
    "content",
    [
        "1 2\n2 3\n",
        "1 2\n2 3",  # no line end
        "1\t2\n2\t3\n",
        "1,2\n2,3\n",
        "1, 2\n2 ,3\n",
        "1;2\n2;3\n",
        "1|2\n2|3\n",
        "1 2\r\n2 3\r\n",
        "1 2\r2 3\r",
        "\ufeff1 2\n2 3\n",
        "  1   2  \n\n 2\t 3 \n\n",
        "# a comment\n1 2\n2 3\n",
        "% a comment\n%another\n\n1 2\n2 3\n",
        "source,target\n1,2\n2,3\n",
        "Source\tTarget\n1\t2\n2\t3\n",
        "from to\n1 2\n2 3\n",
        "x y\n1 2\n2 3\n",  # words above numbers
        '"1","2"\n"2","3"\n',
        "1 2 {}\n2 3 {}\n",
        "2 1\n1 2\n2 3\n",
    ],
)
def test_the_same_path_in_many_dialects(write, content):
    assert entries(as_graph(write(content))) == PATH


def test_weights_headers_and_further_columns(write):
    file = write("time,to,from,score\n5,b,a,0.5\n6,c,b,2\n", "g.csv")
    with pytest.warns(GraphNotice, match="not used: 'time'"):
        graph = as_graph(file)
    assert graph.nodes.tolist() == ["a", "b", "c"] and entries(graph)["c", "b"] == 2.0
    assert entries(as_graph(file, weight="time"))["a", "b"] == 5.0
    assert not as_graph(file, weight=None).weighted
    plain = write("a b 1.5 x\nb c 2 y\n")
    with pytest.warns(GraphNotice, match="weight is column 2 .*not used: column 3 "):
        assert entries(as_graph(plain))["a", "b"] == 1.5
    assert entries(as_graph(write("9 1 2\n8 2 3\n"), source=1, target=2, weight=0))[1, 2] == 9.0


@pytest.mark.parametrize(
    ("text", "n_nodes", "n_edges"),
    [
        ("user,item\n1,book\n2,pen\n", 4, 2),  # a name above numbers in one column of ids is enough
        ("item,user\nbook,1\npen,2\n", 4, 2),
        ("a,b\nb,c\nc,1\n", 4, 3),  # one number among words is an id
    ],
)
def test_a_name_above_numbers_is_a_header(write, text, n_nodes, n_edges):
    graph = as_graph(write(text, "g.csv"))
    assert (len(graph), graph.n_edges) == (n_nodes, n_edges)


def test_years_are_no_weights(write):
    assert not as_graph(write("person;friend;since\nAda;Bob;1999\nBob;Cy;2010\n", "g.csv")).weighted


def test_who_names_a_column_says_that_the_first_line_is_a_header(write):
    file = write("family,other\nMedici,Pazzi\nPazzi,Salviati\n", "g.csv")
    with pytest.warns(GraphNotice, match="'family other', was read as data"):
        assert len(as_graph(file)) == 5
    assert as_graph(file, source="family", target="other").nodes.tolist() == ["Medici", "Pazzi", "Salviati"]
    assert as_graph(file, source="family").n_edges == 2
    with pytest.raises(FileError, match="there is no header line"):
        as_graph(file, source="house")


def test_networkx_writes_we_read(tmp_path):
    g = nx.karate_club_graph()
    for name, writer in (("a.edgelist", nx.write_edgelist), ("b.txt", nx.write_weighted_edgelist)):
        writer(g, tmp_path / name)
        ours = as_graph(tmp_path / name)
        assert entries(ours) == entries(as_graph(g))
    bare = nx.path_graph(4)
    nx.write_edgelist(bare, tmp_path / "c.edgelist")
    assert entries(as_graph(tmp_path / "c.edgelist")) == entries(as_graph(bare))


def test_gephi_and_snap_say_their_direction(write):
    gephi = write("Source,Target,Type,Id,Label,Weight\na,b,Directed,0,,2\nb,a,Directed,1,,2\n", "g.csv")
    graph = as_graph(gephi)
    assert graph.directed and graph.n_edges == 2 and entries(graph)["a", "b"] == 2.0
    snap = "# Directed graph (each unordered pair of nodes is saved once): p.txt\n# FromNodeId\tToNodeId\n0\t1\n"
    assert as_graph(write(snap)).directed
    assert not as_graph(write(snap.replace("Directed", "Undirected"))).directed
    assert not as_graph(write(snap), directed=False).directed


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("-5 9223372036854775807", [-5, 2**63 - 1]),
        ("18446744073709551615 0", [2**64 - 1, 0]),
        ("99999999999999999999 0", ["99999999999999999999", "0"]),
        ("007 7", ["007", "7"]),
        ("0x10 16", ["0x10", "16"]),
        ("-0 0", ["-0", "0"]),
        ("+1 1", ["+1", "1"]),
        ("1e3 1000", ["1e3", "1000"]),
        ("1.0 1", ["1.0", "1"]),
        ("NA null", ["NA", "null"]),
        ("nan inf", ["nan", "inf"]),
        ("köln 東京", ["köln", "東京"]),
        ('"New York" Paris', ["New York", "Paris"]),
    ],
)
def test_ids_come_back_as_they_stand_in_the_file(write, words, ids):
    graph = as_graph(write(words + "\n"))
    assert graph.nodes.tolist() == ids
    assert [type(node) for node in graph.nodes.tolist()] == [type(node) for node in ids]


@pytest.mark.parametrize("late", ["x y", "007 2", "18446744073709551615 1"])
def test_ids_that_turn_out_wider_in_a_later_block(write, monkeypatch, late):
    monkeypatch.setattr(lines, "_BLOCK", 64)
    rows = [f"{i} {i + 1}" for i in range(1, 300)]
    graph = as_graph(write("\n".join([*rows, late]) + "\n"))
    kind = int if late.startswith("1844") else str
    assert len(graph) == 300 + len(set(late.split()) - {str(i) for i in range(1, 301)})
    assert all(type(node) is kind for node in graph.nodes.tolist())
    assert graph.nodes.tolist()[:2] == [kind(1), kind(2)]


def test_a_preamble_over_many_blocks_is_not_between_the_edges(write, monkeypatch):
    monkeypatch.setattr(lines, "_BLOCK", 64)
    rows = ["# head"] * 200 + [f"{i} {i + 1}" for i in range(1, 300)] + ["x y"]  # read twice: ids turn to text
    graph = as_graph(write("\n".join(rows)))
    assert len(graph) == 302 and not graph.reading.notes


@pytest.mark.parametrize("size", [16, 37, 64, 1 << 20])
def test_the_size_of_blocks_does_not_matter(write, monkeypatch, size):
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 50, (400, 2))
    content = "# head\n" + "".join(f"{u}  {v} {u + v / 7}\n" + ("% inside\n" if u == 3 else "") for u, v in pairs)
    file = write(content)
    whole = as_graph(file, directed=True)
    monkeypatch.setattr(lines, "_BLOCK", size)
    assert as_graph(file, directed=True).equals(whole)
    assert any("taken for comments" in note for note in whole.reading.notes)


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz", "zst"])
def test_compressed_files_whatever_they_are_called(write, suffix):
    data = b"1 2\n2 3\n"
    packed = {
        "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
        "zst": lambda b: pytest.importorskip("pyarrow", reason="packs zstd").compress(b, codec="zstd", asbytes=True),
    }[suffix](data)  # fmt: skip
    assert entries(as_graph(write(packed, f"g.edgelist.{suffix}"))) == PATH
    assert entries(as_graph(write(packed, "misnamed.txt"))) == PATH
    with pytest.raises(FileError, match="damaged or cut off"):
        as_graph(write(packed[:-6], f"cut.txt.{suffix}"))


def test_a_zip_around_one_file(write, tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "g.csv.zip", "w") as archive:
        archive.writestr("../../folder/g.csv", "source,target\n1,2\n2,3\n")
    assert entries(as_graph(tmp_path / "g.csv.zip")) == PATH
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("g.csv", "1,2\n2\n")
    with pytest.raises(FileError, match=r"bad\.zip/g\.csv, line 2"):
        as_graph(tmp_path / "bad.zip")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "empty"),
        ("\n\n", None, "empty"),
        ("# only\n# comments\n", None, "no edges"),
        ("source,target\n", None, "no edges"),
        ("1\n2\n", 1, "two columns"),
        ("1 2\n3\n", 2, "has 1 column where 2"),
        ("1 2\n# c\n\n3 4 5\n", 4, "has 3 columns where 2"),
        ("1 2 0.5\n2 3 nan\n", 2, "'nan' is not a finite"),
        ("1 2 0.5\n2 3 -inf\n", 2, "not a finite"),
        ("1 2 0.5\n2 3 1+2j\n", 2, r"'1\+2j' is not a finite real"),
        ("1 2 0.5\n2 3 1e999\n", 2, "not a finite"),
        ("a,b,1\nb,,2\n", 2, "a node id is empty"),
        ("1,2,1\n,2,2\n", 2, "a node id is empty"),
        ("1,2,1\n2,3,\n", 2, "the weight is missing"),
        (b"caf\xe9 b\n", 1, "not UTF-8"),
        (b"a b\nc d\ncaf\xe9 b\n", 3, "not UTF-8"),
        (b"\x00\x01\x02\x00binary", None, "binary"),
        ("1 2\n".encode("utf-16"), None, "UTF-16"),
    ],
)
def test_bad_lists_are_refused_with_their_line(write, content, line, words):
    with pytest.raises(FileError, match=words) as caught:
        as_graph(write(content))
    assert caught.value.line == line
    assert "graph.txt" in str(caught.value)


@pytest.mark.parametrize("bad", ["7", "7 8 9 10", "7 8 x"])
def test_the_line_is_right_in_late_blocks_too(write, monkeypatch, bad):
    monkeypatch.setattr(lines, "_BLOCK", 100)
    rows = [f"{i} {i + 1} 1.5" for i in range(200)]
    with pytest.raises(FileError) as caught:
        as_graph(write("\n".join([*rows[:150], bad, *rows[150:]])))
    assert caught.value.line == 151


def test_encodings_and_comments_can_be_told(write):
    assert as_graph(write("café b\n".encode("latin-1")), encoding="latin-1").nodes.tolist() == ["café", "b"]
    assert as_graph(write("a b\n".encode("utf-16")), encoding="utf-16").nodes.tolist() == ["a", "b"]
    tags = write("#rain #snow\n#snow #ice\n")
    assert as_graph(tags, comments="").nodes.tolist() == ["#rain", "#snow", "#ice"]
    for options in ({"encoding": "klingon"}, {"delimiter": "::"}, {"format": "edgelst"}, {"source": "a"}):
        with pytest.raises(PhusionError):
            as_graph(write("1 2\n"), **options)


def test_gaps_among_ids_are_mentioned(write):
    with pytest.warns(GraphNotice, match=r"1 of the ids 0\.\.3 are on no edge .*nodes=4"):
        graph = as_graph(write("0 1\n1 3\n"))
    assert len(graph) == 3
    assert as_graph(write("0 1\n1 3\n"), nodes=4).nodes.tolist() == [0, 1, 2, 3]


def test_nodes_and_labels_from_files(write):
    edges = write("ada bob\nbob cleo\n", "e.txt")
    nodes = write("id,age\ndan,20\nada,30\n", "nodes.csv")
    labels = write("node label\nada x\nbob y\nbob z\n", "labels.txt")
    graph = as_graph(edges, nodes=nodes, labels=labels)
    assert graph.nodes.tolist() == ["dan", "ada", "bob", "cleo"]
    assert graph.labels.counts == {"x": 1, "y": 1, "z": 1} and graph.labels.multi
    assert graph.attributes["age"].tolist()[:2] == [20, 30]
    numbers = write("1 2\n", "n.txt")
    assert as_graph(numbers, labels=write("2 7\n", "l.txt")).labels.values.tolist() == [None, 7]
    assert as_graph(write("1 2\n"), nodes=write("5\n6\n", "ids.txt")).nodes.tolist() == [5, 6, 1, 2]
    assert as_graph(write("# none\n"), nodes=write("5\n6\n", "ids.txt")).nodes.tolist() == [5, 6]
    for bad, words in (
        ("9 x\n", "not nodes of the graph, such as 9"),
        ("a x\n", "ids are integers"),
        ("1\n", "two"),
    ):
        with pytest.raises(FileError, match=words):
            as_graph(numbers, labels=write(bad, "bad.txt"))


def test_a_data_frame_saved_with_its_index(write, tmp_path):
    pd.DataFrame({"source": ["a"], "target": ["b"], "weight": [2.0]}).to_csv(tmp_path / "g.csv")
    assert entries(as_graph(tmp_path / "g.csv")) == {("a", "b"): 2.0, ("b", "a"): 2.0}
