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


# columns


@pytest.mark.parametrize(
    "header", ["sender,recipient", "Sender,Receiver", "user,item", "author,paper", "follower,followee", "citing,cited"]
)
def test_usual_names_of_two_columns_are_a_header(tmp_path, header):
    graph = as_graph(written(tmp_path / "g.csv", f"{header}\na@x,b@y\nb@y,c@z\n"))
    assert graph.nodes.tolist() == ["a@x", "b@y", "c@z"] and graph.n_edges == 2


@pytest.mark.parametrize("day", ["2023-11-1{}", "2023-11-1{}T12:00:00", "2023-11-1{} 12:00"])
def test_words_above_dates_are_a_header(tmp_path, day):
    lines = "".join(f"{a},{b},{day.format(i)}\n" for i, (a, b) in enumerate(["ab", "bc", "cd"]))
    graph = as_graph(written(tmp_path / "g.csv", f"who,whom,when\n{lines}"))
    assert graph.nodes.tolist() == ["a", "b", "c", "d"] and not graph.weighted
    graph = as_graph(written(tmp_path / "h.csv", lines))
    assert graph.nodes.tolist() == ["a", "b", "c", "d"]  # the first line has a date itself: it is an edge


def test_numbers_that_count_users_and_items_are_said_to_be_one_node_each(tmp_path):
    text = "user,item,rating\n1,1,5\n2,1,3\n1,2,4\n"
    for given in (written(tmp_path / "g.csv", text), pd.read_csv(written(tmp_path / "h.csv", text))):
        notes = as_graph(given).reading.notes
        assert any("2 ids, such as 1, stand in both 'user' and 'item' and are one node each" in note for note in notes)
    for usual in (text.replace("user,item", "source,target"), text.replace("\n1,", "\nu1,").replace("\n2,", "\nu2,")):
        notes = as_graph(written(tmp_path / "g.csv", usual)).reading.notes
        assert not any("stand in both" in note for note in notes)


@pytest.mark.parametrize("factor", [1, 1000])
def test_seconds_since_1970_are_no_weights_unless_it_is_said(tmp_path, factor):
    times = [1_700_008_331 * factor, 1_700_009_331 * factor, 1_650_000_000 * factor]
    text = "".join(f"{a} {b} {time}\n" for (a, b), time in zip([(0, 3), (3, 0), (3, 2)], times, strict=True))
    graph = as_graph(written(tmp_path / "g.txt", text), nodes=4)
    assert not graph.weighted and not graph.directed and graph.n_edges == 2
    assert any("holds seconds since 1970, as it seems, and is no weight (weight=2" in n for n in graph.reading.notes)
    assert as_graph(tmp_path / "g.txt", weight=2).weighted
    frame = pd.DataFrame({"a": [0, 3, 3], "b": [3, 0, 2], "stamp": times})
    assert not as_graph(frame).weighted and as_graph(frame, weight="stamp").weighted
    assert as_graph(frame.rename(columns={"stamp": "weight"})).weighted
    assert as_graph(frame.assign(stamp=[1e9, 1e9 + 0.5, 2e9])).weighted  # no whole seconds


def test_weights_of_a_frame_that_are_words_are_said_to_be(tmp_path):
    frame = pd.DataFrame({"from": [1, 2], "to": [2, 3], "value": ["1", "2"]})
    assert any("'value' holds words, not numbers" in note for note in as_graph(frame).reading.notes)
    assert sorted(as_graph(frame, weight="value").adjacency.data.tolist()) == [1.0, 1.0, 2.0, 2.0]


def test_a_missing_id_of_a_frame_says_what_to_do():
    with pytest.raises(InputError, match="name the node or remove the row, as dropna does"):
        as_graph(pd.DataFrame({"from": ["a", "b"], "to": ["b", None]}))


def test_nodes_of_another_graph_are_asked_about(tmp_path):
    edges = written(tmp_path / "g.csv", "source,target\nACE2,EGFR\nEGFR,TP53\n")
    other = as_graph(edges, nodes=written(tmp_path / "n.csv", "id\na\nb\n"))
    assert any("none of the 2 ids of the nodes, such as 'a', is on an edge" in note for note in other.reading.notes)
    own = as_graph(edges, nodes=written(tmp_path / "n.csv", "id\na\nTP53\n"))
    assert not any("none of the" in note for note in own.reading.notes)


