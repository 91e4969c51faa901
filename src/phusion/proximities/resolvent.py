"""Inverses of I − M for a sparse symmetric M, by columns: polynomials, and the eigenvectors that stand in their way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.linalg.eigenpairs import leading_eigenpairs
from phusion.linalg.streams.base import Sparse, Stream
from phusion.linalg.streams.chebyshev import ChebyshevStream, LowRank
from phusion.proximities.spectral import tolerance_of

__all__ = ["resolvent_stream"]

_NEAR_POLE = 0.9  # eigenvalues above this are taken out, where some are above 1
_MOST = 512  # of them
_GROWTH = 1e3  # what rounding in the direction of an eigenvector may grow to before it is taken out again
_SLACK = 1e-8  # eigenvalues are known to a little less than this
_SINGULAR = 1e-13


def resolvent_stream(
    matrix: Any,
    radius: float,
    function: Callable[[Array], Array],
    kind: Any,
    components: Array,
    scale: Array | None = None,
) -> Stream | None:
    """diag(scale) f(M) diag(scale) with a function f that has its one pole at 1; None if too much stands in the way.

    `radius` is the largest magnitude of an eigenvalue of M.
    """
    tolerance = tolerance_of(kind)
    scale = None if scale is None else scale.astype(kind)
    if radius * (1.0 + _SLACK) < 1.0:
        bound = max(radius * (1.0 + _SLACK), 1e-300)
        found = chebyshev_coefficients(function, -bound, bound, tolerance)
        return ChebyshevStream(Sparse.of(matrix / bound, kind), 0.0, (found,), scale, scale)
    pairs, wanted = None, 32
    while wanted <= _MOST:
        pairs = leading_eigenpairs(matrix, wanted)
        if pairs is None or pairs[0].min() < _NEAR_POLE or len(pairs[0]) == matrix.shape[0]:
            break
        wanted *= 2
    if pairs is None or wanted > _MOST:
        return None
    values, vectors = pairs
    if np.abs(1.0 - values).min() < _SINGULAR * max(1.0, radius):
        raise InputError("1 is an eigenvalue: the matrix has no inverse here")
    low, high = -radius * (1.0 + _SLACK), min(float(values.min()), _NEAR_POLE)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    found = chebyshev_coefficients(function, low, high, tolerance_of(np.float64))
    outside = max(1.0 + 1e-12, (float(values.max()) - middle) / half)
    growth = outside + np.sqrt(outside**2 - 1.0)
    project = max(1, int(np.log(_GROWTH) / np.log(growth)))
    low_rank = LowRank(vectors, function(values)[None, :], components)
    scale = None if scale is None else scale.astype(np.float64)
    return ChebyshevStream(
        Sparse.of(matrix / half), middle / half, (found,), scale, scale, low_rank=low_rank, project=project
    )
