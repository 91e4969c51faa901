"""The published algorithms, written afresh from their descriptions, to measure phusion against; and graphs to do it on.

They are what their authors describe, neither slowed down nor improved; where this differs from the authors' own
program it is to the baseline's advantage, and the comment says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from numpy.polynomial.chebyshev import chebinterpolate
from scipy.sparse.linalg import eigsh, svds
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import ShuffleSplit
from sklearn.multiclass import OneVsRestClassifier

Array = np.ndarray


def _inverse_root_degrees(adjacency: sp.csr_array) -> Array:
    degrees = np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel()
    roots = np.zeros(len(degrees))
    roots[degrees > 0] = degrees[degrees > 0] ** -0.5
    return roots


def _normalised(adjacency: sp.csr_array) -> sp.csr_array:
    """N = D^-½ A D^-½; the row of an isolated node is 0."""
    roots = sp.diags_array(_inverse_root_degrees(adjacency))
    return sp.csr_array(roots @ adjacency @ roots)


# --- characteristic functions ---


def naive_characteristic(values: Array, points: Array) -> Array:
    """Mean of e^{itS} over each column of `values`, at each landmark: the real parts, then the imaginary parts."""
    values = np.asarray(values, dtype=np.float64)
    rows = np.empty((values.shape[1], 2 * len(points)))
    for place, t in enumerate(points):
        angles = t * values
        rows[:, place] = np.cos(angles).mean(axis=0)  # np.exp(1j * angles) takes up to 1.5× as long
        rows[:, place + len(points)] = np.sin(angles).mean(axis=0)
    return rows


# --- GraphWave ---


def _chebyshev_matrices(adjacency: sp.csr_array, order: int) -> list[sp.csr_array]:
    """T_0 .. T_order of 𝓛 − I = −N, whose spectrum lies in [-1, 1]; all are kept, and they fill up."""
    identity = sp.eye_array(adjacency.shape[0], format="csr")
    laplacian = identity - _normalised(adjacency)
    shifted = laplacian - identity
    shifted.eliminate_zeros()  # the cancelled diagonal
    matrices = [identity, shifted]
    while len(matrices) <= order:
        matrices.append(2 * (shifted @ matrices[-1]) - matrices[-2])
    return matrices[: order + 1]


def _heat(matrices: list[sp.csr_array], scale: float, as_written: bool) -> sp.csc_array:
    """Σ_k c_k T_k for e^{−sλ}, with entries of at most 1e-4/n set to 0.

    The authors interpolate at `order` points, the zeros of the last T_k, so that its coefficient is 0.
    All terms exist before they are added, as in their program: hence its 17 GB at 5,000 nodes.
    It clips in a dense copy, entry by entry in Python; so does this if `as_written`, else in place, which is faster.
    """
    order = len(matrices) - 1
    coefficients = np.append(chebinterpolate(lambda x: np.exp(-scale * (x + 1.0)), order - 1), 0.0)
    nothing = sp.csr_array(matrices[0].shape)
    heat = sum([coefficient * matrix for coefficient, matrix in zip(coefficients, matrices, strict=True)], nothing)
    limit = 1e-4 / heat.shape[0]
    if as_written:
        return sp.csc_array(np.vectorize(lambda entry: entry if entry > limit else 0.0)(heat.toarray()))
    heat.data[heat.data <= limit] = 0.0
    heat.eliminate_zeros()
    return heat.tocsc()


def _sparse_characteristic(matrix: sp.csc_array, points: Array) -> Array:
    n = matrix.shape[0]
    rows = np.empty((n, 2 * len(points)))
    for node in range(n):
        stored = matrix.data[matrix.indptr[node] : matrix.indptr[node + 1]]
        angles = np.outer(points, stored)
        zeros = n - len(stored)  # e^{it·0} = 1
        rows[node, : len(points)] = (zeros + np.cos(angles).sum(axis=1)) / n
        rows[node, len(points) :] = np.sin(angles).sum(axis=1) / n
    return rows


def reference_graphwave(
    adjacency: sp.csr_array, scales: Sequence[float], points: Array, order: int = 30, *, as_written: bool = False
) -> Array:
    """GraphWave as its authors compute it: n × (scales · 2 · landmarks), for each scale the real parts first."""
    matrices = _chebyshev_matrices(adjacency, order)
    heats = [_heat(matrices, scale, as_written) for scale in scales]
    return np.hstack([_sparse_characteristic(heat, points) for heat in heats])


def reference_graph_features(
    adjacencies: Iterable[sp.csr_array], scales: Sequence[float], points: Array, *, as_written: bool
) -> Array:
    """One row a graph: the mean of its nodes' GraphWave rows."""
    rows = (reference_graphwave(adjacency, scales, points, as_written=as_written) for adjacency in adjacencies)
    return np.array([each.mean(axis=0) for each in rows])


# --- NetMF ---


