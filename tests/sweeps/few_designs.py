"""Small sweeps that take seconds."""

from __future__ import annotations

import numpy as np

import phusion

FEW = {
    "netmf": {"proximity": "ppmi", "nonlinearity": "log", "embedding": {"name": "svd", "dim": 8}},
    "heat": {"proximity": "heat", "nonlinearity": "identity", "embedding": {"name": "svd", "dim": 4}},
    "heat log": {"proximity": "heat", "nonlinearity": "log", "embedding": {"name": "svd", "dim": 4}},
    "roles": {"proximity": "heat", "embedding": {"name": "characteristic", "landmarks": 5}},
    "walk": {"proximity": {"name": "walk_power", "order": [1, 2]}, "embedding": {"name": "characteristic"}},
}


def relabelled(graph: phusion.Graph, values) -> phusion.Graph:
    return phusion.as_graph(graph, labels=list(values))


def noise(n: int, dim: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, dim))
