"""What the page "Coming from …" says of other libraries: equal where it says so, different where it says how."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp

import phusion
from phusion import PhUSION

FLORENCE = nx.florentine_families_graph()
A = nx.to_numpy_array(FLORENCE)


def normalized_laplacian(matrix):
    d = matrix.sum(axis=1)
    return np.eye(len(matrix)) - matrix / np.sqrt(np.outer(d, d))


def same_but_for_signs(ours, theirs, tolerance=1e-8):
    signs = np.sign((ours * theirs).sum(axis=0))
    np.testing.assert_allclose(ours, theirs * signs, atol=tolerance)


def test_karateclubs_graphwave_is_heat_of_the_combinatorial_laplacian_divided_by_its_largest_eigenvalue():
    values, vectors = np.linalg.eigh(np.diag(A.sum(axis=1)) - A)  # self-loops, which it adds, cancel in D − A
    heat = vectors * np.exp(-1.0 * values / values[-1]) @ vectors.T
    phi = np.exp(1j * np.einsum("t,vu->utv", 0.1 * np.arange(200), heat)).mean(axis=2)
    theirs = np.hstack([phi.real, phi.imag])
    changes = {"laplacian": "combinatorial", "scale": 1.0 / values[-1], "landmarks": 200, "upper": 19.9}
    np.testing.assert_allclose(phusion.embed(FLORENCE, "graphwave", **changes).values, theirs, atol=1e-10)


def test_graphwave_of_its_authors_is_ours_with_cosines_and_sines_side_by_side():
    scales, times = [0.5, 2.0], np.linspace(0, 100, 25)
    blocks = []
    for scale in scales:
        heat = scipy.linalg.expm(-scale * normalized_laplacian(A))
        chi = np.empty((len(A), 50))
        chi[:, ::2] = np.cos(np.einsum("t,vu->utv", times, heat)).mean(axis=2)
        chi[:, 1::2] = np.sin(np.einsum("t,vu->utv", times, heat)).mean(axis=2)
        blocks.append(chi)
    ours = phusion.embed(FLORENCE, "graphwave", scale=scales)
    columns = np.arange(ours.dim).reshape(-1, 2, 25).transpose(0, 2, 1).ravel()
    np.testing.assert_allclose(ours.values[:, columns], np.hstack(blocks), atol=1e-9)


def test_a_node_without_edges_keeps_all_of_its_heat():
    graph = phusion.as_graph([("a", "b")], nodes=["a", "b", "lonely"])
    assert phusion.proximities.Heat(scale=2.0).dense(graph)[2].tolist() == [0.0, 0.0, 1.0]


def authors_netmf(matrix, window=10):
    """With self-loops left out of A and D, but not of the volume; columns as the rising singular values have them."""
    bare = matrix - np.diag(np.diag(matrix))
    d = bare.sum(axis=1)
    steps = np.eye(len(bare)) - normalized_laplacian(bare)
    total = sum(np.linalg.matrix_power(steps, r) for r in range(1, window + 1))
    M = matrix.sum() / window * total / np.sqrt(np.outer(d, d))
    U, s, _ = np.linalg.svd(np.log(np.maximum(M, 1)))
    return (U * np.sqrt(s))[:, 7::-1]


def test_netmf_of_its_authors_is_ours_without_self_loops_and_another_with_them():
    ours, theirs = phusion.embed(FLORENCE, "netmf", dim=8).values, authors_netmf(A)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-8)
    assert (np.diff((theirs**2).sum(axis=0)) > 0).all() and (np.diff((ours**2).sum(axis=0)) < 0).all()
    looped = A + np.diag(np.arange(len(A)) % 3.0)
    ours, theirs = phusion.embed(looped, "netmf", dim=8).values, authors_netmf(looped)
    assert np.abs(ours @ ours.T - theirs @ theirs.T).max() > 0.1


def test_netlsd_is_equal():
    netlsd = pytest.importorskip("netlsd")
    graphs = [FLORENCE, nx.cycle_graph(15)]
    ours = phusion.embed(graphs, "netlsd").values
    theirs = [netlsd.heat(graph) for graph in graphs]
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    assert np.linalg.norm(ours[0] - ours[1]) == pytest.approx(netlsd.compare(*theirs))


def test_scikit_networks_svd_of_the_adjacency_is_equal_and_its_default_a_column_scaling_away():
    embedding = pytest.importorskip("sknetwork.embedding")
    ours = PhUSION({"name": "adjacency_power", "order": 1}, "identity", {"name": "svd", "dim": 5}).fit(FLORENCE)
    Y = ours.embedding_
    matrix = sp.csr_matrix(A)
    same_but_for_signs(Y, embedding.SVD(5, factor_singular=0.5).fit_transform(matrix))
    same_but_for_signs(Y * np.linalg.norm(Y, axis=0), embedding.SVD(5).fit_transform(matrix))


def test_scikit_networks_spectral_embedding_has_the_eigenvectors_of_heat_divided_by_root_degrees():
    embedding = pytest.importorskip("sknetwork.embedding")
    theirs = embedding.Spectral(4, normalized=False).fit(sp.csr_matrix(A))
    ours = PhUSION({"name": "heat", "scale": 1}, "identity", {"name": "svd", "dim": 5}).fit(FLORENCE).embedding_[:, 1:]
    lengths = np.sqrt(np.exp(-(1 - theirs.eigenvalues_)))
    same_but_for_signs(ours / lengths / np.sqrt(A.sum(axis=1))[:, None], theirs.embedding_, 1e-6)


def test_scikit_networks_pagerank_from_a_seed_is_a_row_of_ours():
    ranking = pytest.importorskip("sknetwork.ranking")
    theirs = ranking.PageRank(n_iter=300, tol=1e-15).fit_predict(sp.csr_matrix(A), weights={0: 1})
    np.testing.assert_allclose(phusion.proximities.Pagerank(alpha=0.85).dense(FLORENCE)[0], theirs, atol=1e-9)
