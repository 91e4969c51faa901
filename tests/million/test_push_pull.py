"""Approximate characteristic functions against exact ones on every node, and certificates that tell the truth."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
from scipy import sparse
from tests.execution.ways import preferential
from tests.million.large_graphs import KINDS, errors, graph_of, method_of

import phusion
from phusion.execution.approximation import drawn_each
from phusion.execution.certify import draw, errors_of
from phusion.execution.exact_columns import exact_kind, exact_sums
from phusion.execution.threads import Threads
from phusion.proximities.heat import Heat
from phusion.results.certificate import Certificate, ScaleErrors

HEAT = {"name": "heat", "scale": [0.1, 1.0, 10.0]}
OTHERS = (
    {"name": "katz", "beta": "0.5/λmax"},
    {"name": "fabp"},
    {"name": "pagerank", "alpha": [0.5, 0.85]},
)


def both(kind, proximity, accuracy=0.01, **more):
    graph, method = graph_of(kind), method_of(proximity)
    found = phusion.embed(graph, method, accuracy=accuracy, threads=1, **more)
    exact = phusion.embed(graph, method)
    assert found.certificate.met and found.certificate.method == "push-pull"
    assert np.isfinite(found.values).all() and exact.certificate is None
    return found, errors(found, exact, len(found.certificate.scales))


@pytest.mark.parametrize("kind", KINDS)
def test_every_node_of_every_kind_of_graph_is_near_its_exact_row_and_the_certificate_says_how_near(kind):
    found, away = both(kind, HEAT)
    _, held_out = draw(np.diff(graph_of(kind).arrays[0]), found.certificate.n_uniform, 0)
    assert (np.percentile(away, 95, axis=1) <= 0.01).all()
    assert (np.median(away, axis=1) <= 0.006).all() and away.max() <= 0.05
    for scale, of_all in zip(found.certificate.scales, away, strict=True):
        # its numbers are the true errors of the nodes it looked at, and few of all the others are worse than it says
        uniform, edges = held_out.by_kind(of_all[held_out.nodes])
        true = ScaleErrors.of(scale.scale, uniform, edges, scale.threshold, 0.01)
        assert astuple(scale)[1:] == pytest.approx(astuple(true)[1:], rel=1e-3, abs=2e-6)
        assert np.mean(of_all > 1.1 * scale.worst + 1e-6) <= 0.2
        assert np.mean(of_all > 1.1 * scale.max + 1e-6) <= 0.1


def test_a_certificate_is_honest_whatever_nodes_were_drawn():
    said, true = [], []
    for kind in KINDS:
        exact = phusion.embed(graph_of(kind), method_of(HEAT))
        for seed in (1, 2):
            found = phusion.embed(graph_of(kind), method_of(HEAT), accuracy=0.01, threads=1, random_state=seed)
            assert found.certificate.met and found.certificate.confidence > 0.5
            true += np.percentile(errors(found, exact, 3), 95, axis=1).tolist()
            said += [scale.worst for scale in found.certificate.scales]
    said, true = np.array(said), np.array(true)
    assert (true <= 0.01).all()  # of all nodes, where 16 of each kind said so
    ratio = true[true > 1e-4] / said[true > 1e-4]
    assert 0.8 < np.median(ratio) < 1.2 and np.percentile(ratio, 90) < 1.5 and ratio.max() < 5


def test_more_nodes_are_drawn_where_they_cost_little_and_confidence_grows():
    lines = (sparse.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1]).tocsr() for n in (600, 40_000))
    small, large = (drawn_each(Heat(scale=(1.0, 10.0)).walks(phusion.as_graph(line))) for line in lines)
    assert small == 16 and 50 <= large <= 64
    errors_at = ScaleErrors.of("heat_s1", np.full(64, 0.001), np.full(64, 0.001), 1e-4, 0.01)
    assert Certificate(0.01, "push-pull", (errors_at,), 64, 64, 128).confidence == pytest.approx(1 - 0.95**64)
    some = np.where(np.arange(64) < 3, 0.02, 0.001)
    errors_at = ScaleErrors.of("heat_s1", some, some, 1e-4, 0.01)
    assert errors_at.beyond == 3
    assert Certificate(0.01, "push-pull", (errors_at,), 64, 64, 128).confidence == pytest.approx(0.3986, abs=1e-4)


@pytest.mark.parametrize("proximity", OTHERS, ids=lambda each: each["name"])
@pytest.mark.parametrize("kind", ["expander", "weighted", "star"])
def test_katz_fabp_and_pagerank_are_approximated_too(kind, proximity):
    _, away = both(kind, proximity)
    assert (np.percentile(away, 95, axis=1) <= 0.01).all() and away.max() <= 0.05


def test_pagerank_by_rows_is_another_matrix_and_approximated_as_well():
    graph, method = graph_of("expander"), method_of({"name": "pagerank", "alpha": 0.85}, axis="rows")
    found, exact = phusion.embed(graph, method, accuracy=0.01), phusion.embed(graph, method)
    assert np.percentile(errors(found, exact, 1), 95) <= 0.01
    columns = phusion.embed(graph, method_of({"name": "pagerank", "alpha": 0.85}))
    assert np.percentile(errors(found, columns, 1), 95) > 0.1


def test_small_components_and_isolated_nodes_are_followed_to_the_end():
    graph = graph_of("disconnected")
    _, away = both("disconnected", {"name": "heat", "scale": [1.0, 10.0]})
    sizes = np.bincount(graph.components)[graph.components]
    assert away[:, sizes <= 5].max() < 2e-5


def test_katz_has_nothing_for_nodes_without_neighbours_and_certificates_take_no_noise_for_something():
    graph = graph_of("disconnected")
    found, away = both("disconnected", {"name": "katz", "beta": "0.5/λmax"})
    alone = graph.degrees == 0
    assert alone.sum() > 0.02 * len(graph) and (away[:, alone] == 0).all() and (found.values[alone] == 0).all()


@pytest.mark.parametrize("proximity", [HEAT, *OTHERS], ids=lambda each: each["name"])
@pytest.mark.parametrize("kind", KINDS)
def test_exact_columns_are_exact_enough_to_measure_by(kind, proximity):
    graph, method = graph_of(kind), phusion.Spec.from_dict(method_of(proximity))
    walks = method.proximity.walks(graph)
    nodes = np.arange(0, len(graph), 7)
    exact = np.split(phusion.embed(graph, method).values[nodes], walks.count, axis=1)
    for target, tolerance in ((0.01, 2e-5), (0.001, 5e-6)):  # weights are stored in single precision
        kind_of_numbers = exact_kind(walks, target)
        found = exact_sums(
            walks, graph.components, nodes, method.embedding, [None] * walks.count, kind_of_numbers, Threads(1)
        )
        assert errors_of(found, np.array(exact)).max() <= tolerance
    assert exact_kind(walks, 0.01) is (np.float64 if proximity["name"] == "katz" else np.float32)


def test_values_too_small_for_single_precision_are_no_new_nodes():
    """A star beside triangles: what long Katz walks in a triangle weigh underflows, which once wrote past the lists."""
    star = sparse.lil_array((401, 401))
    star[0, 1:] = 1.0
    triangles = sparse.kron(sparse.eye_array(30), np.ones((3, 3)) - np.eye(3))
    graph = phusion.as_graph(sparse.block_diag([star + star.T, triangles], format="csr"))
    for proximity in ({"name": "katz", "beta": "0.9/λmax"}, {"name": "fabp"}):
        found = phusion.embed(graph, method_of(proximity), accuracy=0.01, threads=1)
        exact = phusion.embed(graph, method_of(proximity))
        assert found.certificate.met and errors(found, exact, 1).max() < 0.01


def test_columns_of_weak_nodes_are_as_exact_as_others():
    """Weights from 10⁻⁵ to 10⁵: moments of Katz in single precision are noise where a node's weights are small."""
    random = np.random.default_rng(0)
    upper = sparse.triu(preferential(700, 3, seed=5).adjacency).tocsr()
    upper.data = 10.0 ** random.uniform(-5, 5, len(upper.data))
    graph = phusion.as_graph((upper + upper.T).tocsr())
    method = method_of({"name": "katz", "beta": "0.5/λmax"})
    exact = phusion.embed(graph, method)
    for seed in (1, 2):
        found = phusion.embed(graph, method, accuracy=0.01, threads=1, random_state=seed)
        away = errors(found, exact, 1)
        assert found.certificate.met and np.percentile(away, 95) <= 0.01 and away.max() < 0.1