def _floored_logarithm(walks: Array) -> sp.csr_array:
    return sp.csr_array(np.log(np.maximum(walks, 1.0)))  # many entries are 0: the authors store it sparse


def _factorise(matrix: sp.csr_array, dim: int) -> Array:
    """U √Σ, in the order of svds: the smallest singular value first."""
    left, singular, _ = svds(matrix, k=dim, return_singular_vectors="u")
    return left * np.sqrt(singular)


def _approximate_logarithm(adjacency: sp.csr_array, window: int, negative: float, rank: int) -> sp.csr_array:
    values, vectors = eigsh(_normalised(adjacency), k=rank, which="LA")
    filtered = np.maximum(np.mean([values**power for power in range(1, window + 1)], axis=0), 0.0)
    factor = _inverse_root_degrees(adjacency)[:, None] * vectors * np.sqrt(filtered)
    walks = factor @ factor.T
    walks *= adjacency.sum() / negative
    return _floored_logarithm(walks)


def published_netmf(
    adjacency: sp.csr_array, window: int = 10, negative: float = 1, rank: int = 256, dim: int = 128
) -> Array:
    """NetMF for large windows: the walk matrix from `rank` eigenpairs, its floored logarithm, and svds."""
    return _factorise(_approximate_logarithm(adjacency, window, negative, rank), dim)


def _exact_logarithm(adjacency: sp.csr_array, window: int, negative: float) -> sp.csr_array:
    normalised = _normalised(adjacency)
    power = normalised.toarray()  # the authors' sparse powers fill up, which is slower
    total = power.copy()
    for _ in range(window - 1):
        power = normalised @ power
        total += power
    roots = _inverse_root_degrees(adjacency)
    total *= roots[:, None] * (adjacency.sum() / window / negative)
    total *= roots
    return _floored_logarithm(total)


def published_netmf_small(adjacency: sp.csr_array, window: int = 10, negative: float = 1, dim: int = 128) -> Array:
    """NetMF for small windows: the exact sum of the walk matrix's powers, its floored logarithm, and svds."""
    return _factorise(_exact_logarithm(adjacency, window, negative), dim)


# --- node classification ---


def _as_many_as_true(scores: Array, truth: Array) -> Array:
    """The k best classes of each node, k being its true number of labels."""
    ranks = np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1)
    return (ranks < truth.sum(axis=1, keepdims=True)).astype(int)


def micro_f1(rows: Array, labels_matrix: Array, splits: int = 4, seed: int = 0) -> float:
    """One-vs-rest logistic regression on 80 % of the nodes, micro-F1 on the others; the mean over the splits."""
    labels_matrix = np.asarray(labels_matrix).astype(int)
    results = []
    for train, test in ShuffleSplit(splits, test_size=0.2, random_state=seed).split(rows):
        model = OneVsRestClassifier(LogisticRegression(solver="liblinear", C=1.0))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Label .* is present in all training examples")
            model.fit(rows[train], labels_matrix[train])
        predicted = _as_many_as_true(model.predict_proba(rows[test]), labels_matrix[test])
        results.append(f1_score(labels_matrix[test], predicted, average="micro"))
    return float(np.mean(results))


# --- graphs ---


def _undirected(sources: Array, targets: Array, n: int) -> sp.csr_array:
    sources, targets = sources.astype(np.int32), targets.astype(np.int32)
    ends = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    adjacency = sp.coo_array((np.ones(len(ends[0])), ends), shape=(n, n)).tocsr()
    adjacency.sort_indices()
    return adjacency


def barabasi_albert(n: int, m: int, seed: int) -> sp.csr_array:
    """Grown from a star of m + 1 nodes; each further node joins m distinct ones, chosen by degree."""
    rng = np.random.default_rng(seed)
    ends = np.empty((n - m, 2, m), dtype=np.int64)  # for each step: the new node m times, its m neighbours
    flat = ends.reshape(-1)
    ends[0] = np.full(m, m), np.arange(m)
    for step in range(1, n - m):
        chosen: set[int] = set()
        while len(chosen) < m:
            places = rng.integers(2 * m * step, size=m - len(chosen))
            chosen.update(flat[places].tolist())
        ends[step] = np.full(m, m + step), list(chosen)
    return _undirected(ends[:, 0].ravel(), ends[:, 1].ravel(), n)


def grid(side: int) -> sp.csr_array:
    """A side × side grid; node row · side + column."""
    nodes = np.arange(side * side).reshape(side, side)
    sources = np.concatenate([nodes[:, :-1].ravel(), nodes[:-1].ravel()])
    targets = np.concatenate([nodes[:, 1:].ravel(), nodes[1:].ravel()])
    return _undirected(sources, targets, side * side)


def cycle(n: int) -> sp.csr_array:
    nodes = np.arange(n)
    return _undirected(nodes, np.roll(nodes, -1), n)
