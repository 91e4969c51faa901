"""Every nonlinearity and embedding function against METHODS.md, in plain numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from tests.theory import oracle
from tests.theory.oracle import UNDIRECTED

from phusion import GraphPhUSION, PhUSION, as_graph
from phusion import embeddings as zeta
from phusion import nonlinearities as sigma
from phusion import proximities as psi
from phusion.errors import InputError, MethodWarning
from phusion.proximities.matrix import DenseMatrix

RANDOM = np.random.default_rng(61).normal(1, 2, (7, 7))
MATRICES = {
    "random": RANDOM,
    "zeros": np.zeros((4, 4)),
    "negative": -np.abs(RANDOM),
    "half-empty": RANDOM * (np.random.default_rng(62).random((7, 7)) < 0.5),
    "whole": np.random.default_rng(63).integers(-2, 3, (10, 10)).astype(float),
    "tiny-positive": np.array([[1e-30, 1.0], [2.0, 0.5]]),
    "one-entry": np.array([[2.5]]),
}
MATRIX = pytest.mark.parametrize("M", MATRICES.values(), ids=MATRICES)


def same(actual, expected):
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-10)


def applied(nonlinearity, M):
    return nonlinearity.apply(DenseMatrix(M.copy(), symmetric=False)).toarray()


def sampled(S, points):
    values = np.array([np.exp(1j * t * S).mean(axis=0) for t in points]).T
    return np.hstack([values.real, values.imag])


def embedded(embedding, M, symmetric=False):
    return embedding.embed(DenseMatrix(M.copy(), symmetric=symmetric))


# σ


@MATRIX
def test_identity_changes_nothing(M):
    assert np.array_equal(applied(sigma.Identity(), M), M)


@MATRIX
def test_log_with_floor_one(M):
    same(applied(sigma.Log(floor="one"), M), np.log(np.maximum(M, 1)))


@MATRIX
def test_log_with_the_smallest_positive_entry_as_floor(M):
    least = M[M > 0].min(initial=np.inf)
    same(applied(sigma.Log(), M), [[np.log(x / least) if x > 0 else 0 for x in row] for row in M])


@MATRIX
@pytest.mark.parametrize("floor", [0.5, 1e-3])
def test_log_with_a_relative_floor(M, floor):
    least = floor * max(M.max(), 0)
    same(applied(sigma.Log(floor=floor), M), [[np.log(x / least) if x > least else 0 for x in row] for row in M])


@MATRIX
@pytest.mark.parametrize(("window", "epsilon"), [(10.0, 2.0**-52), (1.5, 2.0**-52), (3.0, 0.1)])
def test_log_ramp(M, window, epsilon):
    expected = window * np.log(np.maximum(epsilon, 1 + M / window))
    same(applied(sigma.LogRamp(window=window, epsilon=epsilon), M), expected)


@pytest.mark.parametrize("percentile", [7, 28, 29, 50, 55, 57, 58, 95, 99.5, 100])
@pytest.mark.parametrize("name", ["random", "negative", "half-empty", "whole"])
def test_binarize_keeps_what_is_above_the_entry_of_that_rank(name, percentile):
    M = MATRICES[name]
    rank = min(M.size * round(10 * percentile) // 1000, M.size - 1)
    threshold = np.sort(M, axis=None)[rank]
    assert np.array_equal(applied(sigma.Binarize(percentile), M), threshold < M)


@pytest.mark.parametrize("percentile", [10, 50, 90])
def test_the_share_of_entries_below_the_threshold_is_the_percentile(percentile):
    M = np.arange(100.0).reshape(10, 10)
    assert applied(sigma.Binarize(percentile), M).sum() == 100 - percentile - 1, "the threshold is not above itself"


@pytest.mark.parametrize("percentile", [20, 50, 80])
def test_binarize_does_not_let_rounding_decide_ties(percentile):
    M = np.random.default_rng(64).integers(1, 6, (12, 12)) / 7
    noise = 1 + 1e-15 * np.random.default_rng(65).normal(size=M.shape)
    assert np.array_equal(applied(sigma.Binarize(percentile), M * noise), applied(sigma.Binarize(percentile), M))


def test_binarize_at_a_threshold_of_zero_drops_all_zeros_and_nothing_positive():
    M = np.diag([1e-9, 1.0, 2.0])
    assert np.array_equal(applied(sigma.Binarize(50), M), M > 0)


def test_log_warns_where_the_smallest_entry_of_a_pseudoinverse_is_arbitrary():
    def graph(weight):
        A = UNDIRECTED["weighted"].copy()
        A[0, 8] = A[8, 0] = weight
        return A

    crossing = brentq(lambda weight: oracle.laplacian_pinv(graph(weight))[0, 8], 0.1, 3.0, xtol=1e-14)
    A = graph(crossing + 1e-8)
    assert 0 < oracle.laplacian_pinv(A)[0, 8] < 1e-8
    with pytest.warns(MethodWarning, match="floor"):
        PhUSION(psi.LaplacianPinv(), sigma.Log(), zeta.Diagonal()).fit(A)
    Y = PhUSION(psi.LaplacianPinv(), sigma.Log(floor=0.01), zeta.Diagonal()).fit_transform(A)
    S = oracle.laplacian_pinv(A)
    same(Y.ravel(), np.log(np.diag(S) / (0.01 * S.max())))


# ζ


@pytest.mark.parametrize("dim", [1, 3, 7])
@pytest.mark.parametrize("symmetric", [False, True])
def test_svd_is_u_times_the_root_of_the_singular_values(symmetric, dim):
    M = RANDOM + RANDOM.T if symmetric else RANDOM
    U, values, Vt = np.linalg.svd(M)
    sign = np.sign(U[np.abs(U).argmax(axis=0), range(7)])
    left, right = U * sign * np.sqrt(values), Vt.T * sign * np.sqrt(values)
    same(embedded(zeta.SVD(dim=dim), M, symmetric), left[:, :dim])
    same(embedded(zeta.SVD(dim=dim, sides="both"), M, symmetric), np.hstack([left[:, :dim], right[:, :dim]]))


def test_svd_of_both_sides_gives_the_matrix_back_even_with_equal_singular_values():
    M = oracle.bipartite(66)
    Y = embedded(zeta.SVD(dim=7, sides="both"), M, symmetric=True)
    same(Y[:, :7] @ Y[:, 7:].T, M)
    same((Y[:, :7] ** 2).sum(axis=0), np.linalg.svd(M, compute_uv=False))


def test_svd_of_nothing_is_zero():
    assert np.array_equal(embedded(zeta.SVD(dim=2), np.zeros((3, 3))), np.zeros((3, 2)))


def test_svd_has_at_most_as_many_dimensions_as_nodes():
    with pytest.raises(InputError, match="dim"):
        embedded(zeta.SVD(dim=8), RANDOM)


@pytest.mark.parametrize("axis", ["columns", "rows"])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize(
    ("options", "t"),
    [
        ({}, np.linspace(0, 100, 25)),
        ({"landmarks": 4, "upper": 3.0}, np.linspace(0, 3, 4)),
        ({"landmarks": 4, "upper": 3.0, "include_zero": False}, np.linspace(0, 3, 5)[1:]),
        ({"landmarks": [0.3, 7.0, 2.0]}, np.array([0.3, 7.0, 2.0])),
    ],
    ids=["default", "few", "without-zero", "given"],
)
def test_characteristic_samples_the_characteristic_function(options, t, centered, normalize, axis):
    M = RANDOM if axis == "columns" else RANDOM.T
    phi = np.array([[np.mean([np.exp(1j * x * M[v, u]) for v in range(7)]) for x in t] for u in range(7)])
    if centered:
        phi = 7 * (phi - 1)
    elif not normalize:
        phi = 7 * phi
    Y = embedded(zeta.Characteristic(**options, centered=centered, normalize=normalize, axis=axis), RANDOM)
    same(Y, np.hstack([phi.real, phi.imag]))


def test_centred_characteristic_keeps_what_a_large_graph_hides():
    M = np.zeros((2000, 2000))
    M[0, 0] = 1e-3
    Y = embedded(zeta.Characteristic(landmarks=[1.0], centered=True), M)
    assert_allclose(Y[0], [-2 * np.sin(5e-4) ** 2, np.sin(1e-3)], rtol=1e-6)
    assert not Y[1:].any()


@MATRIX
def test_diagonal_is_the_diagonal(M):
    same(embedded(zeta.Diagonal(), M), np.diag(M)[:, None])


@pytest.mark.parametrize("axis", ["columns", "rows"])
@pytest.mark.parametrize("edges", ["common", "own"])
@pytest.mark.parametrize("bins", [1, 5, 128])
def test_histogram_counts_each_column(bins, edges, axis):
    M = RANDOM if axis == "columns" else RANDOM.T
    counts = [np.histogram(x, bins, None if edges == "own" else (M.min(), M.max()))[0] for x in M.T]
    options = {"bins": bins, "edges": edges, "axis": axis}
    same(embedded(zeta.Histogram(**options), RANDOM), counts)
    same(embedded(zeta.Histogram(**options, normalize=True), RANDOM), np.array(counts) / 7)


def test_histogram_does_not_let_rounding_decide_at_an_edge():
    M = np.array([[0.0, 0.1 + 0.2], [0.3, 1.0]])
    assert embedded(zeta.Histogram(bins=10), M)[:, 3].tolist() == [1, 1]


@pytest.mark.parametrize("edges", ["common", "own"])
def test_histogram_does_not_let_rounding_make_bins_of_a_constant(edges):
    constant = np.full((9, 9), 1 / 3)
    noise = 1 + 1e-15 * np.random.default_rng(66).normal(size=(9, 9))
    assert np.array_equal(*(embedded(zeta.Histogram(edges=edges), M) for M in (constant * noise, constant)))


def test_histogram_bins_of_another_graph_are_those_of_the_fitted_one():
    fitted, other = UNDIRECTED["weighted"], UNDIRECTED["disconnected"]
    S, T = oracle.heat(fitted, 1.0), oracle.heat(other, 1.0)
    model = PhUSION(psi.Heat(), sigma.Identity(), zeta.Histogram(bins=6)).fit(fitted)
    low, high = S.min(), S.max()
    assert T.min() < low
    same(model.transform(other), [np.histogram(np.clip(x, low, high), 6, (low, high))[0] for x in T])


@pytest.mark.parametrize("embedding", [zeta.SVD(dim=3), zeta.Diagonal(), zeta.Characteristic(landmarks=4)], ids=repr)
def test_several_scales_stand_side_by_side(embedding):
    A = UNDIRECTED["weighted"]
    several = PhUSION(psi.Heat(scale=[0.3, 1.0, 4.0]), sigma.Log(), embedding).fit_transform(A)
    single = [PhUSION(psi.Heat(scale=s), sigma.Log(), embedding).fit_transform(A) for s in (0.3, 1.0, 4.0)]
    same(several, np.hstack(single))


@pytest.mark.parametrize("name", ["weighted", "disconnected"])
def test_the_scales_of_graphwave_come_from_the_spectral_gap_of_the_largest_component(name):
    A = UNDIRECTED[name]
    number = oracle.components(A)
    big = np.flatnonzero(number == np.bincount(number).argmax())
    gap = np.linalg.eigvalsh(oracle.laplacian(A[np.ix_(big, big)]))[1]
    scales = [-np.log(x) * np.sqrt(0.5 / gap) for x in (0.95, 0.80)]
    Y = PhUSION(psi.Heat(scale="graphwave"), sigma.Identity(), zeta.Diagonal()).fit_transform(A)
    same(Y, np.column_stack([np.diag(oracle.heat(A, s)) for s in scales]))


@pytest.mark.parametrize("name", ["weighted", "disconnected"])
def test_automatic_heat_runs_until_the_slowest_difference_of_the_largest_component_is_gone(name):
    A = UNDIRECTED[name]
    number = oracle.components(A)
    big = np.flatnonzero(number == np.bincount(number).argmax())
    last = np.clip(2 / np.linalg.eigvalsh(oracle.laplacian(A[np.ix_(big, big)]))[1], 1, 100)
    for proximity in (psi.Heat(scale="auto"), psi.Wave(scale="auto")):
        found = proximity.fitted([as_graph(A)]).scale
        assert found == pytest.approx((0.1, np.sqrt(0.1 * last), last))
    slow = psi.Heat(scale="auto", laplacian="combinatorial").fitted([as_graph(1000 * A)]).scale
    quick = psi.Heat(scale="auto", laplacian="combinatorial").fitted([as_graph(A)]).scale
    assert np.array(slow) * 1000 == pytest.approx(quick)


def test_automatic_heat_is_bounded_on_graphs_that_mix_very_slowly_and_that_have_no_gap():
    path = np.diag(np.ones(3_999), 1)
    assert psi.Heat(scale="auto").fitted([as_graph(path + path.T)]).scale[-1] == 100
    assert psi.Heat(scale="auto").fitted([as_graph(np.zeros((3, 3)))]).scale == (0.1, 1.0, 10.0)


def test_automatic_katz_sums_over_walks_on_every_graph():
    A = UNDIRECTED["weighted"]
    radius = np.abs(np.linalg.eigvalsh(A)).max()
    model = PhUSION(psi.Katz(beta="auto"), sigma.Identity(), zeta.Diagonal())
    expected = [np.diag(oracle.katz(A, share / radius)) for share in (0.1, 0.5, 0.9)]
    same(model.fit_transform(A), np.column_stack(expected))
    arcs = as_graph([("a", "b", 2.0), ("a", "c", 3.0), ("b", "c", 1.0)], directed=True)
    assert psi.Katz(beta="auto").fitted([arcs]).beta == pytest.approx((0.1 / 5, 0.5 / 5, 0.9 / 5))


@pytest.mark.parametrize("nonlinearity", [sigma.Identity(), sigma.Log(), sigma.Binarize(50)], ids=repr)
def test_the_automatic_landmark_is_thirty_over_the_typical_proximity(nonlinearity):
    A = UNDIRECTED["weighted"]
    S = applied(nonlinearity, oracle.heat(A, 0.5))
    beside = np.abs(S[~np.eye(len(S), dtype=bool)])
    upper = 30 * beside.sum() / (beside**2).sum()
    model = PhUSION(psi.Heat(0.5), nonlinearity, zeta.Characteristic(landmarks=5, upper="auto"))
    same(model.fit_transform(A), sampled(S, np.linspace(0, upper, 5)))


def test_the_automatic_landmark_does_not_change_with_units_or_with_copies_of_the_graph():
    A = UNDIRECTED["weighted"]
    model = PhUSION(psi.AdjacencyPower(order=(1, 2)), "identity", zeta.Characteristic(4, upper="auto", centered=True))
    Y = model.fit_transform(A)
    same(model.fit_transform(1e150 * A), Y)
    same(model.fit_transform(np.kron(np.eye(3), A)), np.tile(Y, (3, 1)))


def test_graphs_share_the_automatic_landmark_of_all_that_were_fitted():
    graphs = [UNDIRECTED["weighted"], UNDIRECTED["disconnected"]]
    S = [A @ A for A in graphs]
    beside = np.concatenate([np.abs(s[~np.eye(len(s), dtype=bool)]) for s in S])
    upper = 30 * beside.sum() / (beside**2).sum()
    embedding = zeta.Characteristic(4, upper="auto")
    model = GraphPhUSION(PhUSION(psi.AdjacencyPower(order=2), "identity", embedding), "mean")
    expected = [sampled(s, np.linspace(0, upper, 4)).mean(axis=0) for s in S]
    same(model.fit_transform(graphs), np.vstack(expected))


def test_l2_gives_every_row_that_is_not_zero_length_one():
    A = UNDIRECTED["isolated"]
    plain = PhUSION(psi.AdjacencyPower(order=[2, 3]), sigma.Identity(), zeta.Diagonal()).fit_transform(A)
    Y = PhUSION(psi.AdjacencyPower(order=[2, 3]), sigma.Identity(), zeta.Diagonal(), normalize="l2").fit_transform(A)
    lengths = np.linalg.norm(plain, axis=1)
    assert (lengths == 0).any()
    same(Y, plain / np.where(lengths > 0, lengths, 1)[:, None])
