"""Where the nodes of a drawn graph are: far apart in the picture as they are in the graph."""

from __future__ import annotations

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["places"]

_ROUNDS = 300
_ENOUGH = 1e-5  # change of the stress, as a share of it


def places(graph: Graph) -> Array:
    r"""Points, n × 2, whose distances are near the numbers of steps between nodes; the same every time.

    .. math:: \min_X \sum_{u<v} d_{uv}^{-2} (\lVert x_u - x_v \rVert - d_{uv})^2

    Weights and directions do not count. Parts of the graph that nothing joins stand side by side.

    References
    ----------
    Gansner, Koren and North, Graph drawing by stress majorization, GD 2004.
    """
    n = len(graph)
    if n < 2:
        return np.zeros((n, 2))
    distances = _distances(graph)
    with np.errstate(divide="ignore"):
        weights = 1.0 / distances**2
    np.fill_diagonal(weights, 0.0)
    points = _scaled(distances)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    factor = linalg.cho_factor(laplacian[1:, 1:])  # the first node stays where it is: only distances count
    before = np.inf
    for _ in range(_ROUNDS):
        lengths = _lengths(points)
        stress = float((weights * (lengths - distances) ** 2).sum())
        if before - stress <= _ENOUGH * stress:
            break
        before = stress
        pulls = -weights * np.divide(distances, lengths, out=np.zeros_like(lengths), where=lengths > 1e-9)
        np.fill_diagonal(pulls, -pulls.sum(axis=1))
        points = np.vstack([np.zeros((1, 2)), linalg.cho_solve(factor, (pulls @ points)[1:])])
    return _turned(points)


def _distances(graph: Graph) -> Array:
    """Numbers of steps; a little more than the longest way between parts that nothing joins."""
    indptr, indices, data = graph.arrays
    steps = sparse.csr_array((np.ones_like(data), indices, indptr), shape=(len(graph),) * 2)
    found: Array = csgraph.shortest_path(steps, directed=False, unweighted=True)
    apart = ~np.isfinite(found)
    sizes = np.bincount(graph.components)[graph.components]
    reach = np.sqrt(sizes)  # the width of what stands side by side
    if apart.any():
        found[apart] = (0.8 * (reach[:, None] + reach[None, :]) + 1.0)[apart]
    return found


def _scaled(distances: Array) -> Array:
    """Classical scaling: the two leading directions of the double-centred squares. A place to start from."""
    n = len(distances)
    squares = distances**2
    centred = -0.5 * (squares - squares.mean(0) - squares.mean(1)[:, None] + squares.mean())
    values, vectors = linalg.eigh(centred, subset_by_index=[n - 2, n - 1])
    vectors = vectors * np.sign(vectors[np.abs(vectors).argmax(axis=0), [0, 1]])
    start = vectors * np.sqrt(np.maximum(values, 1e-12))
    # nodes of one place, such as the rays of a star, would stay there
    angles = 2.399963229728653 * np.arange(n)
    apart: Array = 0.05 * np.column_stack([np.cos(angles), np.sin(angles)])
    found: Array = start + apart
    return found


def _lengths(points: Array) -> Array:
    differences = points[:, None, :] - points[None, :, :]
    found: Array = np.sqrt((differences**2).sum(axis=2))
    return found


def _turned(points: Array) -> Array:
    """The longest way across lies flat, as pages are wider than high."""
    points = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    axes = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    turned: Array = points @ axes.T
    return turned
