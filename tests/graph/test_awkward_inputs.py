"""What a hostile tester gave: a right graph, or words that say what it is and what to do. Never a wrong graph."""

from __future__ import annotations

import datetime
import os
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from phusion import as_graph
from phusion.cli import main
from phusion.errors import FileError, InputError, InputTypeError, PhusionError


@pytest.fixture
def read(tmp_path):
    def reader(text, name="g.csv", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return as_graph(path, **options)

    return reader


def edges(graph):
    rows, cols, weights = graph.edge_list()
    return [(graph.nodes[a], graph.nodes[b], w) for a, b, w in zip(rows, cols, weights.tolist(), strict=True)]


@pytest.mark.parametrize("name", ["g.csv", "g.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "source,target\na,b,5\nb,c,6\n",
        "source,target,weight\na,b,0,5\nb,c,1,5\n",  # decimal commas
        "from,to,weight\na,b,1,2020\nb,c,2,2021\n",
        "source,target\n1,2,5\n2,3,6\n",
        "source,target\na,b,\nb,c\n",
    ],
)
def test_a_header_shorter_than_its_lines_loses_no_node(read, name, text):
    with pytest.raises(
        FileError, match=r"line 1: the header names \d columns, but the line after it has \d; name every"
    ):
        read(text, name)


@pytest.mark.parametrize("text", ['"source","target"\n"1","a","b"\n"2","b","c"\n', "source,target\n1,a,b\n2,b,c\n"])
def test_row_names_of_r_are_no_nodes_and_are_said(read, text):
    graph = read(text)
    assert edges(graph) == [("a", "b", 1.0), ("b", "c", 1.0)]
    assert "the first holds row names" in graph.reading.notes[0]


def test_labels_under_a_header_that_is_too_short_are_refused(read, tmp_path):
    (tmp_path / "l.csv").write_text("id,label\n1,2,3\n2,3,4\n")
    with pytest.raises(FileError, match="the header names 2 columns"):
        read("1,2\n2,3\n", labels=tmp_path / "l.csv")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (",a,b,c\na,0,2,0\nb,2,0,1\nc,0,1,0\n", "g.csv"),
        ("node;a;b;c\na;0;2;0\nb;2;0;1\nc;0;1;0\n", "g.csv"),
        ('"a","b","c"\n"a",0,2,0\n"b",2,0,1\n"c",0,1,0\n', "g.csv"),  # as R writes it
        ("\ta\tb\tc\na\t0\t2\t0\nb\t2\t0\t1\nc\t0\t1\t0\n", "g.tsv"),
    ],
)
def test_an_adjacency_matrix_with_names_is_one(read, text, name):
    graph = read(text, name)
    assert edges(graph) == [("a", "b", 2.0), ("b", "c", 1.0)] and not graph.directed
    assert "read as an adjacency matrix" in graph.reading.notes[0]


def test_adjacency_matrices_have_ids_directions_and_nodes_without_edges(read):
    graph = read(",1,2,3\n1,0,1,0\n2,0,0,0\n3,0,0,0\n")
    assert edges(graph) == [(1, 2, 1.0)] and graph.directed and graph.nodes.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (",a,b,c\na,0,1,0\nb,1,0,1\n", "2 rows and 3 columns that differ"),
        (",a,b\na,0,x\nb,1,0\n", "no matrix of numbers: 'x' is not a number"),
        (",a,b\na,0,\nb,1,0\n", "is empty; write 0"),
        (",a,b\na,0,nan\nb,1,0\n", "nan"),
    ],
)
def test_what_is_wrong_with_an_adjacency_matrix_is_said(read, text, words):
    with pytest.raises(InputError, match=words):
        read(text)


@pytest.mark.parametrize("name", ["g.csv", "g.txt", "g.edges"])
def test_names_with_blanks_between_commas_stay_whole(read, name):
    assert edges(read("Ann Lee,Bob Ray\nBob Ray,Cid Foe\n", name))[0] == ("Ann Lee", "Bob Ray", 1.0)
    assert edges(read("Ann Lee,Bob Ray,3\nBob Ray,Cid Foe,2\n", name))[1] == ("Bob Ray", "Cid Foe", 2.0)


