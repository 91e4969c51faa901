"""`Fidelity`: how near approximate singular vectors are to exact ones, measured on the matrix itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import linalg

from phusion.linalg.chebyshev_svd import Found
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.tall import Tall

__all__ = ["Fidelity", "measured"]

_CHECKED = 16  # singular vectors, evenly from the first to the last
_PROBES = 8  # random vectors that look for what was missed
_STEPS = 2  # applications of SSᵀ to them


@dataclass(frozen=True)
class Fidelity:
    """What a few probes say of approximate singular vectors. All numbers are shares, so 0.01 is one percent.

    Attributes
    ----------
    dim : singular vectors that were asked for.
    applications : how often SSᵀ was applied.
    checked : vectors that were checked, evenly from the first to the last.
    residual_median, residual_largest : ‖S v − σu‖ / σ of these. Some exact singular value is within this share of σ.
    rise : by how much a value grows at most when its vector is applied once more: what is still to come, at least.
    missed : the largest singular value that random probes find outside the space, as a share of the smallest kept.
        Above 1, something larger was missed.
    """

    dim: int
    applications: int
    checked: int
    residual_median: float
    residual_largest: float
    rise: float
    missed: float

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as a file keeps them."""
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.dim} singular vectors by {self.applications} applications; of {self.checked} checked, residuals "
            f"are {self.residual_median:.1%} (median) and {self.residual_largest:.1%} (largest), and values rise by "
            f"at most {self.rise:.2%} when applied once more; the largest found outside is {self.missed:.2f} of "
            "the smallest kept"
        )


def measured(matrix: EdgeMatrix, found: Found, applications: int, seed: int) -> Fidelity:
    """From one product for a few of the vectors, and a few products for probes."""
    dim = len(found.values)
    some = np.unique(np.linspace(0, dim - 1, _CHECKED).astype(np.int64))
    some = some[found.values[some] > 0]
    if not len(some):
        return Fidelity(dim, applications, 0, 0.0, 0.0, 0.0, 0.0)
    tall, values = Tall(matrix.n, matrix.each), found.values[some]
    image = matrix.times(found.right[:, some] / values.astype(np.float32))
    grown = tall.lengths(image)
    image -= found.left[:, some] * values.astype(np.float32)
    residuals = tall.lengths(image) / values
    rise = float(max(0.0, (grown / values).max() - 1.0))
    missed = _outside(matrix, found, seed) / float(found.values[found.values > 0].min())
    return Fidelity(
        dim, applications, len(some), float(np.median(residuals)), float(residuals.max()), rise, float(missed)
    )


def _outside(matrix: EdgeMatrix, found: Found, seed: int) -> float:
    """The largest singular value that probes at right angles to the found vectors come upon."""
    tall = Tall(matrix.n, matrix.each)
    count = min(_PROBES, matrix.n)
    probes = np.random.default_rng([seed, 1]).standard_normal((matrix.n, count), dtype=np.float32)
    for step in range(_STEPS + 1):
        for _ in range(2):  # what rounding leaves of them is gone the second time
            weights = tall.gram(found.left, probes).astype(np.float32)
            probes -= found.left @ weights
        tall.orthonormalise(probes)
        image = matrix.transposed_times(probes)
        if step < _STEPS:
            probes = matrix.times(image)
    return float(np.sqrt(max(0.0, linalg.eigvalsh(tall.gram(image, image))[-1])))
