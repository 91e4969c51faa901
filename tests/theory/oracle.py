"""METHODS.md once more, in dense numpy: nothing here uses phusion's own code."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
from numpy.linalg import eigh, eigvals, eigvalsh, inv, matrix_power, solve
from scipy.sparse.csgraph import connected_components


def random_adjacency(n, density, seed, *, loops=False, directed=False, signed=False):
    rng = np.random.default_rng(seed)
    A = (rng.random((n, n)) < density) * rng.uniform(0.2, 3, (n, n))
    if signed:
        A *= rng.choice([-1, 1], (n, n))
    if not directed:
        A = np.triu(A) + np.triu(A, 1).T
    return A if loops else A - np.diag(np.diag(A))


def block(*parts):
    n = sum(len(part) for part in parts)
    A, start = np.zeros((n, n)), 0
    for part in parts:
        A[start : start + len(part), start : start + len(part)] = part
        start += len(part)
    return A


def path(n, weights=1.0):
    return np.diag(np.ones(n - 1) * weights, 1) + np.diag(np.ones(n - 1) * weights, -1)


def bipartite(seed):
    B = np.random.default_rng(seed).uniform(0.5, 2, (3, 4))
    return np.block([[np.zeros((3, 3)), B], [B.T, np.zeros((4, 4))]])


UNDIRECTED = {
    "weighted": random_adjacency(9, 0.5, 1),
    "looped": random_adjacency(8, 0.5, 2, loops=True),
    "disconnected": block(random_adjacency(4, 0.9, 3), random_adjacency(5, 0.8, 4, loops=True), path(3)),
    "isolated": block(np.zeros((1, 1)), random_adjacency(5, 0.8, 5), np.zeros((2, 2))),
    "isolated-loop": block(random_adjacency(5, 0.8, 5), np.array([[1.5]])),
    "one-node": np.zeros((1, 1)),
    "one-loop": np.ones((1, 1)),
    "lone-loops": np.diag([1.5, 7.0, 0.3]),
    "one-edge": np.array([[0, 2.0], [2.0, 0]]),
    "no-edges": np.zeros((3, 3)),
    "bipartite": bipartite(6),
    "path": path(6),
    "sparse": random_adjacency(60, 0.04, 7),
}
DIRECTED = {
    "arcs": random_adjacency(9, 0.4, 11, directed=True, loops=True),
    "arcs-apart": block(random_adjacency(5, 0.5, 12, directed=True), random_adjacency(4, 0.6, 13, directed=True)),
    "one-arc": np.array([[0, 2.0], [0, 0]]),
    "chain": np.diag([1.0, 2.0, 0.5, 1.0], 1),
}
SIGNED = {
    "signed": random_adjacency(9, 0.6, 21, signed=True),
    "signed-apart": block(
        random_adjacency(5, 0.8, 22, signed=True, loops=True), random_adjacency(4, 0.9, 23, signed=True)
    ),
    "one-enemy": np.array([[0, -1.0], [-1.0, 0]]),
}
SIGNED_DIRECTED = {"signed-arcs": random_adjacency(8, 0.5, 24, directed=True, signed=True)}


def components(A):
    return connected_components(A != 0, directed=True, connection="weak")[1]


def between_components(A):
    number = components(A)
    return number[:, None] != number[None, :]


def degrees(A):
    return np.abs(A).sum(axis=1)


def reciprocal(d):
    return np.array([1 / x if x > 0 else 0.0 for x in d])


def walk(A):
    return np.diag(reciprocal(degrees(A))) @ A


def normalized_adjacency(A):
    root = np.sqrt(reciprocal(degrees(A)))
    return np.diag(root) @ A @ np.diag(root)


def laplacian(A, kind="normalized"):
    d = degrees(A)
    if kind == "combinatorial":
        return np.diag(d) - A
    return np.diag((d > 0) * 1.0) - normalized_adjacency(A)


def spectral(A, kind, function):
    values, vectors = eigh(laplacian(A, kind))
    return vectors @ np.diag(function(values)) @ vectors.T


def heat(A, scale, kind="normalized"):
    return spectral(A, kind, lambda x: np.exp(-scale * x))


def wave(A, scale, kind="normalized"):
    return spectral(A, kind, lambda x: np.cos(scale * x))


def ppmi(A, window, negative=1.0):
    R = walk(A)
    total = sum(matrix_power(R, r) for r in range(1, window + 1))
    return A.sum() / (negative * window) * total @ np.diag(reciprocal(degrees(A)))


def ppmi_rank(A, window, negative, rank):
    values, vectors = eigh(normalized_adjacency(A))
    kept = np.argsort(-values)[:rank]
    means = np.array([np.mean([x**r for r in range(1, window + 1)]) for x in values[kept]])
    rows = np.diag(np.sqrt(reciprocal(degrees(A)))) @ vectors[:, kept]
    return A.sum() / negative * rows @ np.diag(np.maximum(means, 0)) @ rows.T


def homophily(A):
    d = degrees(A)
    c1, c2 = d.sum() + 2, (d**2).sum() - 1
    square = 1 / (4 * c1) if c2 == 0 else (-c1 + np.sqrt(c1**2 + 4 * c2)) / (8 * c2)
    return 4 * square / (1 - 4 * square), 2 * np.sqrt(square) / (1 - 4 * square)


def fabp(A, a=None, c=None, times_a=1.0, times_c=1.0):
    if not A.any():
        return np.eye(len(A))
    auto_a, auto_c = homophily(A)
    a = times_a * auto_a if a is None else a
    c = times_c * auto_c if c is None else c
    return inv(np.eye(len(A)) + a * np.diag(degrees(A)) - c * A)


def radius(A):
    return np.abs(eigvals(A)).max()


def katz(A, beta):
    return solve(np.eye(len(A)) - beta * A, beta * A)


def laplacian_pinv(A, kind="normalized"):
    L, S, number = laplacian(A, kind), np.zeros_like(A), components(A)
    for part in np.unique(number):
        inside = np.ix_(number == part, number == part)
        values, vectors = eigh(L[inside])  # ascending: the first is the zero of this component
        S[inside] = vectors[:, 1:] @ np.diag(1 / values[1:]) @ vectors[:, 1:].T
    return S


def pagerank(A, alpha):
    return (1 - alpha) * inv(np.eye(len(A)) - alpha * walk(A))


def adamic_adar(A, degree="out"):
    d = degrees(A) + (degrees(A.T) if degree == "total" else 0)
    return A @ np.diag(reciprocal(d)) @ A


def ppmi_limit(A):
    root = np.diag(np.sqrt(reciprocal(degrees(A))))
    return 1 + A.sum() * root @ (laplacian_pinv(A) - np.eye(len(A))) @ root


def positive_log(ratio):
    return np.log(np.maximum(ratio, 1.0))


def grarep(A, order):
    P = matrix_power(walk(A), order)
    return positive_log(P * reciprocal(P.sum(axis=0)) * len(A))


def surfing(A, alpha, steps):
    R, P, M = walk(A), np.eye(len(A)), np.zeros_like(A)
    for _ in range(steps):
        P = alpha * P @ R + (1 - alpha) * np.eye(len(A))
        M = M + P
    return positive_log(M * M.sum() * reciprocal(M.sum(axis=1))[:, None] * reciprocal(M.sum(axis=0)))


def signed_walk(A, restart=0.15, beta=0.5, gamma=0.9, score="net"):
    n, c = len(A), restart
    plus, minus = np.maximum(walk(A), 0).T, np.maximum(-walk(A), 0).T
    system = np.block([[plus, beta * minus + (1 - gamma) * plus], [minus, gamma * plus + (1 - beta) * minus]])
    both = c * inv(np.eye(2 * n) - (1 - c) * system)[:, :n]
    positive, negative = both[:n].T, both[n:].T
    return {"net": positive - negative, "positive": positive, "negative": negative}[score]


def plain_signed_walk(A, restart):
    return restart * inv(np.eye(len(A)) - (1 - restart) * walk(A))


def walk_power(A, order, loops=0.0):
    return matrix_power(walk(A + loops * np.eye(len(A))), order)


def smallest_eigenvalue(A):
    return eigvalsh(A).min()


def precise_heat(A, scale, kind="normalized", digits=120, halvings=24, terms=40):
    """exp(−sL) in decimal arithmetic: a series of a small multiple, then squares of it."""
    with localcontext(prec=digits):
        n = len(A)
        exact = [[Decimal(float(x)) for x in row] for row in A]
        d = [sum(row) for row in exact]
        root = [x.sqrt() if kind == "normalized" else Decimal(1) for x in d]
        step = Decimal(str(scale)) / 2**halvings
        L = [[((d[i] if i == j else 0) - exact[i][j]) / (root[i] * root[j]) for j in range(n)] for i in range(n)]
        flow = np.array([[-step * x for x in row] for row in L], dtype=object)
        total = term = np.array([[Decimal(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)
        for k in range(1, terms):
            term = term.dot(flow) / k
            total = total + term
        for _ in range(halvings):
            total = total.dot(total)
        return total.astype(float)
