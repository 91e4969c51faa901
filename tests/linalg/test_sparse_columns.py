"""Sums over sparse columns, against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from phusion.linalg.kernels.sparse_columns import column_angle_sums


@pytest.mark.parametrize("count", [1, 24, 100])
@pytest.mark.parametrize("largest", [1e-9, 0.0099, 0.05, 3.0])
def test_small_entries_by_their_powers_and_others_by_rotation(largest, count):
    random = np.random.default_rng(count)
    data = np.concatenate(
        [largest * random.uniform(-1, 1, 700), [0.0, 1.0, 2.0, 2.0, 5.0], largest * random.random(60)]
    )
    indptr, half = np.array([0, 300, 300, 705, len(data)]), 50.0 / count
    squares, products = np.zeros((2, 4, count))
    column_angle_sums(data, indptr, half, count, squares, products)
    for u in range(4):
        angles = half * np.outer(np.arange(1, count + 1), data[indptr[u] : indptr[u + 1]])
        assert np.allclose(squares[u], (np.sin(angles) ** 2).sum(axis=1), rtol=1e-11, atol=1e-13)
        assert np.allclose(products[u], (np.sin(angles) * np.cos(angles)).sum(axis=1), rtol=1e-10, atol=1e-11)
