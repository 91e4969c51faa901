"""The plain parser and pyarrow's: the same columns, graphs, notes and errors."""

from __future__ import annotations

import re
import tempfile
import warnings
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.fuzz.mutations import TOKENS, damaged
from tests.fuzz.readers import READERS, outcome

import phusion
from phusion.errors import FileError, InputError, PhusionError
from phusion.graph import columnar
from phusion.graph.columnar import plain
from phusion.graph.columnar.base import Kind, Numbers, Unparsable
from phusion.graph.graph import Graph

pytest.importorskip("pyarrow", reason="compares the plain parser with pyarrow's")
from phusion.graph.columnar import arrow

TEXT_READERS = [
    name
    for name in READERS
    if name.startswith(("any", "csv", "edgelist", "konect", "labels", "matrix_market", "nodes", "tudataset", "utf16"))
]
KEPT = sorted((Path(__file__).parents[1] / "fuzz" / "seeds").rglob("*"))
KEPT = [path for path in KEPT if path.is_file() and path.parent.name in TEXT_READERS]

WORDS = [
    "", " ", "5", "+5", "-5", "007", "-0", " 5 ", "\t5", "5\x0b", "\xa05", "0x1f", "-0x1f", "0x", "0x" + 16 * "F",
    "0x80000000", "0x1" + 16 * "0", "2147483647", "2147483648", "-2147483648", "-2147483649", str(2**63 - 1),
    str(2**63), str(-(2**63)), str(-(2**63) - 1), str(2**64 - 1), str(2**64), "9" * 18, "9" * 19, "9" * 5000,
    "0" * 5000 + "7", "1_000", "1e3", "1E+3", "1.0", ".5", "5.", ".", "1e", "1e999", "1e-999", "4.9e-324", "0.1",
    "inf", "-INF", "+inf", "infinity", "nan", "-NaN", "nan(5)", "nan(a b)", "1d5", "1 5", "- 5", "--5", "-", "٣",
    '"5"', '" 5 "', '""', '"5"6', '"a""b"', '"a,b;c d"', ' "a"', 'a"b', '5"', '"', "é", "\ufeff", "#", "x y", "\x1c",
]  # fmt: skip
CELLS = st.sampled_from(WORDS) | st.text(alphabet='0123456789.-+eExX_ \tainf"é', max_size=6)
DELIMITERS = st.sampled_from(list(",; \t|x5"))
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n\r\n", "\n \n"])


@st.composite
def tables(draw):
    """Text, mostly of so many columns in every line; delimiter; number of columns."""
    delimiter, n_columns = draw(DELIMITERS), draw(st.integers(1, 3))
    like = draw(st.sampled_from([st.integers(-9, 10**9).map(str), st.integers(0, 99).map(str), CELLS]))
    widths = st.sampled_from([n_columns] * 15 + [n_columns - 1, n_columns + 1])
    lines = draw(st.lists(widths.flatmap(lambda n: st.lists(like, min_size=n, max_size=n)), min_size=1, max_size=6))
    ends = draw(st.lists(LINE_ENDS, min_size=len(lines), max_size=len(lines)))
    text = "".join(delimiter.join(line) + end for line, end in zip(lines, ends, strict=True))
    return draw(st.sampled_from([text, text.rstrip("\r\n"), "\n" + text, "\ufeff" + text])), delimiter, n_columns


def columns_of(parser, data, delimiter, n_columns, kinds):
    """Values, and whether one is missing; or that there are none."""
    try:
        found = parser.parse(data, delimiter, n_columns, kinds)
    except Unparsable:
        return "refused"
    return {place: told(column, kinds[place]) for place, column in found.items()}


def told(column, kind):
    """All there is to a column; of missing integers only that they are."""
    if not isinstance(column, Numbers):
        return column.tolist()
    values = column.values
    if not len(values) or (column.missing and kind is not Kind.FLOAT64):
        return len(values), column.missing
    return ["nan" if value != value else (value, str(value)) for value in values.tolist()], column.missing


@settings(max_examples=500)
@given(tables(), st.lists(st.sampled_from(Kind), min_size=3, max_size=3))
@example(('a"b,"c\nd",e\n', ",", 2), [Kind.TEXT] * 3)  # quotes at odd places, an even number of them in the line
@example(('x",y,"z\n', ",", 3), [Kind.TEXT] * 3)
@example((",,\n999999999999999999,,\n", ",", 3), [Kind.INT64, Kind.INT32, Kind.INT32])  # more digits than a double
@example(("5,x\n", ",", 2), [Kind.INT32] * 3)
def test_both_parsers_give_the_same_columns_or_refuse_the_same_text(table, chosen):
    text, delimiter, n_columns = table
    data = text.encode()
    if not data.strip():
        return
    kinds = dict(enumerate(chosen[:n_columns]))
    assert columns_of(plain, data, delimiter, n_columns, kinds) == columns_of(arrow, data, delimiter, n_columns, kinds)


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=4), min_size=1), st.sampled_from(Kind))
def test_bytes_that_are_not_text_are_refused_by_both_only_in_a_column_that_is_wanted(cells, kind):
    odd = [cell.translate(None, b'\x00\r\n,"') for cell in cells]
    data = b"".join(b"7,%s\n" % cell for cell in odd)
    for kinds in ({0: kind}, {1: kind}):
        assert columns_of(plain, data, ",", 2, kinds) == columns_of(arrow, data, ",", 2, kinds)


