"""The preset prone is ProNE as its authors define it."""

from __future__ import annotations

import numpy as np
from tests.million import positional_oracle as oracle
from tests.theory.oracle import random_adjacency

import phusion
from phusion.presets.registry import find


def test_the_preset_is_the_published_system_on_a_graph_small_enough_to_write_out():
    A = (random_adjacency(60, 0.1, 1) > 0) * 1.0
    A[0, 1:] = A[1:, 0] = 1.0
    found = phusion.embed(A, "prone", dim=10).values
    U, s, _ = np.linalg.svd(oracle.edge_pmi(A))
    expected = oracle.rotated(oracle.prone(A, U[:, :10] * np.sqrt(s[:10])))
    assert np.allclose(oracle.inner(found), oracle.inner(expected), atol=1e-6)


def test_the_numbers_are_the_authors():
    spec = find("prone").spec
    assert spec.embedding.dim == 128 and spec.proximity.smoothing == 0.75 and spec.proximity.negative == 1.0
    assert (spec.propagate.order, spec.propagate.mu, spec.propagate.theta) == (10, 0.2, 0.5)
    assert "IJCAI 2019" in find("prone").citation


def test_ours_and_theirs_share_the_matrix_and_differ_in_the_filter():
    ours, theirs = find("edge-pmi").spec, find("prone").spec
    assert ours.proximity == theirs.proximity and ours.propagate.products == 5 and theirs.propagate.products == 19
