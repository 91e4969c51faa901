"""The proximity edge_pmi: its formula, its fast path, and what it says of every kind of graph."""

from __future__ import annotations

import numpy as np
import pytest
from tests.execution.ways import preferential
from tests.million import positional_oracle as oracle
from tests.theory.oracle import DIRECTED, UNDIRECTED, random_adjacency

import phusion
from phusion.errors import InputError
from phusion.execution.edges import edges_there
from phusion.execution.jobs import Job, grouped
from phusion.execution.resources import Resources
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.reach import few_steps
from phusion.proximities import EdgePmi

GRAPHS = {**UNDIRECTED, **DIRECTED}


def graph_of(A, name):
    return phusion.as_graph(A, directed=name in DIRECTED)


@pytest.mark.parametrize("name", GRAPHS)
def test_it_is_the_formula_on_edges_and_nothing_elsewhere(name):
    A, graph = GRAPHS[name], graph_of(GRAPHS[name], name)
    for given in ({}, {"smoothing": 0.5, "negative": 3.0}, {"smoothing": 0.0}):
        one = EdgePmi(**given)
        assert np.allclose(one.dense(graph), oracle.edge_pmi(A, **given), rtol=0, atol=1e-12)
        assert np.allclose(one.edge_matrix(graph, np.float64).tosparse().toarray(), one.dense(graph), atol=1e-12)
        assert not one.dense(graph)[A == 0].any()


@pytest.mark.parametrize(("kept", "hub"), [(32, 256), (3, 256), (4, 5), (1, 1)])
def test_two_hops_are_the_mean_of_one_step_and_two_cut_to_the_largest(kept, hub):
    for A, directed in ((random_adjacency(40, 0.15, 1), False), (random_adjacency(30, 0.2, 2, directed=True), True)):
        graph = phusion.as_graph(A, directed=directed)
        one = EdgePmi(hops=2, kept=kept, hub=hub)
        assert np.allclose(one.dense(graph), oracle.two_hops(A, kept=kept, hub=hub), rtol=0, atol=1e-10)
        assert np.allclose(one.edge_matrix(graph, np.float64).tosparse().toarray(), one.dense(graph), atol=1e-10)


@pytest.mark.parametrize("hops", [1, 2])
@pytest.mark.parametrize("name", GRAPHS)
def test_positive_leaves_out_who_is_met_less_often_than_by_chance(name, hops):
    graph = graph_of(GRAPHS[name], name)
    all_of_it, positive = (EdgePmi(hops=hops, kept=4, positive=each) for each in (False, True))
    expected = np.maximum(all_of_it.dense(graph), 0.0)
    assert np.allclose(positive.dense(graph), expected, rtol=0, atol=1e-12)
    found = positive.edge_matrix(graph, np.float64).tosparse()
    assert np.allclose(found.toarray(), expected, rtol=0, atol=1e-10) and found.nnz <= (expected > -1e-9).sum()


def test_three_hops_agree_with_the_dense_formula_and_rows_stay_short():
    graph = phusion.as_graph(random_adjacency(60, 0.2, 3))
    one = EdgePmi(hops=3, kept=6)
    assert np.allclose(one.edge_matrix(graph, np.float64).tosparse().toarray(), one.dense(graph), atol=1e-10)
    assert (one.dense(graph) != 0).sum(axis=1).max() <= 12


def test_equal_entries_stay_or_go_together_whatever_the_order_of_nodes():
    ring = np.roll(np.eye(60), 1, axis=1) + np.roll(np.eye(60), -1, axis=1)
    ring[0, 1:50], ring[1:50, 0] = 1, 1  # a hub whose two-step ends are all alike
    order = np.random.default_rng(0).permutation(60)
    one = EdgePmi(hops=2, kept=5)
    here = one.edge_matrix(phusion.as_graph(ring), np.float64).tosparse().toarray()
    there = one.edge_matrix(phusion.as_graph(ring[np.ix_(order, order)]), np.float64).tosparse().toarray()
    assert np.allclose(there, here[np.ix_(order, order)], atol=1e-10)


