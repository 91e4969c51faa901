"""Extreme eigenvalues of sparse matrices, deterministic."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph, linalg

from phusion.errors import PhusionError
from phusion.linalg.blas import blas_threads
from phusion.linalg.eigenpairs import extreme_eigenpairs, fixed_basis

__all__ = ["largest_eigenpairs", "spectral_gap", "spectral_radius"]

_DENSE = 400  # below this LAPACK is faster than ARPACK, and never fails to converge
_DENSE_IF_NEEDED = 5_000
_TOLERANCE = 1e-10
_RESTARTS = 300
_POWER_STEPS = 200
_BASIS = 32  # vectors that Lanczos keeps for λ₂
_ROUNDING = 1e-14  # of eigenvalues near 1
_CHEAP = 2_000_000_000  # entries touched in search of λ₂: a second or two
_PATIENT = 50_000_000_000  # the same where the work cannot go on without it: less than a minute


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
    small = matrix.shape[0] <= _DENSE
    values = np.linalg.eigvalsh(matrix.toarray()) if small else _arpack(linalg.eigsh, matrix)
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
    core, part = matrix[cyclic][:, cyclic], part[cyclic]
    if core.shape[0] <= _DENSE:
        return max(radius, float(np.abs(np.linalg.eigvals(core.toarray())).max()))
    # arcs between components do not change the eigenvalues but make the work harder
    rows = np.repeat(np.arange(core.shape[0]), np.diff(core.indptr))
    core.data[part[rows] != part[core.indices]] = 0.0
    if core.data.min() >= 0:
        lower, upper = _perron_bounds(core, part)
        if upper - lower <= _TOLERANCE * upper:
            return max(radius, upper)
    return max(radius, float(np.abs(_arpack(linalg.eigs, core)).max()))


def _perron_bounds(matrix: Any, part: Any) -> tuple[float, float]:
    """Collatz–Wielandt bounds of the largest eigenvalue of a non-negative matrix, part by part.

    They meet at once on regular graphs, where every eigenvalue may have the same size and ARPACK is lost.
    """
    _, part = np.unique(part, return_inverse=True)
    vector = np.ones(matrix.shape[0])
    lower, upper = 0.0, np.inf
    for _ in range(_POWER_STEPS):
        image = matrix @ vector + vector  # the shift by 1 makes every part aperiodic
        ratio = image / vector
        low, high = np.full(part.max() + 1, np.inf), np.zeros(part.max() + 1)
        np.minimum.at(low, part, ratio)
        np.maximum.at(high, part, ratio)
        lower, upper = float(low.max()) - 1.0, float(high.max()) - 1.0
        if upper - lower <= _TOLERANCE * upper:
            break
        vector = image / image.max()
        if vector.min() < 1e-280:  # some part decays against another; ARPACK does not mind
            break
    return lower, upper


def _arpack(solve: Any, matrix: Any) -> Any:
    """The eigenvalues of largest magnitude; where ARPACK does not find them, LAPACK may."""
    n = matrix.shape[0]
    # several at once: of eigenvalues of nearly equal size, one alone may not be the largest
    for basis in (40, min(160, n - 1)):
        try:
            return solve(
                matrix, 6, which="LM", v0=_start(matrix), tol=_TOLERANCE,
                ncv=basis, maxiter=_RESTARTS, return_eigenvectors=False,
            )  # fmt: skip
        except linalg.ArpackNoConvergence:
            continue
    if n <= _DENSE_IF_NEEDED:
        return np.linalg.eigvals(matrix.toarray())
    raise PhusionError(
        f"the largest eigenvalue of this {n:,} × {n:,} matrix did not converge; "
        "many eigenvalues of nearly equal size stand in its way"
    )


def _start(matrix: Any) -> Any:
    """A fixed start vector, so that the same matrix always gives the same digits."""
    return np.random.default_rng(0).uniform(0.5, 1.5, matrix.shape[0])


def spectral_gap(normalized_adjacency: Any, degrees: Any, *, patient: bool = False) -> float | None:
    """λ₂ = 1 − (second largest eigenvalue of N) of a connected graph; None where it is not found soon enough.

    0.0 is one that doubles cannot tell from 0. The largest eigenvalue is 1, of the vector D^½ 1, and is taken out.
    `patient` may take 25 times as long, or LAPACK.
    """
    n = normalized_adjacency.shape[0]
    if n < 2:
        return None
    if n <= _DENSE:
        return _dense_gap(normalized_adjacency)
    top = np.sqrt(degrees / degrees.max())
    top /= np.linalg.norm(top)
    deflated = linalg.LinearOperator(
        (n, n), matvec=lambda x: normalized_adjacency @ x.ravel() - top * (top @ x.ravel()), dtype=np.float64
    )
    lapack = patient and n <= _DENSE_IF_NEEDED
    products = (_PATIENT if patient and not lapack else _CHEAP) // (normalized_adjacency.nnz + 2 * _BASIS * n)
    if products >= _BASIS:  # half of the basis is new in each restart
        try:
            with blas_threads(1):  # vectors are short work: threads would wait for each other
                found = linalg.eigsh(
                    deflated, k=1, which="LA", v0=_start(deflated), ncv=_BASIS, tol=_TOLERANCE,
                    maxiter=int(2 * products // _BASIS), return_eigenvectors=False,
                )  # fmt: skip
            return _gap(found[0])
        except linalg.ArpackNoConvergence:
            pass
    return _dense_gap(normalized_adjacency) if lapack else None


def _dense_gap(normalized_adjacency: Any) -> float:
    return _gap(np.linalg.eigvalsh(normalized_adjacency.toarray())[-2])


def _gap(second: Any) -> float:
    found = 1.0 - float(second)
    return found if found > _ROUNDING else 0.0


def largest_eigenpairs(matrix: Any, count: int) -> tuple[Any, Any, bool]:
    """The `count` algebraically largest eigenvalues of a symmetric sparse matrix, descending, and their vectors.

    And whether the cut goes through equal ones, so that their vectors are a choice (a fixed one).
    """
    n = matrix.shape[0]
    values, vectors = extreme_eigenpairs(matrix, min(count + 8, n), "LA")
    tolerance = 1e-10 * float(np.abs(values).max(initial=0.0))
    if len(values) < n and np.sort(values)[-count] - values.min() <= tolerance:
        values, vectors = extreme_eigenpairs(matrix, n, "LA")
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    fixed_basis(values, vectors, tolerance=tolerance, count=count)
    cut = count < n and values[count - 1] - values[count] <= tolerance
    return values[:count], vectors[:, :count], bool(cut)
