"""What people bring on their first day: decimal commas, embeddings in place of graphs, odd headers, blanks in names."""

from __future__ import annotations

import gzip
import os
import re
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest

import phusion
from phusion.cli import main
from phusion.errors import FileError, InputError
from phusion.graph.accept import as_graph

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.GraphNotice", "ignore::phusion.errors.MethodWarning")


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def weights(graph):
    rows, cols, values = graph.edge_list()
    ends = zip(graph.nodes[rows], graph.nodes[cols], strict=True)
    return {frozenset(map(str, pair)): value for pair, value in zip(ends, values.tolist(), strict=True)}


# decimal commas


@pytest.mark.parametrize(
    "header", ["proteinA;proteinB;score\n", "source;target;weight\n", "erstes;zweites;kraft\n", ""]
)
def test_decimal_commas_are_numbers_and_that_is_said(tmp_path, header):
    graph = as_graph(written(tmp_path / "g.csv", header + "a;b;0,999\nb;c;7\nc;a;1,5e-3\n"))
    assert weights(graph) == {frozenset("ab"): 0.999, frozenset("bc"): 7.0, frozenset("ca"): 0.0015}
    assert any("decimal commas: '0,999' was read as 0.999" in note for note in graph.reading.notes)


def test_decimal_commas_in_tabs_and_quotes(tmp_path):
    graph = as_graph(written(tmp_path / "g.tsv", 'a\tb\t"0,5"\nb\tc\t0,25\n'))
    assert sorted(weights(graph).values()) == [0.25, 0.5]


def test_a_comma_in_an_id_is_not_touched(tmp_path):
    graph = as_graph(written(tmp_path / "g.csv", "a 1,5;b;0,5\nb;c;0,5\n"))
    assert "a 1,5" in graph.nodes.tolist()


def test_commas_that_may_be_thousands_are_refused_in_words(tmp_path):
    with pytest.raises(FileError, match=r"'1,234' may be 1.234 or 1234"):
        as_graph(written(tmp_path / "g.csv", "source;target;weight\na;b;1,234\nb;c;12,500\n"))


def test_a_decimal_comma_where_others_have_points_is_named_with_its_line(tmp_path):
    lines = "".join(f"a{i};b{i};0.5\n" for i in range(300))
    with pytest.raises(FileError, match=r"line 302.*'0,5' has a decimal comma.*write 0\.5"):
        as_graph(written(tmp_path / "g.csv", "source;target;weight\n" + lines + "a;b;0,5\n"))


def test_what_is_no_number_among_decimal_commas_is_named_with_its_line(tmp_path):
    with pytest.raises(FileError, match=r"line 3.*'much' is not a finite real number"):
        as_graph(written(tmp_path / "g.csv", "source;target;weight\na;b;0,5\nb;c;much\nc;d;0,7\n"))


# embeddings in place of graphs


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".npy", ".npz", ".parquet", ".w2v.txt", ".tensors.tsv"])
def test_an_embedding_is_no_graph(tmp_path, suffix, capsys):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"near{suffix}"
    phusion.embed(phusion.datasets.load("karate"), "netmf", dim=3).save(out)
    assert main(["inspect", str(out)]) == 3
    assert "Traceback" not in capsys.readouterr().err


def test_a_square_embedding_is_no_matrix_of_a_graph(tmp_path):
    graph = phusion.datasets.load("karate")
    phusion.embed(graph, "netmf", dim=len(graph)).save(tmp_path / "square.npz")
    with pytest.raises(FileError, match="this is an embedding, not a graph"):
        as_graph(tmp_path / "square.npz")


def test_a_table_of_nodes_is_told_from_edges_in_files_and_frames(tmp_path):
    text = "node,x,y\na,0.123456,0.2\nb,0.654321,0.5\n"
    with pytest.raises(FileError, match=r"'x' holds numbers such as 0.123456, which are no node ids.*target='x'"):
        as_graph(written(tmp_path / "t.csv", text))
    frame = pd.read_csv(tmp_path / "t.csv")
    with pytest.raises(InputError, match="is this an embedding, or a table of nodes"):
        as_graph(frame)
    assert len(as_graph(tmp_path / "t.csv", source="node", target="x")) == 4  # who says so is believed


def test_short_numbers_with_points_are_still_ids(tmp_path):
    assert as_graph(written(tmp_path / "g.csv", "1.1,1.2\n1.2,1.3\n")).nodes.tolist() == ["1.1", "1.2", "1.3"]


@pytest.mark.parametrize("said", ["5", "[1]", '{"directed": "yes", "nodes": []}', '{"directed": true, "nodes": 5}'])
def test_metadata_of_parquet_that_are_not_ours_are_refused(tmp_path, said):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pa.table({"source": [1, 2], "target": [2, 3]}).replace_schema_metadata({b"phusion": said.encode()})
    parquet.write_table(table, tmp_path / "g.parquet")
    with pytest.raises(FileError, match="damaged"):
        as_graph(tmp_path / "g.parquet")


# headers of tables beside the graph


EDGES = "source,target\nAda,Ben\nBen,Cleo\n"


def test_labels_under_an_unknown_header_are_read_and_that_is_said(tmp_path):
    graph = as_graph(
        written(tmp_path / "g.csv", EDGES),
        labels=written(tmp_path / "l.csv", "person,club\nAda,chess\nBen,go\nCleo,chess\n"),
    )
    assert graph.labels.values.tolist() == ["chess", "go", "chess"]
    assert any("l.csv: the first line, 'person club', names no node" in note for note in graph.reading.notes)


