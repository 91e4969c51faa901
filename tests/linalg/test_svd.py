"""Singular vectors: complete, ordered, and in a form that rounding does not choose."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from phusion.linalg import eigenpairs
from phusion.linalg.svd import truncated_svd


def copies(count: int, size: int = 20) -> np.ndarray:
    part = nx.to_numpy_array(nx.gnp_random_graph(size, 0.3, seed=1))
    return np.kron(np.eye(count), part)


def distinct(n: int, symmetric: bool, seed: int = 0) -> np.ndarray:
    matrix = np.random.default_rng(seed).normal(size=(n, n))
    return matrix + matrix.T if symmetric else matrix


@pytest.fixture(params=["lapack", "iteration"])
def way(request, monkeypatch):
    """Both ways, on matrices that are small enough to know the answer."""
    if request.param == "iteration":
        monkeypatch.setattr(eigenpairs, "_DENSE", 10)
    return request.param


@pytest.mark.parametrize("symmetric", [True, False])
def test_the_largest_singular_values_and_vectors_are_found(way, symmetric):
    matrix = distinct(200, symmetric)
    left, values, right = truncated_svd(matrix, 7, symmetric=symmetric)
    whole = np.linalg.svd(matrix)
    assert np.allclose(values, whole.S[:7], rtol=1e-12)
    assert np.allclose((left * values) @ right.T, (whole.U[:, :7] * whole.S[:7]) @ whole.Vh[:7], atol=1e-9)
    assert (left[np.abs(left).argmax(axis=0), range(7)] > 0).all()


@pytest.mark.parametrize("symmetric", [True, False])
def test_every_copy_of_a_repeated_singular_value_is_found(way, symmetric):
    matrix = copies(30) if symmetric else np.kron(np.eye(30), distinct(20, symmetric=False))
    left, values, right = truncated_svd(matrix, 45, symmetric=symmetric)
    assert np.allclose(values, np.linalg.svd(matrix, compute_uv=False)[:45], rtol=1e-10)
    assert np.allclose(left.T @ left, np.eye(45), atol=1e-9) and np.allclose(right.T @ right, np.eye(45), atol=1e-9)
    assert np.allclose(matrix @ right, left * values, atol=1e-8)


@pytest.mark.parametrize("rank", [3, 4, 10, 64])
def test_vectors_of_equal_values_do_not_hang_on_rounding(rank):
    grid = nx.to_numpy_array(nx.grid_2d_graph(8, 8))
    noise = np.random.default_rng(0).normal(size=grid.shape) * 1e-15
    left, values, right = truncated_svd(grid, rank, symmetric=True)
    other = truncated_svd(grid + noise + noise.T, rank, symmetric=True)
    assert np.allclose(left * np.sqrt(values), other[0] * np.sqrt(other[1]), atol=1e-6)
    assert np.allclose(right, other[2], atol=1e-6) or values[-1] == 0


def test_positive_eigenvalues_come_before_negative_ones_of_equal_size():
    left, values, right = truncated_svd(nx.to_numpy_array(nx.path_graph(2)), 2, symmetric=True)
    assert np.allclose(values, 1) and np.allclose(left[:, 0], right[:, 0]) and np.allclose(left[:, 1], -right[:, 1])


def test_values_that_are_rounding_are_zero_and_so_is_the_matrix_of_zeros():
    column = np.arange(1.0, 6.0)[:, None]
    assert (truncated_svd(column @ column.T, 3, symmetric=True)[1] > 0).tolist() == [True, False, False]
    left, values, right = truncated_svd(np.zeros((3, 3)), 2, symmetric=True)
    assert not values.any() and np.isfinite(left).all() and np.isfinite(right).all()


def test_values_descend_but_for_those_that_count_as_equal():
    """Wider steps once put a smaller one first, and a value of 0 before others."""
    values = np.array([1.0, 1 - 3e-10, 1 - 5e-11, 1e-9, 0.0, 2e-15])
    signs = np.array([1, 1, -1, 1, 1, -1])
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    left, found, right = truncated_svd((turn * (values * signs)) @ turn.T, 6, symmetric=True)
    assert found == pytest.approx([1, 1 - 5e-11, 1 - 3e-10, 1e-9, 0, 0], abs=1e-14)
    assert (left * right).sum(axis=0)[:4] == pytest.approx([1, -1, 1, 1])
