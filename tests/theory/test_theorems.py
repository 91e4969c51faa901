"""The five theorems of METHODS.md, and what follows from them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tests.theory import oracle
from tests.theory.oracle import UNDIRECTED

from phusion import GraphPhUSION, PhUSION, as_graph
from phusion import embeddings as zeta
from phusion import nonlinearities as sigma
from phusion import poolings as rho
from phusion import proximities as psi
from phusion.errors import MethodWarning

PROXIMITIES = [
    psi.Ppmi(),
    psi.Heat(),
    psi.Heat(scale=0.5, laplacian="combinatorial"),
    psi.Wave(),
    psi.Fabp(),
    psi.Katz(),
    psi.LaplacianPinv(),
    psi.LaplacianPinv("combinatorial"),
    psi.AdjacencyPower(),
    psi.WalkPower(),
    psi.Pagerank(),
    psi.CommonNeighbors(),
    psi.AdamicAdar(),
    psi.PpmiLimit(),
    psi.Grarep(order=2),
    psi.Surfing(),
    psi.SignedWalk(),
]
LOCAL = [
    psi.Heat(scale=1000.0),
    psi.Wave(scale=7.0),
    psi.Fabp(a=0.2, c=0.05),
    psi.Katz(),
    psi.LaplacianPinv(),
    psi.LaplacianPinv("combinatorial"),
    psi.AdjacencyPower(order=3),
    psi.WalkPower(order=3),
    psi.Pagerank(),
    psi.CommonNeighbors(),
    psi.AdamicAdar(),
    psi.SignedWalk(),
]
NONLINEARITIES = [sigma.Identity(), sigma.Log(), sigma.Log("one"), sigma.LogRamp(), *map(sigma.Binarize, [20, 50, 90])]
STRUCTURAL = [
    zeta.Characteristic(),
    zeta.Characteristic(landmarks=3, centered=True, axis="rows"),
    zeta.Diagonal(),
    zeta.Histogram(bins=16),
    zeta.Histogram(bins=7, edges="own", axis="rows"),
]
POOLINGS = [rho.Mean(), rho.Sum(), rho.Max(), rho.Histogram(), rho.Kernel(), rho.Fourier(features=16), rho.Trace()]
EACH_PROXIMITY = pytest.mark.parametrize("proximity", PROXIMITIES, ids=repr)


@st.composite
def adjacencies(draw, least=1, most=7):
    """Few nodes and fewer weights, so that equal roles, ties and separate parts are common."""
    n = draw(st.integers(least, most))
    A = np.zeros((n, n))
    node = st.integers(0, n - 1)
    for i, j, w in draw(st.lists(st.tuples(node, node, st.sampled_from([1.0, 1.0, 0.5, 3.0])), max_size=14)):
        A[i, j] = A[j, i] = w
    return A


def rows_of(proximity, nonlinearity, embedding, A):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MethodWarning)
        return PhUSION(proximity, nonlinearity, embedding).fit_transform(as_graph(A))


def settled_rows(proximity, nonlinearity, embedding, A):
    """Y, unless the library itself says that rounding decides here."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", MethodWarning)
        Y = PhUSION(proximity, nonlinearity, embedding).fit_transform(as_graph(A))
    assume(not any("arbitrary" in str(warning.message) for warning in said))
    return Y


def dense(proximity, A):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MethodWarning)
        return proximity.dense(as_graph(A))


# 1


@EACH_PROXIMITY
@settings(max_examples=12)
@given(data=st.data(), A=adjacencies(least=2))
def test_automorphic_nodes_get_equal_rows(proximity, A, data):
    order = np.array(data.draw(st.permutations(range(len(A)))))
    both = oracle.block(A, A[np.ix_(order, order)])
    nonlinearity, embedding = data.draw(st.sampled_from(NONLINEARITIES)), data.draw(st.sampled_from(STRUCTURAL))
    Y = settled_rows(proximity, nonlinearity, embedding, both)
    assert_allclose(Y[len(A) :], Y[order], atol=1e-8)


@EACH_PROXIMITY
@pytest.mark.parametrize("nonlinearity", [sigma.Identity(), sigma.LogRamp()], ids=repr)
def test_svd_tells_automorphic_nodes_apart(proximity, nonlinearity):
    A = oracle.random_adjacency(6, 0.7, 71)
    order = np.random.default_rng(72).permutation(6)
    Y = rows_of(proximity, nonlinearity, zeta.SVD(dim=12), oracle.block(A, A[np.ix_(order, order)]))
    assert (np.abs(Y[6:] - Y[order]).max(axis=1) > 1e-6).all()