def test_an_unknown_node_in_the_first_line_of_labels_is_no_header(tmp_path):
    with pytest.raises(FileError, match=r"line 1.*'Zoe'"):
        as_graph(
            written(tmp_path / "g.csv", EDGES), labels=written(tmp_path / "l.csv", "Zoe,chess\nAda,chess\nBen,go\n")
        )


def test_after_an_unknown_header_the_line_of_a_mistake_is_right(tmp_path):
    with pytest.raises(FileError, match=r"line 3.*'Zoe'"):
        as_graph(written(tmp_path / "g.csv", EDGES), labels=written(tmp_path / "l.csv", "person,club\nAda,a\nZoe,b\n"))


@pytest.mark.parametrize("labels", [pd.DataFrame(), pd.DataFrame({"node": ["Ada"]})])
def test_labels_without_two_columns_are_refused(tmp_path, labels):
    with pytest.raises(FileError, match="a label file has two columns"):
        as_graph(written(tmp_path / "g.csv", EDGES), labels=labels)


@pytest.mark.parametrize("name", ["n.csv", "n.txt"])
def test_a_header_of_nodes_that_nobody_knows_is_a_node_and_that_is_said(tmp_path, name):
    edges = written(tmp_path / "g.csv", EDGES)
    graph = as_graph(edges, nodes=written(tmp_path / name, "protein\nAda\nZoe\n"), header=True)
    assert graph.nodes.tolist() == ["protein", "Ada", "Zoe", "Ben", "Cleo"]  # header= is of the edges: none is lost
    assert any("'protein', was read as a node; call that column id" in note for note in graph.reading.notes)
    known = as_graph(edges, nodes=written(tmp_path / name, "id\nAda\nZoe\n"))
    assert known.nodes.tolist() == ["Ada", "Zoe", "Ben", "Cleo"] and not known.reading.notes


@pytest.mark.parametrize(("name", "lines"), [
    ("n.txt", "Ada Lovelace\nKim\n"), ("n.csv", "Ada Lovelace\nKim Li\n"), ("n.txt", "Ada Lovelace\nKim Li\n")
])  # fmt: skip
def test_names_with_blanks_stand_one_a_line(tmp_path, name, lines):
    edges = written(tmp_path / "g.csv", "source;target\nAda Lovelace;Alan Turing\n")
    graph = as_graph(edges, nodes=written(tmp_path / name, lines))
    assert graph.nodes.tolist() == [*lines.splitlines(), "Alan Turing"]


# words


def test_a_weight_that_is_not_called_so_is_named(tmp_path):
    graph = as_graph(written(tmp_path / "g.csv", "proteinA,proteinB,score\na,b,0.5\nb,c,0.7\n"))
    assert any("weight is 'score'" in note for note in graph.reading.notes)
    plain = as_graph(written(tmp_path / "g.csv", "source,target,weight\na,b,0.5\nb,c,0.7\n"))
    assert not plain.reading.notes


def test_a_column_named_in_another_case_is_suggested(tmp_path):
    with pytest.raises(FileError, match=r"source='Person'.*'person'"):
        as_graph(written(tmp_path / "g.csv", "person,friend\nAda,Ben\n"), source="Person", target="Friend")


def test_options_of_reading_given_to_embed_are_sent_where_they_belong(tmp_path):
    with pytest.raises(InputError, match=r"phusion.as_graph\(file, source=…\)"):
        phusion.embed(written(tmp_path / "g.csv", EDGES), "graphwave", source="source")


def test_a_parameter_given_as_an_option_is_told_how(tmp_path, capsys):
    written(tmp_path / "g.csv", EDGES)
    assert (
        main(["embed", str(tmp_path / "g.csv"), "--preset", "netmf", "--dim", "3", "-o", str(tmp_path / "o.csv")]) == 2
    )
    assert "--set dim=…" in capsys.readouterr().err


def test_negative_weights_are_called_so(tmp_path):
    graph = as_graph([("a", "b", 1.0), ("b", "c", -1.0), ("c", "a", 1.0)])
    with pytest.raises(InputError, match="the graph has negative weights"):
        phusion.embed(graph, "graphwave")


def test_an_empty_id_says_what_to_do(tmp_path):
    with pytest.raises(FileError, match=r"line 3: a node id is empty; name the node, or leave the line out"):
        as_graph(written(tmp_path / "g.csv", "source,target\na,b\nb,\n"))


@pytest.mark.parametrize("name", ["g.csv", "g.txt"])
@pytest.mark.parametrize("blank", ["   ", "\t", " \t ", "  \r"])
def test_lines_of_blanks_are_skipped_and_lines_are_counted_with_them(tmp_path, name, blank):
    path = tmp_path / name
    path.write_bytes(f"source,target\na,b\nb,c\n{blank}\nc,d\n".encode())
    assert as_graph(path).nodes.tolist() == ["a", "b", "c", "d"]
    path.write_bytes(f"{blank}\nsource,target\na,b\n{blank}\nb\n".encode())
    with pytest.raises(FileError, match="line 5"):
        as_graph(path)


def test_labels_skip_lines_of_blanks(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("node,label\na,x\n   \nb,y\n  \n")
    assert as_graph([("a", "b")], labels=path).labels.counts == {"x": 1, "y": 1}


@pytest.mark.parametrize("content", [b"a b\nb c\n", gzip.compress(b"a,b\nb,c\n")], ids=["plain", "packed"])
def test_a_pipe_is_read_as_a_file_is(tmp_path, content):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pipe.write_bytes, content)
        graph = as_graph(pipe)
    assert graph.nodes.tolist() == ["a", "b", "c"]
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pipe.write_bytes, b"a b\nb\n")
        with pytest.raises(FileError, match=rf"{re.escape(str(pipe))}, line 2"):
            as_graph(pipe)
