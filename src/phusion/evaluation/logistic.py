"""One-vs-rest logistic regression of all labels at once."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import linalg
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from phusion.errors import InputError
from phusion.linalg.blas import blas_threads

__all__ = ["OneVsRestLogistic", "newton"]

_STEPS = 100  # of Newton's method; a dozen are usual
_INNER = 40  # of conjugate gradients in each, at most, where features are few
_ROUGH = 1e-9  # of the squared error at first: what single precision can reach
_HALVINGS = 30
_FLAT = 1e-4  # of the decrease that the slope promises: what counts as one


class OneVsRestLogistic(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""One logistic regression for each label, solved together.

    .. math:: \min_w \tfrac12 \lVert w \rVert^2 + C \sum_i \log(1 + e^{-y_i \langle w, (x_i, 1) \rangle})

    The intercept is penalised like every other weight, as liblinear does, and the optimum is liblinear's. Newton's
    method for all labels side by side: its linear systems by conjugate gradients, which only multiply with X, with
    the inverse for equal weights of all examples as preconditioner (one eigendecomposition of XᵀX serves all labels).

    Parameters
    ----------
    C : weight of the examples against the penalty.
    tol : ends when one more step would move no label's scores by more, about.
    intercept : False where X has a column for it already.

    Attributes
    ----------
    coef_ : (d + 1) × k, the intercepts in the last row; d × k without.
    constant_ : for each label 0, or +1 or −1 if all examples had it or none; its scores are then ±∞.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0, 1], [0, 1], [1, 1], [1, 0]])
    >>> OneVsRestLogistic(C=100.0).fit(X, Y).predict(X).tolist()
    [[0, 1], [0, 1], [1, 1], [1, 0]]
    """

    def __init__(self, C: float = 1.0, tol: float = 1e-9, intercept: bool = True) -> None:
        self.C = C
        self.tol = tol
        self.intercept = intercept

    def fit(self, X: Any, Y: Any) -> Self:
        """Find the weights; Y is n × k, of zeros and ones."""
        X, Y = np.asarray(X, dtype=np.float64), np.asarray(Y, dtype=bool)
        if X.ndim != 2 or Y.ndim != 2 or len(X) != len(Y) or not len(X):
            raise InputError(f"X and Y are tables with a row for each example; got shapes {X.shape} and {Y.shape}")
        if not np.isfinite(X).all():
            raise InputError("X has entries that are not finite")
        if self.C <= 0:
            raise InputError(f"C is a number above 0; got {self.C!r}")
        self.constant_ = Y.all(axis=0).astype(int) - (~Y.any(axis=0)).astype(int)
        varied = np.flatnonzero(self.constant_ == 0)
        self.classes_ = np.arange(Y.shape[1])
        self.coef_ = np.zeros((X.shape[1] + self.intercept, Y.shape[1]))
        if len(varied):
            X = np.hstack([X, np.ones((len(X), 1))]) if self.intercept else X
            # threads of BLAS wait for each other in each small product: 10 × slower where cores are busy
            with blas_threads(1):
                self.coef_[:, varied] = newton(X, np.where(Y[:, varied], 1.0, -1.0), self.C, self.tol)
        return self

    def decision_function(self, X: Any) -> Any:
        """⟨w, (x, 1)⟩ for each label; ±∞ where all examples had it or none."""
        check_is_fitted(self)
        X = np.asarray(X, dtype=np.float64)
        scores = X @ self.coef_[:-1] + self.coef_[-1] if self.intercept else X @ self.coef_
        fixed = self.constant_ != 0
        scores[:, fixed] = np.inf * self.constant_[fixed]
        return scores

    def predict_proba(self, X: Any) -> Any:
        """Of each label on its own; rows do not sum to 1."""
        return expit(self.decision_function(X))

    def predict(self, X: Any) -> Any:
        """Zeros and ones."""
        return (self.decision_function(X) > 0).astype(np.int64)


