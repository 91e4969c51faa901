"""Corners of the formulas where a fast way went wrong once: right, or refused in words."""

from __future__ import annotations

import warnings
from decimal import Decimal, localcontext

import networkx as nx
import numpy as np
import pytest

import phusion
from phusion import PhUSION
from phusion.errors import InputError, MethodWarning
from phusion.execution.resources import Resources
from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.nonlinearities import Log
from phusion.pipeline import learn
from phusion.poolings import Fourier, Kernel
from phusion.poolings.base import Nodes
from phusion.proximities import AdjacencyPower, CommonNeighbors, Fabp, Heat, Katz, Pagerank, WalkPower, Wave
from phusion.spec import Spec
from phusion.together import embed_together

SVD = {"name": "svd", "dim": 4}


@pytest.mark.parametrize("proximity", [CommonNeighbors(), WalkPower(order=1), Katz(beta="0.5/λmax")])
@pytest.mark.parametrize("make", [nx.cycle_graph, nx.path_graph])
def test_singular_vectors_of_long_graphs_are_found_though_values_are_all_but_equal(make, proximity):
    graph = phusion.as_graph(make(1_100))
    rows = PhUSION(proximity, "identity", SVD).fit_transform(graph)
    values = np.linalg.svd(proximity.dense(graph), compute_uv=False)[:4]
    assert (rows**2).sum(axis=0) == pytest.approx(values, abs=1e-9)


def test_vectors_that_are_not_found_within_the_memory_are_told(monkeypatch):
    monkeypatch.setattr("phusion.linalg.krylov._SMALL", 0)  # as if the graph were larger
    monkeypatch.setattr("phusion.linalg.svd.WRITTEN", 0)
    graph = phusion.as_graph(nx.cycle_graph(1_100))
    with pytest.warns(MethodWarning, match=r"singular vectors are exact to .* of the largest value, not to 1e-09"):
        PhUSION(CommonNeighbors(), "identity", SVD).fit(graph)


def test_equal_values_beyond_those_searched_give_the_same_rows_in_blocks():
    star = phusion.as_graph(nx.star_graph(40))
    spec = {"proximity": {"name": "fabp", "a": 0.0, "c": 0.1}, "embedding": {"name": "svd", "dim": 1}}
    whole, blocks = (
        embed_together(star, [phusion.Spec.from_dict(spec)], resources)[0].values
        for resources in (
            Resources(strategy="dense"),
            Resources(strategy="blocked", width=8),
        )
    )
    assert blocks == pytest.approx(whole, abs=1e-8)


@pytest.mark.parametrize("weight", [1.0, 1e5, 1e10, 1e14, 1e200])
def test_heat_that_has_long_settled_is_the_same_on_large_graphs_as_on_small(weight):
    edges = [(a, b, weight) for a, b in nx.random_regular_graph(4, 1_050, seed=1).edges]
    heat = Heat(scale=1e4, laplacian="combinatorial")
    rows = PhUSION(heat, "identity", "diagonal").fit_transform(edges)
    assert rows == pytest.approx(np.full((1_050, 1), 1 / 1_050), abs=1e-12)


def test_scales_beyond_polynomials_and_eigenvectors_are_refused_in_words():
    path = phusion.as_graph(nx.path_graph(2_500))
    with pytest.raises(InputError, match=r"scale=1e\+14 is too much for this graph's normalized Laplacian"):
        PhUSION(Heat(scale=1e14), "identity", "diagonal").fit(path)


@pytest.mark.parametrize("time", [500.0, 3_000.0, 1e5])
def test_waves_of_any_usual_time_are_those_of_the_formula(time):
    graph = phusion.as_graph(nx.gnp_random_graph(1_050, 0.01, seed=1))
    rows = PhUSION(Wave(scale=time), "identity", "diagonal").fit_transform(graph)
    assert rows[:, 0] == pytest.approx(np.diag(Wave(scale=time).dense(graph)), abs=1e-15 * time + 1e-12)


def test_a_wave_takes_little_more_terms_than_its_time():
    found = chebyshev_coefficients(lambda x: np.cos(5_000.0 * (1 - x)), -1.0, 1.0, 5e-12, 2.3e-12)
    assert 5_000 < len(found) < 5_400


