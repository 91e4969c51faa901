"""Every kind of object through the one door: the graph its library says it is, the object as it was."""

from __future__ import annotations

import copy
from types import SimpleNamespace

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.plain import entries, same

from phusion import as_graph
from phusion.errors import GraphNotice, InputError, InputTypeError, PhusionError

ODD_IDS = (
    st.integers()
    | st.text()
    | st.tuples(st.integers(), st.text(max_size=2))
    | st.floats(allow_nan=False)
    | st.booleans()
    | st.binary(max_size=3)
    | st.frozensets(st.integers(0, 3))
)
WEIGHT = st.floats(0.01, 100)


@st.composite
def networkx_graphs(draw):
    """Any networkx graph: any ids, isolated nodes, self-loops, weights on all, some or no edges."""
    kind = draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))
    ids = draw(st.lists(ODD_IDS, min_size=1, max_size=8, unique=True))
    graph = kind()
    graph.add_nodes_from(ids)
    some = st.sampled_from(ids)
    for u, v in draw(st.lists(st.tuples(some, some), max_size=14)):
        graph.add_edge(u, v, **({"weight": draw(WEIGHT)} if draw(st.booleans()) else {}))
    return graph


@given(networkx_graphs())
def test_networkx_graphs_come_in_as_networkx_sees_them(g):
    before = copy.deepcopy(g)
    graph = as_graph(g)
    assert nx.utils.graphs_equal(g, before)
    assert list(graph.nodes) == list(g.nodes)
    assert [type(node) for node in graph.nodes] == [type(node) for node in g.nodes]
    assert graph.directed == g.is_directed()
    weighted = any("weight" in data for _, _, data in g.edges(data=True))
    if g.is_multigraph() and not weighted:
        g = nx.DiGraph(g) if g.is_directed() else nx.Graph(g)
    expected = nx.to_numpy_array(g, nodelist=list(g.nodes))  # parallel edges are summed
    assert graph.adjacency.toarray() == pytest.approx(expected)


@given(networkx_graphs(), st.randoms(use_true_random=False))
def test_another_order_of_nodes_permutes_the_graph_and_nothing_else(g, random):
    order = list(g.nodes)
    random.shuffle(order)
    moved = type(g)()
    moved.add_nodes_from(order)
    moved.add_edges_from(g.edges(data=True))
    one, other = as_graph(g), as_graph(moved)
    places = [list(one.nodes).index(node) for node in order]
    assert one.permuted(places).adjacency.toarray() == pytest.approx(other.adjacency.toarray())


def test_networkx_attributes_labels_and_unused_edge_data():
    g = nx.karate_club_graph()
    nx.set_edge_attributes(g, "friend", "kind")
    with pytest.warns(GraphNotice, match="edge attributes not used: 'kind'"):
        graph = as_graph(g, labels="club")
    assert graph.labels.counts == {"Mr. Hi": 17, "Officer": 17}
    assert set(graph.attributes) == {"club"}
    assert graph.weighted
    assert not as_graph(g, weight=None).weighted
    with pytest.raises(InputError, match=r"no edge has the attribute 'strength'.*'kind'"):
        as_graph(g, weight="strength")


FORMATS = ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("dtype", [np.float32, np.int16, bool])
def test_scipy_in_every_format(form, kind, dtype):
    a = np.array([[0, 1, 0, 0], [1, 2, 3, 0], [0, 3, 0, 0], [0, 0, 0, 0]]).astype(dtype)
    given = getattr(sparse, f"{form}_{kind}")(a)
    before = given.copy()
    graph = as_graph(given)
    assert (graph.adjacency.toarray() == a).all() and graph.adjacency.dtype == np.float64
    assert graph.nodes.tolist() == [0, 1, 2, 3] and not graph.directed
    assert (given != before).nnz == 0 and given.dtype == before.dtype and given.format == before.format