def test_an_empty_entry_of_a_matrix_is_named_with_its_column(tmp_path):
    path = written(tmp_path / "m.csv", ",a,b,c\na,0,1,0\nb,1,0,\nc,0,1,0\n")
    with pytest.raises(FileError, match="an entry of the matrix, in the column 'c', is empty; write 0"):
        as_graph(path)


def test_strong_correlations_make_a_graph_as_the_documents_say():
    rng = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [1.0, 2, 3, 5], "c": [4.0, 3, 2, 0], "d": [1.0, -1, 1, -1]})
    strong = rng.corr().abs()
    graph = phusion.as_graph(strong.where(strong >= 0.6, 0.0)).without_self_loops()
    assert graph.nodes.tolist() == ["a", "b", "c", "d"] and graph.n_edges == 3 and graph.isolated.tolist()[-1]


def test_a_workbook_is_called_by_its_name(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "g.xlsx", "w") as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")
    with pytest.raises(FileError, match=r"workbook of Excel; save the sheet as CSV, or pass pandas.read_excel"):
        as_graph(tmp_path / "g.xlsx")


# words


def test_names_of_data_sets_are_known_and_misspelt_ones_are_suggested():
    with pytest.raises(FileError, match=r"phusion.datasets.load\(name\)"):
        as_graph("karate")
    with pytest.raises(InputError, match=r"no data set 'karat'\. Did you mean 'karate'"):
        phusion.embed("karat", "graphwave")


def test_a_graph_of_loops_alone_has_no_gap_and_nobody_waited_for_it():
    with pytest.raises(InputError, match="no edges between nodes, so no spectral gap"):
        phusion.embed([("a", "a")], "graphwave")


def test_ids_that_are_the_same_as_text_are_named(tmp_path):
    found = phusion.embed([(1, "1"), ("1", 3)], {"proximity": "heat", "embedding": "characteristic"})
    with pytest.raises(InputError, match="1 and '1' are the same then"):
        found.save(tmp_path / "x.csv")


def test_an_id_of_another_type_or_spelling_is_suggested():
    found = phusion.embed("karate", "graphwave")
    with pytest.raises(InputError, match=r"'33' is not among the nodes; did you mean 33\?"):
        found.nearest("33")


def test_a_missing_library_of_frames_is_named(monkeypatch):
    from phusion.errors import MissingLibraryError
    from phusion.results import embedding

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(embedding, "import_module", missing)
    for library in ("pandas", "polars"):
        with pytest.raises(MissingLibraryError, match=rf"needs {library}.*phusion-embed\[frames\]"):
            phusion.embed("karate", "graphwave").to_frame(library)


def test_a_graph_without_a_name_is_not_called_by_it():
    graphs = [phusion.as_graph([(0, 1), (1, 2)])] * 2
    with pytest.raises(InputError, match="a graph of 3 nodes has no node attribute 'element'"):
        phusion.GraphPhUSION(phusion.PhUSION("heat", "identity", "diagonal"), attributes=["element"]).fit(graphs)


def test_values_given_to_set_one_by_one_are_told_how(capsys):
    assert main(["embed", "karate", "--preset", "netmf", "--set", "dim", "3", "-o", "x.csv"]) == 2
    assert "--set name=value" in capsys.readouterr().err


@pytest.mark.filterwarnings("default::phusion.errors.GraphNotice")
def test_notices_name_the_line_of_the_user():
    with pytest.warns(phusion.errors.GraphNotice) as said:
        phusion.embed([("a", "b"), ("b", "a"), ("b", "c")], {"proximity": "heat", "embedding": "characteristic"})
    assert said[0].filename == __file__


def test_a_folder_that_cannot_hold_a_ledger_is_told_with_what_to_do(tmp_path, monkeypatch):
    from phusion.experiments import ledger_file
    from phusion.experiments.ledger import Ledger

    monkeypatch.setattr(ledger_file.os, "access", lambda *_: False)
    with pytest.raises(phusion.errors.OutputError, match=r"cannot be written; name a file elsewhere \(--ledger FILE\)"):
        Ledger(tmp_path / "ledger.sqlite")