def test_names_with_commas_between_blanks_stay_whole_too(read):
    assert edges(read("Lee,Ann Ray,Bob\nRay,Bob Foe,Cid\n", "g.txt"))[0][:2] == ("Lee,Ann", "Ray,Bob")
    assert edges(read("1 2 0,5\n2 3 0,7\n", "g.txt")) == [(1, 2, 0.5), (2, 3, 0.7)]


@pytest.mark.parametrize("name", ["g.csv", "g.txt"])
def test_a_first_line_with_a_weight_is_an_edge(read, name):
    graph = read("alice,bob,5\n1,2,3\n2,3,4\n", name)
    assert edges(graph)[0] == ("alice", "bob", 5.0)
    assert "'alice bob 5', was read as data" in graph.reading.notes[0]


def test_words_that_never_come_again_may_be_a_header_in_any_file(read):
    assert "'knower known', was read as data" in read("knower known\nann bob\nbob cid\n", "g.txt").reading.notes[0]
    assert read("ann bob\nbob cid\n", "g.txt").reading.notes == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<html><body>404 not found</body></html>", "this is a web page"),
        ("<!DOCTYPE html>\n<p>no such file</p>", "this is a web page"),
        ('<?xml version="1.0"?><gexf><graph/></gexf>', "this is XML; of its kinds phusion reads GraphML"),
        ('{"nodes": [{"id": 1}], "links": []}', "this is JSON"),
        ("[[0, 1], [1, 2]]", "this is JSON"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 5\n", "pointer of Git LFS"),
        ("sep=;\na;b\n", "Excel's note on the delimiter; delete it"),
    ],
)
def test_what_is_plainly_no_list_is_called_by_its_name(read, text, words):
    with pytest.raises(FileError, match=words):
        read(text)


def test_ids_may_look_like_code(read):
    assert read("source,target\n<html>,{x}\n{x},[y]\n").nodes.tolist() == ["<html>", "{x}", "[y]"]


@pytest.mark.parametrize("name", ["g.graphml", "g.xml"])
def test_other_xml_is_not_taken_for_graphml(read, name):
    text = '<gexf><graph defaultedgetype="directed"><nodes><node id="0"/><node id="1"/></nodes></graph></gexf>'
    with pytest.raises(FileError, match="is no GraphML: its first element is <gexf>"):
        read(text, name)


def test_graphml_says_directed_in_any_case(read):
    body = '<node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'
    assert read(f'<graphml><graph edgedefault="Directed">{body}', "g.graphml").directed


@pytest.mark.parametrize("weights", [["1", "2"], [True, True], [Decimal("1.5"), Decimal(2)], [1, 2]])
@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "parquet"])
def test_weights_of_frames_are_numbers_whatever_they_are_kept_as(tmp_path, weights, kind):
    columns = {"source": ["a", "b"], "target": ["b", "c"], "weight": weights}
    frame = pd.DataFrame(columns) if kind == "pandas" else pa.table(columns)
    if kind == "parquet":
        parquet.write_table(frame, tmp_path / "g.parquet")
        frame = tmp_path / "g.parquet"
    assert as_graph(frame).edge_list()[2].tolist() == [float(weight) for weight in weights]


@pytest.mark.parametrize("weight", ["x", datetime.datetime(2026, 1, 1), datetime.date(2026, 1, 1)])
def test_weights_of_frames_that_are_no_numbers_are_named(weight):
    table = pa.table({"source": ["a"], "target": ["b"], "weight": [weight]})
    with pytest.raises(InputError, match=r"in column 'weight', row 0 of the pyarrow frame, is no number"):
        as_graph(table)


