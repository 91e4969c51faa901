"""InfiniteWalk against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from tests.presets.matrices import (
    CONNECTED,
    PIECES,
    assert_left_factor,
    embed,
    laplacian,
)

import phusion


def infinitewalk(A: np.ndarray, window: float = 10.0) -> np.ndarray:
    """Chanpuriya and Musco: T log max(ε, 1 + PMI∞/T) with PMI∞ = 1 + vol D^-½(𝓛⁺ − I)D^-½."""
    root = np.sqrt(A.sum() / A.sum(axis=1))
    limit = 1 + root[:, None] * (np.linalg.pinv(laplacian(A), hermitian=True) - np.eye(len(A))) * root
    return window * np.log(np.maximum(np.finfo(float).eps, 1 + limit / window))


@pytest.mark.parametrize("window", [10.0, 1.0, 100.0])
def test_infinitewalk_factorises_the_ramped_log_of_the_limit(connected: np.ndarray, window: float) -> None:
    expected = infinitewalk(connected, window)
    Y = embed(connected, "infinitewalk", dim=3, nonlinearity__window=window)
    assert_left_factor(Y, expected, 3)
    values, vectors = scipy.linalg.eigh(expected)  # as the authors: eigenpairs of largest magnitude, √|w|
    largest = np.argsort(-np.abs(values))[:3]
    theirs = vectors[:, largest] * np.sqrt(np.abs(values[largest]))
    np.testing.assert_allclose(Y @ Y.T, theirs @ theirs.T, atol=1e-8 * np.abs(values).max())


def test_infinitewalk_is_the_limit_of_netmfs_matrix() -> None:
    A = CONNECTED["weighted with loops"]
    T = 10**5
    values, vectors = scipy.linalg.eigh(np.eye(len(A)) - laplacian(A))
    geometric = values * (1 - values**T) / np.where(values < 1 - 1e-12, 1 - values, 1) / T
    geometric[-1] = 1
    root = np.sqrt(A.sum() / A.sum(axis=1))
    finite = root[:, None] * (vectors * geometric) @ vectors.T * root
    np.testing.assert_allclose(T * np.log(finite), infinitewalk(A, float(T)), rtol=1e-3, atol=1e-2)
    assert_left_factor(embed(A, "infinitewalk", dim=3, nonlinearity__window=T), infinitewalk(A, T), 3)


def test_infinitewalk_warns_where_the_limit_does_not_exist() -> None:
    with pytest.warns(phusion.errors.MethodWarning):
        Y = embed(PIECES, "infinitewalk", dim=3)
    assert_left_factor(Y, infinitewalk(PIECES), 3)


def binarized(A: np.ndarray, percentile: float) -> np.ndarray:
    """1 above the ⌊n²p⌋-th smallest entry of 𝓛⁺, where entries equal but for rounding are not above it."""
    S = np.linalg.pinv(laplacian(A), hermitian=True)
    threshold = np.sort(S.ravel())[min(int(S.size * percentile / 100), S.size - 1)]
    return (threshold + 1e-10 * np.abs(S).max() < S).astype(float)


@pytest.mark.parametrize("percentile", [5.0, 50.0, 95.0])
def test_infinitewalk_binary_factorises_the_thresholded_pseudoinverse(connected: np.ndarray, percentile: float) -> None:
    matrix = binarized(connected, percentile)
    s = np.linalg.svd(matrix, compute_uv=False)
    dim = int(np.flatnonzero(-np.diff(s[:8]) > 1e-3 * s[0])[-1]) + 1  # binary matrices repeat singular values
    assert_left_factor(embed(connected, "infinitewalk-binary", dim=dim, percentile=percentile), matrix, dim)


def test_infinitewalk_binary_takes_half_of_the_entries_unless_told() -> None:
    A = CONNECTED["weighted"]
    matrix = binarized(A, 50)
    assert abs(matrix.mean() - 0.5) < 2 / matrix.size**0.5
    assert_left_factor(embed(A, "infinitewalk-binary", dim=2), matrix, 2)
