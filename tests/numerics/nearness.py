"""Whether numbers are those of a formula, as near as rounding lets them be."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.numerics import formulas

__all__ = ["CLOSE", "finite", "near", "singular", "within"]

Array = np.ndarray
_EQUAL = 1e-10  # of the largest singular value: those that differ by less count as equal, in any order
CLOSE = 1e-8  # of the largest entry; formulas and fast paths add in different orders


def finite(values: Array, what: str) -> None:
    assert np.isfinite(values).all(), f"{what} has entries that are no numbers"


def within(found: Array, expected: Array, tolerance: Any, what: str) -> None:
    """Each entry as near as its own tolerance says."""
    finite(found, what)
    assert found.shape == expected.shape, f"{what} is {found.shape}, not {expected.shape}"
    far = np.abs(found - expected) - tolerance
    assert (far <= 0).all(), (
        f"{what} is not its formula: {found.ravel()[far.argmax()]:.12g} is not {expected.ravel()[far.argmax()]:.12g}"
    )


def near(found: Array, expected: Array, noise: float, what: str) -> None:
    finite(found, what)
    size = float(np.abs(expected).max(initial=0.0))
    far = float(np.abs(found - expected).max(initial=0.0))
    assert far <= CLOSE * size + 64 * noise + 1e-300, (
        f"{what} is off by {far:.2g} where the largest entry is {size:.2g}"
    )


def singular(zeta: Any, rows: Array, S: Array, rounding: float, what: str, noise: float = 0.0) -> None:
    """U Σ^½, by what depends on neither signs nor bases: lengths of columns, and inner products of rows.

    `rounding` is a share of the largest singular value, `noise` a number; both move singular values by as much, and
    products by more where the cut is between values that are near each other.
    """
    size = float(np.abs(S).max()) or 1.0
    dim = zeta.dim
    (left, right, both), values, gap = formulas.truncated(S / size, dim)
    rows = rows / np.sqrt(size)
    off = rounding * float(values[0]) + noise / size
    equal = _EQUAL * float(values[0])
    sides = [(rows[:, :dim], left)]
    if zeta.sides == "both":
        sides.append((rows[:, dim:], right))
    for half, _ in sides:
        within((half**2).sum(axis=0), values, 4 * off + equal, f"singular values of {what}")
    if gap <= 2 * equal:
        return  # the cut is through equal values
    worse = 1.0 + values[-1] / gap
    if off * worse > 1e-3 * values[0]:
        return  # or through values that rounding makes equal
    for half, product in sides:
        within(half @ half.T, product, 16 * off * worse + equal, f"inner products of {what}")
    if len(sides) == 2:
        within(sides[0][0] @ sides[1][0].T, both, 16 * off * worse + equal, f"inner products of both sides of {what}")
