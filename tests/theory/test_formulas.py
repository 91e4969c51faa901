"""Every proximity against METHODS.md, computed once more in `oracle`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm
from tests.theory import oracle
from tests.theory.oracle import DIRECTED, SIGNED, SIGNED_DIRECTED, UNDIRECTED

from phusion import as_graph
from phusion import proximities as psi
from phusion.errors import InputError, MethodWarning

SCALES = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]
KINDS = ["normalized", "combinatorial"]
EVERY = UNDIRECTED | DIRECTED | SIGNED | SIGNED_DIRECTED
WALKED = UNDIRECTED | DIRECTED


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-10)


def graph_of(A):
    return as_graph(A, directed=not np.array_equal(A, A.T))


def dense(proximity, A):
    return proximity.dense(graph_of(A))


def cases(*rows):
    """(proximity, oracle, graphs) for each graph by name."""
    return [
        pytest.param(proximity, oracle, A, id=f"{proximity!r}-{name}")
        for proximity, oracle, graphs in rows
        for name, A in graphs.items()
    ]


FORMULAS = cases(
    *[
        (psi.Heat(scale=s, laplacian=kind), lambda A, s=s, kind=kind: oracle.heat(A, s, kind), UNDIRECTED | SIGNED)
        for s in SCALES
        for kind in KINDS
    ],
    *[
        (psi.Wave(scale=s, laplacian=kind), lambda A, s=s, kind=kind: oracle.wave(A, s, kind), UNDIRECTED | SIGNED)
        for s in [0, 0.3, 1.0, 25.0, 100.0]
        for kind in KINDS
    ],
    (psi.Ppmi(), lambda A: oracle.ppmi(A, 10), UNDIRECTED),
    (psi.Ppmi(window=1), lambda A: oracle.ppmi(A, 1), UNDIRECTED),
    (psi.Ppmi(window=3, negative=5), lambda A: oracle.ppmi(A, 3, 5), UNDIRECTED),
    (psi.Ppmi(window=60, negative=0.5), lambda A: oracle.ppmi(A, 60, 0.5), UNDIRECTED),
    (psi.Fabp(), oracle.fabp, {k: A for k, A in UNDIRECTED.items() if k != "lone-loops"}),
    (psi.Fabp(a=0.3, c=0.02), lambda A: oracle.fabp(A, 0.3, 0.02), UNDIRECTED),
    (psi.Fabp(a="10*auto", c="0.01*auto"), lambda A: oracle.fabp(A, times_a=10, times_c=0.01), UNDIRECTED),
    (psi.Fabp(a="auto", c=0.001), lambda A: oracle.fabp(A, c=0.001), UNDIRECTED),
    (psi.Katz(), lambda A: oracle.katz(A, 0.01), EVERY),
    (psi.Katz(beta=0.06), lambda A: oracle.katz(A, 0.06), EVERY),
    (psi.LaplacianPinv(), oracle.laplacian_pinv, UNDIRECTED),
    (psi.LaplacianPinv("combinatorial"), lambda A: oracle.laplacian_pinv(A, "combinatorial"), UNDIRECTED),
    *[(psi.AdjacencyPower(order=k), lambda A, k=k: np.linalg.matrix_power(A, k), EVERY) for k in [1, 2, 3, 8]],
    *[(psi.WalkPower(order=k), lambda A, k=k: oracle.walk_power(A, k), WALKED) for k in [1, 2, 3, 50]],
    (psi.WalkPower(order=4, loops=1.0), lambda A: oracle.walk_power(A, 4, 1.0), WALKED),
    (psi.WalkPower(order=1, loops=0.25), lambda A: oracle.walk_power(A, 1, 0.25), WALKED),
    *[(psi.Pagerank(alpha=x), lambda A, x=x: oracle.pagerank(A, x), WALKED) for x in [0.1, 0.85, 0.999]],
    (psi.CommonNeighbors(), lambda A: A @ A, EVERY),
    (psi.AdamicAdar(), oracle.adamic_adar, EVERY),
    (psi.AdamicAdar(degree="total"), lambda A: oracle.adamic_adar(A, "total"), EVERY),
    *[(psi.Grarep(order=k), lambda A, k=k: oracle.grarep(A, k), WALKED) for k in [1, 2, 5]],
    (psi.Surfing(), lambda A: oracle.surfing(A, 0.98, 10), WALKED),
    (psi.Surfing(alpha=0.5, steps=3), lambda A: oracle.surfing(A, 0.5, 3), WALKED),
    (psi.Surfing(alpha=1.0, steps=2), lambda A: oracle.surfing(A, 1.0, 2), WALKED),
    (psi.SignedWalk(), oracle.signed_walk, EVERY),
    (psi.SignedWalk(restart=0.9, beta=0.0, gamma=1.0), lambda A: oracle.signed_walk(A, 0.9, 0, 1), EVERY),
    (psi.SignedWalk(restart=0.02, beta=1.0, gamma=0.3), lambda A: oracle.signed_walk(A, 0.02, 1, 0.3), EVERY),
    (psi.SignedWalk(score="positive"), lambda A: oracle.signed_walk(A, score="positive"), EVERY),
    (psi.SignedWalk(score="negative"), lambda A: oracle.signed_walk(A, score="negative"), EVERY),
    (psi.SignedWalk(restart=0.02, form="plain"), lambda A: oracle.plain_signed_walk(A, 0.02), EVERY),
)


@pytest.mark.parametrize(("proximity", "formula", "A"), FORMULAS)
def test_a_proximity_is_its_formula(proximity, formula, A):
    S = dense(proximity, A)
    same(S, formula(A))
    assert (S[oracle.between_components(A)] == 0).all()


@pytest.mark.parametrize("A", [UNDIRECTED["weighted"], UNDIRECTED["looped"]])
def test_the_limit_of_ppmi_is_its_formula(A):
    same(dense(psi.PpmiLimit(), A), oracle.ppmi_limit(A))


@pytest.mark.parametrize("name", ["disconnected", "isolated", "no-edges", "bipartite"])
def test_the_limit_of_ppmi_is_its_formula_with_a_warning_where_there_is_none(name):
    with pytest.warns(MethodWarning, match="the limit does not exist"):
        S = dense(psi.PpmiLimit(), UNDIRECTED[name])
    same(S, oracle.ppmi_limit(UNDIRECTED[name]))


@pytest.mark.parametrize("rank", [1, 4, 9])
@pytest.mark.parametrize("name", ["weighted", "disconnected", "sparse"])
def test_ppmi_of_a_rank_sums_the_largest_eigenpairs(name, rank):
    A = UNDIRECTED[name]
    values = np.sort(np.linalg.eigvalsh(oracle.normalized_adjacency(A)))[::-1]
    if values[rank - 1] - values[min(rank, len(A) - 1)] < 1e-9 and rank < len(A):
        rank = int(np.sum(values > values[rank - 1] - 1e-9))
    same(dense(psi.Ppmi(window=5, negative=2, rank=rank), A), oracle.ppmi_rank(A, 5, 2, rank))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_heat_is_the_matrix_exponential(kind, scale):
    A = UNDIRECTED["weighted"]
    same(dense(psi.Heat(scale=scale, laplacian=kind), A), expm(-scale * oracle.laplacian(A, kind)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", [1.0, np.linspace(0.1, 4, 11)], ids=["unweighted", "weighted"])
def test_heat_is_right_to_the_last_digits_of_tiny_entries(weights, kind, scale):
    A = oracle.path(12, weights)
    exact = oracle.precise_heat(A, scale, kind)
    assert scale > 0.01 or exact.min() < 1e-22
    assert_allclose(dense(psi.Heat(scale=scale, laplacian=kind), A), exact, rtol=1e-9, atol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_heat_holds_at_scale_1000_on_a_graph_of_hundreds_of_nodes(kind):
    A = oracle.random_adjacency(300, 0.01, 31)
    same(dense(psi.Heat(scale=1000.0, laplacian=kind), A), oracle.heat(A, 1000.0, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_heat_never_leaves_a_component(kind):
    A = UNDIRECTED["disconnected"]
    S = dense(psi.Heat(scale=1000.0, laplacian=kind), A)
    assert (S[~oracle.between_components(A)] > 0).all()
    d = oracle.degrees(A) if kind == "normalized" else np.ones(len(A))
    same(S @ np.sqrt(d), np.sqrt(d))


@pytest.mark.parametrize("relative", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("spelling", ["/λmax", "/lambda_max"])
@pytest.mark.parametrize("name", ["weighted", "disconnected", "sparse", "arcs", "signed"])
def test_katz_relative_to_the_largest_eigenvalue(name, spelling, relative):
    A = EVERY[name]
    same(dense(psi.Katz(beta=f"{relative}{spelling}"), A), oracle.katz(A, relative / oracle.radius(A)))


@pytest.mark.parametrize("relative", [1.01, 3.2, 44.0])
@pytest.mark.parametrize("name", ["weighted", "looped", "disconnected", "isolated", "sparse", "arcs", "signed"])
def test_katz_beyond_the_largest_eigenvalue_is_solved_with_a_warning(name, relative):
    A = EVERY[name]
    beta = relative / oracle.radius(A)
    for given in (beta, f"{relative}/λmax"):
        with pytest.warns(MethodWarning, match="λmax"):
            S = dense(psi.Katz(beta=given), A)
        same(S, oracle.katz(A, beta))
        assert (S[oracle.between_components(A)] == 0).all()


@pytest.mark.parametrize("name", ["one-edge", "weighted", "disconnected"])
def test_a_singular_katz_system_is_refused(name):
    with pytest.raises(InputError, match="singular"):
        dense(psi.Katz(beta="1/λmax"), UNDIRECTED[name])


@pytest.mark.parametrize("name", ["weighted", "disconnected", "isolated"])
def test_fabp_that_is_not_positive_definite_is_solved_with_a_warning(name):
    A = UNDIRECTED[name]
    assert oracle.smallest_eigenvalue(np.eye(len(A)) + 0.1 * np.diag(oracle.degrees(A)) - 2 * A) < 0
    with pytest.warns(MethodWarning, match="positive definite"):
        S = dense(psi.Fabp(a=0.1, c=2.0), A)
    same(S, oracle.fabp(A, 0.1, 2.0))
    assert (S[oracle.between_components(A)] == 0).all()


def test_a_singular_fabp_system_is_refused():
    with pytest.raises(InputError, match="singular"):
        dense(psi.Fabp(a=0.0, c=0.5), UNDIRECTED["one-edge"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", UNDIRECTED)
def test_the_pseudoinverse_meets_the_conditions_of_penrose_and_knows_its_null_space(name, kind):
    A = UNDIRECTED[name]
    L, S = oracle.laplacian(A, kind), dense(psi.LaplacianPinv(kind), A)
    same(L @ S @ L, L)
    same(S @ L @ S, S)
    same(L @ S, (L @ S).T)
    for part in np.unique(oracle.components(A)):
        null = (oracle.components(A) == part) * (np.sqrt(oracle.degrees(A)) if kind == "normalized" else 1.0)
        same(S @ null, np.zeros(len(A)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_pseudoinverse_of_a_component_of_one_node_is_exactly_zero(kind):
    A = oracle.block(UNDIRECTED["weighted"], UNDIRECTED["lone-loops"], np.zeros((1, 1)))
    assert not dense(psi.LaplacianPinv(kind), A)[-4:].any()


@pytest.mark.parametrize("kind", KINDS)
def test_the_pseudoinverse_keeps_nearly_separate_parts_apart(kind):
    A = oracle.block(oracle.random_adjacency(5, 0.9, 41), oracle.random_adjacency(5, 0.9, 42))
    A[0, 9] = A[9, 0] = 1e-6
    S = dense(psi.LaplacianPinv(kind), A)
    expected = oracle.spectral(A, kind, lambda x: np.where(x > 1e-12, 1 / np.where(x > 1e-12, x, 1), 0))
    assert_allclose(S, expected, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("beta", [Fraction(1, 100), Fraction(1, 4)])
def test_katz_is_right_to_the_last_digits_of_tiny_entries(beta):
    n = 14
    A = oracle.path(n)
    assert_allclose(dense(psi.Katz(beta=float(beta)), A), exact_path_katz(n, beta), rtol=1e-9, atol=0)


def exact_path_katz(n, beta):
    """(I − βA)⁻¹ − I on a path, from the continuants of the tridiagonal matrix, in fractions."""
    head = [Fraction(1), Fraction(1)]
    for _ in range(n - 1):
        head.append(head[-1] - beta**2 * head[-2])
    return np.array(
        [
            [
                float(beta ** abs(i - j) * head[min(i, j)] * head[n - 1 - max(i, j)] / head[n] - (i == j))
                for j in range(n)
            ]
            for i in range(n)
        ]
    )


@pytest.mark.parametrize("proximity", [psi.Katz(beta=0.05), psi.Pagerank(), psi.Grarep(), psi.SignedWalk()], ids=repr)
def test_what_no_walk_reaches_is_exactly_zero(proximity):
    A = np.zeros((11, 11))
    A[:6, :6] = oracle.random_adjacency(6, 0.8, 51, directed=True)
    A[6:, 6:] = oracle.random_adjacency(5, 0.8, 52, directed=True)
    A[0, 8] = 1.0
    S = dense(proximity, A)
    assert (S[6:, :6] == 0).all()
    assert S[:6, 6:].any()


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_ppmi_does_not_depend_on_the_unit_of_weights(factor):
    A = UNDIRECTED["looped"]
    same(dense(psi.Ppmi(), factor * A), oracle.ppmi(A, 10))


def test_the_heuristic_of_fabp_holds_for_weak_weights():
    A = 1e-6 * UNDIRECTED["looped"]
    assert_allclose(dense(psi.Fabp(), A), oracle.fabp(A), rtol=1e-8)
