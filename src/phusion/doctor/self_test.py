"""A self-test in seconds: the embedded graph, embedded in several ways, beside formulas and numbers that are known."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from phusion.doctor.finding import Finding
from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["self_test"]

_NEAR = 1e-9
_KNOWN = {"structural": 11.38911001248886, "positional": 15.79209859451029}  # norms, by numpy alone
_SCALES = (0.5, 2.0)
_LANDMARKS = (1.0, 10.0)
_WINDOW, _DIM = 3, 8


def self_test() -> Iterator[Finding]:
    """Each test, one after the other."""
    tests: dict[str, Callable[[Graph], float]] = {
        "structural, as a whole": lambda graph: _structural(graph, "dense"),
        "structural, a block at a time": lambda graph: _structural(graph, "blocked"),
        "positional, as a whole": lambda graph: _positional(graph, "dense"),
        "positional, a block at a time": lambda graph: _positional(graph, "blocked"),
        "written and read": _written,
    }
    from phusion.datasets import load

    graph: Any = load("karate")
    for name, test in tests.items():
        started = time.perf_counter()
        try:
            error = test(graph)
        except Exception as problem:  # whatever it is, it is what the test is for
            advice = "reinstall phusion in a fresh environment; if that does not help, please report it"
            yield Finding("self-test", name, f"{type(problem).__name__}: {problem}", "unwell", advice)
            continue
        value = f"error {error:.0e}, {time.perf_counter() - started:.1f} s"
        if error <= _NEAR:
            yield Finding("self-test", name, value)
        else:
            advice = f"at most {_NEAR:g} is right: numpy, scipy or numba computes wrongly here; reinstall them"
            yield Finding("self-test", name, value, "unwell", advice)


def _structural(graph: Graph, strategy: str) -> float:
    """Heat and its characteristic function, beside the formula with numpy alone and a number known from elsewhere."""
    method = {
        "proximity": {"name": "heat", "scale": list(_SCALES)},
        "embedding": {"name": "characteristic", "landmarks": list(_LANDMARKS)},
    }
    adjacency = graph.adjacency.toarray()
    root = 1 / np.sqrt(adjacency.sum(axis=0))
    values, vectors = np.linalg.eigh(np.eye(len(graph)) - root[:, None] * adjacency * root)
    blocks = []
    for scale in _SCALES:
        heat = (vectors * np.exp(-scale * values)) @ vectors.T
        waves = np.stack([np.exp(1j * t * heat).mean(axis=0) for t in _LANDMARKS], axis=1)
        blocks += [waves.real, waves.imag]
    return _error("structural", np.hstack(blocks), _embedded(graph, method, strategy))


def _positional(graph: Graph, strategy: str) -> float:
    """NetMF; inner products of rows, which have no sign to choose."""
    method = {
        "proximity": {"name": "ppmi", "window": _WINDOW},
        "nonlinearity": {"name": "log", "floor": "one"},
        "embedding": {"name": "svd", "dim": _DIM},
    }
    adjacency = graph.adjacency.toarray()
    degrees = adjacency.sum(axis=0)
    walk = adjacency / degrees[:, None]
    walks = sum(np.linalg.matrix_power(walk, steps) for steps in range(1, _WINDOW + 1))
    matrix = np.log(np.maximum(degrees.sum() / _WINDOW * walks / degrees, 1.0))
    left, sizes, _ = np.linalg.svd(matrix)
    found = _embedded(graph, method, strategy)
    return _error("positional", (left[:, :_DIM] * sizes[:_DIM]) @ left[:, :_DIM].T, found @ found.T)


def _embedded(graph: Graph, method: dict[str, Any], strategy: Any) -> Array:
    from phusion.execution.resources import Resources
    from phusion.spec import Spec
    from phusion.together import embed_together

    return embed_together(graph, [Spec.from_dict(method)], Resources(strategy=strategy))[0].values


def _error(kind: str, formula: Array, found: Array) -> float:
    """The largest difference of entries from the formula, or of all together from the known number."""
    known = abs(float(np.linalg.norm(found)) - _KNOWN[kind])
    return max(known, float(np.abs(found - formula).max()))


def _written(graph: Graph) -> float:
    """An embedding comes back from a file as it was."""
    from phusion.results.embedding import Embedding
    from phusion.shortcuts import embed

    made = embed(graph, "graphwave")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "karate.npz"
        made.save(path)
        found = Embedding.load(path)
    same = found.nodes.tolist() == made.nodes.tolist() and found.spec == made.spec
    return float(np.abs(found.values - made.values).max()) if same else float("inf")