@pytest.mark.parametrize("proximity", [{"name": "heat", "scale": 100.0}, {"name": "pagerank"}], ids=str)
def test_graphs_of_self_loops_alone_settle_at_once(proximity):
    graph = phusion.as_graph(sparse.eye_array(400).tocsr())
    found, exact = (phusion.embed(graph, method_of(proximity), accuracy=each) for each in (0.01, "exact"))
    assert np.allclose(found.values, exact.values, rtol=1e-4, atol=1e-4)


def test_the_few_nodes_that_have_neighbours_are_drawn_though_most_have_none():
    degrees = np.zeros(30_000)
    degrees[:60] = 3
    chosen, held_out = draw(degrees, 64, 0)
    assert chosen.each == held_out.each == 30
    linked = np.concatenate([chosen.nodes[30:], held_out.nodes[30:]])
    assert sorted(linked) == list(range(60)) and len({*chosen.nodes, *held_out.nodes}) == 120
    nobody, others = draw(np.zeros(500), 16, 0)
    assert nobody.each == others.each == 16
    connected = preferential(60, 3).adjacency
    graph = phusion.as_graph(sparse.block_diag([connected, sparse.csr_array((3000, 3000))], format="csr"))
    method = method_of({"name": "heat", "scale": 1.0})
    found, exact = (phusion.embed(graph, method, accuracy=each) for each in (0.01, "exact"))
    assert found.certificate.met and errors(found, exact, 1)[:, :60].max() < 0.05


