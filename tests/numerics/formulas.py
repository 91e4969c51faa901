"""σ, ζ, π and ρ once more, in plain numpy: nothing here uses phusion's own arithmetic.

Each function says how far rounding may move what it gives, as `(values, tolerance)`; an infinite tolerance stands
where rounding decides, as at the edge of a bin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import iv

__all__ = ["filtered", "lifted", "mapped", "pooled", "steepest", "structural", "truncated"]

Array = np.ndarray
Found = tuple[Array, Any]
_EPS = float(np.finfo(np.float64).eps)
_NOTHING = 1e-322  # what denormal numbers lose


# --- σ, of all entries of S


def mapped(sigma: Any, S: Array, noise: float) -> Found:
    """σ(S); `noise` is how far rounding may move an entry of S, so that what is below it is not above 0."""
    return _SIGMA[sigma.name](sigma, S, noise)


def _identity(sigma: Any, S: Array, noise: float) -> Found:
    return S, 0.0


def _log(sigma: Any, S: Array, noise: float) -> Found:
    positive = S[max(noise, 1e-280 * S.max(), 2.3e-308) < S]
    floor = 1.0
    if sigma.floor != "one" and positive.size:
        floor = positive.min() if sigma.floor == "minimum" else sigma.floor * S.max()
    above = floor < S
    # entries within rounding of the floor are equal to it; logarithms up to 745 are right to 1e-13
    return np.log(S, out=np.zeros_like(S), where=above) - np.where(above, np.log(floor), 0.0), 2e-12 + noise / floor


def _log_ramp(sigma: Any, S: Array, noise: float) -> Found:
    x = S / sigma.window
    ramp = np.log(np.maximum(sigma.epsilon, 1.0 + x))
    small = np.abs(x) < 1e-5  # where 1 + x has lost digits of x
    ramp[small] = x[small] * (1.0 - x[small] / 2 + x[small] ** 2 / 3)
    values = sigma.window * ramp
    return values, 1e-10 * np.abs(values) + _NOTHING


def _binarize(sigma: Any, S: Array, noise: float) -> Found:
    n = len(S)
    threshold = np.sort(S, axis=None)[min(int(n * n * sigma.percentile / 100), n * n - 1)]
    limit = threshold + max(1e-10 * abs(threshold), noise)  # as near to it is equal to it
    return np.where(limit < S, 1.0, 0.0), np.where(np.abs(S - limit) < 4 * _EPS * abs(limit), 1.0, 0.0)


_SIGMA = {"identity": _identity, "log": _log, "log_ramp": _log_ramp, "binarize": _binarize}


# --- ζ, of one matrix


def structural(zeta: Any, S: Array, noise: float) -> Found:
    """Y of a function that looks at one node at a time."""
    columns = S.T if zeta.axis == "rows" else S
    return _ZETA[zeta.name](zeta, S, columns, noise)


def _diagonal(zeta: Any, S: Array, columns: Array, noise: float) -> Found:
    return S.diagonal()[:, None], 0.0


def _characteristic(zeta: Any, S: Array, columns: Array, noise: float) -> Found:
    n = len(S)
    t = _landmarks(zeta, S, noise)
    angles = t * columns.T[:, :, None]  # node, other node, landmark
    parts = [-2.0 * np.sin(angles / 2) ** 2 if zeta.centered else np.cos(angles), np.sin(angles)]
    share = n if zeta.normalize and not zeta.centered else 1
    # an angle is as exact as its last digit, and the angles before it, of which it is a multiple
    rounding = 1e-12 + 16 * _EPS * float(np.abs(angles).max(initial=0.0))
    return np.hstack([part.sum(axis=1) for part in parts]) / share, n * rounding / share


def _landmarks(zeta: Any, S: Array, noise: float) -> Array:
    if isinstance(zeta.landmarks, tuple):
        t = np.array(zeta.landmarks)
        return t if zeta.include_zero else t[t != 0]
    upper = zeta.upper
    if upper == "auto":
        beside = np.abs(S[~np.eye(len(S), dtype=bool)])
        largest = beside.max(initial=0.0)
        shares = beside / largest if largest > 0 else beside
        typical = largest * (shares**2).sum() / shares.sum() if largest > 0 else 0.0
        told = largest > noise and typical > 30.0 / np.finfo(np.float64).max  # what is only rounding tells nothing
        upper = 30.0 / typical if told else 100.0
    return (
        np.linspace(0, upper, zeta.landmarks)
        if zeta.include_zero
        else (upper * np.arange(1, zeta.landmarks + 1) / zeta.landmarks)
    )


def _histogram(zeta: Any, S: Array, columns: Array, noise: float) -> Found:
    n = len(S)
    found, tolerance = np.zeros((n, zeta.bins)), np.zeros((n, 1))
    for u, values in enumerate(columns.T):
        low, high = (S.min(), S.max()) if zeta.edges == "common" else (values.min(), values.max())
        found[u], tolerance[u] = bins(values, low, high, zeta.bins, noise)
    return (found / n if zeta.normalize else found), tolerance


def bins(values: Array, low: float, high: float, count: int, noise: float = 0.0) -> Found:
    """How many values are in each bin; those as near below an edge as rounding may move them are on it."""
    unit = max(abs(low), abs(high), 1e-305)
    half = 0.5 * max(1.0 / unit, 1e-10)  # in units of the largest, so that nothing overflows
    values, low, high, noise = values / unit, low / unit, high / unit, noise / unit
    apart = high - low - (1e-10 + 4.0 * noise + 1e-300 / unit)
    if apart <= 0:
        low, high = low - half, low + half
    width = (high - low) / count
    slack = min(1e-9 + (1e-13 + noise) / width, 0.25)
    places = (values - low) / width
    below = np.ceil(places) - places
    near = (np.abs(below - slack) < slack / 2) & (places < count) & (places > 0)
    unsure = near.any() or abs(apart) < 1e-14
    inside = np.clip(np.where(below <= slack, np.ceil(places), np.floor(places)), 0, count - 1)
    return np.bincount(inside.astype(np.int64), minlength=count), np.inf if unsure else 1e-12


_ZETA = {"diagonal": _diagonal, "characteristic": _characteristic, "histogram": _histogram}


def steepest(zeta: Any, S: Array, noise: float) -> float:
    """How far an entry of Y moves, at most, for each 1 that all entries of S move."""
    if zeta.name != "characteristic":
        return 1.0
    largest = float(np.abs(_landmarks(zeta, S, noise)).max())
    return largest * (1 if zeta.normalize and not zeta.centered else len(S))


def truncated(S: Array, dim: int) -> tuple[tuple[Array, Array, Array], Array, float]:
    """U_d Σ_d Uᵀ_d, V_d Σ_d Vᵀ_d and U_d Σ_d Vᵀ_d, then Σ_d, then the gap: from the last value kept to the next.

    Singular vectors are a choice of signs, and of a basis where values are equal; these products are none. Vectors
    turn by the error of S over the gap, which is infinite where nothing is left over to turn into.
    """
    left, values, right = np.linalg.svd(S)
    rest = values[dim] if dim < len(S) else 0.0
    gap = float(values[dim - 1] - rest) if rest > 0 else np.inf
    left, values, right = left[:, :dim], values[:dim], right[:dim].T
    products = (left * values) @ left.T, (right * values) @ right.T, (left * values) @ right.T
    return products, values, gap


# --- π


def filtered(pi: Any, A: Array, rows: Array) -> Array:
    """Z of rows of length 1, by dense matrices."""
    n = len(A)
    near = A + np.eye(n)
    means = near / near.sum(axis=1, keepdims=True)
    return near @ (_PI[pi.name](pi, means) @ _of_length_1(rows))


def _low_pass(pi: Any, means: Array) -> Array:
    return sum(np.linalg.matrix_power(means, k) for k in range(pi.steps + 1))


def _prone(pi: Any, means: Array) -> Array:
    """1 − g(L), g being the first Chebyshev polynomials of e^{−θx}, x = (L − μ)²/2 − 1."""
    eye = np.eye(len(means))
    moved = (1.0 - pi.mu) * eye - means
    x = moved @ moved / 2 - eye
    terms = [eye, x]
    while len(terms) < pi.order:
        terms.append(2 * x @ terms[-1] - terms[-2])
    weights = [(1 if k == 0 else 2) * (-1) ** k * iv(k, pi.theta) for k in range(pi.order)]
    return eye - sum(weight * term for weight, term in zip(weights, terms, strict=True))


_PI = {"low_pass": _low_pass, "prone": _prone}


def lifted(Z: Array, columns: int) -> tuple[Array, float]:
    """Y Yᵀ for Y = U Σ^½ with rows of length 1, and how many times rounding is as large in it.

    The rows are asked for by angles, as axes of equal weight may turn. Axes are found from ZᵀZ, which squares the
    distance of their lengths: those 3e-7 as long as the longest are 0.
    """
    _, values, axes = np.linalg.svd(Z, full_matrices=False)
    values, axes = values[:columns], axes[:columns]
    squares = (values / values[0]) ** 2 if values[0] > 0 else np.zeros_like(values)
    kept = squares > 1e-13
    # from Z itself, whose rows keep their digits however short they are; those of U do not
    Y = _of_length_1(Z @ axes.T * np.where(kept, np.where(kept, values, 1.0) ** -0.5, 0.0))
    return Y @ Y.T, 1.0 / squares[kept].min(initial=1.0)


def _of_length_1(rows: Array) -> Array:
    sizes = np.abs(rows).max(axis=1, keepdims=True)
    rows = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
    lengths = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


# --- ρ, of several graphs


def pooled(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> tuple[Array, Any]:
    """One vector for each graph; `shared` is what was drawn at random, if anything was."""
    return _RHO[rho.name](rho, parts, shared, features)


def _totals(parts: list[Array]) -> Found:
    """Sums over the nodes, in parts of the largest, so that none overflows before it must."""
    sizes = [np.abs(rows).max(axis=0, initial=0.0) for rows in parts]
    return np.array([rows.sum(axis=0) for rows in parts]), np.array(
        [16 * _EPS * len(rows) * size + len(rows) * _NOTHING for rows, size in zip(parts, sizes, strict=True)]
    )


def _mean(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    sizes = np.array([[len(rows)] for rows in parts])
    totals, tolerance = _totals([rows / len(rows) for rows in parts])
    return totals, tolerance + sizes * _NOTHING


def _sum(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    return _totals(parts)


def _max(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    return np.array([rows.max(axis=0) for rows in parts]), 0.0


def _trace(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    if rho.normalization == "empty":
        return _mean(rho, parts, shared, features)
    totals, tolerance = _totals(parts)
    if rho.normalization == "none":
        return totals, tolerance
    scales = np.array([feature.proximity.scale for feature in features])
    complete = np.array([1 + (len(rows) - 1) * np.exp(-scales) for rows in parts])
    return totals / complete, tolerance


def _bins_of_all(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    every = np.vstack(parts)
    low, high = every.min(axis=0), every.max(axis=0)
    found = [[bins(rows[:, j], low[j], high[j], rho.bins) for j in range(rows.shape[1])] for rows in parts]
    counts = [np.hstack([each for each, _ in one]) / len(rows) for one, rows in zip(found, parts, strict=True)]
    return np.array(counts), np.array([np.repeat([unsure for _, unsure in one], rho.bins) for one in found])


def _fourier(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    weights, offsets = shared
    spread = np.sqrt(2.0) / _middle(np.vstack(parts)) if rho.gamma == "auto" else np.sqrt(2 * rho.gamma)
    # the frequencies are drawn with variance 2γ: within 5 deviations of it, of 600 and more
    square = float(np.mean((weights / spread) ** 2))
    assert abs(square - 1) < 5 * np.sqrt(2 / weights.size), f"frequencies have {square:.3g} times their variance"
    angles = [rows @ weights.T for rows in parts]
    largest = max(float((np.abs(rows) @ np.abs(weights.T)).max(initial=0.0)) for rows in parts)
    values = [np.sqrt(2 / rho.features) * np.cos(each + offsets).mean(axis=0) for each in angles]
    return np.array(values), 1e-13 + 8 * _EPS * largest


def _kernel(rho: Any, parts: list[Array], shared: Any, features: list[Any]) -> Found:
    every = np.vstack(parts)
    middle = _middle(every)

    def between(one: Array, other: Array) -> float:
        if rho.inner == "linear":
            return float((one @ other.T).mean())
        distances = _distances(one, other) / middle
        return float(np.exp(-(distances**2 if rho.inner == "gaussian" else distances)).mean())

    products = np.array([[between(one, other) for other in parts] for one in parts])
    if rho.outer == "linear":
        return products, 1e-12 * np.abs(products).max()
    norms = products.diagonal()
    squared = np.maximum(norms[:, None] + norms - 2 * products, 0)
    rounding = 1e-12 * np.abs(products).max()
    apart = np.sqrt(squared[np.triu_indices(len(parts), 1)])
    outer = float(np.median(apart)) if apart.size else 1.0
    if outer <= 1e-12:
        outer = 1.0
    shares = squared / outer**2
    unsure = rounding / outer**2
    if rho.outer == "gaussian":
        return np.exp(-shares), 8 * unsure + 1e-12
    return np.exp(-np.sqrt(shares)), 8 * np.sqrt(unsure) + 1e-12


def _distances(one: Array, other: Array) -> Array:
    size = max(np.abs(one).max(initial=0.0), np.abs(other).max(initial=0.0)) or 1.0
    return size * np.sqrt((((one / size)[:, None, :] - (other / size)[None, :, :]) ** 2).sum(axis=2))


def _middle(rows: Array) -> float:
    """The median distance between nodes; 1 if there is none."""
    distances = _distances(rows, rows)[np.triu_indices(len(rows), 1)]
    middle = float(np.median(distances)) if distances.size else 0.0
    return middle if middle > 1e-12 else 1.0


_RHO = {
    "mean": _mean, "sum": _sum, "max": _max, "trace": _trace, "histogram": _bins_of_all, "fourier": _fourier,
    "kernel": _kernel,
}  # fmt: skip
