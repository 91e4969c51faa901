"""What long walks settle to is known: bounds of all other eigenvalues, and polynomials that need not hold at 1."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy import linalg, sparse

import phusion
from phusion.linalg.second_eigenvalue import second_eigenvalue
from phusion.linalg.streams.base import Sparse
from phusion.proximities.heat import Heat
from phusion.proximities.pagerank import Pagerank
from phusion.proximities.spectral import null_vectors


def expander(n, degree, seed=0):
    return phusion.as_graph(nx.random_regular_graph(degree, n, seed=seed))


def in_parts():
    """Two expanders, a weighted clique, a pair and a node without neighbours."""
    whole = nx.disjoint_union(nx.random_regular_graph(8, 300, seed=1), nx.random_regular_graph(10, 200, seed=2))
    clique = nx.complete_graph(20)
    nx.set_edge_attributes(clique, {edge: 1.0 + sum(edge) / 40 for edge in clique.edges}, "weight")
    whole = nx.disjoint_union(nx.disjoint_union(whole, clique), nx.path_graph(2))
    whole.add_node("alone")
    return phusion.as_graph(whole)


GRAPHS = {
    "expander": expander(600, 10),
    "hubs": phusion.as_graph(nx.barabasi_albert_graph(800, 8, seed=3)),
    "parts": in_parts(),
    "complete": phusion.as_graph(nx.complete_graph(60)),
}


def walked(graph):
    """N with 1 for nodes without neighbours, whose heat stays."""
    return np.eye(len(graph)) - graph.normalized_laplacian.toarray()


@pytest.mark.parametrize("name", GRAPHS)
def test_no_other_eigenvalue_is_above_the_bound_and_the_bound_is_not_far_above(name):
    graph = GRAPHS[name]
    matrix = walked(graph)
    true = np.sort(linalg.eigvalsh(matrix))[-graph.n_components - 1]
    bound = second_eigenvalue(Sparse.of(sparse.csr_array(matrix)), null_vectors(graph, "normalized"), graph.components)
    assert true <= bound <= true + 0.2


@pytest.mark.parametrize("seed", range(20))
def test_bounds_hold_whatever_the_graph(seed):
    graph = expander(200 + 10 * seed, 4 + seed // 3 * 2, seed)
    matrix = walked(graph)
    true = np.sort(linalg.eigvalsh(matrix))[-graph.n_components - 1]
    bound = second_eigenvalue(Sparse.of(sparse.csr_array(matrix)), null_vectors(graph, "normalized"), graph.components)
    assert true <= bound


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["expander", "hubs", "parts"])
def test_columns_beside_what_is_settled_are_those_of_the_formula(name, kind):
    graph, scales = GRAPHS[name], (0.1, 1.0, 10.0, 100.0)
    walks = Heat(scale=scales).walks(graph)
    assert walks.settled is not None
    block = np.random.default_rng(0).standard_normal((len(graph), 5))
    found = walks.polynomials(kind).applied(block)
    for one, scale in zip(found, scales, strict=True):
        exact = Heat(scale=scale).dense(graph) @ block
        assert np.abs(one - exact).max() < (5e-6 if kind == np.float32 else 2e-6)  # N itself is in single precision


def test_a_gap_makes_polynomials_a_third_as_long_and_without_one_nothing_changes():
    walks = Heat(scale=(1.0, 100.0)).walks(GRAPHS["expander"])
    assert 3 * walks.degree() < Heat(scale=(1.0, 100.0)).walks(phusion.as_graph(nx.cycle_graph(600))).degree()
    assert Heat(scale=(1.0, 100.0)).walks(phusion.as_graph(nx.cycle_graph(600))).settled is None
    assert Heat(scale=1.0).walks(GRAPHS["expander"]).settled is None  # short as they are


def test_walks_that_return_home_seldom_settle_too():
    graph = GRAPHS["parts"]
    walks = Pagerank(alpha=0.98).walks(graph)
    assert walks.settled is not None
    found = walks.polynomials(np.float64).applied(np.eye(len(graph)))[0]
    assert np.abs(found - Pagerank(alpha=0.98).dense(graph)).max() < 2e-6
    turned = walks.by_rows().polynomials(np.float64).applied(np.eye(len(graph)))[0]
    assert np.abs(turned - Pagerank(alpha=0.98).dense(graph).T).max() < 2e-6
