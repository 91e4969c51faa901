"""What users brought next: amounts, trades, other tables, matrices and triples; right, refused, or told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from phusion.errors import FileError, InputError
from phusion.graph.accept import as_graph

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.GraphNotice")


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def edges(graph):
    rows, cols, values = graph.edge_list()
    return sorted(zip(graph.nodes[rows].tolist(), graph.nodes[cols].tolist(), values.tolist(), strict=True))


def told(graph, words):
    return any(words in note for note in graph.reading.notes)


# amounts


@pytest.mark.parametrize("amounts", [
    ('"4,856.24"', '"12,000.00"'), ("$46", "$12"), ("12%", "7%"),
    ('"1.191,32"', '"880,10"'), ("€ 5", "€ 7"), ("46 USD", "3 USD"),
])  # fmt: skip
def test_a_name_above_amounts_is_a_header_and_amounts_are_told(tmp_path, amounts):
    text = f"buyer,seller,amount\na,b,{amounts[0]}\nb,c,{amounts[1]}\n"
    graph = as_graph(written(tmp_path / "g.csv", text.replace("buyer,seller", "wer,wem")))
    assert edges(graph) == [("a", "b", 1.0), ("b", "c", 1.0)]
    assert told(graph, "'amount' holds") and told(graph, "so that it weighs nothing; write ")


def test_an_amount_in_a_note_says_what_to_write(tmp_path):
    graph = as_graph(written(tmp_path / "g.csv", "buyer,seller,amount\na,b,$46\nb,c,$7\n"))
    assert told(graph, "'amount' holds '$46', which is no plain number, so that it weighs nothing; write 46")
    frame = pd.DataFrame({"buyer": ["a", "b"], "seller": ["b", "c"], "amount": ["32,692", "1,000"]})
    assert told(as_graph(frame), "'amount' holds '32,692', which may be 32.692 or 32692")


@pytest.mark.parametrize("odd", ["1,204.5", "1 234", "1.234,5", "0x10", "1/2", "1e", "#N/A", "NA", "-", "$5"])
def test_a_first_line_with_an_odd_weight_is_no_header_and_is_refused_with_its_line(tmp_path, odd):
    lines = "Paris\tRome\t880.1\nRome\tOslo\t3\nOslo\tBern\t2\n"
    with pytest.raises(FileError, match="line 1: the weight "):
        as_graph(written(tmp_path / "g.tsv", f"London\tParis\t{odd}\n{lines}"))


def test_a_weight_asked_for_by_a_word_of_the_first_line_proves_a_header(tmp_path):
    path = written(tmp_path / "g.csv", "wer,wem,betrag\na,b,x\nb,c,2\n")
    with pytest.raises(FileError, match=r"line 2: the weight 'x'"):
        as_graph(path, weight="betrag")
    with pytest.raises(FileError, match=r"there is no header line.*header=True \(--header\)"):
        as_graph(written(tmp_path / "h.csv", "a,b,c\n"), weight="betrag")
    assert as_graph(written(tmp_path / "i.csv", "auto,b\nb,c\n")).nodes.tolist() == ["auto", "b", "c"]


@pytest.mark.parametrize(("word", "advice"), [
    ('"1,234"', "'1,234' may be 1.234 or 1234"),
    ('"4,856.24"', "'4,856.24' has commas between thousands, which are not read; write 4856.24"),
    ('"1,234,567"', "write 1234567"), ("$46", "'.46' is no plain number; write 46"),
    ('"0,5"', "decimal comma.*write 0.5"),
])  # fmt: skip
def test_the_message_on_an_amount_says_what_to_write(tmp_path, word, advice):
    with pytest.raises(FileError, match=f"line 2: the weight {advice}" if "'" in advice else advice):
        as_graph(written(tmp_path / "g.csv", f"source,target,weight\na,b,{word}\nb,c,1.5\n"))


def test_points_among_decimal_commas_may_be_thousands(tmp_path):
    with pytest.raises(FileError, match=r"line 3.*'1\.234' may be 1\.234 or 1234"):
        as_graph(written(tmp_path / "g.csv", "source;target;weight\na;b;0,5\nb;c;1.234\n"))


# ends by name


@pytest.mark.parametrize(("header", "line", "ends"), [
    ("no,city1,city2", "1,Rome,Oslo", ("Rome", "Oslo")), ("x,team_a,team_b", "1,Rome,Oslo", ("Rome", "Oslo")),
    ("day,from_port,to_port", "3,Rome,Oslo", ("Rome", "Oslo")),
    ("n,srcIP,dstIP", "1,10.0.0.1,10.0.0.2", ("10.0.0.1", "10.0.0.2")),
    ("ride,started_at,start station,end station", "r1,2023-01-01,A,B", ("A", "B")),
    ("km,origin,dest", "1,A,B", ("A", "B")), ("value,importer,exporter", "1,A,B", ("B", "A")),
    ("deal,seller,buyer", "1,A,B", ("A", "B")), ("deal,buyer_id,seller_id", "1,7,8", (7, 8)),
    ("relation,head,tail", "likes,A,B", ("A", "B")), ("predicate,subject,object", "likes,A,B", ("A", "B")),
    ("review,user,item", "1,A,B", ("A", "B")), ("id,person,friend", "1,A,B", ("A", "B")),
    ("start_date,end_date,from,to", "2023-01-01,2023-01-02,A,B", ("A", "B")),
    ("start_date,end_date,who,whom", "2023-01-01,2023-01-02,A,B", ("A", "B")),
    ("geneA,geneB,source,score", "X,Y,BioGRID,0.5", ("X", "Y")),
    ("valid_from,valid_to,emp,boss", "2020-01-01,2021-01-01,A,B", ("A", "B")),
    ("index,a,b", "0,1,2", (1, 2)), ("start,end", "A,B", ("A", "B")),
    ("city1,city2,start,end", "Rome,Oslo,3,5", ("Rome", "Oslo")), ("u,v,start,end", "A,B,3,5", ("A", "B")),
])  # fmt: skip
def test_names_that_go_together_are_the_ends(tmp_path, header, line, ends):
    graph = as_graph(written(tmp_path / "g.csv", f"{header}\n{line}\n"), header=True, directed=True)
    assert edges(graph)[0][:2] == ends


def test_trades_have_buyers_and_sellers_and_an_amount(tmp_path):
    text = "trade_id,date,buyer,seller,amount,currency\n1,2023-01-02,a,b,5,EUR\n2,2023-01-02,b,c,7,EUR\n"
    graph = as_graph(written(tmp_path / "g.csv", text))
    assert edges(graph) == [("a", "b", 5.0), ("b", "c", 7.0)]
    assert told(graph, "source is 'buyer', target is 'seller', weight is 'amount'")
    assert edges(as_graph(pd.read_csv(tmp_path / "g.csv"))) == edges(graph)


@pytest.mark.parametrize("first", ["trade_id", "id", "no"])
def test_a_first_column_that_counts_the_rows_is_no_end(tmp_path, first):
    graph = as_graph(written(tmp_path / "g.csv", f"{first},day,who,whom\n1,3,a,b\n2,3,b,c\n"))
    assert [edge[:2] for edge in edges(graph)] == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize("text", [
    "user_id,item_id,rating\n1,7,5\n2,8,3\n", "customer_id,store_id,amount\n1,7,5\n2,8,3\n",
    "id,friend,weight\n1,7,5\n2,8,3\n",
    "id,parent_id,size\n1,7,5\n2,8,3\n", "id,boss,size\n1,2,5\n2,3,3\n", "id,link,name\n1,2,five\n2,3,three\n",
])  # fmt: skip
def test_a_first_column_of_ids_stays_an_end(tmp_path, text):
    graph = as_graph(written(tmp_path / "g.csv", text), directed=True)
    assert [edge[0] for edge in edges(graph)] == [1, 2]


@pytest.mark.parametrize("header", ["payer,payee", "exporter,importer", "from_city,to_city", "Seller,Buyer"])
def test_names_that_go_together_are_a_header_unless_they_come_again(tmp_path, header):
    assert as_graph(written(tmp_path / "g.csv", f"{header}\na,b\nb,c\n")).nodes.tolist() == ["a", "b", "c"]
    again = as_graph(written(tmp_path / "h.csv", f"{header}\n{header.split(',')[0]},b\n"))
    assert again.n_edges == 2


# weights that are none


@pytest.mark.parametrize("name", ["hour", "minute", "second", "Day", "month", "week", "weekday", "timestamp", "ts"])
def test_columns_called_after_times_are_no_weights(tmp_path, name):
    graph = as_graph(written(tmp_path / "g.csv", f"source,target,{name}\na,b,5\nb,c,7\n"))
    assert not graph.weighted and told(graph, "columns not used")


@pytest.mark.parametrize("name", ["distance", "dist_km", "travelCost", "length", "duration", "miles"])
def test_distances_are_said_to_be_the_wrong_way_round(tmp_path, name):
    path = written(tmp_path / "g.csv", f"source,target,{name}\na,b,5\nb,c,7\n")
    assert told(as_graph(path), "turn it round (1/distance)") and told(as_graph(path, weight=name), "turn it round")
    other = as_graph(written(tmp_path / "h.csv", "source,target,district_costume\na,b,5\nb,c,7\n"))
    assert not told(other, "turn it round")


def test_numbers_that_never_decrease_may_be_times(tmp_path):
    graph = as_graph(written(tmp_path / "g.txt", "".join(f"a{i} b{i} {i // 2}\n" for i in range(12))))
    assert graph.signed is False and told(graph, "never decreases and may be times (weight=None")
    for text in ("".join(f"a{i} b{i} {i % 7}\n" for i in range(12)), "".join(f"a{i} b{i} {i}\n" for i in range(9))):
        assert not told(as_graph(written(tmp_path / "g.txt", text)), "may be times")


# matrices and triples


@pytest.mark.parametrize("text", [",a,b,c\nb,1,0,3\nc,0,3,0\na,0,1,0\n", "a b c\nb 1 0 3\nc 0 3 0\na 0 1 0\n"])
def test_rows_of_a_named_matrix_come_in_any_order(tmp_path, text):
    graph = as_graph(written(tmp_path / ("g.csv" if "," in text else "g.txt"), text))
    assert graph.nodes.tolist() == ["b", "c", "a"] and told(graph, "same names, though in another order")
    frame = pd.DataFrame([[1, 0, 3], [0, 3, 0], [0, 1, 0]], list("bca"), list("abc"))
    assert (graph.adjacency != as_graph(frame).adjacency).nnz == 0


@pytest.mark.parametrize(("text", "why"), [
    (",a,b,c\na,0,1,0\nb,1,0,1\n", "2 rows and 3 columns that differ: column 'c' has no row"),
    (",a,b,c\na,0,1,0\nb,1,0,1\nx,0,1,0\n", "row 'x' has no column"),
    ("gene,a,b,c\na,0,1,0\nb,1,0,1\nx,0,1,0\n", "row 'x' has no column"),
    (",i1,i2,i3\nu1,0,1,0\nu2,1,0,1\n", "row 'u1' has no column"),
])  # fmt: skip
def test_a_table_whose_rows_are_called_otherwise_is_refused(tmp_path, text, why):
    with pytest.raises(FileError, match=why):
        as_graph(written(tmp_path / "g.csv", text))


@pytest.mark.parametrize("lines", [
    ["0 1 0 1", "1 0 0 0", "1 1 0 1", "0 1 0 0"], ["0 2.5 0 1", "2.5 0 3 0", "0 3 0 0", "1 0 0 0"],
    [" ".join(map(str, range(i, i + 21))) for i in range(3)],
])  # fmt: skip
def test_a_matrix_without_names_is_refused_and_told_how(tmp_path, lines):
    path = written(tmp_path / "g.txt", "\n".join(lines) + "\n")
    with pytest.raises(FileError, match=r"look like a matrix, not like edges; .*numpy.loadtxt\(file\)"):
        as_graph(path)
    assert as_graph(path, source=0, target=1, weight=None).n_edges
    with pytest.raises(FileError, match="delimiter=','"):
        as_graph(written(tmp_path / "g.csv", "\n".join(lines).replace(" ", ",")))


@pytest.mark.parametrize("text", ["1 2 0.5 3\n2 3 0.1 4\n3 4 0.2 5\n5 6 0.1 1\n", "1 2 3 4\n2 3 4 5\n"])
def test_edges_with_more_numbers_are_still_edges(tmp_path, text):
    assert as_graph(written(tmp_path / "g.txt", text)).n_edges


@pytest.mark.parametrize(("name", "text"), [
    ("g.txt", "a pp b\nb pd c\n"), ("g.tsv", "a\tlikes\tb\nb\tknows\tc\n"), ("g.sif", "1 pp 2\n7 pd 8\n"),
])  # fmt: skip
def test_triples_are_refused_and_told_how(tmp_path, name, text):
    path = written(tmp_path / name, text)
    with pytest.raises(FileError, match=r"seems to say how two nodes are related.*source=0, target=2"):
        as_graph(path)
    assert as_graph(path, source=0, target=2).n_edges == 2


@pytest.mark.parametrize("text", ["a b x\nb c y\n", "a b a\nb c c\n", "1 film 5\n5 book 1\n"])
def test_three_words_of_other_kinds_are_edges(tmp_path, text):
    assert as_graph(written(tmp_path / "g.txt", text)).n_edges == 2


# names in a comment


def test_a_comment_right_above_the_edges_names_the_columns(tmp_path):
    text = "# from STRING\n#protein1\tprotein2\tcoexpression\tcombined_score\na\tb\t7\t900\nb\tc\t8\t300\n"
    path = written(tmp_path / "g.tsv", text)
    graph = as_graph(path)
    assert edges(graph) == [("a", "b", 900.0), ("b", "c", 300.0)]
    assert told(
        graph, "the comment above the edges names the columns: protein1, protein2, coexpression, combined_score"
    )
    assert edges(as_graph(path, weight="coexpression"))[0][2] == 7.0
    for other in (text.replace("combined_score\n", "combined_score\n#\n"), text.replace("coexpression\t", "")):
        assert not told(as_graph(written(tmp_path / "h.tsv", other)), "the comment above")
    with pytest.raises(FileError, match="line 5: the weight 'x'"):
        as_graph(written(tmp_path / "i.tsv", text + "\nc\td\t1\tx\n".removeprefix("\n")), weight="combined_score")


# frames with an index


def test_an_index_called_as_an_end_is_one():
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [2.0, 3.0], "year": [1, 2]})
    for given in (frame.set_index("source"), frame.set_index(["source", "target"]), frame.set_index("target")):
        assert edges(as_graph(given)) == [("a", "b", 2.0), ("b", "c", 3.0)]
    films = pd.DataFrame({"user": ["u", "v"], "item": ["x", "y"], "rating": [5, 3]}).set_index("user")
    assert edges(as_graph(films)) == [("u", "x", 5.0), ("v", "y", 3.0)]


def test_a_table_of_two_ends_is_refused_and_told_how():
    frame = pd.crosstab(pd.Series(["a", "b"], name="source"), pd.Series(["c", "d"], name="target"))
    with pytest.raises(InputError, match=r"a table of 'source' by 'target'; pass a list of edges, such as frame.stack"):
        as_graph(frame)
    assert as_graph(frame.stack().reset_index()).nodes.tolist() == ["a", "c", "d", "b"]


def test_an_index_and_a_column_of_one_name_are_refused():
    frame = pd.DataFrame({"source": ["a"], "target": ["b"]}, index=pd.Index(["c"], name="source"))
    with pytest.raises(InputError, match="the index and a column are both called 'source'; rename one"):
        as_graph(frame)


# GraphML and GML


KEY = '<key id="{}" for="edge" attr.name="weight" attr.type="double"/>'


def graphml(path, keys, edge, later=""):
    body = f'<graph edgedefault="undirected"><node id="a"/><node id="b"/>{edge}</graph>'
    return written(path / "g.graphml", f"<graphml>{keys}{body}{later}</graphml>")


def test_keys_of_graphml_may_come_later_or_never(tmp_path):
    edge = '<edge source="a" target="b"><data key="w">2.5</data></edge>'
    assert edges(as_graph(graphml(tmp_path, "", edge, KEY.format("w")))) == [("a", "b", 2.5)]
    assert edges(as_graph(graphml(tmp_path, KEY.format("w"), edge))) == [("a", "b", 2.5)]
    assert told(as_graph(graphml(tmp_path, "", edge)), "data not used, as no <key> declares them: 'w'")


def test_two_keys_of_edges_that_are_called_weight_are_refused(tmp_path):
    edge = '<edge source="a" target="b"><data key="v">2.5</data></edge>'
    with pytest.raises(FileError, match="several keys of edges are called 'weight': 'v', 'w'; rename all but one"):
        as_graph(graphml(tmp_path, KEY.format("v") + KEY.format("w"), edge))
    assert not as_graph(graphml(tmp_path, KEY.format("v") + KEY.format("w"), edge), weight=None).weighted


def test_data_given_twice_in_graphml_are_told(tmp_path):
    edge = '<edge source="a" target="b"><data key="w">2</data><data key="w">3</data></edge>'
    assert told(as_graph(graphml(tmp_path, KEY.format("w"), edge)), "given more than once in one node or edge")


@pytest.mark.parametrize(("word", "directed"), [("1", True), ("true", True), ("0", False), ("false", False)])
def test_directions_of_graphml_are_truth_values_of_xml(tmp_path, word, directed):
    assert as_graph(graphml(tmp_path, "", f'<edge source="a" target="b" directed="{word}"/>')).directed is directed
    with pytest.raises(FileError, match="directed='yes' of an <edge> is neither true nor false"):
        as_graph(graphml(tmp_path, "", '<edge source="a" target="b" directed="yes"/>'))


def gml(path, edge, settings=""):
    return written(
        path / "g.gml", f"graph [ {settings} node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 {edge} ] ]"
    )


def test_keys_of_gml_that_come_again_are_refused_or_told(tmp_path):
    with pytest.raises(FileError, match="line 2: gives 'weight' twice in one node or edge; keep one"):
        as_graph(gml(tmp_path, "weight 1 weight 2"))
    assert told(as_graph(gml(tmp_path, "colour 1 colour 2")), "the last counts: 'colour'")


@pytest.mark.parametrize("said", ["directed 2", 'directed "yes"', "directed 0 directed 1", "directed [ ]"])
def test_directions_of_gml_are_0_or_1(tmp_path, said):
    with pytest.raises(FileError, match="'directed' is 0 or 1; got "):
        as_graph(gml(tmp_path, "", said))
    assert as_graph(gml(tmp_path, "", "directed 1")).directed


# options, arrays, notes


@pytest.mark.parametrize("option", [{"source": "a"}, {"target": 1}, {"delimiter": ";"}, {"header": False}])
def test_options_that_mean_nothing_are_refused(tmp_path, option):
    import networkx as nx

    name = next(iter(option))
    mtx = written(tmp_path / "g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
    for given in (gml(tmp_path, ""), graphml(tmp_path, "", ""), mtx, nx.path_graph(3), np.eye(3), [("a", "b")]):
        with pytest.raises(InputError, match=f"{name}=.* means nothing for a "):
            as_graph(given, **option)
    with pytest.raises(InputError, match="means nothing for a graph that is one already"):
        as_graph(as_graph([("a", "b")]), **option)


def test_options_that_mean_something_in_other_formats_are_heeded():
    frame = pd.DataFrame({"a": [1], "b": [2], "c": [3]})
    assert as_graph(frame, source="b", target="c").nodes.tolist() == [2, 3]
    with pytest.raises(InputError, match="delimiter=';' means nothing for a DataFrame"):
        as_graph(frame, delimiter=";")


def test_four_whole_numbers_are_said_to_be_a_matrix():
    graph = as_graph(np.array([[0, 1], [1, 2]]))
    assert told(graph, "2 × 2 numbers were read as a matrix, not as two edges; a list of edges is a list of tuples")
    assert not as_graph(np.array([[0.0, 0.5], [0.5, 0.0]])).reading.notes


@pytest.mark.parametrize("missing", [pd.NA, pd.NaT, np.datetime64("NaT"), None, float("nan")])
def test_missing_values_are_no_ids(missing):
    with pytest.raises(InputError, match="cannot be a node id"):
        as_graph([("a", "b"), ("b", missing)])


def test_repeated_entries_without_weights_say_how_they_are_counted():
    assert told(as_graph([("a", "b"), ("a", "b")]), 'counts once (duplicates="sum", --duplicates sum, counts them)')


def test_nodes_called_as_columns_are_no_matrix(tmp_path):
    graph = as_graph(written(tmp_path / "g.csv", "source,target,weight\nweight,5,1\ntarget,6,2\n"))
    assert edges(graph) == [("target", "6", 2.0), ("weight", "5", 1.0)]
