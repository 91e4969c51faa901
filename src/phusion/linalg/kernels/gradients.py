"""Conjugate gradients for many right-hand sides, each on its own."""

from __future__ import annotations

from typing import Any

from phusion.linalg.kernels.compiled import compiled

__all__ = ["descend"]


@compiled()
def descend(
    indptr: Any, indices: Any, data: Any, solution: Any, residual: Any, direction: Any, image: Any, room: Any
) -> None:
    """One step towards (I − M) X = B for every column; `room` is 4 × width.

    Rows of `room`: squared lengths of the residuals, then numbers of this step. A column whose residual is 0 stays.
    """
    n, width = solution.shape
    for c in range(width):
        room[1, c] = 0.0
        room[2, c] = 0.0
    for i in range(n):
        place, end = indptr[i], indptr[i + 1]
        for c in range(width):
            image[i, c] = direction[i, c]
        while place + 4 <= end:
            a, b, d, e = data[place], data[place + 1], data[place + 2], data[place + 3]
            j, k, m, o = indices[place], indices[place + 1], indices[place + 2], indices[place + 3]
            for c in range(width):
                image[i, c] -= (a * direction[j, c] + b * direction[k, c]) + (d * direction[m, c] + e * direction[o, c])
            place += 4
        while place < end:
            a, j = data[place], indices[place]
            for c in range(width):
                image[i, c] -= a * direction[j, c]
            place += 1
        for c in range(width):
            room[1, c] += direction[i, c] * image[i, c]
    for c in range(width):
        room[3, c] = room[0, c] / room[1, c] if room[1, c] > 0.0 else 0.0
    for i in range(n):
        for c in range(width):
            solution[i, c] += room[3, c] * direction[i, c]
            residual[i, c] -= room[3, c] * image[i, c]
            room[2, c] += residual[i, c] * residual[i, c]
    for c in range(width):
        room[3, c] = room[2, c] / room[0, c] if room[0, c] > 0.0 else 0.0
        room[0, c] = room[2, c]
    for i in range(n):
        for c in range(width):
            direction[i, c] = residual[i, c] + room[3, c] * direction[i, c]