def test_blocks_of_rows_do_not_show_in_the_reach(monkeypatch):
    graph = phusion.as_graph(random_adjacency(80, 0.1, 4))
    whole = few_steps(graph.transition, 2, 5, 256).toarray()
    monkeypatch.setattr("phusion.linalg.reach._ENTRIES", 50)
    assert np.array_equal(few_steps(graph.transition, 2, 5, 256).toarray(), whole)


@pytest.mark.parametrize(("hops", "kept", "hub"), [(1, 5, 256), (2, 5, 256), (2, 500, 12), (3, 4, 256), (3, 500, 256)])
@pytest.mark.parametrize("directed", [False, True])
def test_plans_reckon_with_no_fewer_entries_than_there_are_and_with_not_many_more(hops, kept, hub, directed):
    graph = phusion.as_graph(random_adjacency(90, 0.06, 7, directed=directed), directed=directed)
    one = EdgePmi(hops=hops, kept=kept, hub=hub)
    found, reckoned = one.edge_matrix(graph, np.float64).entries, one.edge_entries(graph)
    steps = (graph.transition.toarray() > 0).astype(int)
    walks = sum(np.linalg.matrix_power(steps, hop).sum() for hop in range(1, hops + 1))
    assert found <= reckoned <= walks and (hops == 1 or reckoned <= 2 * kept * len(graph))
    assert hops > 1 or reckoned == found


def test_workers_are_planned_to_hold_a_matrix_of_several_steps_as_it_is():
    graph = preferential(1_500, 6)
    resources = Resources()
    for method in ("edge-pmi", "edge-pmi-far"):
        spec = phusion.preset(method).spec
        (group,) = grouped(graph, [Job(spec, spec.proximity.fitted([graph]))])
        matrix = group.proximity.edge_matrix(graph, np.float32)
        symmetric = matrix.turned is matrix.pattern
        held = EdgeMatrix.size(matrix.n, matrix.entries, np.float32, symmetric=symmetric, plain=not len(matrix.values))
        assert edges_there(group, resources, 1) >= held


def test_a_common_factor_of_all_weights_changes_nothing():
    A = random_adjacency(20, 0.3, 5)
    one = EdgePmi()
    assert np.allclose(one.dense(phusion.as_graph(A)), one.dense(phusion.as_graph(1000 * A)), atol=1e-10)


def test_products_are_those_of_the_matrix_in_both_precisions():
    for directed in (False, True):
        graph = phusion.as_graph(random_adjacency(50, 0.1, 6, directed=directed, loops=True), directed=directed)
        S, x = EdgePmi().dense(graph), np.random.default_rng(0).normal(size=(50, 7))
        for kind, close in ((np.float64, 1e-12), (np.float32, 1e-4)):
            matrix = EdgePmi().edge_matrix(graph, kind)
            assert np.allclose(matrix.times(x.astype(kind)), S @ x, atol=close)
            assert np.allclose(matrix.transposed_times(x.astype(kind)), S.T @ x, atol=close)
            out = x.astype(kind)
            matrix.into(out, x.astype(kind), 2.0, -3.0, x.astype(kind), 0.5)
            assert np.allclose(out, 2 * S @ x - 2.5 * x, atol=10 * close)


def test_signed_graphs_are_refused_and_isolated_nodes_have_zero_rows_and_columns():
    with pytest.raises(InputError, match="EdgePmi does not take signed graphs"):
        EdgePmi().dense(phusion.as_graph([("a", "b", -1.0), ("b", "c", 1.0)]))
    S = EdgePmi().dense(phusion.as_graph(UNDIRECTED["isolated"]))
    assert not S[0].any() and not S[:, -1].any()


def test_structural_functions_take_it_too_a_block_at_a_time():
    graph = phusion.as_graph(random_adjacency(60, 0.1, 8))
    dense = phusion.PhUSION("edge_pmi", "identity", "characteristic").fit_transform(graph)
    from phusion.execution.resources import Resources
    from phusion.pipeline import learn
    from phusion.spec import Spec

    spec = Spec("edge_pmi", "identity", "characteristic")
    _, (blocked,) = learn(spec, [graph], 0, Resources(strategy="blocked", width=7))
    assert np.allclose(dense, blocked, atol=1e-10)
