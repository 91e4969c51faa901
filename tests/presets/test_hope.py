"""HOPE against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sknetwork.embedding import SVD as SknetworkSVD  # noqa: N811
from sknetwork.ranking import Katz, PageRank
from tests.presets.matrices import (
    KARATE,
    assert_left_factor,
    directed,
    embed,
    factor,
    symmetric,
    walk,
)

import phusion
from phusion.datasets import load


def katz(A: np.ndarray) -> np.ndarray:
    beta = 0.5 / np.abs(np.linalg.eigvals(A)).max()
    return np.linalg.inv(np.eye(len(A)) - beta * A) @ (beta * A)


HOPE = {
    "hope": katz,
    "hope-pagerank": lambda A: 0.15 * np.linalg.inv(np.eye(len(A)) - 0.85 * walk(A)),
    "hope-common-neighbors": lambda A: A @ A,
    "hope-adamic-adar": lambda A: A @ np.diag(1 / (A.sum(axis=0) + A.sum(axis=1))) @ A,
}
ANY = {"karate": KARATE, "weighted with loops": symmetric(), "directed": directed(), "other directed": directed(25, 7)}


@pytest.mark.parametrize("graph", ANY)
@pytest.mark.parametrize("name", HOPE)
def test_hope_gives_sources_and_targets_whose_products_are_the_proximity(name: str, graph: str) -> None:
    A, dim = ANY[graph], 4
    S = HOPE[name](A)
    Y = embed(A, name, dim=dim)
    sources, targets, s = factor(S, dim)
    assert_left_factor(Y[:, :dim], S, dim)
    assert_left_factor(Y[:, dim:], S.T, dim)
    np.testing.assert_allclose(Y[:, :dim] @ Y[:, dim:].T, sources @ targets.T, atol=1e-9 * s[0])


@pytest.mark.parametrize("name", HOPE)
def test_hope_of_all_dimensions_is_the_proximity_itself(name: str) -> None:
    A = directed()
    Y = embed(A, name, dim=len(A))
    S = HOPE[name](A)
    np.testing.assert_allclose(Y[:, : len(A)] @ Y[:, len(A) :].T, S, atol=1e-9 * np.abs(S).max())


def test_hopes_katz_sums_to_scikit_networks_centrality() -> None:
    A = (directed() > 0).astype(float)
    beta = 0.5 / np.abs(np.linalg.eigvals(A)).max()
    oracle = Katz(damping_factor=beta, path_length=80).fit_predict(sp.csr_matrix(A))
    Y = embed(A, "hope", dim=len(A))
    np.testing.assert_allclose((Y[:, : len(A)] @ Y[:, len(A) :].T).sum(axis=0), oracle, rtol=1e-9)


@pytest.mark.parametrize("graph", ANY)
def test_hopes_pagerank_is_scikit_networks_personalised_pagerank(graph: str) -> None:
    A = ANY[graph]
    Y = embed(A, "hope-pagerank", dim=len(A))
    S = Y[:, : len(A)] @ Y[:, len(A) :].T
    solver = PageRank(damping_factor=0.85, n_iter=300, tol=1e-15)
    for root in (0, 5, len(A) - 1):
        np.testing.assert_allclose(S[root], solver.fit_predict(sp.csr_matrix(A), weights={root: 1}), atol=1e-9)


@pytest.mark.parametrize("graph", ANY)
def test_hopes_common_neighbours_factorise_as_scikit_networks_svd(graph: str) -> None:
    A, dim = ANY[graph], 4
    oracle = SknetworkSVD(dim, factor_singular=0.5).fit(sp.csr_matrix(A @ A))
    Y = embed(A, "hope-common-neighbors", dim=dim)
    np.testing.assert_allclose(Y[:, :dim] @ Y[:, dim:].T, oracle.embedding_row_ @ oracle.embedding_col_.T, atol=1e-8)
    np.testing.assert_allclose((Y[:, :dim] ** 2).sum(axis=0), oracle.singular_values_, rtol=1e-9)


def test_the_seed_papers_beta_is_beyond_convergence_where_the_note_of_hope_says(data: Path) -> None:
    beyond = [
        name
        for name in ("blogcatalog", "ppi", "wikipedia", "brazil", "europe", "usa")
        if 0.01 * sp.linalg.eigsh(load(name).adjacency.astype(float), 1, which="LA")[0][0] >= 1
    ]
    assert beyond == ["blogcatalog", "wikipedia", "usa"]
    with pytest.warns(phusion.errors.MethodWarning):
        embed(10 * symmetric(), "hope", dim=3, beta=0.1)