@pytest.mark.parametrize("landmarks", [(0.5, 3.0, 50.0), 7, (20.0,)])
def test_landmarks_need_not_be_even(landmarks):
    method = method_of({"name": "heat", "scale": 1.0}, landmarks=landmarks)
    found, exact = (phusion.embed(graph_of("expander"), method, accuracy=each) for each in (0.01, "exact"))
    assert np.percentile(errors(found, exact, 1), 95) <= 0.01


def test_finer_accuracy_is_finer_and_every_form_of_a_row_is_the_same_result():
    _, coarse = both("expander", {"name": "heat", "scale": 1.0}, 0.05)
    _, fine = both("expander", {"name": "heat", "scale": 1.0}, 0.002)
    assert np.percentile(fine, 95) <= 0.002 and fine.mean() < coarse.mean()
    graph, n = graph_of("expander"), 600
    heat = {"name": "heat", "scale": 1.0}
    centered = phusion.embed(graph, method_of(heat), accuracy=0.01)
    usual = phusion.embed(graph, {"proximity": heat, "embedding": "characteristic"}, accuracy=0.01)
    assert np.allclose(n * usual.values - n * (np.arange(50) < 25), centered.values, atol=1e-9)
    assert usual.certificate.scales[0].p95 == pytest.approx(centered.certificate.scales[0].p95, abs=1e-9)


def test_threads_and_the_order_of_work_change_no_bit_and_seeds_do():
    graph, method = graph_of("expander"), method_of(HEAT)
    one, two, again = (phusion.embed(graph, method, accuracy=0.01, threads=each) for each in (1, 2, 1))
    assert np.array_equal(one.values, two.values) and one.certificate == two.certificate == again.certificate
    other = phusion.embed(graph, method, accuracy=0.01, random_state=7)
    assert not np.array_equal(one.values, other.values) and other.certificate != one.certificate


def test_samples_are_disjoint_and_the_second_half_leans_to_hubs():
    degrees = np.ones(1000)
    degrees[:50] = 200.0
    chosen, held_out = draw(degrees, 20, 0)
    together = np.concatenate([chosen.nodes, held_out.nodes])
    assert len(set(together.tolist())) == 80
    assert (degrees[held_out.nodes[20:]] > 1).mean() > 0.5 > (degrees[held_out.nodes[:20]] > 1).mean()


def test_errors_are_relative_and_nothing_has_no_error_from_nothing():
    exact = np.array([[3.0, 4.0], [0.0, 0.0], [0.0, 0.0]])
    found = np.array([[3.0, 4.5], [0.0, 0.0], [1.0, 0.0]])
    assert errors_of(found, exact).tolist() == [0.1, 0.0, np.inf]
