"""Characteristic function sampling (CFS)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from phusion.embeddings.base import Axis, Columns, EmbeddingFunction
from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.parameter import Bounds, Positive
from phusion.proximities.matrix import Mass, ProximityMatrix
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Characteristic"]

_TURNS = 1e6  # radians up to which angles are brought to ±π/4 without loss; their own rounding is 1e-16 of them
_USUAL = 100.0  # the largest landmark where there is nothing to learn from
_ANGLE = 30.0  # of the typical proximity at the largest landmark
_MANY = 3_000  # rows of sparse columns from which on loading a compiled loop pays
_SLAB = 4_096  # rows whose angles are written out at a time
_FEW = 200_000  # entries, of all columns, that numpy has turned before a compiled loop is loaded


class Characteristic(EmbeddingFunction, name="characteristic"):
    r"""The distribution of a node's proximities, sampled: nodes with like roles get like rows.

    .. math:: \phi_u(t) = \frac{1}{n} \sum_v e^{i t S_{vu}}, \quad
       Y_u = [\mathrm{Re}\,\phi_u(t_1), \ldots, \mathrm{Re}\,\phi_u(t_k), \mathrm{Im}\,\phi_u(t_1), \ldots]

    Parameters
    ----------
    landmarks : number k of evenly spaced t from 0 to `upper`, or the t themselves; 2k features.
    upper : largest landmark, where their number is given. ``"auto"`` is 30/q, with the typical proximity q of two
        nodes of the fitted graphs, the sum of squares over the sum of magnitudes: the angles of such entries go five
        times round, so that they are told apart, and small ones still move.
    normalize : divide by n, so that graphs of different size compare; False gives sums.
    centered : n(φ − 1) instead, which keeps local signal on large graphs.
    include_zero : False leaves out t = 0, which is the same for all nodes; k landmarks are spaced above it.
    axis : ``"columns"`` S_vu as the paper's formula, or ``"rows"`` S_uv; the same for symmetric proximities.

    References
    ----------
    PhUSION, section 4.3; Donnat et al., GraphWave, KDD 2018.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> phusion.embeddings.Characteristic(landmarks=[np.pi]).embed(DenseMatrix(np.eye(2), symmetric=True)).round(4)
    array([[0., 0.],
           [0., 0.]])
    """

    landmarks: Annotated[int, Bounds(ge=1, le=1_000_000)] | tuple[float, ...] = 25
    upper: Positive | Literal["auto"] = 100.0
    normalize: bool = True
    centered: bool = False
    include_zero: bool = True
    axis: Axis = "columns"

    structural = True

    @property
    def reads_noise(self) -> bool:  # type: ignore[override]
        """What is learned is how large entries are, unless they are only rounding."""
        return self.learns

    @property
    def learns(self) -> bool:
        """How large proximities are, unless landmarks are given."""
        return self.upper == "auto" and not isinstance(self.landmarks, tuple)

    @property
    def weighs(self) -> bool:
        """All that is learned is how large entries are."""
        return self.learns

    def learn(self, matrix: ProximityMatrix) -> Mass | None:
        """How large proximities are."""
        if not self.learns:
            return None
        mass = matrix.mass()
        return mass if mass.largest > matrix.noise else Mass()  # landmarks for rounding would make it angles

    def combined(self, parts: Sequence[Any]) -> Any:
        """Of all graphs together."""
        return Mass.of_all(parts)

    def points(self, shared: Mass | None = None) -> Array:
        """The landmarks t, with what was learned if that decides."""
        if isinstance(self.landmarks, tuple):
            given = np.array(self.landmarks, dtype=np.float64)
            return given if self.include_zero else given[given != 0]
        upper = _upper(shared) if self.upper == "auto" else self.upper
        if self.include_zero:
            return np.linspace(0.0, upper, self.landmarks)
        return np.linspace(0.0, upper, self.landmarks + 1)[1:]

    def check_parameters(self) -> None:
        """A landmark twice says nothing more, and t = 0 alone nothing at all."""
        points = self.points()
        if len(set(points)) < len(points):
            given = list(self.landmarks) if isinstance(self.landmarks, tuple) else f"{len(points):,} up to {self.upper}"
            raise InputError(f"Characteristic has the same landmark twice in {given}")
        if not points.any():
            raise InputError(
                "Characteristic needs a landmark other than t = 0, which is the same for all nodes; "
                f"got landmarks={self.landmarks!r}, include_zero={self.include_zero}"
            )

    def rows(self, columns: Columns, shared: Any) -> Array:
        """2k numbers for each node: the real parts, then the imaginary parts."""
        return self.of_sums(*_sums(columns, self.points(shared)), columns.n)

    def of_sums(self, below: Array, sines: Array, n: int) -> Array:
        """Rows from Σ_v (1 − cos t S_vu) and Σ_v sin t S_vu, each for some nodes and all landmarks."""
        found = np.hstack([-below if self.centered else n - below, sines])
        return found / n if self.normalize and not self.centered else found

    def stacked(self, matrix: StackedMatrix, shared: Any) -> Array | None:
        """Y of many small graphs at once; padding is 0, which adds nothing to any sum."""
        if self.learns and shared is None:
            return None  # each graph has landmarks of its own
        stack, values = matrix.stack, matrix.values
        if self.axis == "columns" and not matrix.symmetric:
            values = np.ascontiguousarray(values.transpose(0, 2, 1))
        found = _turned_sums(values.reshape(-1, stack.width).T, self.points(shared), few=stack.total < _FEW)
        if found is None:
            return None
        below, sines = (each.reshape(len(stack), stack.width, -1) for each in found)
        n = stack.sizes[:, None, None]
        rows = np.concatenate([-below if self.centered else n - below, sines], axis=2)
        return rows / n if self.normalize and not self.centered else rows

    def width(self, n: int) -> int:
        """Two for each landmark."""
        return 2 * len(self.points())

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Part and landmark: ``cos_t4.17``."""
        points = self.points(shared)
        digits = 3
        while len({f"{t:.{digits}g}" for t in points}) < len(set(points)) and digits < 17:
            digits += 1
        return [f"{part}_t{t:.{digits}g}" for part in ("cos", "sin") for t in points]