def test_a_type_that_tells_no_direction_is_said(read):
    words = "columns not used: 'type', which holds 'enemy', 'friend' and no direction"
    assert words in read("source,target,type\na,b,friend\nb,c,enemy\n").reading.notes
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "type": ["friend", "enemy"]})
    assert words in as_graph(frame).reading.notes


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_edges_of_networkx_are_edges(kind):
    graph = kind([(0, 1, {"weight": 5}), (1, 2, {"weight": 2})])
    for view in (graph.edges, graph.edges(data=True), *([] if graph.is_multigraph() else [graph.adj])):
        found = as_graph(view)
        assert found.nodes.tolist() == [0, 1, 2] and sorted(found.edge_list()[2].tolist()) == [2.0, 5.0]
    assert as_graph(graph.edges).directed == graph.is_directed()


@pytest.mark.parametrize("part", ["nodes", "degree", "adj"])
def test_other_parts_of_networkx_graphs_are_refused(part):
    with pytest.raises(InputTypeError, match="a part of a graph; pass the graph itself"):
        as_graph(getattr(nx.MultiGraph([(0, 1)]), part))


def test_a_set_is_in_no_order_so_it_has_no_labels():
    with pytest.raises(InputTypeError, match="got set"):
        as_graph([("a", "b")], labels={"x", "y"})


@pytest.mark.parametrize(
    "option",
    [
        {"delimiter": 5}, {"delimiter": b","}, {"comments": None}, {"comments": ["#"]}, {"comments": "→"},
        {"encoding": None}, {"encoding": 5}, {"encoding": "base64"}, {"encoding": "utf\0"}, {"format": 5},
        {"progress": 5}, {"header": "no"}, {"duplicates": ["sum"]}, {"nodes": 10**30},
    ],
)  # fmt: skip
def test_options_of_the_wrong_kind_are_refused_in_words(read, option):
    with pytest.raises(PhusionError, match=next(iter(option))):
        read("a,b\nb,c\n", **option)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_encodings_are_called_by_their_name(tmp_path, encoding):
    path = tmp_path / "g.csv"
    path.write_text("a,b\nb,c\n", encoding=encoding)
    with pytest.raises(FileError, match=rf"this text is {encoding.upper()}; .*--encoding {encoding}"):
        as_graph(path)
    assert as_graph(path, encoding=encoding).nodes.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(("option", "content"), [("labels", b"a,x\nb,y\n"), ("nodes", b"a\nz\n")])
def test_labels_and_nodes_come_through_pipes(tmp_path, option, content):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pipe.write_bytes, content)
        graph = as_graph([("a", "b")], **{option: pipe})
    assert graph.labels.counts == {"x": 1, "y": 1} if option == "labels" else graph.nodes.tolist() == ["a", "z", "b"]


def test_errors_of_piped_labels_name_the_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pipe.write_bytes, b"a,x\nq,y\n")
        with pytest.raises(FileError, match=r"pipe, line 2: 1 of 2 labelled ids"):
            as_graph([("a", "b")], labels=pipe)


def test_comments_and_repeated_columns_of_nodes_are_not_lost_silently(tmp_path):
    (tmp_path / "n.csv").write_text("id,x,x\n#1,0,0\na,1,2\n#2,0,0\n")
    graph = as_graph([("a", "b")], nodes=tmp_path / "n.csv")
    assert graph.attributes["x"].tolist()[0] == 1 and graph.attributes["x (2)"].tolist()[0] == 2
    assert "n.csv: 2 lines start with '#' or '%' and were taken for comments" in graph.reading.notes


MAILS = "from;to;count\na@x;b@x;3\nb@x;a@x;4\nb@x;c@x;1\nc@x;b@x;1\n"


@pytest.mark.parametrize(
    "text",
    [
        "name;email;department\nAnn;a@x;HR\nBob;b@x;IT\nCid;c@x;HR\n",
        "department;email\nHR;a@x\nIT;b@x\nHR;c@x\n",
        "department,email\nHR,c@x\nHR,a@x\nIT,b@x\n",
    ],
)
def test_ids_of_labels_may_stand_in_any_column(read, tmp_path, text):
    labels = tmp_path / "departments.csv"
    labels.write_text(text)
    graph = read(MAILS, labels=labels)
    assert graph.labels.values.tolist() == ["HR", "IT", "HR"]
    assert any("taken from the column 'email'" in note for note in graph.reading.notes)


