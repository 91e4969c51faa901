"""Ψ of ordinary graphs by the dense formulas of `tests.theory.oracle`, whatever the parameters.

Ordinary means weights from 1e-5 to 1e5: of others plain numpy has lost the digits, and the package says what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.theory import oracle

__all__ = ["expected", "gap_of_rank", "ordinary"]

Array = np.ndarray


def ordinary(A: Array) -> bool:
    """Whether plain numpy can be trusted with these weights."""
    sizes = np.abs(A[A != 0])
    return not sizes.size or bool(sizes.min() >= 1e-5 and sizes.max() <= 1e5)


def expected(one: Any, A: Array) -> tuple[Array, float]:
    """S at one scale, and how many times the rounding of a number of size 1 is as large in it."""
    found = _FORMULAS[one.name](one, A)
    return found if isinstance(found, tuple) else (found, 1.0)


def gap_of_rank(A: Array, rank: int) -> float:
    """How far the last eigenvalue of N that is kept is from the first that is not."""
    values = np.sort(np.linalg.eigvalsh(oracle.normalized_adjacency(A)))[::-1]
    return float(values[rank - 1] - values[rank]) if rank < len(A) else 1.0


def _ppmi(one: Any, A: Array) -> Any:
    if one.rank is None:
        return oracle.ppmi(A, one.window, one.negative)
    gap = gap_of_rank(A, one.rank)
    return oracle.ppmi_rank(A, one.window, one.negative, one.rank), 1.0 / gap if gap > 1e-9 else np.inf


def _fabp(one: Any, A: Array) -> Any:
    if not A.any():
        return np.eye(len(A))
    a, c = (_times_auto(given, auto) for given, auto in zip((one.a, one.c), oracle.homophily(A), strict=True))
    system = np.eye(len(A)) + a * np.diag(oracle.degrees(A)) - c * A
    return np.linalg.inv(system), np.linalg.cond(system)


def _times_auto(given: Any, auto: float) -> float:
    return given if not isinstance(given, str) else float(given.partition("*auto")[0] if "*" in given else 1.0) * auto


def _katz(one: Any, A: Array) -> Any:
    if not A.any():
        return np.zeros_like(A)
    relative = isinstance(one.beta, str)
    beta = float(one.beta.partition("/")[0]) / oracle.radius(A) if relative else one.beta
    # a radius is as exact as eigenvalues are, which for arcs is less than rounding
    worse = [np.linalg.cond(np.eye(len(A)) - beta * A), np.linalg.cond(np.linalg.eig(A)[1]) if relative else 1.0]
    with np.errstate(over="ignore"):  # of matrices without as many eigenvectors
        return oracle.katz(A, beta), np.prod(worse)


def _pinv(one: Any, A: Array) -> Any:
    S = oracle.laplacian_pinv(A, one.laplacian)
    return S, np.linalg.norm(S, 2) * np.linalg.norm(oracle.laplacian(A, one.laplacian), 2)


def _ppmi_limit(one: Any, A: Array) -> Any:
    L = oracle.laplacian_pinv(A)
    degrees = oracle.degrees(A)
    spread = A.sum() / degrees[degrees > 0].min() if degrees.any() else 1.0  # entries are differences of such numbers
    return oracle.ppmi_limit(A), (1.0 + np.linalg.norm(L, 2)) * spread


def _signed_walk(one: Any, A: Array) -> Array:
    if one.form == "plain":
        return oracle.plain_signed_walk(A, one.restart)
    return oracle.signed_walk(A, one.restart, one.beta, one.gamma, one.score)


def _edge_pmi(one: Any, A: Array) -> Array:
    """No row here is so long that it is cut."""
    R = oracle.walk(A)
    R = sum(np.linalg.matrix_power(R, k) for k in range(1, one.hops + 1)) / one.hops
    met = R.sum(axis=0) ** one.smoothing
    met[R.sum(axis=0) == 0] = 0.0
    chance = one.negative * met / (met.sum() or 1.0)
    there = R > 0
    ratio = np.divide(R, chance, out=np.ones_like(R), where=there)
    return np.where(there, np.log(np.maximum(ratio, 1.0) if one.positive else ratio), 0.0)


_FORMULAS: dict[str, Callable[[Any, Array], Any]] = {
    "adamic_adar": lambda one, A: oracle.adamic_adar(A, one.degree),
    "adjacency_power": lambda one, A: np.linalg.matrix_power(A, one.order),
    "common_neighbors": lambda _, A: A @ A,
    "edge_pmi": _edge_pmi,
    "fabp": _fabp,
    "grarep": lambda one, A: oracle.grarep(A, one.order),
    "heat": lambda one, A: oracle.heat(A, one.scale, one.laplacian),
    "katz": _katz,
    "laplacian_pinv": _pinv,
    "pagerank": lambda one, A: oracle.pagerank(A, one.alpha),
    "ppmi": _ppmi,
    "ppmi_limit": _ppmi_limit,
    "signed_walk": _signed_walk,
    "surfing": lambda one, A: oracle.surfing(A, one.alpha, one.steps),
    "walk_power": lambda one, A: oracle.walk_power(A, one.order, one.loops),
    "wave": lambda one, A: (oracle.wave(A, one.scale, one.laplacian), 1.0 + one.scale * np.abs(A).sum()),
}
