"""The positional tier once more, in dense numpy: nothing here uses phusion's own code."""

from __future__ import annotations

import numpy as np
from scipy.special import iv
from tests.theory.oracle import reciprocal, walk


def edge_pmi(A, *, smoothing=0.75, negative=1.0):
    S, R = np.zeros_like(A), walk(A)
    received = R.sum(axis=0)
    q = np.array([r**smoothing if r > 0 else 0.0 for r in received])
    q = q / (q.sum() or 1.0)
    for i, j in zip(*np.nonzero(A), strict=True):
        S[i, j] = np.log(A[i, j]) - np.log(A[i].sum()) - np.log(negative * q[j])
    return S


def two_hops(A, *, kept, hub, smoothing=0.75):
    R = walk(A)
    crowded = (A != 0).sum(axis=1) > hub
    M = R.copy()
    for i in range(len(A)):
        for k in np.flatnonzero(A[i]):
            if not crowded[k]:
                M[i] += R[i, k] * R[k]
    M /= 2
    for i in range(len(A)):
        positive = np.sort(M[i][M[i] > 0])[::-1]
        if len(positive) > kept:
            last = positive[kept - 1]
            stay = M[i] > last * (1 - 1e-9)
            if stay.sum() > 2 * kept:
                stay = M[i] > last * (1 + 1e-9)
            M[i][~stay] = 0
    q = M.sum(axis=0) ** smoothing
    q = q / q.sum()
    S = np.zeros_like(A)
    for i, j in zip(*np.nonzero(M), strict=True):
        S[i, j] = np.log(M[i, j] / q[j])
    return S


def unit(rows):
    return np.diag(reciprocal(np.linalg.norm(rows, axis=1))) @ rows


def averaging(A):
    closed = A + np.eye(len(A))
    return np.diag(1 / closed.sum(axis=1)) @ closed


def low_pass(A, rows, steps=4):
    N, R = averaging(A), unit(rows)
    total = sum(np.linalg.matrix_power(N, k) @ R for k in range(steps + 1))
    return (A + np.eye(len(A))) @ total


def prone(A, rows, order=10, mu=0.2, theta=0.5):
    """The filter as a function of the eigenvalues, through Chebyshev's polynomials themselves."""
    L, R = np.eye(len(A)) - averaging(A), unit(rows)
    values, vectors = np.linalg.eig(L)
    x = (values.real - mu) ** 2 / 2 - 1
    g = iv(0, theta) * np.ones_like(x)
    for k in range(1, order):
        g = g + 2 * (-1) ** k * iv(k, theta) * np.polynomial.chebyshev.chebval(x, [0] * k + [1])
    smooth = (vectors * g) @ np.linalg.inv(vectors) @ R
    return (A + np.eye(len(A))) @ (R - smooth.real)


def rotated(Z, width=None):
    U, s, _ = np.linalg.svd(Z, full_matrices=False)
    return unit((U * np.sqrt(s))[:, :width])


def inner(rows):
    """What is left of rows if axes and signs do not matter."""
    return rows @ rows.T
