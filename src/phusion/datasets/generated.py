"""Graphs with known roles: shapes planted on a cycle, chain or torus; a barbell; mirrored karate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from phusion.datasets.store import load
from phusion.errors import InputError, suggest
from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph

__all__ = ["SHAPES", "barbell", "mirrored_karate", "planted"]

Edges = list[tuple[int, int]]


def _house(size: int) -> tuple[Edges, list[str]]:
    """Four corners, all joined, and a roof on two of them."""
    return [*_all_pairs(4), (0, 4), (1, 4)], ["shoulder", "shoulder", "foot", "foot", "roof"]


def _open_house(size: int) -> tuple[Edges, list[str]]:
    """The same without diagonals."""
    return [*_ring(4), (0, 4), (1, 4)], ["shoulder", "shoulder", "foot", "foot", "roof"]


def _fan(size: int) -> tuple[Edges, list[str]]:
    """A star whose rays are joined to a path, but for the last one, as GraphWave's authors build it."""
    edges, roles = _star(size)
    path = [(k, k + 1) for k in range(1, size - 2)]
    inner = ["end", *["blade"] * (size - 4), "end"]
    return edges + path, [roles[0], *inner, roles[-1]]


def _star(size: int) -> tuple[Edges, list[str]]:
    """A centre and rays."""
    return [(0, k) for k in range(1, size)], ["centre", *["ray"] * (size - 1)]


def _clique(size: int) -> tuple[Edges, list[str]]:
    """All joined."""
    return _all_pairs(size), ["member"] * size


def _cycle(size: int) -> tuple[Edges, list[str]]:
    """A ring."""
    return _ring(size), [f"ring{min(k, size - k)}" for k in range(size)]


def _all_pairs(size: int) -> Edges:
    return [(u, v) for u in range(size) for v in range(u + 1, size)]


def _ring(size: int) -> Edges:
    return [(k, (k + 1) % size) for k in range(size)]


SHAPES: dict[str, Callable[[int], tuple[Edges, list[str]]]] = {
    "house": _house,
    "open_house": _open_house,
    "fan": _fan,
    "star": _star,
    "clique": _clique,
    "cycle": _cycle,
}
"""What can be planted: from a number of nodes to edges and parts; node 0 is joined to the base."""
_SIZES = {"house": 5, "open_house": 5, "fan": 7, "star": 7, "clique": 5, "cycle": 5}
_LARGE, _LONG = 1_000, 1_000_000  # edges are listed one by one here; more would not end
_FIXED = ("house", "open_house")