def _upper(shared: Mass | None) -> float:
    typical = 0.0 if shared is None else shared.typical
    return _ANGLE / typical if typical > 0 and np.isfinite(_ANGLE / typical) else _USUAL


def _sums(columns: Columns, points: Array) -> tuple[Array, Array]:
    """Σ_v (1 − cos t S_vu) and Σ_v sin t S_vu, for every column u and landmark t."""
    ones = columns.ones()
    if ones is not None:  # a count and a closed form
        return ones[:, None] * (2.0 * np.sin(0.5 * points) ** 2), ones[:, None] * np.sin(points)
    together = columns.stored_together() if columns.n > _MANY else None
    if together is not None:
        turned = _turned_columns(*together, points)
        if turned is not None:
            return turned
    stored = columns.stored()
    if stored is not None:  # zeros add nothing to either
        found = [_sums_of(each[:, None], points, few=each.size < _FEW) for each in stored]
        return np.vstack([below for below, _ in found]), np.vstack([sines for _, sines in found])
    # what is loaded for this block serves those that follow it, to the last of n columns
    return _sums_of(columns.values(), points, few=columns.n**2 < _FEW)


def _sums_of(values: Array, points: Array, *, few: bool) -> tuple[Array, Array]:
    turned = _turned_sums(values, points, few=few)
    if turned is not None:
        return turned
    below, sines = np.zeros((2, values.shape[1], len(points)))
    for start in range(0, len(values), _SLAB):
        slab = np.asarray(values[start : start + _SLAB], np.float64)
        for k, t in enumerate(points):
            below[:, k] += 2.0 * (np.sin(0.5 * t * slab) ** 2).sum(axis=0)  # 1 − cos x keeps no digits of a small x
            sines[:, k] += np.sin(t * slab).sum(axis=0)
    return below, sines


def _turned_sums(values: Array, points: Array, *, few: bool) -> tuple[Array, Array] | None:
    """The sums by rotation; None where landmarks are not even."""
    step = _even_step(points)
    if step is None:
        return None
    half = 0.5 * step
    if not _largest(values) * half <= _TURNS:  # whole turns go first; 2π is as exact as the angles are
        values, half = np.remainder(half * values.astype(np.float64, copy=False), 2.0 * np.pi), 1.0
    n_turns = len(points) - (points[0] == 0)
    turned = _turned_by_numpy if few else _turned
    below, sines = turned(values, half, n_turns)
    if points[0] == 0:
        nothing = np.zeros((values.shape[1], 1))
        below, sines = np.hstack([nothing, below]), np.hstack([nothing, sines])
    return below, sines


def _turned_columns(data: Array, indptr: Array, points: Array) -> tuple[Array, Array] | None:
    """The sums of sparse columns by rotation; None where landmarks are not even, or angles very large."""
    step = _even_step(points)
    if step is None or not _largest(data) * 0.5 * step <= _TURNS:
        return None
    from phusion.linalg.kernels.sparse_columns import column_angle_sums

    squares, products = np.zeros((2, len(indptr) - 1, len(points)))
    first = int(points[0] == 0)
    count = len(points) - first
    column_angle_sums(data, indptr, 0.5 * step, count, squares[:, first:], products[:, first:])
    return 2.0 * squares, 2.0 * products


def _largest(values: Array) -> float:
    """Of the absolute values, none of which is written out."""
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))


def _even_step(points: Array) -> float | None:
    """The distance of landmarks that are whole multiples of it from 0 or 1 on; else None."""
    if len(points) < 2:
        return None
    step = float(points[-1] - points[0]) / (len(points) - 1)
    first = 0.0 if points[0] == 0 else step
    even = step > 0 and bool((np.abs(points - first - step * np.arange(len(points))) <= 1e-12 * np.abs(points)).all())
    return step if even else None


def _turned(values: Array, half: float, count: int) -> tuple[Array, Array]:
    """The sums for the angles 2·half·S, …, 2·half·S·count, by rotation."""
    from phusion.linalg.kernels.angles import half_angle_sums

    squares, products = np.zeros((2, values.shape[1], count))
    half_angle_sums(values, half, count, squares, products)
    return 2.0 * squares, 2.0 * products


def _turned_by_numpy(values: Array, half: float, count: int) -> tuple[Array, Array]:
    """The same without a compiled loop, whose loading takes longer than few numbers do."""
    turn = np.exp(1j * half * values.astype(np.float64))
    place = np.ones_like(turn)
    squares, products = np.empty((2, values.shape[1], count))
    for k in range(count):
        place *= turn
        squares[:, k] = (place.imag**2).sum(axis=0)
        products[:, k] = (place.imag * place.real).sum(axis=0)
    return 2.0 * squares, 2.0 * products
