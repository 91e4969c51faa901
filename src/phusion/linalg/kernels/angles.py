"""Sums of sines over the entries of a column, for all multiples of an angle at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.linalg.kernels.compiled import compiled

__all__ = ["half_angle_sums"]

_LANES = 64  # entries that are turned side by side


@compiled(reorder=True)
def half_angle_sums(values: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """Add Σ_v sin²(kx) to squares[u, k−1] and Σ_v sin(kx) cos(kx) to products[u, k−1], x = half · S_vu, k = 1..count.

    As cos 2kx = 1 − 2 sin² kx and sin 2kx = 2 sin kx cos kx, this is all a characteristic function needs, and no digits
    of small entries are lost. One sine and cosine for each entry (its angle brought to ±π/4, then the Taylor-like
    polynomials of the C library), then a rotation for each k.
    """
    n, width = values.shape
    kind = values.dtype
    sine, cosine = np.empty(_LANES, kind), np.empty(_LANES, kind)
    sine1, cosine1 = np.empty(_LANES, kind), np.empty(_LANES, kind)
    factor, one = kind.type(half), kind.type(1)
    for first in range(0, n, _LANES):
        filled = min(_LANES, n - first)
        for u in range(width):
            for lane in range(filled):
                sine1[lane] = values[first + lane, u] * factor
            for lane in range(filled, _LANES):
                sine1[lane] = 0
            for lane in range(_LANES):
                x = sine1[lane]
                quarter = np.rint(x * kind.type(0.6366197723675814))
                r = (x - quarter * kind.type(1.5707963267341256)) - quarter * kind.type(6.077100506506192e-11)
                z = r * r
                tail = kind.type(-2.50507602534068634195e-08) + z * kind.type(1.58969099521155010221e-10)
                tail = kind.type(-1.98412698298579493134e-04) + z * (kind.type(2.75573137070700676789e-06) + z * tail)
                tail = kind.type(-1.66666666666666324348e-01) + z * (kind.type(8.33333333332248946124e-03) + z * tail)
                s = r + r * z * tail
                tail = kind.type(2.08757232129817482790e-09) + z * kind.type(-1.13596475577881948265e-11)
                tail = kind.type(2.48015872894767294178e-05) + z * (kind.type(-2.75573143513906633035e-07) + z * tail)
                tail = kind.type(4.16666666666666019037e-02) + z * (kind.type(-1.38888888888741095749e-03) + z * tail)
                c = one - z * kind.type(0.5) + z * z * tail
                turns = np.int32(quarter)
                odd = (turns & 1) != 0
                a = c if odd else s
                b = s if odd else c
                a = -a if (turns & 2) != 0 else a
                b = -b if ((turns + 1) & 2) != 0 else b
                sine1[lane], cosine1[lane], sine[lane], cosine[lane] = a, b, a, b
            for k in range(count):
                square, product = kind.type(0), kind.type(0)
                for lane in range(_LANES):
                    a, b = sine[lane], cosine[lane]
                    square += a * a
                    product += a * b
                    sine[lane] = a * cosine1[lane] + b * sine1[lane]
                    cosine[lane] = b * cosine1[lane] - a * sine1[lane]
                squares[u, k] += square
                products[u, k] += product
