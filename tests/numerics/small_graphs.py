"""Small graphs of every family, one for each number: the same number gives the same graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import phusion
from phusion.graph.graph import Graph

__all__ = ["FAMILIES", "random_graph"]

_MOST = 12  # nodes
Array = np.ndarray


def _present(chance: np.random.Generator, n: int) -> Array:
    return chance.random((n, n)) < chance.choice([0.1, 0.3, 0.6, 0.9])


def _symmetric(matrix: Array) -> Array:
    return np.triu(matrix) + np.triu(matrix, 1).T


def _random(chance: np.random.Generator, n: int) -> Array:
    return _symmetric(np.where(np.triu(_present(chance, n), 1), 1.0, 0.0))


def _weighted(chance: np.random.Generator, n: int) -> Array:
    return _random(chance, n) * _symmetric(chance.uniform(0.1, 3.0, (n, n)))


def _self_loops(chance: np.random.Generator, n: int) -> Array:
    return _weighted(chance, n) + np.diag(chance.uniform(0.5, 2.0, n) * (chance.random(n) < 0.5))


def _huge(chance: np.random.Generator, n: int) -> Array:
    return _weighted(chance, n) * 1e300


def _tiny(chance: np.random.Generator, n: int) -> Array:
    return _weighted(chance, n) * 1e-300


def _denormal(chance: np.random.Generator, n: int) -> Array:
    return _random(chance, n) * _symmetric(chance.integers(1, 2000, (n, n)) * 5e-324)


def _far_apart(chance: np.random.Generator, n: int) -> Array:
    """Weights of all sizes at once."""
    return _random(chance, n) * _symmetric(10.0 ** chance.uniform(-300, 300, (n, n)))


def _nearly_singular(chance: np.random.Generator, n: int) -> Array:
    """Two parts joined by next to nothing, or rows that are all but the same."""
    matrix = _weighted(chance, n)
    half = n // 2
    matrix[:half, half:] *= 10.0 ** chance.uniform(-20, -8)
    matrix[half:, :half] = matrix[:half, half:].T
    return matrix


def _duplicated(chance: np.random.Generator, n: int) -> Array:
    """Nodes with the very same neighbours."""
    half = max(1, n // 2)
    matrix = _weighted(chance, half)
    twice = np.repeat(np.arange(half), 2)[:n]
    return matrix[np.ix_(twice, twice)]


def _star(chance: np.random.Generator, n: int) -> Array:
    matrix = np.zeros((n, n))
    matrix[0, 1:] = matrix[1:, 0] = chance.choice([1.0, 7.5])
    return matrix


def _clique(chance: np.random.Generator, n: int) -> Array:
    return np.ones((n, n)) - np.eye(n)


def _complete(chance: np.random.Generator, n: int) -> Array:
    """With a loop on every node."""
    return np.full((n, n), float(chance.choice([1.0, 0.25])))


def _path(chance: np.random.Generator, n: int) -> Array:
    return np.eye(n, k=1) + np.eye(n, k=-1)


def _cycle(chance: np.random.Generator, n: int) -> Array:
    return _path(chance, n) + (np.eye(n, k=n - 1) + np.eye(n, k=1 - n) if n > 2 else 0.0)


def _empty(chance: np.random.Generator, n: int) -> Array:
    return np.zeros((n, n))


def _disconnected(chance: np.random.Generator, n: int) -> Array:
    matrix = np.zeros((n, n))
    half = (n + 1) // 2
    matrix[:half, :half] = _weighted(chance, half)
    matrix[half:, half:] = chance.choice([1.0, 1e-5, 1e5]) * _clique(chance, n - half)
    return matrix


def _bipartite(chance: np.random.Generator, n: int) -> Array:
    side = np.arange(n) % 2
    return _random(chance, n) * (side[:, None] != side)


def _directed(chance: np.random.Generator, n: int) -> Array:
    return np.where(_present(chance, n), chance.uniform(0.1, 3.0, (n, n)), 0.0)


def _acyclic(chance: np.random.Generator, n: int) -> Array:
    return np.triu(_directed(chance, n), 1)


def _directed_far_apart(chance: np.random.Generator, n: int) -> Array:
    return np.where(_present(chance, n), 10.0 ** chance.uniform(-300, 300, (n, n)), 0.0)


def _signed(chance: np.random.Generator, n: int) -> Array:
    return _self_loops(chance, n) * _symmetric(chance.choice([-1.0, 1.0], (n, n)))


def _balanced(chance: np.random.Generator, n: int) -> Array:
    """Signs that cancel: rows that add up to nothing."""
    return _random(chance, n) * _symmetric(chance.choice([-1.0, 1.0], (n, n)))


def _signed_directed(chance: np.random.Generator, n: int) -> Array:
    return _directed(chance, n) * chance.choice([-1.0, 1.0], (n, n))


FAMILIES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    function.__name__.strip("_"): function
    for function in (
        _random, _weighted, _self_loops, _huge, _tiny, _denormal, _far_apart, _nearly_singular, _duplicated, _star,
        _clique, _complete, _path, _cycle, _empty, _disconnected, _bipartite, _directed, _acyclic, _directed_far_apart,
        _signed, _balanced, _signed_directed,
    )
}  # fmt: skip
_ARCS = {"directed", "acyclic", "directed_far_apart", "signed_directed"}


def random_graph(number: int) -> tuple[str, Graph]:
    """The graph of this number, and the name of its family; families take turns."""
    chance = np.random.default_rng(number)
    name = list(FAMILIES)[number % len(FAMILIES)]
    n = int(chance.integers(1, _MOST + 1))
    with np.errstate(under="ignore"):
        matrix = FAMILIES[name](chance, n)
    total = float(np.abs(matrix).max(initial=0.0))
    if total > 1e305:  # all weights together must be a number
        matrix = matrix / 1e4
    return name, phusion.as_graph(matrix, directed=name in _ARCS)
