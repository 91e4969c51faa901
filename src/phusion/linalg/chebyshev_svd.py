"""Leading singular vectors of a large sparse matrix by few products: Chebyshev polynomials of a wide block."""

from __future__ import annotations

from dataclasses import dataclass
from math import acosh
from typing import Any

import numpy as np
from scipy import linalg

from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.tall import Tall

__all__ = ["Found", "chebyshev_svd", "chebyshev_width"]

_MORE = 32  # columns beyond those that are wanted: what lies just below them is told apart from them
_GROWTH = 1e6  # of the largest over the smallest wanted: beyond that, single precision forgets the smallest
_LEAST = 1e-6  # of the largest square: what is wanted does not reach lower
_ZERO = 1e-5  # of the largest: smaller singular values are rounding


@dataclass
class Found:
    """What was found.

    Attributes
    ----------
    left : U, n × d, of single precision.
    right : V Σ = Sᵀ U.
    values : singular values, descending.
    degrees : of the polynomials that were applied.
    """

    left: Any
    right: Any
    values: Any
    degrees: tuple[int, ...]


def chebyshev_width(n: int, rank: int) -> int:
    """Columns of the block."""
    return min(n, rank + _MORE)


def chebyshev_svd(matrix: EdgeMatrix, rank: int, applications: int, seed: int) -> Found:
    """The `rank` largest singular values and vectors of S, about; the more applications of SSᵀ, the nearer.

    A block of random columns, somewhat wider than `rank`, is brought near the leading left singular vectors by
    polynomials p(SSᵀ) that are small up to the smallest value of the block and grow as fast as they can beyond:
    Chebyshev's, T_m(2x/c − 1). Their degree is as high as the growth at the largest value allows in single precision;
    one huge value, as of a hub, makes it 1, and the block is made orthonormal more often. Two products with S for each
    application, and two beside them. The same for every number of threads.

    >>> from scipy import sparse
    >>> matrix = EdgeMatrix.of(sparse.csr_array(np.diag([3.0, 2.0, 1.0])), *np.zeros((2, 3)), np.float32,
    ...                        symmetric=True, plain=False)
    >>> chebyshev_svd(matrix, 2, 4, seed=0).values.round(3)
    array([3., 2.])
    """
    n, width = matrix.n, chebyshev_width(matrix.n, rank)
    tall = Tall(n, matrix.each)
    image = np.random.default_rng(seed).standard_normal((n, width), dtype=np.float32)
    block = matrix.times(image)
    tall.orthonormalise(block)
    other = np.empty_like(block)
    left, degrees = applications, []
    while left > 0:
        matrix.transposed_into(image, block)
        squares, turn = linalg.eigh(tall.gram(image, image), check_finite=False)
        if squares[-1] <= 0.0:
            break  # S is 0
        tall.turn(block, turn)
        tall.turn(image, turn)
        cut = float(max(squares[0], _LEAST * squares[-1]))
        degree = _degree(float(squares[-1]) / cut, left)
        block, other = _applied(matrix, block, image, other, cut, degree)
        tall.orthonormalise(block)
        left -= degree
        degrees.append(degree)
    del other
    tall.orthonormalise(block)
    matrix.transposed_into(image, block)
    _, turn = linalg.eigh(tall.gram(image, image), check_finite=False)
    best = turn[:, ::-1][:, :rank]
    block, image = tall.turn(block, best), tall.turn(image, best)
    values = tall.lengths(image)
    values[values < _ZERO * values.max(initial=0.0)] = 0.0
    return Found(block, image, values, tuple(degrees))


def _degree(largest: float, left: int) -> int:
    """How many applications make one polynomial, if the largest value is so many times the smallest wanted."""
    return min(left, max(1, int(acosh(_GROWTH) / acosh(max(2.0 * largest - 1.0, 1.0001)))))


def _applied(matrix: EdgeMatrix, block: Any, image: Any, other: Any, cut: float, degree: int) -> tuple[Any, Any]:
    """T_m(2SSᵀ/c − 1) X, and room for a block; `image` is SᵀX, and room for others after it."""
    before, now = block, matrix.into(other, image, 2.0 / cut, -1.0, block)
    for _ in range(1, degree):
        matrix.transposed_into(image, now)
        matrix.into(before, image, 4.0 / cut, -2.0, now, -1.0)
        before, now = now, before
    return now, before