def newton(X: Any, signs: Any, C: float, tol: float) -> Any:
    """The weights, a column for each label; labels that are done are left out of the next steps."""
    rough = X.astype(np.float32)  # enough for directions: what a step misses the next one makes good
    spectrum, basis = np.linalg.eigh(X.T @ X)
    spectrum = np.maximum(spectrum, 0.0)
    weights = np.zeros((X.shape[1], signs.shape[1]))
    active = np.arange(signs.shape[1])
    scores = np.zeros_like(signs)
    value = np.full(signs.shape[1], C * len(X) * np.log(2.0))  # of the objective
    hard = np.zeros(signs.shape[1], dtype=bool)  # labels of which conjugate gradients made nothing before
    for _ in range(_STEPS):
        y, z = signs[:, active], scores[:, active]
        chance = expit(-y * z)  # of being wrong
        gradient = weights[:, active] - C * (X.T @ (y * chance))
        curvature = C * chance * (1.0 - chance)
        inverse = 1.0 / (1.0 + spectrum[:, None] * curvature.mean(axis=0))
        step, hard[active] = _solved(X, rough, curvature, gradient, basis, inverse, hard[active])
        slope = (gradient * step).sum(axis=0)  # −2 × the promised decrease
        moved = X @ step
        length, value[active] = _lengths(weights[:, active], step, z, moved, y, C, slope, value[active])
        weights[:, active] += length * step
        scores[:, active] = z + length * moved
        left = (-slope > tol) & (length > 0)  # a step that was this short leaves its square: −slope
        active = active[left]
        if not len(active):
            break
    return weights


def _solved(X: Any, rough: Any, curvature: Any, gradient: Any, basis: Any, inverse: Any, hard: Any) -> tuple[Any, Any]:
    """−H⁻¹ g of each label, H = I + Xᵀ diag(curvature) X, and which labels took elimination.

    By conjugate gradients, exact enough for Newton's pace; by elimination where that is `hard`.
    """
    step, left = np.zeros_like(gradient), hard.copy()
    easy = np.flatnonzero(~hard)
    if len(easy):
        step[:, easy], left[easy] = _by_gradients(rough, curvature[:, easy], gradient[:, easy], basis, inverse[:, easy])
    for label in np.flatnonzero(left):  # weights too unequal for that preconditioner
        rows = X * np.sqrt(curvature[:, label, None])
        hessian = rows.T @ rows
        hessian[np.diag_indices_from(hessian)] += 1.0
        step[:, label] = -linalg.solve(hessian, gradient[:, label], assume_a="pos", check_finite=False)
    return step, left


def _by_gradients(X: Any, curvature: Any, gradient: Any, basis: Any, inverse: Any) -> tuple[Any, Any]:
    """The same by conjugate gradients, and for which labels they were not enough; X in single precision."""
    curvature = curvature.astype(np.float32)

    def preconditioned(r: Any) -> Any:
        return basis @ (inverse * (basis.T @ r))

    step, residual = np.zeros_like(gradient), -gradient
    near = preconditioned(residual)
    direction = near.copy()
    size = start = (residual * near).sum(axis=0)
    # the nearer the optimum, the more exact: quadratic convergence in the end
    enough = np.clip(start, _ROUGH, 1e-2) * start
    for _ in range(max(_INNER, len(gradient) // 4)):  # beyond that elimination is as fast
        busy = size > enough
        if not busy.any():
            break
        image = direction + X.T @ (curvature * (X @ direction.astype(np.float32)))
        along = (direction * image).sum(axis=0)
        length = np.divide(size, along, out=np.zeros_like(size), where=busy & (along > 0))
        step += length * direction
        residual -= length * image
        near = preconditioned(residual)
        size, before = (residual * near).sum(axis=0), size
        direction = near + np.divide(size, before, out=np.zeros_like(size), where=before > 0) * direction
    return step, size > enough


def _lengths(weights: Any, step: Any, scores: Any, moved: Any, y: Any, C: float, slope: Any, begun: Any) -> Any:
    """1 for each label, halved until the objective falls from what it was; 0 if it does not, at the limit of rounding.

    Beside the lengths, the objective there.
    """

    def objective(length: Any, some: Any) -> Any:
        w, z = weights[:, some] + length * step[:, some], scores[:, some] + length * moved[:, some]
        margin = y[:, some] * z
        loss = np.log1p(np.exp(-np.abs(margin))) - np.minimum(margin, 0.0)  # log(1 + e^−m), faster than logaddexp
        return 0.5 * (w**2).sum(axis=0) + C * loss.sum(axis=0)

    length, value = np.ones(len(slope)), begun.copy()
    waiting = np.arange(len(slope))
    rounding = 1e-14 * np.abs(begun)
    for _ in range(_HALVINGS):
        found = objective(length[waiting], waiting)
        fell = found <= begun[waiting] + _FLAT * length[waiting] * slope[waiting] + rounding[waiting]
        value[waiting[fell]] = found[fell]
        waiting = waiting[~fell]
        if not len(waiting):
            return length, value
        length[waiting] *= 0.5
    length[waiting] = 0.0
    return length, value
