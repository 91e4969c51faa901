"""Conjugate gradients for many right-hand sides, each on its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.plain.pieces import column_sums, row_slices, sparse_rows, tiles

__all__ = ["descend"]


def descend(
    indptr: Any, indices: Any, data: Any, solution: Any, residual: Any, direction: Any, image: Any, room: Any
) -> None:
    """One step towards (I − M) X = B for every column; `room` is 4 × width."""
    n, width = solution.shape
    room[1:3] = 0.0
    for rows in row_slices(0, n, width):
        image[rows] = direction[rows] - sparse_rows(indptr, indices, data, rows, n) @ direction
    for some in tiles(n, width):
        room[1, some[1]] += column_sums(direction[some] * image[some])
    np.divide(room[0], room[1], out=room[3], where=room[1] > 0.0)
    room[3, ~(room[1] > 0.0)] = 0.0
    for some in tiles(n, width):
        step = room[3, some[1]]
        solution[some] += step * direction[some]
        residual[some] -= step * image[some]
        room[2, some[1]] += column_sums(residual[some] ** 2)
    np.divide(room[2], room[0], out=room[3], where=room[0] > 0.0)
    room[3, ~(room[0] > 0.0)] = 0.0
    room[0] = room[2]
    direction *= room[3]
    direction += residual
