"""Graphs as plain matrices, and the formulas that several systems share; none of phusion's own code."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import scipy.linalg

import phusion


def symmetric(n: int = 30, seed: int = 0, density: float = 0.2, loops: bool = True) -> np.ndarray:
    """A connected graph with weights that nothing shares, so that singular values are apart."""
    random = np.random.default_rng(seed)
    upper = np.triu(random.uniform(0.5, 2, (n, n)) * (random.random((n, n)) < density), 0 if loops else 1)
    upper[np.arange(n - 1), np.arange(1, n)] = random.uniform(0.5, 2, n - 1)
    upper[0, 2] = 1.5  # a triangle, so it is not bipartite
    return upper + np.triu(upper, 1).T


def directed(n: int = 30, seed: int = 0, density: float = 0.15) -> np.ndarray:
    """Strongly connected, and different in both directions."""
    random = np.random.default_rng(seed)
    matrix = random.uniform(0.5, 2, (n, n)) * (random.random((n, n)) < density)
    matrix[np.arange(n), (np.arange(n) + 1) % n] = 1.3
    return matrix


def signed(n: int = 40, seed: int = 0) -> np.ndarray:
    """Directed, weighted, signed; the last node has no arcs at all, the one before it none going out."""
    random = np.random.default_rng(seed)
    matrix = random.normal(0.5, 2, (n, n)) * (random.random((n, n)) < 0.15)
    np.fill_diagonal(matrix, 0)
    matrix[-2:], matrix[:, -1] = 0, 0
    matrix[0, -2] = -1.0
    return matrix


def apart(*matrices: np.ndarray) -> np.ndarray:
    return np.asarray(scipy.linalg.block_diag(*matrices))


KARATE = nx.to_numpy_array(nx.karate_club_graph(), weight=None)
CONNECTED = {"karate": KARATE, "weighted with loops": symmetric(), "weighted": symmetric(25, 3, loops=False)}
PIECES = apart(symmetric(12, 1), symmetric(18, 2, loops=False))
LONELY = apart(symmetric(12, 4), np.zeros((2, 2)))  # two isolated nodes
UNDIRECTED = {**CONNECTED, "disconnected": PIECES}


def walk(A: np.ndarray) -> np.ndarray:
    """R = D⁻¹A; a row without arcs stays 0."""
    d = A.sum(axis=1, keepdims=True)
    return np.divide(A, d, out=np.zeros_like(A), where=d > 0)


def laplacian(A: np.ndarray) -> np.ndarray:
    """𝓛 = I − D^-½ A D^-½, and 0 for isolated nodes."""
    d = A.sum(axis=1)
    root = np.divide(1, np.sqrt(d), out=np.zeros_like(d), where=d > 0)
    return np.diag((d > 0).astype(float)) - root[:, None] * A * root


def factor(matrix: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """U Σ^½, V Σ^½ and Σ of rank dim, which must be told from the next singular value."""
    U, s, Vt = np.linalg.svd(matrix)
    assert dim == len(s) or s[dim - 1] - s[dim] > 1e-5 * s[0], "the test's graph does not separate this dimension"
    return U[:, :dim] * np.sqrt(s[:dim]), Vt[:dim].T * np.sqrt(s[:dim]), s[:dim]


def assert_left_factor(Y: np.ndarray, matrix: np.ndarray, dim: int) -> None:
    """Y is U Σ^½ of the matrix, up to signs and turns among equal singular values."""
    expected, _, s = factor(matrix, dim)
    assert Y.shape == expected.shape
    scale = s[0]
    np.testing.assert_allclose((Y**2).sum(axis=0) / scale, s / scale, atol=1e-10)
    np.testing.assert_allclose(Y @ Y.T / scale, expected @ expected.T / scale, atol=1e-9)
    gap = np.diff(np.concatenate([[np.inf], s, [np.linalg.svd(matrix, compute_uv=False)[dim:][:1].sum()]]))
    alone = (-gap[:-1] > 1e-4 * scale) & (-gap[1:] > 1e-4 * scale)
    signs = np.sign((Y * expected).sum(axis=0))
    np.testing.assert_allclose((Y * signs)[:, alone] / scale**0.5, expected[:, alone] / scale**0.5, atol=1e-8)


def embed(A: np.ndarray, name: str, **changes: Any) -> np.ndarray:
    return np.asarray(phusion.embed(phusion.as_graph(A), name, **changes).values)