def test_scipy_oddities_are_said_not_hidden():
    a = sparse.coo_array(([1.0, 2.0, 0.0], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    with pytest.warns(GraphNotice) as caught:
        graph = as_graph(a)
    said = str(caught[0].message)
    assert entries(graph) == {(0, 1): 3.0} and graph.directed and len(graph) == 3
    assert "1 repeated entry" in said and "weight of 0" in said and "not symmetric" in said
    assert a.nnz == 3  # not even summed in place
    noisy = np.array([[0, 0.1 + 0.2], [0.3, 0]])
    assert not as_graph(noisy).directed
    assert entries(as_graph(np.triu(np.ones((3, 3)), 1), directed=False))[2, 0] == 1.0


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.floats(-5, 5), min_size=n * n, max_size=n * n)))
def test_numpy_arrays_are_adjacency_matrices(values):
    n = int(len(values) ** 0.5)
    a = np.array(values).reshape(n, n)
    a.flags.writeable = False
    graph = as_graph(a)
    if graph.directed:
        assert (graph.adjacency.toarray() == a).all()
    else:
        assert graph.adjacency.toarray() == pytest.approx(a, rel=1e-11)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15), st.booleans(), st.booleans())
def test_igraph_graphs_come_in_as_igraph_sees_them(edges, directed, weighted):
    g = igraph.Graph(n=10, edges=edges, directed=directed)
    if weighted:
        g.es["weight"] = [float(i + 1) for i in range(len(edges))]
    graph = as_graph(g)
    expected = np.zeros((10, 10))
    for i, (u, v) in enumerate(edges):
        w = float(i + 1) if weighted else 1.0
        for a, b in {(u, v)} if directed else {(u, v), (v, u)}:
            expected[a, b] = expected[a, b] + w if weighted else 1.0
    assert graph.adjacency.toarray() == pytest.approx(expected)
    assert graph.directed == directed


def test_igraph_names_are_ids():
    g = igraph.Graph(edges=[(0, 1)], n=3, vertex_attrs={"name": ["x", "y", "z"], "age": [1, 2, 3]})
    graph = as_graph(g)
    assert graph.nodes.tolist() == ["x", "y", "z"] and graph.attributes["age"].tolist() == [1, 2, 3]
    g.vs["name"] = ["x", "x", "z"]
    with pytest.warns(GraphNotice, match="names are missing or repeated"):
        assert as_graph(g).nodes.tolist() == [0, 1, 2]


def arrow():
    return pytest.importorskip("pyarrow", reason="needs pyarrow")


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas-arrow": lambda c: arrow() and pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-nullable": lambda c: pd.DataFrame(c).convert_dtypes(),
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": lambda c: arrow().table(c),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("ids", [["b", "a", "c"], [7, -3, 2**62]])
def test_frames_of_every_library(make, ids):
    one, two, three = ids
    frame = make({"source": [one, two], "target": [two, three], "weight": [0.5, 2.0]})
    graph = as_graph(frame)
    assert graph.nodes.tolist() == ids
    assert [type(node) for node in graph.nodes.tolist()] == [type(node) for node in ids]
    assert entries(graph)[two, three] == 2.0 and entries(graph)[two, one] == 0.5


def test_frames_say_what_they_guessed():
    frame = pd.DataFrame({"who": ["a"], "whom": ["b"], "how much": [3], "when": [2020]})
    with pytest.warns(GraphNotice) as caught:
        graph = as_graph(frame)
    said = str(caught[0].message)
    assert "source is 'who'" in said and "target is 'whom'" in said and "weight is 'how much'" in said
    assert "not used: 'when'" in said
    assert entries(graph)["a", "b"] == 3.0
    named = as_graph(frame, source="whom", target="who", weight="when", directed=True)
    assert entries(named) == {("b", "a"): 2020.0}
    with pytest.raises(InputError, match="Did you mean 'whom'"):
        as_graph(frame, source="whomm")
    timed = pd.DataFrame({"source": [1], "target": [2], "timestamp": [1e9]})
    assert not as_graph(timed).weighted


def test_categories_and_adjacency_frames():
    frame = pd.DataFrame({"source": pd.Categorical(["a", "b"]), "target": pd.Categorical(["b", "c"])})
    assert as_graph(frame).nodes.tolist() == ["a", "b", "c"]
    g = nx.Graph([("x", "y"), ("y", "z")])
    with pytest.warns(GraphNotice, match="adjacency matrix"):
        assert same(as_graph(nx.to_pandas_adjacency(g)), as_graph(g))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"source": ["a", None], "target": ["b", "c"]}),
        pl.DataFrame({"source": ["a"], "target": ["b"], "weight": [None]}).with_columns(pl.col("weight").cast(float)),
        pd.DataFrame({"source": [1], "target": [2], "weight": [np.inf]}),
        pd.DataFrame({"only": [1]}),
        pd.DataFrame({"source": [], "target": []}),
    ],
)
def test_frames_that_are_no_graphs_are_refused(frame):
    with pytest.raises(PhusionError):
        as_graph(frame, weight="weight" if "weight" in frame.columns else "auto")