@given(st.lists(st.tuples(*2 * [st.integers(-(2**63), 2**63 - 1)]), min_size=1))
def test_scattered_integers_are_numbered_alike(pairs):
    u, v = (np.array(column) for column in zip(*pairs, strict=True))
    for kind in (np.int64, np.uint64):
        given_ = u.astype(kind), v.astype(kind)
        for one, other in zip(plain.number_integers(*given_), arrow.number_integers(*given_), strict=True):
            assert one.dtype == other.dtype and one.tolist() == other.tolist()


def both(read):
    """What is read by each parser."""
    found = []
    for parser in (plain, arrow):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(columnar, "fastest", lambda parser=parser: parser)
            found.append(read())
    return found


def without_folder(text):
    return re.sub(re.escape(tempfile.gettempdir()) + r"/tmp\w+", "", text)


def facts(found):
    """Everything that can be told of a graph, a batch or an error."""
    if isinstance(found, PhusionError):
        return type(found), without_folder(str(found)), found.line if isinstance(found, FileError) else None
    if isinstance(found, phusion.GraphBatch):
        return [facts(graph) for graph in found], repr(np.asarray(found.labels).tolist()), found.notes
    if not isinstance(found, Graph):
        return found
    matrix = found.adjacency
    return (
        [(part.dtype, part.tobytes()) for part in (matrix.data, matrix.indices, matrix.indptr)],
        (found.nodes.dtype, found.nodes.tolist(), found.directed),
        {name: (values.dtype, repr(values.tolist())) for name, values in found.attributes.items()},
        {name: (values.dtype, repr(values.tolist())) for name, values in found.edge_attributes.items()},
        None
        if found.labels is None
        else (repr(found.labels.classes.tolist()), found.labels.membership.toarray().tolist()),
        found.reading and [without_folder(note) for note in found.reading.notes],
    )


@cache
def seeds(name):
    return READERS[name].seeds()


def read_alike(name, data):
    one, other = (facts(found) for found in both(lambda: outcome(READERS[name], data)))
    assert one == other


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_that_once_broke_a_reader_are_read_alike(path):
    read_alike(path.parent.name, path.read_bytes())


@pytest.mark.parametrize("name", TEXT_READERS)
def test_damaged_files_are_read_alike(name):
    @settings(max_examples=150, database=None, derandomize=True)
    @given(st.integers(0, 2**64))
    def check(number):
        read_alike(name, damaged(seeds(name), Random(number)))

    for data in seeds(name):
        read_alike(name, data)
    check()


ODD = st.sampled_from([token.decode(errors="ignore") for token in TOKENS if len(token) < 50]) | CELLS
LINES = st.lists(st.lists(st.integers(0, 9).map(str) | ODD, min_size=2, max_size=3), min_size=1, max_size=8)


@settings(max_examples=300)
@given(LINES, st.sampled_from([" ", ",", "\t", ";", "  ", " \t"]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_edge_lists_of_odd_words_are_read_alike(lines, delimiter, end):
    read_alike("edgelist", "".join(delimiter.join(line) + end for line in lines).encode())


def test_the_odd_files_of_others_are_read_alike(data):
    files = [path for path in sorted((data / "more" / "odd").glob("*")) if path.suffix in (".csv", ".konect", ".mtx")]
    if not files:
        pytest.skip("the odd files are not here")

    def read(path):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return phusion.as_graph(path)
            except PhusionError as error:
                return error

    for path in files:
        one, other = (facts(found) for found in both(lambda path=path: read(path)))
        assert one == other, path.name


@pytest.mark.parametrize("text", ["1 2\n3 99999999999\n", "1 2\n3 x\n", "1 2 +5\n2 3 1_0\n", '1 "2\n3" 4\n'])
def test_in_a_later_block_too(text, write):
    path = write(b"1 2 3\n" * 800_000 + text.encode() if text.count(" ") > 2 else b"1 2\n" * 1_100_000 + text.encode())

    def read():
        try:
            return phusion.as_graph(path)
        except PhusionError as error:
            return error

    one, other = (facts(found) for found in both(read))
    assert one == other


IDS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), min_size=2, unique=True)
NUMBERS = st.lists(st.integers(0, 2**64 - 1), min_size=2, unique=True)


@settings(max_examples=200)
@given(IDS | NUMBERS, st.lists(st.floats(1e-300, 1e300), min_size=1))
def test_both_write_lists_that_are_read_as_the_same_graph(ids, weights):
    edges = [(ids[i % len(ids)], ids[(i * i + 1) % len(ids)], weight) for i, weight in enumerate(weights)]
    graph = phusion.as_graph(edges, directed=True, duplicates="first")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("csv", "tsv", "edgelist"):
            path = Path(folder) / f"g.{suffix}"

            def read(path=path):
                try:
                    phusion.write_graph(graph, path, overwrite=True)
                    return phusion.as_graph(path, nodes=graph.nodes)
                except PhusionError as error:
                    return error

            one, other = (facts(found) for found in both(read))
            assert one == other


def test_a_word_that_would_be_cut_in_two_is_not_written_between_blanks(tmp_path):
    graph = phusion.as_graph([("a b", "c")])

    def write():
        with pytest.raises(InputError) as refused:
            phusion.write_graph(graph, tmp_path / "g.txt", lossy=True)
        return str(refused.value)

    said = "g.txt: node id 'a b' cannot stand in a list whose words are cut at blanks; write a .csv"
    assert both(write) == [said, said]
