"""Small graphs of many kinds, and the error of every node."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import sparse
from tests.execution.ways import preferential

import phusion
from phusion.graph.graph import Graph

KINDS = ("expander", "clustered", "grid", "weighted", "disconnected", "star")


@cache
def graph_of(kind: str) -> Graph:
    """One of each kind, of 300 to 700 nodes."""
    random = np.random.default_rng(3)
    if kind == "expander":
        return preferential(600, 4)
    if kind == "clustered":  # cliques of ten in a ring
        cliques = sparse.kron(sparse.eye_array(40), np.ones((10, 10)) - np.eye(10)).tolil()
        for first in range(0, 400, 10):
            other = (first + 11) % 400
            cliques[first, other] = cliques[other, first] = 1.0
        return phusion.as_graph(cliques.tocsr())
    if kind == "grid":
        path = sparse.diags_array([np.ones(19), np.ones(19)], offsets=[-1, 1])
        return phusion.as_graph((sparse.kron(path, np.eye(20)) + sparse.kron(np.eye(20), path)).tocsr())
    if kind == "weighted":
        edges = preferential(500, 4, seed=1).adjacency
        upper = sparse.triu(edges).tocsr()
        upper.data = random.lognormal(0.0, 1.0, len(upper.data))
        return phusion.as_graph((upper + upper.T).tocsr())
    if kind == "disconnected":  # one large part, many small ones, and nodes without edges
        small = [sparse.csr_array(np.ones((size, size)) - np.eye(size)) for size in (2, 3, 4, 5) * 8]
        parts = [preferential(400, 3, seed=2).adjacency, *small, sparse.csr_array((40, 40))]
        return phusion.as_graph(sparse.block_diag(parts, format="csr"))
    hub = sparse.lil_array((400, 400))  # a star, every tenth ray of which goes on
    hub[0, 1:360] = 1.0
    hub[np.arange(1, 41), np.arange(360, 400)] = 1.0
    return phusion.as_graph((hub + hub.T).tocsr())


def method_of(proximity, **characteristic):
    return {"proximity": proximity, "embedding": {"name": "characteristic", "centered": True, **characteristic}}


def errors(found, exact, scales):
    """Of n(φ − 1), for every scale and node, of embeddings that are centred."""
    found, exact = (np.array(np.split(each.values, scales, axis=1)) for each in (found, exact))
    size, away = np.linalg.norm(exact, axis=2), np.linalg.norm(found - exact, axis=2)
    return np.divide(away, size, out=np.where(away > 0, np.inf, 0.0), where=size > 0)
