"""NetMF against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
from sklearn.decomposition import TruncatedSVD
from tests.presets.matrices import (
    CONNECTED,
    KARATE,
    assert_left_factor,
    embed,
    factor,
    walk,
)

import phusion
from phusion.datasets import load


def netmf(A: np.ndarray, window: int = 10, negative: float = 1.0) -> np.ndarray:
    """Qiu et al., algorithm 3: log max(M, 1) of the summed powers."""
    R = walk(A)
    total = sum(np.linalg.matrix_power(R, r) for r in range(1, window + 1))
    return np.log(np.maximum(A.sum() / (negative * window) * total / A.sum(axis=1), 1))


def netmf_large(A: np.ndarray, rank: int, window: int = 10, negative: float = 1.0) -> np.ndarray:
    """Qiu et al., algorithm 4: the algebraically largest eigenvalues, filtered."""
    d = A.sum(axis=1)
    values, vectors = scipy.linalg.eigh(A / np.sqrt(np.outer(d, d)), subset_by_index=[len(A) - rank, len(A) - 1])
    filtered = np.maximum(0, np.mean([values**r for r in range(1, window + 1)], axis=0))
    M = A.sum() / negative * (vectors * filtered) @ vectors.T / np.sqrt(np.outer(d, d))
    return np.log(np.maximum(M, 1))


@pytest.mark.parametrize(("window", "negative"), [(10, 1.0), (1, 1.0), (3, 2.0)])
def test_netmf_factorises_the_log_of_the_exact_window(undirected: np.ndarray, window: int, negative: float) -> None:
    expected = netmf(undirected, window, negative)
    assert_left_factor(embed(undirected, "netmf", dim=4, window=window, negative=negative), expected, 4)


@pytest.mark.parametrize("rank", [3, 10, 20])
def test_netmf_large_factorises_the_log_of_filtered_eigenpairs(connected: np.ndarray, rank: int) -> None:
    if connected is KARATE and rank == 20:
        pytest.skip("karate's eigenvalue 0 is many times there, so 20 eigenpairs are not a definite choice")
    assert_left_factor(embed(connected, "netmf-large", dim=4, rank=rank), netmf_large(connected, rank), 4)


def test_netmf_large_of_all_eigenpairs_is_not_netmf_where_the_filter_is_negative() -> None:
    A = CONNECTED["weighted"]
    difference = netmf_large(A, len(A), window=1) - netmf(A, window=1)
    assert np.abs(difference).max() > 0.1
    assert_left_factor(embed(A, "netmf-large", dim=4, rank=len(A), window=1), netmf_large(A, len(A), window=1), 4)


def test_netmf_of_ppi_agrees_with_scikit_learns_truncated_svd(data: Path) -> None:
    ppi = load("ppi").largest_component()
    ppi = ppi.subgraph(ppi.nodes[np.argsort(-ppi.degrees, kind="stable")[:600]]).largest_component()
    matrix = netmf(ppi.adjacency.toarray())
    oracle = TruncatedSVD(16, algorithm="arpack", random_state=0).fit(matrix)
    Y = phusion.embed(ppi, "netmf", dim=16).values
    np.testing.assert_allclose((Y**2).sum(axis=0), oracle.singular_values_, rtol=1e-10)
    np.testing.assert_allclose(Y @ Y.T, factor(matrix, 16)[0] @ factor(matrix, 16)[0].T, atol=1e-8)


def test_netmf_keeps_self_loops_in_adjacency_degrees_and_volume() -> None:
    A = CONNECTED["weighted with loops"]
    assert np.diag(A).sum() > 1
    without = netmf(A - np.diag(np.diag(A)))
    assert np.abs(netmf(A) - without).max() > 0.1
    assert_left_factor(embed(A, "netmf", dim=3), netmf(A), 3)
