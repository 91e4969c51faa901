"""What users brought next: amounts, trades, other tables, matrices and triples; right, refused, or told."""

from __future__ import annotations

import pandas as pd
import pytest

from phusion.errors import FileError
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
