"""Rows in the directions that matter to a penalised linear classifier."""

from __future__ import annotations

import numpy as np

from phusion.graph.ids import Array
from phusion.linalg.blas import blas_threads

__all__ = ["directions"]

_MOVES = 1e-6  # of a score: what a direction that is left out could move it by, at most


def directions(rows: Array, C: float = 1.0, *, intercept: bool = False) -> Array:
    r"""The rows turned to their principal directions, without those that no logistic regression could use.

    Turning changes nothing where all weights are penalised alike. At the optimum a weight is
    :math:`w_j = C \sum_i y_i p_i x_{ij}` with :math:`p_i \le 1`, so that no score has more than
    :math:`C \sqrt n \, \lambda_j` from a direction of which the squares sum to :math:`\lambda_j`: many landmarks of a
    characteristic function make few directions. With an `intercept`, rows are first given a 1, which is turned with
    the rest: what is fitted to them needs none of its own, if it is penalised like all weights.

    >>> x = np.array([[1.0], [2.0], [4.0]])
    >>> directions(np.hstack([x, x, x + 1e-9])).shape
    (3, 1)
    """
    rows = np.asarray(rows, dtype=np.float64)
    rows = np.hstack([rows, np.ones((len(rows), 1))]) if intercept else rows
    with blas_threads(1):  # its threads wait for each other in so small a matrix: 20 × slower where cores are busy
        squares, basis = np.linalg.eigh(rows.T @ rows)
        matter = C * np.sqrt(len(rows)) * squares > _MOVES
        return rows @ basis[:, matter][:, ::-1] if matter.any() else rows[:, :1] * 0.0