@pytest.mark.parametrize("rows", [slice(0, 3), slice(0, 4)])
def test_ids_of_nodes_may_stand_in_any_column_too(read, tmp_path, rows):
    people = tmp_path / "people.csv"
    lines = ["Ann;c@x;HR", "Bob;b@x;IT", "Cid;a@x;HR", "Dan;d@x;IT"][rows]  # the last one writes to nobody
    people.write_text("\n".join(["name;email;team", *lines]) + "\n")
    graph = read(MAILS, nodes=people)
    assert graph.nodes.tolist() == ["c@x", "b@x", "a@x", "d@x"][rows]
    assert graph.attributes["name"].tolist() == ["Ann", "Bob", "Cid", "Dan"][rows]
    assert any("ids of the nodes were taken from the column 'email'" in note for note in graph.reading.notes)


def test_edges_given_as_labels_are_questioned(read, tmp_path):
    (tmp_path / "mails.csv").write_text(MAILS)
    assert "every label is the id of a node" in " ".join(read(MAILS, labels=tmp_path / "mails.csv").reading.notes)


def test_labels_of_other_people_are_still_refused(read, tmp_path):
    labels = tmp_path / "departments.csv"
    labels.write_text("department;email\nHR;a@x\nIT;q@x\n")
    with pytest.raises(FileError, match="labelled ids are not nodes"):
        read(MAILS, labels=labels)
    labels.write_text("department;number\nHR;7\nIT;1\n")
    with pytest.raises(FileError, match="does not match the graph, whose ids are integers"):
        read("1,2\n2,3\n", labels=labels)
    labels.write_text("department;number\nHR;3\nIT;1\n")
    assert read("1,2\n2,3\n", labels=labels).labels.values.tolist() == ["IT", None, "HR"]


@pytest.mark.parametrize("weight", ["NA", ""])
def test_a_missing_weight_is_told_with_what_to_do(read, weight):
    with pytest.raises(FileError, match=r"line 3.*give it a number or remove the line"):
        read(f"source,target,score\na,b,0.5\nb,c,{weight}\n")
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, None]})
    with pytest.raises(InputError, match="give it a number or remove the row"):
        as_graph(frame)


def test_every_note_has_a_line_of_its_own(tmp_path, capsys):
    (tmp_path / "mails.csv").write_text(MAILS)
    assert main(["inspect", str(tmp_path / "mails.csv"), "--no-directed"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("note: edge list") and lines[0].endswith("mails.csv:")
    assert lines[1] == "  columns guessed: weight is 'count'"
    assert lines[2].startswith("  2 pairs given in both directions: the weights of each edge are summed, as 1 ")


def test_a_misspelt_file_is_told_which_is_there(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friends.csv").write_text("a,b\n")
    assert main(["inspect", "frends.csv"]) == 3
    assert "no such file. Did you mean 'friends.csv'?" in capsys.readouterr().err


@pytest.mark.parametrize(("shape", "words"), [((2, 5), r"pass pairs: zip\(\*ends\)"), ((5, 2), "pass them as tuples")])
def test_arrays_of_edges_are_told_what_to_do(shape, words):
    with pytest.raises(InputError, match=words):
        as_graph(np.ones(shape, dtype=int))


def test_a_graph_without_edges_has_no_gap_and_is_told_so(tmp_path, capsys):
    (tmp_path / "n.csv").write_text("id\na\nb\n")
    (tmp_path / "g.csv").write_text("source,target\n")
    words = ["embed", str(tmp_path / "g.csv"), "--nodes", str(tmp_path / "n.csv"), "-o", str(tmp_path / "e.csv")]
    assert main([*words, "--preset", "graphwave"]) == 3
    assert "the graph has no edges between nodes, so no spectral gap" in capsys.readouterr().err


def test_closed_output_is_no_defect(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    assert main(["formats"]) == 0
