"""Extreme eigenvalues of sparse matrices, deterministic."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph, linalg

from phusion.errors import PhusionError

__all__ = ["spectral_gap", "spectral_radius"]

_DENSE = 400  # below this LAPACK is faster than ARPACK, and never fails to converge
_CHEAP = 20_000_000  # entries touched; what spectral_gap may spend is a few seconds


def spectral_radius(matrix: Any, *, symmetric: bool) -> float:
    """The largest absolute eigenvalue of a square sparse matrix.

    >>> spectral_radius(sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]])), symmetric=True)
    2.0
    """
    if matrix.nnz == 0:
        return 0.0
    scale = float(np.abs(matrix.data).max())  # keeps weights of 1e±300 away from under- and overflow
    scaled = sparse.csr_array((matrix.data / scale, matrix.indices, matrix.indptr), shape=matrix.shape)
    radius = _symmetric_radius(scaled) if symmetric else _general_radius(scaled)
    return scale * radius


def _symmetric_radius(matrix: Any) -> float:
    if matrix.shape[0] <= _DENSE:
        values = np.linalg.eigvalsh(matrix.toarray())
    else:
        values = _arpack(linalg.eigsh, matrix)
    return float(np.abs(values).max())


def _general_radius(matrix: Any) -> float:
    """Of a directed graph: its eigenvalues are those of its strongly connected components."""
    n_parts, part = csgraph.connected_components(matrix, directed=True, connection="strong")
    sizes = np.bincount(part)
    single = sizes[part] == 1
    radius = float(np.abs(matrix.diagonal()[single]).max(initial=0.0))
    if n_parts == matrix.shape[0]:
        return radius
    cyclic = np.flatnonzero(~single)
    core = matrix[cyclic][:, cyclic]
    if core.shape[0] <= _DENSE:
        values = np.linalg.eigvals(core.toarray())
    else:
        # arcs between components do not change the eigenvalues but make ARPACK's work harder
        rows = np.repeat(np.arange(core.shape[0]), np.diff(core.indptr))
        inside = core.copy()
        inside.data[part[cyclic][rows] != part[cyclic][core.indices]] = 0.0
        values = _arpack(linalg.eigs, inside)
    return max(radius, float(np.abs(values).max()))


def _arpack(solve: Any, matrix: Any) -> Any:
    """The eigenvalue of largest magnitude, with more and more room if it does not come at once."""
    n = matrix.shape[0]
    for basis, restarts in ((20, 10 * n), (80, 10 * n), (min(400, n - 1), 100 * n)):
        try:
            return solve(
                matrix, 1, which="LM", v0=_start(matrix), tol=1e-10,
                ncv=basis, maxiter=restarts, return_eigenvectors=False,
            )  # fmt: skip
        except linalg.ArpackNoConvergence:
            continue
    raise PhusionError(
        f"the largest eigenvalue of this {n:,} × {n:,} matrix did not converge; "
        "many eigenvalues of equal size stand in its way"
    )


def _start(matrix: Any) -> Any:
    """A fixed start vector, so that the same matrix always gives the same digits."""
    return np.random.default_rng(0).uniform(0.5, 1.5, matrix.shape[0])


def spectral_gap(normalized_adjacency: Any) -> float | None:
    """λ₂ = 1 − (second largest eigenvalue of N) of a connected graph; None where that is not cheap."""
    n = normalized_adjacency.shape[0]
    if n < 2:
        return None
    if n <= _DENSE:
        return float(max(0.0, 1.0 - np.linalg.eigvalsh(normalized_adjacency.toarray())[-2]))
    steps = _CHEAP // (normalized_adjacency.nnz + 20 * n)
    if steps < 5:
        return None
    try:
        values = linalg.eigsh(
            normalized_adjacency,
            k=2,
            which="LA",
            v0=_start(normalized_adjacency),
            maxiter=min(int(steps), 300),
            tol=1e-9,
            return_eigenvectors=False,
        )
    except linalg.ArpackNoConvergence:
        return None
    return float(max(0.0, 1.0 - values.min()))
