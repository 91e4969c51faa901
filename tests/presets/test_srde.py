"""sRDE against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.presets.matrices import (
    embed,
    signed,
)

import phusion
from phusion.datasets import load


def srde_proximity(A: np.ndarray, go_on: float = 0.98) -> np.ndarray:
    size = np.abs(A).sum(axis=1, keepdims=True)
    share = np.divide(A, size, out=np.zeros_like(A), where=size > 0)
    return np.asarray((1 - go_on) * np.linalg.inv(np.eye(len(A)) - go_on * share))


def srde(A: np.ndarray, bins: int = 128) -> np.ndarray:
    """As the authors' code: a histogram of each row of (1 − c)(I − cÃ)⁻¹ between its own extremes."""
    return np.array([np.histogram(row, bins=bins)[0] for row in srde_proximity(A)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bins", [128, 10])
def test_srde_is_the_authors_histogram_of_each_row(seed: int, bins: int) -> None:
    A = signed(seed=seed)
    Y = embed(A, "srde", bins=bins)
    np.testing.assert_array_equal(Y, srde(A, bins))
    assert (Y.sum(axis=1) == len(A)).all()


def test_srde_of_the_authors_own_example_agrees_but_for_the_rows_that_are_normalised() -> None:
    A = np.array([[0, 1, -1, 0], [1, 0, -1, 0], [-1, -1, 0, 1], [0, 0, 1, 0]], float)
    np.testing.assert_array_equal(embed(A, "srde"), srde(A))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bitcoin-alpha", "bitcoin-otc"])
def test_srde_runs_on_the_bitcoin_networks(name: str, data: Path) -> None:
    graph = load(name)
    Y = phusion.embed(graph, "srde").values
    n = len(graph.nodes)
    assert Y.shape == (n, 128)
    S = srde_proximity(graph.adjacency.toarray().astype(float))
    expected = np.array([np.histogram(row, bins=128)[0] for row in S])
    assert (Y.sum(axis=1) == n).all()
    for u in np.flatnonzero((expected != Y).any(axis=1)):  # only entries at an edge may fall on its other side
        edges = np.histogram_bin_edges(S[u], 128)
        near = np.abs(S[u][:, None] - edges).min(axis=1) < 1e-6 * (edges[1] - edges[0])
        assert np.abs(expected[u] - Y[u]).sum() <= 2 * near.sum()
    assert (expected == Y).all(axis=1).mean() > 0.95


def test_srde_offers_the_full_signed_walk() -> None:
    A, c, beta, gamma = signed(), 0.15, 0.5, 0.9
    size = np.abs(A).sum(axis=1, keepdims=True)
    share = np.divide(A, size, out=np.zeros_like(A), where=size > 0)
    plus, minus = np.maximum(share, 0).T, np.maximum(-share, 0).T
    n = len(A)
    r_plus, r_minus = np.eye(n), np.zeros((n, n))
    for _ in range(400):  # column i restarts at node i
        r_plus, r_minus = (
            (1 - c) * (plus @ r_plus + beta * minus @ r_minus + (1 - gamma) * plus @ r_minus) + c * np.eye(n),
            (1 - c) * (minus @ r_plus + gamma * plus @ r_minus + (1 - beta) * minus @ r_minus),
        )
    expected = np.array([np.histogram(row, bins=20)[0] for row in (r_plus - r_minus).T])
    Y = embed(A, "srde", form="srwr", restart=c, beta=beta, gamma=gamma, bins=20)
    np.testing.assert_array_equal(Y, expected)
