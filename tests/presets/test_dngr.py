"""DNGR against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from tests.presets.matrices import (
    assert_left_factor,
    embed,
    walk,
)


def surfing(A: np.ndarray, alpha: float = 0.98, steps: int = 10) -> np.ndarray:
    """Cao et al. 2016: PPMI of the summed steps of random surfing."""
    n, R = len(A), walk(A)
    P, total = np.eye(n), np.zeros((n, n))
    for _ in range(steps):
        P = alpha * P @ R + (1 - alpha) * np.eye(n)
        total += P
    expected = np.outer(total.sum(axis=1), total.sum(axis=0)) / total.sum()
    return np.log(np.maximum(total / expected, 1))


@pytest.mark.parametrize(("alpha", "steps"), [(0.98, 10), (0.5, 3), (1.0, 1)])
def test_dngr_reduces_the_ppmi_of_random_surfing(undirected: np.ndarray, alpha: float, steps: int) -> None:
    Y = embed(undirected, "dngr", embedding={"name": "svd", "dim": 3}, alpha=alpha, steps=steps)
    assert_left_factor(Y, surfing(undirected, alpha, steps), 3)


def communities(size: int = 25, seed: int = 0) -> np.ndarray:
    """Two groups, dense inside and sparse between."""
    random = np.random.default_rng(seed)
    same = np.equal.outer(*2 * [np.repeat([0, 1], size)])
    upper = np.triu(random.random(same.shape) < np.where(same, 0.5, 0.04), 1)
    return (upper | upper.T).astype(float)


def lost(A: np.ndarray, Y: np.ndarray) -> float:
    """Share of the surfing matrix that the best linear decoder of Y cannot tell."""
    X = surfing(A)
    design = np.column_stack([Y, np.ones(len(Y))])
    rest = X - design @ np.linalg.lstsq(design, X, rcond=None)[0]
    return float((rest**2).sum() / ((X - X.mean(axis=0)) ** 2).sum())


def test_dngr_trains_with_torch_and_reconstructs_better_than_before() -> None:
    pytest.importorskip("torch")
    A = communities()
    untrained = embed(A, "dngr", dim=4, epochs=1, rate=1e-12)
    trained = embed(A, "dngr", dim=4)
    assert trained.shape == (50, 4)
    assert lost(A, trained) < 0.9 * lost(A, untrained)


def test_dngr_trained_with_torch_sets_communities_apart() -> None:
    pytest.importorskip("torch")
    A = communities()
    Y = embed(A, "dngr", dim=8)
    distance = cdist(Y, Y)
    group = np.repeat([0, 1], 25)
    same = np.equal.outer(group, group) & ~np.eye(50, dtype=bool)
    assert distance[same].mean() < 0.7 * distance[~np.equal.outer(group, group)].mean()
    neighbours = (A > 0) & ~np.eye(50, dtype=bool)
    assert distance[neighbours].mean() < 0.8 * distance[(A == 0) & ~np.eye(50, dtype=bool)].mean()


def test_dngr_with_torch_repeats_itself_for_one_seed_and_not_for_another() -> None:
    torch = pytest.importorskip("torch")
    A = communities()
    first = embed(A, "dngr", dim=4, epochs=5)
    torch.manual_seed(99)  # the caller's own generator must not matter
    torch.rand(3)
    np.testing.assert_array_equal(embed(A, "dngr", dim=4, epochs=5), first)
    assert np.abs(embed(A, "dngr", dim=4, epochs=5, random_state=1) - first).max() > 1e-3


def test_dngr_with_torch_leaves_the_callers_random_numbers_alone() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    embed(communities(), "dngr", dim=4, epochs=1)
    assert torch.equal(torch.rand(3), expected)