def test_rounding_of_surfing_decides_nothing():
    graph = phusion.as_graph(nx.complete_bipartite_graph(3, 11))  # chance is all there is
    surfing = {"name": "surfing", "alpha": 1.0, "steps": 2}
    assert not PhUSION(surfing, "log", "diagonal").fit_transform(graph).any()
    assert not PhUSION(surfing, {"name": "binarize", "percentile": 0}, "diagonal").fit_transform(graph).any()
    counts = PhUSION(surfing, "identity", {"name": "histogram", "bins": 4}).fit_transform(graph)
    assert (counts == counts[0]).all() and counts.max() == 14


@pytest.mark.parametrize("n", [6, 7, 9])
def test_entries_that_are_the_floor_but_for_rounding_are_the_floor(n):
    order = np.random.default_rng(0).permutation(n)
    matrix = nx.to_numpy_array(nx.complete_graph(n))
    method = {"name": "grarep", "order": 7}, "log", {"name": "characteristic", "upper": "auto"}
    rows, moved = (PhUSION(*method).fit_transform(one) for one in (matrix, matrix[np.ix_(order, order)]))
    assert rows[order] == pytest.approx(moved, abs=1e-9)


@pytest.mark.parametrize("proximity", ["common_neighbors", {"name": "adjacency_power", "order": 3}, "katz"])
def test_products_that_vanish_are_refused_and_nothing_else_is_said(proximity):
    edges = [(0, 1, 1e-160), (1, 2, 2e-160), (2, 3, 1.5e-160)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="below what doubles can tell from 0"):
            PhUSION(proximity, "log", "diagonal").fit(edges)


def test_an_overflow_in_blocks_is_named_and_nothing_else_is_said():
    edges = [(a, b, 1e300) for a, b in nx.random_regular_graph(4, 1_100, seed=1).edges]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="overflow"):
            PhUSION("common_neighbors", "identity", SVD).fit(edges)


@pytest.mark.parametrize("window", [0, 100_001, 10**12, 2**63, 1e308, float("nan")])
def test_a_window_beyond_reason_is_refused_before_any_work(window):
    with pytest.raises(InputError, match=r"window to be a whole number ≥ 1 and ≤ 100000"):
        phusion.embed("karate", "netmf", dim=4, window=window)


@pytest.mark.parametrize("size", [1e160, 1e200, 1e307])
@pytest.mark.parametrize("pooling", [Fourier(), Kernel(), Kernel("laplace", "laplace")])
def test_poolings_with_bandwidths_of_their_own_see_rows_of_any_size_alike(pooling, size):
    """Squared distances overflowed: to Fourier all rows were equal, and to Laplace's kernel all were far apart."""
    rows = [np.array([[1.0], [-1.0], [0.5]]), np.array([[0.0], [0.25]]), np.array([[-2.0], [2.0]])]
    small, large = (pooling.fit([Nodes(each * by) for each in rows], [], 0)[1] for by in (1.0, size))
    assert np.ptp(small) > 0.01
    assert large == pytest.approx(small, abs=1e-9)


@pytest.mark.parametrize("weight", [1e-300, 1e-17, 1e-14, 1e-8, 0.3, 1e4])
def test_the_heuristic_of_fabp_keeps_its_digits_on_weights_of_any_size(weight):
    """It was a difference, of which weights of 1e-14 left two digits, and those below 1e-16 none: refused."""
    with localcontext(prec=700):
        w = Decimal(weight)
        c1, c2 = 4 * w + 2, 6 * w**2 - 1  # degrees of a path of three nodes
        square = (-c1 + (c1**2 + 4 * c2).sqrt()) / (8 * c2)
        expected = [float(4 * square / (1 - 4 * square)), float(2 * square.sqrt() / (1 - 4 * square))]
    graph = phusion.as_graph([("a", "b", weight), ("b", "c", weight)])
    assert Fabp().coefficients(graph) == pytest.approx(expected, rel=1e-13)


def test_an_approximation_by_eigenvectors_is_refused_where_degrees_leave_them_no_digit():
    graph = phusion.as_graph([(0, 1, 6e-18), (1, 2, 0.3), (2, 3, 0.3)])
    with pytest.raises(InputError, match=r"ppmi with a rank is beyond double precision .* or use rank=None"):
        phusion.proximities.Ppmi(3, rank=1).dense(graph)
    assert np.isfinite(phusion.proximities.Ppmi(3).dense(graph)).all()


@pytest.mark.parametrize("strategy", ["dense", "blocked"])
def test_landmarks_are_not_made_for_rounding(strategy):
    whole = phusion.as_graph(np.full((9, 9), 0.25))  # one step leads everywhere alike: the limit of PMI is 0
    spec = Spec("ppmi_limit", "log_ramp", {"name": "characteristic", "landmarks": 6, "upper": "auto"})
    rows = learn(spec, [whole], 0, Resources(strategy=strategy))[1][0]
    assert np.abs(rows - rows[0]).max() < 1e-9


