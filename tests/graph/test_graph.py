"""Graph: frozen, and every cached matrix equal to its formula."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plain import entries, same

from phusion import Graph, as_graph
from phusion.errors import GraphNotice, InputError


@st.composite
def matrices(draw, directed=None, signed=False):
    n = draw(st.integers(1, 9))
    values = st.sampled_from([0.0, 0.0, 1.0, 2.5, -1.0] if signed else [0.0, 0.0, 1.0, 2.5])
    a = np.array(draw(st.lists(values, min_size=n * n, max_size=n * n))).reshape(n, n)
    if directed is False or (directed is None and draw(st.booleans())):
        a = np.triu(a) + np.triu(a, 1).T
    return a


@given(matrices())
def test_degrees_volume_and_transition_equal_their_formulas(a):
    graph = as_graph(a)
    d = a.sum(axis=1)
    assert graph.degrees == pytest.approx(d)
    assert graph.in_degrees == pytest.approx(a.sum(axis=0))
    assert graph.volume == pytest.approx(a.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.nan_to_num(a / d[:, None])
    assert graph.transition.toarray() == pytest.approx(r)


@given(matrices(directed=False))
def test_laplacians_equal_their_formulas(a):
    graph = as_graph(a)
    d = a.sum(axis=1)
    with np.errstate(divide="ignore"):
        root = np.where(d > 0, d**-0.5, 0)
    normalized = root[:, None] * a * root
    assert graph.normalized_adjacency.toarray() == pytest.approx(normalized)
    assert graph.laplacian.toarray() == pytest.approx(np.diag(d) - a)
    expected = root[:, None] * (np.diag(d) - a) * root
    assert graph.normalized_laplacian.toarray() == pytest.approx(expected)
    # as many zero eigenvalues as components, isolated nodes included
    zeros = (np.linalg.eigvalsh(expected) < 1e-9).sum()
    assert zeros == graph.n_components


@given(matrices(signed=True))
def test_lambda_max_is_the_largest_absolute_eigenvalue(a):
    graph = as_graph(a)
    assert graph.lambda_max == pytest.approx(np.abs(np.linalg.eigvals(a)).max(), abs=1e-6)


def test_lambda_max_of_larger_graphs():
    for g in (nx.barabasi_albert_graph(900, 3, seed=0), nx.cycle_graph(800), nx.star_graph(700)):
        expected = np.abs(np.linalg.eigvalsh(nx.to_numpy_array(g))).max()
        assert as_graph(g).lambda_max == pytest.approx(expected, rel=1e-8)
    ring = nx.cycle_graph(700, create_using=nx.DiGraph)  # every eigenvalue has size 1
    assert as_graph(ring).lambda_max == pytest.approx(1.0, rel=1e-6)
    assert as_graph(nx.path_graph(700, create_using=nx.DiGraph)).lambda_max == 0.0
    assert as_graph([(0, 1, 1e300), (1, 2, 1e-300)]).lambda_max == pytest.approx(1e300)


def test_spectral_gap_is_that_of_the_largest_component():
    karate = nx.karate_club_graph()
    gap = np.linalg.eigvalsh(nx.normalized_laplacian_matrix(karate, weight="weight").toarray())[1]
    with_company = nx.disjoint_union(karate, nx.path_graph(3))
    assert as_graph(with_company).spectral_gap() == pytest.approx(gap)
    big = nx.barabasi_albert_graph(600, 4, seed=1)
    expected = np.linalg.eigvalsh(nx.normalized_laplacian_matrix(big).toarray())[1]
    assert as_graph(big).spectral_gap() == pytest.approx(expected, abs=1e-7)
    grid = as_graph(nx.grid_2d_graph(30, 30))  # the second largest eigenvalue is there twice
    expected = np.linalg.eigvalsh(np.eye(900) - grid.normalized_adjacency.toarray())[1]
    assert grid.spectral_gap() == pytest.approx(expected, rel=1e-8)
    assert as_graph(np.zeros((1, 1))).spectral_gap() is None
    assert as_graph(nx.DiGraph([(0, 1)])).spectral_gap() is None


def test_patience_finds_the_gap_of_a_long_path_by_lapack():
    path = as_graph(nx.path_graph(2_500))
    exact = 1 - np.cos(np.pi / 2_499)  # of N of a path with n nodes: cos(πk/(n − 1))
    assert path.spectral_gap(patient=True) == pytest.approx(exact, rel=1e-6)


@given(matrices())
def test_components_are_those_of_networkx(a):
    graph = as_graph(a)
    g = nx.from_numpy_array(np.abs(a) + np.abs(a).T)
    parts = list(nx.connected_components(g))
    assert graph.n_components == len(parts)
    assert {frozenset(np.flatnonzero(graph.components == k).tolist()) for k in range(len(parts))} == {
        frozenset(part) for part in parts
    }
    first = [int(np.flatnonzero(graph.components == k)[0]) for k in range(len(parts))]
    assert first == sorted(first)
    assert len(graph.largest_component()) == max(map(len, parts))


@given(matrices(), st.randoms(use_true_random=False))
def test_permuting_permutes_rows_and_columns_and_nothing_else(a, random):
    graph = as_graph(a)
    order = list(range(len(a)))
    random.shuffle(order)
    moved = graph.permuted(order)
    assert moved.nodes.tolist() == order
    assert (moved.adjacency.toarray() == a[np.ix_(order, order)]).all()
    assert same(moved.permuted(np.argsort(order)), graph)
    assert same(as_graph(a[np.ix_(order, order)]), as_graph(moved.adjacency))


def test_permuting_takes_everything_along():
    graph = as_graph(nx.Graph([("a", "b"), ("b", "c")]), labels={"a": "x", "c": "y"}, nodes=["a", "b", "c", "d"])
    moved = graph.permuted([3, 2, 1, 0])
    assert moved.labels.values.tolist() == [None, "y", None, "x"]
    with pytest.raises(InputError, match="exactly once"):
        graph.permuted([0, 0, 1, 2])


def test_subgraph_keeps_the_order_asked_for():
    graph = as_graph([("a", "b", 1.0), ("b", "c", 2.0), ("c", "a", 3.0)])
    part = graph.subgraph(["c", "b"])
    assert part.nodes.tolist() == ["c", "b"]
    assert entries(part) == {("c", "b"): 2.0, ("b", "c"): 2.0}
    with pytest.raises(InputError, match="not in the graph, such as 'z'"):
        graph.subgraph(["a", "z"])


def test_without_self_loops_keeps_the_nodes():
    graph = as_graph([(0, 0), (0, 1), (2, 2)])
    bare = graph.without_self_loops()
    assert bare.nodes.tolist() == [0, 1, 2]
    assert bare.n_self_loops == 0 and bare.n_edges == 1
    assert graph.n_self_loops == 2  # the original is as it was
    assert graph.isolated.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("sum", {(0, 1): 3.0, (1, 2): 4.0, (2, 2): 7.0}),
        ("max", {(0, 1): 2.0, (1, 2): 4.0, (2, 2): 7.0}),
        ("mean", {(0, 1): 1.5, (1, 2): 2.0, (2, 2): 7.0}),
        ("mutual", {(0, 1): 1.0, (2, 2): 7.0}),
    ],
)
def test_undirected_combines_arcs_as_told(how, expected):
    arcs = as_graph([(0, 1, 1.0), (1, 0, 2.0), (1, 2, 4.0), (2, 2, 7.0)], directed=True)
    graph = arcs.undirected(how=how)
    assert not graph.directed and graph.nodes.tolist() == [0, 1, 2]
    assert entries(graph) == {**expected, **{(v, u): w for (u, v), w in expected.items()}}


def test_undirected_says_when_arcs_cancel_and_refuses_unknown_ways():
    arcs = as_graph([(0, 1, 1.0), (1, 0, -1.0)], directed=True)
    with pytest.warns(GraphNotice, match="cancel"):
        assert arcs.undirected(how="sum").n_edges == 0
    with pytest.raises(InputError, match="mutual"):
        arcs.undirected(how="average")


def test_a_directed_graph_has_no_laplacian():
    arcs = as_graph(nx.DiGraph([(0, 1)]))
    for name in ("laplacian", "normalized_laplacian", "normalized_adjacency"):
        with pytest.raises(InputError, match="undirected"):
            getattr(arcs, name)


def test_signed_graphs_have_absolute_degrees():
    graph = as_graph([(0, 1, 2.0), (1, 2, -3.0)])
    assert graph.signed and graph.weighted
    assert graph.degrees.tolist() == [2, 5, 3]
    assert not as_graph([(0, 1, 1.0), (1, 2, -1.0)]).weighted


def test_a_graph_cannot_be_changed():
    graph = as_graph([(0, 1), (1, 2)])
    for array in (graph.nodes, graph.degrees, graph.adjacency.data, graph.adjacency.indices,
                  graph.transition.data, graph.components):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(AttributeError):
        graph.directed = True
    with pytest.raises(TypeError):
        graph.attributes["x"] = np.zeros(3)


def test_graphs_survive_pickling():
    graph = as_graph(nx.karate_club_graph(), labels="club")
    copy = pickle.loads(pickle.dumps(graph))
    assert copy.equals(graph) and copy.labels.counts == graph.labels.counts
    with pytest.raises(ValueError, match="read-only"):
        copy.adjacency.data[0] = 7
    assert not copy.equals(as_graph([(0, 1)]))


def test_reprs_are_short_and_say_what_matters():
    graph = as_graph([(0, 1, -2.0), (1, 1, 1.0)], labels=["x", "y"], directed=True)
    assert repr(graph) == "Graph(2 nodes, 1 arc + 1 self-loop, directed, weighted, signed, 2 classes)"
    assert repr(as_graph(np.zeros((1, 1)))) == "Graph(1 node, 0 edges, undirected, unweighted)"
    assert repr(graph.labels) == "Labels(2 classes, one per node)"


def test_a_graph_made_by_hand_is_checked():
    a = as_graph([(0, 1)]).adjacency
    with pytest.raises(InputError, match="3 node ids need"):
        Graph(a, np.arange(3))
    with pytest.raises(InputError, match="attribute 'x': 1 values where 2"):
        Graph(a, np.arange(2), attributes={"x": np.zeros(1)})
    with pytest.raises(InputError, match="canonical float64"):
        Graph(a.astype(np.float32), np.arange(2))