def planted(
    shape: str = "house",
    count: int = 5,
    *,
    base: Literal["cycle", "chain", "torus"] = "cycle",
    length: int = 30,
    size: int | None = None,
    noise: int = 0,
    seed: int = 0,
) -> Graph:
    """Copies of a shape at even distances on a base graph; each node is labelled with its role.

    Roles are those of GraphWave's benchmark: the parts of the shape, the one joined to the base apart from the others;
    on the base the nodes that carry a shape ("foundation"), and all others ("base").

    Parameters
    ----------
    shape : house, open_house, fan, star, clique or cycle.
    count : how many copies.
    base, length : a cycle or chain of so many nodes, or a torus with this side.
    size : nodes of the shape, where it has a choice.
    noise : random edges to add, between nodes that are not joined yet.
    seed : of the noise.

    References
    ----------
    PhUSION, appendix C; Donnat et al., GraphWave, KDD 2018.

    Examples
    --------
    >>> planted("house", 5)
    Graph(55 nodes, 75 edges, undirected, unweighted, 6 classes)
    """
    numbers = {"count": count, "length": length, "size": size, "noise": noise, "seed": seed}
    for name, number in numbers.items():
        if type(number) is not int and not (name == "size" and number is None):
            raise InputError(f"{name} is a whole number; got {number!r}")
    if seed < 0:
        raise InputError(f"seed is a whole number ≥ 0; got {seed}")
    if not isinstance(shape, str) or shape not in SHAPES:
        raise InputError(f"no shape is called {shape!r}.{suggest(str(shape), SHAPES)}")
    if shape in _FIXED and size not in (None, _SIZES[shape]):
        raise InputError(f"a {shape} has {_SIZES[shape]} nodes; got size={size}")
    size = _SIZES[shape] if size is None else size
    if not 4 <= size <= _LARGE:
        raise InputError(f"a {shape} has size ≥ 4 and ≤ {_LARGE:,}; got {size}")
    n, edges = _base(base, length)
    if not 1 <= count <= n:
        raise InputError(f"count is a number between 1 and the {n} nodes of the base; got {count}")
    roles = ["base"] * n
    inside, parts = SHAPES[shape](size)
    for k in range(count):
        place, first = k * (n // count), len(roles)
        roles[place] = "foundation"
        edges += [(first + u, first + v) for u, v in inside] + [(place, first)]
        roles += [f"{parts[0]}, joined", *parts[1:]]
    edges += _noise(len(roles), edges, noise, seed)
    return as_graph(edges, nodes=len(roles), labels=roles)


def _base(base: str, length: int) -> tuple[int, Edges]:
    most = _LARGE if base == "torus" else _LONG
    if not 3 <= length <= most:
        raise InputError(f"length is a whole number ≥ 3 and ≤ {most:,}; got {length!r}")
    if base == "cycle":
        return length, _ring(length)
    if base == "chain":
        return length, _ring(length)[:-1]
    if base == "torus":
        right = [(row * length + u, row * length + v) for row in range(length) for u, v in _ring(length)]
        down = [(u * length + column, v * length + column) for column in range(length) for u, v in _ring(length)]
        return length * length, right + down
    raise InputError(f"base is 'cycle', 'chain' or 'torus'; got {base!r}")


def _noise(n: int, edges: Edges, count: int, seed: int) -> Edges:
    taken = {(min(pair), max(pair)) for pair in edges}
    if not 0 <= count <= n * (n - 1) // 2 - len(taken):
        raise InputError(f"noise is a number of edges that can still be added; got {count!r}")
    random = np.random.default_rng(seed)
    found: Edges = []
    while len(found) < count:
        u, v = sorted(random.integers(n, size=2).tolist())
        if u != v and (u, v) not in taken:
            taken.add((u, v))
            found.append((u, v))
    return found


def barbell(clique: int = 10, bridge: int = 10) -> Graph:
    """Two cliques joined by a path; mirror images share a role.

    >>> barbell(3, 2)
    Graph(8 nodes, 9 edges, undirected, unweighted, 3 classes)
    """
    whole = type(clique) is int and type(bridge) is int
    if not whole or not 3 <= clique <= _LARGE or not 0 <= bridge <= _LONG:
        raise InputError(
            f"a barbell has cliques of 3 to {_LARGE:,} nodes and a bridge of 0 to {_LONG:,}; got {clique!r}, {bridge!r}"
        )
    n = 2 * clique + bridge
    half = _all_pairs(clique)
    path = [(k, k + 1) for k in range(clique - 1, n - clique)]
    inner = [f"bridge{min(k, bridge - 1 - k)}" for k in range(bridge)]
    roles = [*["clique"] * (clique - 1), "gate", *inner, "gate", *["clique"] * (clique - 1)]
    mirrored = [(n - 1 - u, n - 1 - v) for u, v in half]
    return as_graph(half + path + mirrored, nodes=n, labels=roles)


def mirrored_karate() -> Graph:
    """Two copies of the karate club, joined by one edge between the two instructors.

    A node's role is its number in the club; the second copy is marked with a prime. The two that share a role are
    automorphic.
    """
    club: Any = load("karate")
    numbers = [str(node) for node in club.nodes]
    rows, columns = (each.tolist() for each in club.adjacency.tocoo().coords)
    edges = [(numbers[u], numbers[v]) for u, v in zip(rows, columns, strict=True) if u < v]
    other = [(f"{u}'", f"{v}'") for u, v in edges]
    names = [*numbers, *(f"{name}'" for name in numbers)]
    return as_graph([*edges, *other, (numbers[0], f"{numbers[0]}'")], nodes=names, labels=numbers * 2)
