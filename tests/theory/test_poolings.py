"""Every pooling against METHODS.md, in plain numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist, pdist
from tests.theory import oracle
from tests.theory.oracle import UNDIRECTED

from phusion import GraphPhUSION, PhUSION, as_graph
from phusion import embeddings as zeta
from phusion import nonlinearities as sigma
from phusion import poolings as rho
from phusion import proximities as psi

GRAPHS = [UNDIRECTED["weighted"], UNDIRECTED["looped"], oracle.path(4), UNDIRECTED["isolated"]]


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-10)


def pooled(pooling, graphs=GRAPHS, node=None, **options):
    node = node or PhUSION(psi.Heat(scale=[0.5, 2.0]), sigma.Identity(), zeta.Diagonal())
    return GraphPhUSION(node, pooling, **options).fit_transform([as_graph(g) for g in graphs])


def heat_diagonals(A):
    return np.column_stack([np.diag(oracle.heat(A, s)) for s in (0.5, 2.0)])


@pytest.mark.parametrize(
    ("pooling", "formula"),
    [
        (rho.Mean(), lambda Y: Y.mean(axis=0)),
        (rho.Sum(), lambda Y: Y.sum(axis=0)),
        (rho.Max(), lambda Y: Y.max(axis=0)),
        (rho.Trace(), lambda Y: Y.mean(axis=0)),
        (rho.Trace("none"), lambda Y: Y.sum(axis=0)),
        (rho.Trace("complete"), lambda Y: Y.sum(axis=0) / (1 + (len(Y) - 1) * np.exp([-0.5, -2.0]))),
    ],
    ids=lambda x: repr(x) if not callable(x) else "",
)
def test_a_pooling_is_its_formula(pooling, formula):
    same(pooled(pooling), [formula(heat_diagonals(A)) for A in GRAPHS])


def test_traces_are_divided_by_those_of_the_complete_graph_of_their_kind():
    def traces(proximity):
        return pooled(rho.Trace("complete"), node=PhUSION(proximity, sigma.Identity(), zeta.Diagonal())).ravel()

    sizes = np.array([len(A) for A in GRAPHS])
    wave = [np.trace(oracle.wave(A, 3.0)) for A in GRAPHS]
    same(traces(psi.Wave(scale=3.0)), wave / (1 + (sizes - 1) * np.cos(3.0)))
    heat = [np.trace(oracle.heat(A, 0.1, "combinatorial")) for A in GRAPHS]
    same(traces(psi.Heat(0.1, "combinatorial")), heat / (1 + (sizes - 1) * np.exp(-0.1 * sizes)))


@pytest.mark.parametrize("bins", [1, 4])
def test_histogram_pooling_shares_its_bins_between_graphs(bins):
    rows = [heat_diagonals(A) for A in GRAPHS]
    every = np.vstack(rows)
    expected = [
        np.hstack([np.histogram(Y[:, j], bins, (every[:, j].min(), every[:, j].max()))[0] / len(Y) for j in (0, 1)])
        for Y in rows
    ]
    same(pooled(rho.Histogram(bins=bins)), expected)


def node_kernel(name, gamma, X, Y):
    if name == "linear":
        return X @ Y.T
    distance = cdist(X, Y)
    return np.exp(-gamma * (distance**2 if name == "gaussian" else distance))


def mean_kernel(rows, features, inner, gamma):
    return np.array(
        [
            [np.mean(node_kernel(inner, gamma, X, Y) * (x @ y.T)) for Y, y in zip(rows, features, strict=True)]
            for X, x in zip(rows, features, strict=True)
        ]
    )


def graph_kernel(inner_products, outer, gamma):
    if outer == "linear":
        return inner_products
    norms = np.diag(inner_products)
    distance = np.sqrt(np.maximum(norms[:, None] + norms[None, :] - 2 * inner_products, 0))
    gamma = gamma(distance) if callable(gamma) else gamma
    return np.exp(-gamma * (distance**2 if outer == "gaussian" else distance))


@pytest.mark.parametrize("outer", ["gaussian", "laplace", "linear"])
@pytest.mark.parametrize("inner", ["gaussian", "laplace", "linear"])
def test_kernel_pooling_compares_whole_distributions(inner, outer):
    rows = [heat_diagonals(A) for A in GRAPHS]
    K = mean_kernel(rows, [np.ones((len(Y), 1)) for Y in rows], inner, 1.7)
    actual = pooled(rho.Kernel(inner=inner, outer=outer, gamma=1.7, outer_gamma=0.6))
    assert_allclose(actual, graph_kernel(K, outer, 0.6), atol=1e-7)


@pytest.mark.parametrize(("inner", "power"), [("gaussian", 2), ("laplace", 1)])
def test_kernel_pooling_takes_the_median_distances(inner, power):
    rows = [heat_diagonals(A) for A in GRAPHS]
    gamma = 1 / np.median(pdist(np.vstack(rows))) ** power
    K = mean_kernel(rows, [np.ones((len(Y), 1)) for Y in rows], inner, gamma)
    upper = np.triu_indices(len(rows), 1)
    expected = graph_kernel(K, inner, lambda distance: 1 / np.median(distance[upper]) ** power)
    assert_allclose(pooled(rho.Kernel(inner=inner, outer=inner)), expected, atol=1e-7)


def test_fourier_pooling_approaches_the_gaussian_kernel():
    rows = [5 * heat_diagonals(A) for A in GRAPHS]
    K = mean_kernel(rows, [np.ones((len(Y), 1)) for Y in rows], "gaussian", 2.0)
    features = pooled(rho.Fourier(features=20_000, gamma=50.0), random_state=3)
    assert np.ptp(K) > 0.1
    assert_allclose(features @ features.T, K, atol=0.03)


@pytest.mark.parametrize(
    ("pooling", "formula"),
    [(rho.Mean(), np.mean), (rho.Sum(), np.sum), (rho.Max(), np.max)],
    ids=["mean", "sum", "max"],
)
def test_attributes_enter_by_kronecker_product(pooling, formula):
    rng = np.random.default_rng(67)
    numbers = [rng.normal(size=len(A)) for A in GRAPHS]
    classes = [rng.permutation(np.resize([0, 1, 2], len(A))) for A in GRAPHS]
    graphs = [
        replace(as_graph(A), attributes={"x": x, "c": np.array(["p", "q", "r"])[c]})
        for A, x, c in zip(GRAPHS, numbers, classes, strict=True)
    ]
    given = [np.column_stack([x, np.eye(3)[c]]) for x, c in zip(numbers, classes, strict=True)]
    expected = [
        formula([np.kron(y, x) for y, x in zip(heat_diagonals(A), X, strict=True)], axis=0)
        for A, X in zip(GRAPHS, given, strict=True)
    ]
    same(pooled(pooling, graphs, attributes=["x", "c"]), expected)


def test_labels_enter_kernel_pooling_by_their_equality():
    classes = [np.resize([0, 1], len(A)) for A in GRAPHS]
    graphs = [as_graph(A, labels=["ab"[k] for k in c]) for A, c in zip(GRAPHS, classes, strict=True)]
    K = mean_kernel([heat_diagonals(A) for A in GRAPHS], [np.eye(2)[c] for c in classes], "gaussian", 1.7)
    actual = pooled(rho.Kernel(gamma=1.7, outer="linear"), graphs, attributes="labels")
    same(actual, K)
