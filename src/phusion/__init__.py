"""Node and graph embedding after PhUSION: Y = ζ(σ(Ψ(A))).

>>> import phusion
>>> graph = phusion.as_graph([("ada", "bob"), ("bob", "cleo")])
>>> list(graph.nodes)
['ada', 'bob', 'cleo']
>>> phusion.embed(graph, "netmf", dim=2)
Embedding(3 nodes × 2, ppmi → log → svd)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name → module that defines it. Importing phusion imports none of them.
_HOME = {
    "Embedding": "phusion.results.embedding",
    "Graph": "phusion.graph.graph",
    "GraphBatch": "phusion.graph.batch",
    "GraphPhUSION": "phusion.graph_estimator",
    "Labels": "phusion.graph.labels",
    "PhUSION": "phusion.estimator",
    "Spec": "phusion.spec",
    "advise": "phusion.advice.advise",
    "as_graph": "phusion.graph.accept",
    "as_batch": "phusion.graph.accept",
    "embed": "phusion.shortcuts",
    "embed_to": "phusion.shortcuts",
    "explore": "phusion.explorer.explore",
    "preset": "phusion.shortcuts",
    "run": "phusion.shortcuts",
    "sweep": "phusion.sweeps.sweep",
    "write_graph": "phusion.graph.write",
}
_SUBPACKAGES = (
    "datasets",
    "embeddings",
    "errors",
    "graph",
    "linalg",
    "nonlinearities",
    "plots",
    "poolings",
    "presets",
    "propagations",
    "proximities",
    "results",
)

__all__ = [
    "Embedding",
    "Graph",
    "GraphBatch",
    "GraphPhUSION",
    "Labels",
    "PhUSION",
    "Spec",
    "advise",
    "as_batch",
    "as_graph",
    "datasets",
    "embed",
    "embed_to",
    "embeddings",
    "errors",
    "explore",
    "nonlinearities",
    "plots",
    "poolings",
    "preset",
    "presets",
    "propagations",
    "proximities",
    "run",
    "sweep",
    "write_graph",
]

if TYPE_CHECKING:
    from . import datasets, embeddings, errors, nonlinearities, poolings, presets, propagations, proximities
    from .advice.advise import advise
    from .estimator import PhUSION
    from .explorer.explore import explore
    from .graph.accept import as_batch, as_graph
    from .graph.batch import GraphBatch
    from .graph.graph import Graph
    from .graph.labels import Labels
    from .graph.write import write_graph
    from .graph_estimator import GraphPhUSION
    from .results.embedding import Embedding
    from .shortcuts import embed, embed_to, preset, run
    from .spec import Spec
    from .sweeps.sweep import sweep


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _SUBPACKAGES:
        value = import_module(f"phusion.{name}")
    else:
        raise AttributeError(f"module 'phusion' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
