"""Sums of sines over the entries of a column, for all multiples of an angle at once.

With w_k = e^{2ikx} − 1 = −2 sin² kx + 2i sin kx cos kx, which keeps all digits of a small x, all that is asked for is
Σ w_k. As w_{a+b} = w_a w_b + w_a + w_b, the sums for a hundred multiples are the products of ten with ten others.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np

__all__ = ["first_turn", "half_angle_sums"]

_ROWS, _COLUMNS = 512, 16  # turned at a time: all their turns stay in a cache


def half_angle_sums(values: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """Add Σ_v sin²(kx) to squares[u, k−1], Σ_v sin(kx) cos(kx) to products[u, k−1], x = half · S_vu, k = 1..count."""
    n, width = values.shape
    m = isqrt(count - 1) + 1  # k = a + mb for a = 1..m and b = 0, 1, …
    kind = np.result_type(values, np.complex64)
    near, far = (np.empty((_COLUMNS, size, _ROWS), kind) for size in (m, -(-count // m) - 1))
    for left in range(0, width, _COLUMNS):
        columns = slice(left, left + _COLUMNS)
        for first in range(0, n, _ROWS):
            # entries of a column side by side: how their sum is grouped does not depend on the other columns
            angles = np.multiply(values[first : first + _ROWS, columns].T, values.dtype.type(half), order="C")
            some = slice(0, angles.shape[0]), slice(None), slice(0, angles.shape[1])
            found = _sums(first_turn(angles), near[some], far[some])[:, :count]
            squares[columns] -= 0.5 * found.real
            products[columns] += 0.5 * found.imag


def first_turn(angles: Any) -> Any:
    """w_1 of some angles."""
    sine = np.sin(angles)
    found = np.empty(angles.shape, np.result_type(angles, np.complex64))
    np.multiply(sine, -2 * sine, out=found.real)
    np.multiply(sine, 2 * np.cos(angles), out=found.imag)
    return found


def _sums(first: Any, near: Any, far: Any) -> Any:
    """Σ w_k of each row, for k from 1 on; there is room for the first turns in `near`, for every m-th in `far`."""
    _turn(first, near)
    _turn(near[:, -1], far)
    sums = near.sum(axis=2)[:, None]
    both = np.matmul(far, near.swapaxes(1, 2)) + far.sum(axis=2)[:, :, None] + sums
    return np.concatenate([sums, both], axis=1).reshape(len(first), -1)


def _turn(first: Any, turns: Any) -> None:
    """Each turn from the one before."""
    turn = first + first.dtype.type(1)
    for k in range(turns.shape[1]):
        if k == 0:
            turns[:, 0] = first
        else:
            np.multiply(turns[:, k - 1], turn, out=turns[:, k])
            turns[:, k] += first
