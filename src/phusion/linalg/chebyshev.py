"""Chebyshev polynomials that stand for functions of eigenvalues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import fft

from phusion.errors import PhusionError

__all__ = ["NoPolynomialError", "chebyshev_coefficients"]

_MOST = 2**20
_ENDS = 1e-9  # of the largest value: far above the rounding of a sum of coefficients
_ROUNDING = 3e-16  # of the largest value: smaller coefficients are rounding


def chebyshev_coefficients(
    function: Callable[[Any], Any], low: float, high: float, tolerance: float, rounding: float = 0.0
) -> Any:
    """Coefficients c with |f(x) − Σ c_j T_j(y)| ≤ tolerance · max|f| from low to high, y being x moved to ±1.

    As few as will do: the last ones are dropped while their sizes sum to less than the tolerance. The function's
    values are known to `rounding` · max|f|, of which every coefficient gets its share.

    >>> len(chebyshev_coefficients(lambda x: np.exp(-10.0 * (1.0 - x)), -1.0, 1.0, 1e-6))
    18
    """
    points, ends = 32, function(np.array([low, high]))
    while points <= _MOST:
        angles = np.pi * (np.arange(points) + 0.5) / points
        values = function((high + low) / 2.0 + (high - low) / 2.0 * np.cos(angles))
        found = fft.dct(values, type=2) / points
        found[0] /= 2.0
        largest = float(np.abs(values).max(initial=0.0))
        found[np.abs(found) < max(_ROUNDING, rounding * np.sqrt(2.0 / points)) * largest] = 0.0
        limit = tolerance * largest
        tails = np.cumsum(np.abs(found[::-1]))[::-1]
        kept = max(1, int((tails > limit).sum()))
        if kept <= points // 2 and _meets_ends(found[:kept], ends, max(tolerance, _ENDS)):
            return found[:kept]
        points *= 2
    raise NoPolynomialError(f"no polynomial of degree below {_MOST // 2:,} comes within {tolerance:g} of this function")


class NoPolynomialError(PhusionError):
    """The function is too steep."""


def _meets_ends(coefficients: Any, ends: Any, tolerance: float) -> bool:
    """Whether the polynomial is right where y is ±1: a function that lives there alone is 0 at all points between."""
    there = np.array([(coefficients * (-1.0) ** np.arange(len(coefficients))).sum(), coefficients.sum()])
    return bool((np.abs(there - ends) <= 10.0 * tolerance * max(1.0, float(np.abs(ends).max()))).all())
