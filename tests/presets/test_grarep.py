"""GraRep against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.presets.matrices import (
    assert_left_factor,
    directed,
    embed,
    walk,
)

import phusion
from phusion.datasets import load


def grarep(A: np.ndarray, order: int) -> np.ndarray:
    """Cao et al. 2015: max(0, log(R^k_ij / Σ_t R^k_tj) − log(1/n))."""
    power = np.linalg.matrix_power(walk(A), order)
    share = power / power.sum(axis=0)
    return np.log(np.maximum(share * len(A), 1))


def test_grarep_concatenates_the_factors_of_four_steps(undirected: np.ndarray) -> None:
    dim = 3
    Y = embed(undirected, "grarep", dim=dim)
    assert Y.shape == (len(undirected), 4 * dim)
    for order in range(1, 5):
        assert_left_factor(Y[:, (order - 1) * dim : order * dim], grarep(undirected, order), dim)


def test_grarep_of_a_directed_graph_follows_the_arcs() -> None:
    assert_left_factor(embed(directed(), "grarep", dim=3, order=[2]), grarep(directed(), 2), 3)


def test_grarep_has_128_features_and_normalises_rows_only_when_told(data: Path) -> None:
    brazil = load("brazil")
    Y = phusion.embed(brazil, "grarep").values
    assert Y.shape == (131, 128)
    lengths = np.linalg.norm(Y, axis=1, keepdims=True)
    assert lengths.std() > 0.1
    np.testing.assert_allclose(phusion.embed(brazil, "grarep", normalize="l2").values, Y / lengths, atol=1e-10)