@settings(max_examples=10)
@given(A=adjacencies(least=2))
def test_nodes_that_swap_places_get_equal_rows(A):
    twin = np.zeros((len(A) + 1,) * 2)
    twin[:-1, :-1] = A * (1 - np.eye(len(A)))
    twin[-1], twin[:, -1] = twin[0], twin[0]
    for proximity in (psi.LaplacianPinv(), psi.Heat(), psi.Katz(), psi.Surfing()):
        Y = rows_of(proximity, sigma.Binarize(60), zeta.Histogram(bins=4), twin)
        assert_allclose(Y[0], Y[-1], atol=1e-8)


@pytest.mark.parametrize("nonlinearity", [sigma.Identity(), sigma.Log()], ids=repr)
@pytest.mark.parametrize("edges", ["common", "own"])
def test_rounding_does_not_fill_a_histogram_where_heat_is_spread_evenly(edges, nonlinearity):
    Y = rows_of(
        psi.Heat(scale=50.0, laplacian="combinatorial"), nonlinearity, zeta.Histogram(edges=edges), 1 - np.eye(7)
    )
    assert (Y[0] == Y).all()
    assert (Y > 0).sum() == 7


# 2 and 3


def test_netlsd_is_the_mean_diagonal_of_heat():
    scales = np.logspace(-2, 2, 12)
    graphs = list(UNDIRECTED.values())
    node = PhUSION(psi.Heat(scale=scales.tolist()), sigma.Identity(), zeta.Diagonal())
    signatures = [[np.exp(-s * np.linalg.eigvalsh(oracle.laplacian(A))).sum() / len(A) for s in scales] for A in graphs]
    for pooling in (rho.Mean(), rho.Trace("empty")):
        Y = GraphPhUSION(node, pooling).fit_transform([as_graph(A) for A in graphs])
        assert_allclose(Y, signatures, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("loops", [0.0, 1.0])
def test_retgk_with_linear_kernels_is_the_mean_return_probability(loops):
    steps = list(range(1, 51))
    graphs = list(UNDIRECTED.values())
    returns = np.array([[np.trace(oracle.walk_power(A, k, loops)) / len(A) for k in steps] for A in graphs])
    node = PhUSION(psi.WalkPower(order=steps, loops=loops), sigma.Identity(), zeta.Diagonal())
    given_graphs = [as_graph(A) for A in graphs]
    assert_allclose(GraphPhUSION(node, rho.Mean()).fit_transform(given_graphs), returns, atol=1e-10)
    kernel = GraphPhUSION(node, rho.Kernel(inner="linear", outer="linear")).fit_transform(given_graphs)
    assert_allclose(kernel, returns @ returns.T, atol=1e-10)


# 4


CONNECTED = [oracle.random_adjacency(8, 0.9, 81), oracle.random_adjacency(6, 0.9, 82, loops=True), 1 - np.eye(5)]


@pytest.mark.parametrize("A", CONNECTED, ids=["weighted", "looped", "complete"])
def test_ppmi_tends_to_its_limit(A):
    limit = dense(psi.PpmiLimit(), A)
    errors = [np.abs(T * (dense(psi.Ppmi(window=T), A) - 1) - limit).max() for T in (5, 400)]
    assert errors[0] > 1e-4
    assert errors[1] < 1e-9


@pytest.mark.parametrize("A", CONNECTED, ids=["weighted", "looped", "complete"])
def test_the_limit_is_a_scaled_pseudoinverse_but_for_a_diagonal_and_a_rank_one_term(A):
    root = np.diag(1 / np.sqrt(A.sum(axis=1)))
    rest = dense(psi.PpmiLimit(), A) - A.sum() * root @ dense(psi.LaplacianPinv(), A) @ root
    off = rest[~np.eye(len(A), dtype=bool)]
    assert_allclose(off, 1, atol=1e-10)
    assert_allclose(np.diag(rest), 1 - A.sum() / A.sum(axis=1), atol=1e-10)


# 5


@EACH_PROXIMITY
@settings(max_examples=12)
@given(A=adjacencies(), data=st.data())
def test_a_proximity_follows_its_nodes(proximity, A, data):
    order = np.array(data.draw(st.permutations(range(len(A)))))
    swapped = np.ix_(order, order)
    S = dense(proximity, A)
    assert_allclose(dense(proximity, A[swapped]), S[swapped], rtol=1e-10, atol=1e-10)


@EACH_PROXIMITY
@settings(max_examples=12)
@given(A=adjacencies(), data=st.data())
def test_structural_rows_follow_their_nodes(proximity, A, data):
    order = np.array(data.draw(st.permutations(range(len(A)))))
    nonlinearity, embedding = data.draw(st.sampled_from(NONLINEARITIES)), data.draw(st.sampled_from(STRUCTURAL))
    Y = settled_rows(proximity, nonlinearity, embedding, A)
    assert_allclose(settled_rows(proximity, nonlinearity, embedding, A[np.ix_(order, order)]), Y[order], atol=1e-8)


@EACH_PROXIMITY
def test_positional_rows_follow_their_nodes_where_singular_values_differ(proximity):
    A = oracle.random_adjacency(8, 0.7, 91)
    order = np.random.default_rng(92).permutation(8)
    Y = rows_of(proximity, sigma.Identity(), zeta.SVD(dim=3), A)
    values = np.linalg.svd(dense(proximity, A), compute_uv=False)
    assert np.diff(values[:4]).max() < -1e-6
    assert_allclose(rows_of(proximity, sigma.Identity(), zeta.SVD(dim=3), A[np.ix_(order, order)]), Y[order], atol=1e-8)


@settings(max_examples=12)
@given(A=adjacencies(least=2), data=st.data())
def test_the_singular_values_of_an_embedding_do_not_depend_on_the_order_of_nodes(A, data):
    order = np.array(data.draw(st.permutations(range(len(A)))))
    nonlinearity = data.draw(st.sampled_from(NONLINEARITIES))
    dim = data.draw(st.integers(1, len(A)))
    lengths = [
        np.linalg.norm(rows_of(psi.Ppmi(), nonlinearity, zeta.SVD(dim=dim), M), axis=0)
        for M in (A, A[np.ix_(order, order)])
    ]
    assert_allclose(*lengths, atol=1e-7)


@pytest.mark.parametrize("pooling", POOLINGS, ids=repr)
@settings(max_examples=8)
@given(graphs=st.lists(adjacencies(least=2), min_size=2, max_size=4), data=st.data())
def test_a_graph_vector_does_not_depend_on_the_order_of_nodes(pooling, graphs, data):
    node = PhUSION(psi.Heat(scale=[0.5, 2.0]), sigma.Identity(), zeta.Diagonal())
    orders = [np.array(data.draw(st.permutations(range(len(A))))) for A in graphs]
    swapped = [A[np.ix_(order, order)] for A, order in zip(graphs, orders, strict=True)]
    Y = [
        GraphPhUSION(node, pooling, random_state=5).fit_transform([as_graph(A) for A in each])
        for each in (graphs, swapped)
    ]
    assert_allclose(*Y, atol=1e-6)


@pytest.mark.parametrize("pooling", [rho.Histogram(bins=3), rho.Fourier(features=8), rho.Kernel()], ids=repr)
@pytest.mark.parametrize("proximity", [psi.Heat(), psi.LaplacianPinv()], ids=repr)
def test_rounding_does_not_tell_the_nodes_of_a_ring_apart(proximity, pooling):
    ring, order = np.roll(np.eye(7), 1, axis=1), np.random.default_rng(93).permutation(7)
    ring = ring + ring.T
    model = GraphPhUSION(PhUSION(proximity, sigma.Identity(), zeta.Diagonal()), pooling, random_state=5)
    Y = model.fit_transform([as_graph(ring), as_graph(ring[np.ix_(order, order)]), as_graph(oracle.block(ring, ring))])
    assert_allclose(Y[1:], Y[[0, 0]], atol=1e-8)


# parts that do not touch do not matter to each other


@pytest.mark.parametrize("proximity", LOCAL, ids=repr)
@settings(max_examples=10)
@given(A=adjacencies(), B=adjacencies(), data=st.data())
def test_a_component_is_embedded_as_if_it_were_alone(proximity, A, B, data):
    together = dense(proximity, oracle.block(A, B))
    assert_allclose(together, oracle.block(dense(proximity, A), dense(proximity, B)), rtol=1e-10, atol=1e-10)


@EACH_PROXIMITY
@settings(max_examples=10)
@given(A=adjacencies(), B=adjacencies(), data=st.data())
def test_between_components_is_exactly_zero_in_any_order_of_nodes(proximity, A, B, data):
    both = oracle.block(A, B)
    order = np.array(data.draw(st.permutations(range(len(both)))))
    both = both[np.ix_(order, order)]
    apart = dense(proximity, both)[oracle.between_components(both)]
    assert (apart == (1 if isinstance(proximity, psi.PpmiLimit) else 0)).all()