def test_katz_of_light_arcs_without_cycles_is_its_formula_in_blocks():
    graph = phusion.as_graph([(0, 1, 1.6e-246), (1, 2, 1e-246)], directed=True)
    fitted = Katz(beta="auto").fitted([graph])
    blocks = fitted.stream(graph, entrywise=True, kind=np.float64, transposed=False).columns(0, 3)
    for one, block in zip(fitted.at_each_scale(), blocks, strict=True):
        assert np.allclose(block, one.dense(graph), rtol=1e-12, atol=0)


@pytest.mark.parametrize("beta", [0.01, (0.1, 3.0)])
def test_katz_of_heavy_arcs_without_cycles_is_its_formula_in_blocks(beta):
    """β over a λmax of 0 overflowed as a power, and the sum went on for a million steps."""
    graph = phusion.as_graph([(0, 1, 2.5e140), (1, 2, 1e-6), (3, 0, 1e-100)], directed=True)
    katz = Katz(beta=beta)
    blocks = katz.stream(graph, entrywise=True, kind=np.float64, transposed=False).columns(0, 4)
    for one, block in zip(katz.at_each_scale(), blocks, strict=True):
        steps = one.beta * graph.adjacency.toarray()
        assert np.allclose(block, steps + steps @ steps + steps @ steps @ steps, rtol=1e-12, atol=0)


def test_a_sum_that_has_overflowed_ends_at_once(monkeypatch):
    monkeypatch.setattr("phusion.linalg.streams.series._MOST", 1_000)
    graph = phusion.as_graph([(k, k + 1, 1e200) for k in range(5)], directed=True)
    with pytest.raises(InputError, match="overflow"):
        learn(Spec(Katz(beta=1.0), "identity", SVD), [graph], 0, Resources(strategy="blocked", width=2))


def test_a_gap_that_is_only_rounding_is_called_so():
    triangles = nx.disjoint_union(nx.complete_graph(3), nx.complete_graph(3))
    triangles.add_edge(2, 3, weight=1e-18)
    with pytest.raises(InputError, match="which doubles cannot tell from 0 here: parts of this graph hang together"):
        phusion.embed(triangles, "graphwave")
    assert phusion.as_graph(triangles).spectral_gap() == 0.0
    assert Heat(scale="auto").fitted([phusion.as_graph(triangles)]).scale[-1] == 100.0  # as for any tiny gap


def test_entries_whose_sum_overflows_are_refused_without_a_warning():
    """Found by random graphs: the mean of S and Sᵀ adds two entries of 1.4e308."""
    graph = phusion.as_graph([(0, 1, 2e41), (1, 2, 6.7e266)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="overflows on this graph"):
            CommonNeighbors().dense(graph)


FAINT = [
    (Katz(beta=0.001), nx.path_graph(150)),
    (Fabp(), nx.lollipop_graph(80, 500)),
    (Pagerank(alpha=0.2), nx.path_graph(580)),
    (Heat(scale=0.1), nx.path_graph(250)),
]


@pytest.mark.parametrize(("proximity", "graph"), FAINT, ids=["katz", "fabp", "pagerank", "heat"])
def test_logarithms_of_entries_that_leave_the_doubles_are_told_and_the_same_in_any_memory(proximity, graph):
    """Such entries are 0 in one way of computing and a double without digits in another: both count as 0."""
    graph, found = phusion.as_graph(graph), []
    for way in ({"strategy": "dense"}, {"strategy": "blocked", "width": 7}, {"strategy": "blocked", "width": 64}):
        with pytest.warns(MethodWarning, match="Entries below 1e-280 of it, as there may be, count as 0"):
            found.append(learn(Spec(proximity, "log", "diagonal"), [graph], 0, Resources(**way))[1][0])
    assert np.abs(found[0] - found[1]).max() < 1e-9 and np.abs(found[0] - found[2]).max() < 1e-9


def test_logarithms_of_matrices_that_are_faint_as_a_whole_are_right():
    graph = phusion.as_graph([(0, 1, 1e-295), (1, 2, 3e-295)])
    values = Log().apply(next(AdjacencyPower(order=1).matrices(graph))).toarray()
    assert values == pytest.approx(np.array([[0, 0, 0], [0, 0, np.log(3)], [0, np.log(3), 0]]))
