"""Many logistic regressions on the same rows, each with some of the examples, to single precision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import linalg

from phusion.evaluation.logistic import newton
from phusion.graph.ids import Array
from phusion.linalg.blas import blas_threads

__all__ = ["many_logistic_scores"]

_COLUMNS = 512  # pairs of training set and label at a time
_WIDE = 24  # columns that keep a processor as busy as more
_ENTRIES = 2**22  # examples times columns at a time: 16 MB for each array
_STEPS = 50  # of Newton's method; half a dozen are usual
_INNER = 20  # of conjugate gradients in each, at most, where features are few; beyond, elimination is as fast
_ROUGH = 1e-6  # of the squared error: what single precision can reach
_HALVINGS = 20
_FLAT = 1e-4  # of the decrease that the slope promises: what counts as one
_ROUNDING = 1e-5  # of the objective, a sum of single numbers
_FEW = 0.7  # the share of columns that are still at work below which the others are left out


def many_logistic_scores(
    X: Array, Y: Array, trains: Sequence[Array], tests: Sequence[Array], C: float = 1.0, tol: float = 1e-3
) -> Iterator[Array]:
    """Scores of the examples `tests[t]` by regressions trained on `trains[t]`, a column for each label, for each t.

    As `OneVsRestLogistic` without an intercept, to a tolerance that serves to choose by. All training sets and labels
    are columns of one matrix, in which an example that is not trained on has the weight 0, so that products are wide;
    each column ends by itself and does not depend on others. The preconditioner is the diagonal of XᵀX: X should
    have its principal directions as columns. What is not found in single precision is computed in double.

    >>> X, Y = np.array([[0.0, 1], [1, 1], [4, 1], [5, 1]]), np.array([[True], [True], [False], [False]])
    >>> found = many_logistic_scores(X, Y, [np.array([1, 2, 3]), np.array([0, 1, 2])], [np.array([0]), np.array([3])])
    >>> [bool((scores > 0)[0, 0]) for scores in found]
    [True, False]
    """
    X = np.ascontiguousarray(X, dtype=np.float32)
    squares = (X.astype(np.float64) ** 2).mean(axis=0).astype(np.float32)
    step = _together(len(X), max(map(len, trains), default=0), Y.shape[1])
    for first in range(0, len(trains), step):
        some = trains[first : first + step]
        with blas_threads(1):
            weights, failed = _weights(X, Y, some, squares, C, tol)
        for t, test in enumerate(tests[first : first + step]):
            yield _scores(X, Y, some[t], test, weights[:, t], failed[t], C, tol)


def _together(n: int, longest: int, labels: int) -> int:
    """How many training sets are computed at a time."""
    # where labels alone make wide products, or few examples are trained on, those of others would only add zeros
    if labels >= _WIDE or 3 * longest < n:
        return 1
    return max(1, min(_COLUMNS, _ENTRIES // max(1, n)) // max(1, labels))


def _scores(X: Any, Y: Any, train: Any, test: Any, weights: Any, failed: Any, C: float, tol: float) -> Any:
    """Of one training set; of labels that all its examples have, or none, ±∞."""
    if failed.any():
        signs = np.where(Y[train][:, failed], 1.0, -1.0)
        with blas_threads(1):
            weights[:, failed] = newton(X[train].astype(np.float64), signs, C, tol)
    scores = X[test] @ weights
    some, every = _extent(Y[train])
    scores[:, every] = np.inf
    scores[:, ~some] = -np.inf
    return scores


def _extent(Y: Any) -> tuple[Any, Any]:
    """Which labels some examples have, and which all."""
    return Y.any(axis=0), Y.all(axis=0)


def _weights(X: Any, Y: Any, trains: Sequence[Array], squares: Any, C: float, tol: float) -> tuple[Any, Any]:
    """Weights d × t × k, and which of them were not found, t × k."""
    k = Y.shape[1]
    used = np.unique(np.concatenate(trains))
    inside = np.zeros((len(used), len(trains)), dtype=np.float32)
    for t, train in enumerate(trains):
        inside[np.searchsorted(used, train), t] = C
    varied = np.flatnonzero([some & ~every for some, every in (_extent(Y[train]) for train in trains)])
    signs = np.where(Y[used], np.float32(1), np.float32(-1))
    found = np.zeros((X.shape[1], len(trains) * k), dtype=np.float32)
    failed = np.zeros(len(trains) * k, dtype=bool)
    if len(varied):
        found[:, varied], failed[varied] = _newton(X[used], inside[:, varied // k], signs[:, varied % k], squares, tol)
    return found.reshape(-1, len(trains), k), failed.reshape(len(trains), k)


def _newton(X: Any, cost: Any, y: Any, squares: Any, tol: float) -> tuple[Any, Any]:
    """All columns side by side; `cost` is what an example counts in each."""
    width = y.shape[1]
    weights, failed = np.zeros((X.shape[1], width), dtype=np.float32), np.zeros(width, dtype=bool)
    active, hard = np.arange(width), np.zeros(width, dtype=bool)  # of which conjugate gradients made nothing before
    w, z = weights.copy(), np.zeros_like(y)
    chance, value = _losses(w, y * z, cost)
    for _ in range(_STEPS):
        lost = cost * chance
        gradient = w - X.T @ (y * lost)
        curvature = lost * (1.0 - chance)
        # as if all examples of a column weighed alike, and were like the others
        inverse = 1.0 / (1.0 + squares[:, None] * curvature.sum(axis=0))
        step = np.empty_like(gradient)
        easy = np.flatnonzero(~hard)
        if len(easy):
            step[:, easy], hard[easy] = _solved(X, curvature[:, easy], gradient[:, easy], inverse[:, easy])
        for column in np.flatnonzero(hard):  # weights too unequal for that preconditioner
            step[:, column] = _eliminated(X, curvature[:, column], gradient[:, column])
        slope = (gradient * step).sum(axis=0)
        moved = X @ step
        length, chance, value = _searched(w, step, z, moved, y, cost, slope, value)
        w, z = w + length * step, z + length * moved
        weights[:, active] = w
        bad = ~np.isfinite(slope) | (length == 0)
        failed[active[bad]] = True
        left = np.flatnonzero((-slope > tol) & ~bad)
        if not len(left):
            return weights, failed
        active, hard, value = active[left], hard[left], value[left]
        w, z, y, cost, chance = w[:, left], z[:, left], y[:, left], cost[:, left], chance[:, left]
    failed[active] = True
    return weights, failed


def _losses(w: Any, margin: Any, cost: Any) -> tuple[Any, Any]:
    """The chance of being wrong of each example, and the objective of each column, by one exponential."""
    small = np.exp(-np.abs(margin))
    chance = np.where(margin > 0, small, np.float32(1)) / (1 + small)
    loss = np.log(1 + small) - np.minimum(margin, 0)
    return chance, 0.5 * (w**2).sum(axis=0) + (cost * loss).sum(axis=0)


def _solved(X: Any, curvature: Any, gradient: Any, inverse: Any) -> tuple[Any, Any]:
    """−H⁻¹ g of each column by conjugate gradients, H = I + Xᵀ diag(curvature) X, and where they were not enough."""
    found, columns = np.zeros_like(gradient), np.arange(gradient.shape[1])
    failed = np.zeros(len(columns), dtype=bool)
    step, residual = np.zeros_like(gradient), -gradient
    near = inverse * residual
    direction = near
    size = (residual * near).sum(axis=0)
    enough = np.clip(size, _ROUGH, 1e-2) * size  # the nearer the optimum, the more exact
    most = max(_INNER, len(gradient) // 5)
    for turn in range(most + 1):
        busy = size > enough
        if turn == most or not busy.any():
            found[:, columns], failed[columns] = step, busy
            return found, failed
        if busy.mean() < _FEW:
            found[:, columns[~busy]] = step[:, ~busy]
            columns, size, enough = columns[busy], size[busy], enough[busy]
            curvature, inverse, step, residual, direction = (
                each[:, busy] for each in (curvature, inverse, step, residual, direction)
            )
            busy = np.ones(len(columns), dtype=bool)
        image = direction + X.T @ (curvature * (X @ direction))
        along = (direction * image).sum(axis=0)
        length = np.divide(size, along, out=np.zeros_like(size), where=busy & (along > 0))
        step = step + length * direction
        residual = residual - length * image
        near = inverse * residual
        size, before = np.where(busy, (residual * near).sum(axis=0), size), size
        direction = near + np.divide(size, before, out=np.zeros_like(size), where=before > 0) * direction
    raise AssertionError  # pragma: no cover - the loop returns


def _eliminated(X: Any, curvature: Any, gradient: Any) -> Any:
    """The same of one column; not a number if rounding has made H indefinite."""
    there = np.flatnonzero(curvature)
    rows = X[there] * np.sqrt(curvature[there, None])
    hessian = rows.T @ rows
    hessian.flat[:: len(hessian) + 1] += 1.0
    _, found, failed = linalg.lapack.sposv(hessian, -gradient, lower=True)
    return np.full_like(gradient, np.nan) if failed else found


def _searched(w: Any, step: Any, z: Any, moved: Any, y: Any, cost: Any, slope: Any, begun: Any) -> tuple[Any, Any, Any]:
    """1 for each column, halved until the objective falls; 0 if it does not. Beside it, chances and objective there."""
    length = np.ones_like(slope)
    chance, value = _losses(w + step, y * (z + moved), cost)
    for _ in range(_HALVINGS):
        waiting = np.flatnonzero(~(value <= begun + _FLAT * length * slope + _ROUNDING * np.abs(begun)))
        if not len(waiting):
            return length, chance, value
        length[waiting] *= 0.5
        there = length[waiting]
        chance[:, waiting], value[waiting] = _losses(
            w[:, waiting] + there * step[:, waiting],
            y[:, waiting] * (z[:, waiting] + there * moved[:, waiting]),
            cost[:, waiting],
        )
    length[~(value <= begun + _FLAT * length * slope + _ROUNDING * np.abs(begun))] = 0.0
    return length, chance, value
