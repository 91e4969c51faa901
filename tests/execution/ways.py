"""The same jobs written out and a block at a time, and graphs that are hard for the second way."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
from tests.contracts.graphs import accepted, random_graph, union

import phusion
from phusion.embeddings import SVD, Characteristic, Diagonal, Histogram
from phusion.errors import MethodWarning
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.nonlinearities import Binarize, Identity, Log, LogRamp
from phusion.spec import Spec

NONLINEARITIES = (
    Identity(),
    LogRamp(),
    Log(),
    Log("one"),
    Log(0.01),
    Binarize(50),
    Binarize(95),
    Binarize(5),
    Binarize(0),
    Binarize(100),
)
EMBEDDINGS = (
    SVD(6, "both"),
    Characteristic(),
    Characteristic((0.5, 3.0), axis="rows"),
    Diagonal(),
    Histogram(16),
    Histogram(5, edges="own"),
)
MORE_EMBEDDINGS = (
    *EMBEDDINGS,
    Characteristic(4, include_zero=False),
    Characteristic(5, centered=True),
    Histogram(3, normalize=True),
    Histogram(8, axis="rows"),
)


def preferential(n: int, each: int = 3, seed: int = 0) -> phusion.Graph:
    """A graph whose new nodes choose old ones by their degree, as Barabási and Albert's."""
    random = np.random.default_rng(seed)
    ends, edges = list(range(each)), []
    for node in range(each, n):
        for other in dict.fromkeys(random.choice(ends, each).tolist()):
            edges.append((node, other))
            ends += [node, other]
    return phusion.as_graph(edges)


def grid(side: int) -> phusion.Graph:
    places = [(i, j) for i in range(side) for j in range(side)]
    steps = [(i * side + j, (i + a) * side + j + b) for i, j in places for a, b in ((0, 1), (1, 0))
             if i + a < side and j + b < side]  # fmt: skip
    return phusion.as_graph(steps)


def cycle(n: int) -> phusion.Graph:
    return phusion.as_graph([(i, (i + 1) % n) for i in range(n)])


@cache
def graphs() -> dict[str, phusion.Graph]:
    """A handful, by name."""
    lone = phusion.as_graph(np.zeros((1, 1)))
    return {
        "preferential": preferential(60),
        "grid": grid(8),
        "cycle": cycle(120),
        "directed": random_graph(40, directed=True, seed=11, density=0.1),
        "signed": random_graph(35, signed=True, seed=12, density=0.15),
        "signed_directed": random_graph(30, signed=True, directed=True, seed=13, density=0.15),
        "apart": union(union(preferential(30, 2, 5), lone), union(cycle(9), lone)),
        "loops": random_graph(33, seed=14, density=0.15),
    }


def takes(proximity, graph) -> bool:
    """Whether this proximity takes this graph, rules for scales included."""
    return accepted(proximity, graph) and not (proximity.scale_value == "graphwave" and graph.signed)


def computed(graph, specs, **how) -> list[np.ndarray]:
    """Embeddings by one plan."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MethodWarning)
        jobs = [Job(spec, spec.proximity.fitted([graph])) for spec in specs]
        return [done.values for done in compute(make_plan(graph, jobs, Resources(**how)), 0)]


def blocked(graph, specs, *, width=16, threads=1, **how) -> list[np.ndarray]:
    return computed(graph, specs, strategy="blocked", width=width, threads=threads, **how)


def written_out(graph, specs) -> list[np.ndarray]:
    return computed(graph, specs, strategy="dense", memory="4GB")


def every_method(proximity, embeddings=EMBEDDINGS) -> list[Spec]:
    return [Spec(proximity, sigma, zeta) for sigma in NONLINEARITIES for zeta in embeddings]


def error(found, expected) -> float:
    """The largest difference, of the largest entry."""
    size = float(np.abs(expected).max(initial=0.0))
    return float(np.abs(found - expected).max(initial=0.0)) / (size or 1.0)