class Tensor:
    """Enough of a torch tensor."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def detach(self):
        return self

    def cpu(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return self.values.astype(dtype) if dtype else self.values


def test_geometric_data_by_its_attributes():
    data = SimpleNamespace(
        edge_index=Tensor([[0, 1, 1, 2], [1, 0, 2, 1]]),
        num_nodes=4,
        edge_weight=Tensor([1.0, 1.0, 2.0, 2.0]),
        x=Tensor(np.ones((4, 3))),
        y=Tensor([0, 1, 0, 1]),
    )
    graph = as_graph(data)
    assert len(graph) == 4 and not graph.directed and entries(graph)[1, 2] == 2.0
    assert graph.attributes["x"].shape == (4, 3) and graph.labels.values.tolist() == [0, 1, 0, 1]
    assert graph.isolated.tolist() == [False, False, False, True]
    data.edge_index = Tensor([[0, 1], [1, 2]])
    data.edge_weight = None
    assert as_graph(data).directed
    data.edge_index = Tensor([[0], [9]])
    with pytest.raises(InputError, match="names node 9"):
        as_graph(data)


def test_real_torch_geometric_data():
    torch = pytest.importorskip("torch", reason="torch is not installed; .ci/run installs it for this test")
    data_type = pytest.importorskip("torch_geometric.data").Data
    data = data_type(edge_index=torch.tensor([[0, 1], [1, 0]]), x=torch.ones(3, 2), y=torch.tensor([1]))
    graph = as_graph(data)
    assert len(graph) == 3 and graph.n_edges == 1 and not graph.directed


def test_dgl_graphs_by_their_methods():
    fake = SimpleNamespace(
        edges=lambda: (Tensor([0, 1]), Tensor([1, 2])),
        num_nodes=lambda: 4,
        ndata={"label": Tensor([0, 0, 1, 1]), "feat": Tensor(np.zeros((4, 2)))},
        edata={"w": Tensor([1.0, 3.0]), "kind": Tensor([5, 6])},
        etypes=["_E"],
    )
    graph = as_graph(fake)
    assert graph.directed and entries(graph) == {(0, 1): 1.0, (1, 2): 3.0} and len(graph) == 4
    assert graph.edge_attributes["kind"].tolist() == [5, 6] and graph.labels.counts == {0: 2, 1: 2}
    fake.etypes = ["a", "b"]
    with pytest.raises(InputTypeError, match="to_homogeneous"):
        as_graph(fake)


def test_python_edges_and_mappings():
    assert as_graph(iter([("a", "b"), ("b", ("c", 1))])).nodes.tolist() == ["a", "b", ("c", 1)]
    assert entries(as_graph([("a", "b", {"weight": 2.0}), ("b", "c", {"weight": 1.0})]))["b", "a"] == 2.0
    graph = as_graph({"a": ["b"], "b": ["a"], "lonely": []})
    assert graph.nodes.tolist() == ["a", "b", "lonely"] and graph.n_edges == 1
    assert entries(as_graph({1: {2: 0.5}}))[2, 1] == 0.5
    big = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    assert as_graph(big).n_edges == 2


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        ([(1, 2, 3, 4)], "item 0 has 4"),
        ([(1, 2), (1, 2, 3.0)], "item 1 is the first that differs"),
        ([1, 2, 3], "an edge is a tuple"),
        (["ab", "cd"], "an edge is a tuple"),
        ([[0, 1], [1, 0]], "may be a matrix or edges"),
        ([[0, 1, 0, 0], [1, 0]], "equally long"),
        ([(1, 2, "x")], "a weight is a number"),
        ([(1, 2, 1j)], "complex"),
        ([(1, [2])], "hashable"),
        ([(1, None)], "cannot be a node id"),
        ([(1, float("nan"))], "cannot be a node id"),
        ([(1, 2, float("nan"))], "not finite"),
        ([(1, 2, 1e308), (1, 2, 1e308)], "add up to infinity"),
        ([], "at least one node"),
        (np.zeros((2, 3)), "square"),
        (np.zeros((5, 2)), "pass them as tuples"),
        (np.zeros(4), "square"),
        (np.zeros((0, 0)), "at least one node"),
        (np.array([["a", "b"], ["c", "d"]]), "holds numbers"),
        (np.array([[0, 1j], [1j, 0]]), "complex"),
        (np.array([[0, np.nan], [0, 0]]), "not finite"),
        (sparse.csr_array((2, 3)), "square"),
        (nx.Graph(), "at least one node"),
        ({"a": "bc"}, "from each node to its neighbours"),
        (42, "cannot make a graph of int"),
        (b"a b", "cannot make a graph of bytes"),
        (None, "cannot make a graph of NoneType"),
    ],
)
def test_what_is_no_graph_is_refused_in_words(thing, words):
    with pytest.raises(PhusionError, match=words) as caught:
        as_graph(thing)
    assert isinstance(caught.value, (ValueError, TypeError))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"duplicates": "drop"}, "one of 'auto', 'error', 'sum', 'first', 'max'"),
        ({"directed": "yes"}, "True, False or None"),
        ({"nodes": -1}, "negative"),
        ({"nodes": 3.5}, "a list of ids"),
        ({"nodes": [1, 1]}, "given twice"),
        ({"labels": ["a"]}, "2 nodes need 2 labels"),
        ({"labels": {9: "a"}}, "not nodes of the graph, such as 9"),
        ({"labels": "nothing"}, "neither a file nor a node attribute"),
        ({"labels": 7}, "labels is a sequence"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises(PhusionError, match=words):
        as_graph([(1, 2)], **options)


def test_nodes_come_first_in_their_order_and_keep_attributes():
    graph = as_graph([("b", "a")], nodes=["a", "c"])
    assert graph.nodes.tolist() == ["a", "c", "b"]
    assert as_graph([(1, 0)], nodes=3).nodes.tolist() == [0, 1, 2]
    table = pd.DataFrame({"age": [30, 40], "id": ["c", "b"]})
    graph = as_graph([("b", "a")], nodes=table)
    assert graph.nodes.tolist() == ["c", "b", "a"]
    assert graph.attributes["age"].tolist()[:2] == [30, 40] and np.isnan(graph.attributes["age"][2])
    assert as_graph([], nodes=[5, 6]).nodes.tolist() == [5, 6]
    g = nx.Graph([("x", "y")])
    nx.set_node_attributes(g, {"x": 1, "y": 2}, "size")
    more = as_graph(g, nodes=["z", "y"], labels={"x": "k"})
    assert more.nodes.tolist() == ["z", "y", "x"]
    assert more.attributes["size"].tolist()[1:] == [2, 1] and more.labels.values.tolist() == [None, None, "k"]


def test_a_graph_comes_back_as_it_is_or_with_what_was_asked():
    graph = as_graph([("a", "b")])
    assert as_graph(graph) is graph
    assert as_graph(graph, labels=[0, 1]).labels.counts == {0: 1, 1: 1}
    assert as_graph(graph, nodes=["z"]).nodes.tolist() == ["z", "a", "b"]
    assert as_graph(graph, directed=True).n_edges == 2


def test_labels_in_every_form():
    edges = [("a", "b"), ("b", "c")]
    single = as_graph(edges, labels=["x", None, "y"]).labels
    assert single.values.tolist() == ["x", None, "y"] and not single.multi and single.n_labelled == 2
    multi = as_graph(edges, labels={"a": ["x", "y"], "b": "x"}).labels
    assert multi.multi and multi.counts == {"x": 2, "y": 1}
    with pytest.raises(InputError, match="membership"):
        _ = multi.values
    matrix = as_graph(edges, labels=np.array([[1, 0, 0], [0, 0, 0], [1, 1, 0]])).labels
    assert matrix.counts == {0: 2, 1: 1, 2: 0}
    frame = as_graph(edges, labels=pl.DataFrame({"node": ["c"], "label": ["x"]})).labels
    assert frame.values.tolist() == [None, None, "x"]
