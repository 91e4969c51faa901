"""Characteristic function sampling (CFS)."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.embeddings.base import Axis, EmbeddingFunction, oriented
from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.parameter import Count, Positive
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Characteristic"]

_BLOCK = 2**22  # entries at a time
_TURNS = 1e4  # radians up to which repeated rotation keeps 1e-11


class Characteristic(EmbeddingFunction, name="characteristic"):
    r"""The distribution of a node's proximities, sampled: nodes with like roles get like rows.

    .. math:: \phi_u(t) = \frac{1}{n} \sum_v e^{i t S_{vu}}, \quad
       Y_u = [\mathrm{Re}\,\phi_u(t_1), \ldots, \mathrm{Re}\,\phi_u(t_k), \mathrm{Im}\,\phi_u(t_1), \ldots]

    Parameters
    ----------
    landmarks : number k of evenly spaced t from 0 to `upper`, or the t themselves; 2k features.
    upper : largest landmark, where their number is given.
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

    landmarks: Count | tuple[float, ...] = 25
    upper: Positive = 100.0
    normalize: bool = True
    centered: bool = False
    include_zero: bool = True
    axis: Axis = "columns"

    structural = True

    def points(self) -> Array:
        """The landmarks t."""
        if isinstance(self.landmarks, tuple):
            given = np.array(self.landmarks, dtype=np.float64)
            return given if self.include_zero else given[given != 0]
        if self.include_zero:
            return np.linspace(0.0, self.upper, self.landmarks)
        return np.linspace(0.0, self.upper, self.landmarks + 1)[1:]

    def check_parameters(self) -> None:
        """A landmark twice says nothing more, and t = 0 alone nothing at all."""
        if len(set(self.points())) < len(self.points()):
            raise InputError(f"Characteristic has the same landmark twice in {list(self.landmarks)}")  # type: ignore[arg-type]
        if not self.points().any():
            raise InputError(
                "Characteristic needs a landmark other than t = 0, which is the same for all nodes; "
                f"got landmarks={self.landmarks!r}, include_zero={self.include_zero}"
            )

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, of 2k columns: the real parts, then the imaginary parts."""
        points = self.points()
        values = oriented(matrix, self.axis)
        sums = np.empty((len(points), matrix.n), dtype=np.complex128)
        width = max(1, _BLOCK // max(1, matrix.n))
        for start in range(0, matrix.n, width):
            sums[:, start : start + width] = _sums(values[:, start : start + width], points, self.centered)
        if self.normalize and not self.centered:
            sums /= matrix.n
        return np.hstack([sums.real.T, sums.imag.T])

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Part and landmark: ``cos_t4.17``."""
        points = self.points()
        digits = 3
        while len({f"{t:.{digits}g}" for t in points}) < len(set(points)) and digits < 17:
            digits += 1
        return [f"{part}_t{t:.{digits}g}" for part in ("cos", "sin") for t in points]


def _sums(values: Array, points: Array, centered: bool) -> Array:
    """Σ_v e^{i t S_vu}, or Σ_v (e^{i t S_vu} − 1), for every landmark t and column u."""
    if centered:  # cos x − 1 = −2 sin²(x/2) keeps the digits of small entries
        real = [-2.0 * (np.sin(0.5 * t * values) ** 2).sum(axis=0) for t in points]
        return np.array(real) + 1j * np.array([np.sin(t * values).sum(axis=0) for t in points])
    steps = np.diff(points)
    even = len(points) > 2 and np.allclose(steps, steps[0], rtol=1e-12, atol=0.0)
    if not even or np.abs(values).max(initial=0.0) * np.abs(points).max() > _TURNS:
        sums = [np.cos(t * values).sum(axis=0) + 1j * np.sin(t * values).sum(axis=0) for t in points]
        return np.array(sums)
    # evenly spaced: one sine and cosine per entry, then rotation
    turn, place = np.exp(1j * steps[0] * values), np.exp(1j * points[0] * values)
    result = np.empty((len(points), values.shape[1]), dtype=np.complex128)
    for k in range(len(points)):
        result[k] = place.sum(axis=0)
        place *= turn
    return result
