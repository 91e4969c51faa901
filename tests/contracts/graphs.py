"""Graphs of every kind, for tests that go through all components."""

from __future__ import annotations

import numpy as np

import phusion
from phusion.component import known
from phusion.graph.graph import Graph


def random_graph(n=9, *, directed=False, weighted=True, signed=False, loops=True, seed=0, density=0.4) -> Graph:
    random = np.random.default_rng(seed)
    present = random.random((n, n)) < density
    weights = random.uniform(0.5, 2.0, (n, n)) if weighted else np.ones((n, n))
    if signed:
        weights *= random.choice([-1.0, 1.0], (n, n), p=[0.3, 0.7])
    matrix = np.where(present, weights, 0.0)
    if not directed:
        matrix = np.triu(matrix) + np.triu(matrix, 1).T
    if not loops:
        np.fill_diagonal(matrix, 0.0)
    return phusion.as_graph(matrix, directed=directed)


def union(one: Graph, other: Graph) -> Graph:
    """Side by side, without an edge between them."""
    n, m = len(one), len(other)
    matrix = np.zeros((n + m, n + m))
    matrix[:n, :n], matrix[n:, n:] = one.adjacency.toarray(), other.adjacency.toarray()
    return phusion.as_graph(matrix, directed=one.directed or other.directed)


def of_kinds() -> dict[str, Graph]:
    """One graph of each kind, by name."""
    lone = phusion.as_graph(np.zeros((1, 1)))
    return {
        "connected": phusion.as_graph(np.ones((7, 7)) - np.eye(7) - np.diag(np.ones(6), 1) - np.diag(np.ones(6), -1)),
        "weighted": random_graph(seed=1, loops=False, density=0.6),
        "self_loops": random_graph(seed=2, density=0.5),
        "disconnected": union(random_graph(6, seed=3, density=0.7), random_graph(5, seed=4, density=0.8)),
        "isolated": union(random_graph(7, seed=5, loops=False, density=0.6), union(lone, lone)),
        "directed": random_graph(seed=6, directed=True),
        "signed": random_graph(seed=7, signed=True),
        "signed_directed": random_graph(seed=8, signed=True, directed=True),
        "bipartite": phusion.as_graph([(0, 3), (0, 4), (1, 3), (2, 4), (1, 5), (2, 5)]),
        "one_node": lone,
        "one_loop": phusion.as_graph(np.ones((1, 1))),
        "no_edges": phusion.as_graph(np.zeros((4, 4))),
        "one_edge": phusion.as_graph([("ada", "bob")]),
        "heavy": phusion.as_graph([("a", "b", 1e6), ("b", "c", 3e-4), ("c", "a", 2.0), ("c", "d", 1e3)]),
    }


def accepted(proximity, graph: Graph) -> bool:
    try:
        proximity.check(graph)
    except phusion.errors.InputError:
        return False
    return True


def examples(family: str) -> list:
    """Every registered component with its defaults, with several scales, and with each choice of its parameters."""
    found = []
    for made in known(family).values():
        found.append(made())
        scale = getattr(made, "scale_parameter", None)
        if scale:
            found.append(made(**{scale: (1, 2, 3) if isinstance(getattr(made(), scale), int) else (0.3, 0.7)}))
            found.append(made(**{scale: "auto"}))
    if family == "proximities":
        from phusion.proximities import AdamicAdar, Fabp, Heat, Katz, LaplacianPinv, Ppmi, SignedWalk, WalkPower, Wave

        found += [Heat(3.0, "combinatorial"), Heat("graphwave"), Katz("0.5/λmax"), LaplacianPinv("combinatorial")]
        found += [Wave(2.0, "combinatorial"), WalkPower(3, loops=1.0), SignedWalk(score="positive")]
        found += [SignedWalk(form="plain"), AdamicAdar("total"), Fabp("0.5*auto", 0.01), Ppmi(3, rank=1)]
    if family == "nonlinearities":
        from phusion.nonlinearities import Binarize, Log

        found += [Log("one"), Log(0.01), Binarize(5), Binarize(95), Binarize(0), Binarize(100)]
    if family == "embeddings":
        from phusion.embeddings import SVD, Characteristic, Histogram

        found += [
            SVD(1),
            SVD(1, "both"),
            Characteristic(4, include_zero=False),
            Characteristic((0.5, 3.0), axis="rows"),
        ]
        found += [Characteristic(5, centered=True), Histogram(5, edges="own"), Histogram(3, normalize=True)]
        found += [Characteristic(6, upper="auto"), Characteristic(5, upper="auto", axis="rows", include_zero=False)]
    return found
