"""Sums of sines over the entries of a column, for all multiples of an angle at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

__all__ = ["half_angle_sums", "turned"]

_ROWS, _COLUMNS = 512, 16  # turned at a time: six arrays of them stay in a cache


def half_angle_sums(values: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """Add Σ_v sin²(kx) to squares[u, k−1], Σ_v sin(kx) cos(kx) to products[u, k−1], x = half · S_vu, k = 1..count."""
    n, width = values.shape
    for left in range(0, width, _COLUMNS):
        columns = slice(left, left + _COLUMNS)
        for first in range(0, n, _ROWS):
            # entries of a column side by side: how their sum is grouped does not depend on the other columns
            angles = np.multiply(values[first : first + _ROWS, columns].T, values.dtype.type(half), order="C")
            for k, (sine, cosine) in enumerate(turned(angles, count)):
                squares[columns, k] += np.einsum("uv,uv->u", sine, sine)
                products[columns, k] += np.einsum("uv,uv->u", sine, cosine)


def turned(angles: Any, count: int) -> Iterator[tuple[Any, Any]]:
    """Sines and cosines of 1, 2, … `count` times some angles, by rotation; each time in the same two arrays."""
    sine1, cosine1 = np.sin(angles), np.cos(angles)
    sine, cosine = sine1.copy(), cosine1.copy()
    room, other = np.empty_like(sine), np.empty_like(sine)
    for k in range(count):
        if k > 0:
            np.multiply(sine, cosine1, out=room)
            np.multiply(cosine, sine1, out=other)
            np.multiply(sine, sine1, out=sine)
            np.multiply(cosine, cosine1, out=cosine)
            np.subtract(cosine, sine, out=cosine)
            np.add(room, other, out=sine)
        yield sine, cosine
