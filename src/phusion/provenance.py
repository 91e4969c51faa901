"""Where an embedding comes from: versions, seed, graph, and what was said on the way."""

from __future__ import annotations

import hashlib
import platform
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from phusion.errors import MethodWarning
from phusion.graph.fingerprint import fingerprint
from phusion.graph.graph import Graph

__all__ = ["collected", "provenance"]

_MOST_WARNINGS = 5


def provenance(graphs: Sequence[Graph], seed: int | None, said: Sequence[str]) -> dict[str, Any]:
    """Plain values; the same graph, seed and versions give the same ones."""
    libraries = ("numpy", "scipy", "scikit-learn")
    prints = [fingerprint(graph) for graph in graphs]
    whole = prints[0] if len(prints) == 1 else hashlib.sha256(" ".join(prints).encode()).hexdigest()[:32]
    return {
        "phusion": version("phusion-embed"),
        "python": platform.python_version(),
        **{library: version(library) for library in libraries},
        "seed": seed,
        "graph": {
            "name": graphs[0].name if len(graphs) == 1 else "",
            "graphs": len(graphs),
            "nodes": sum(len(graph) for graph in graphs),
            "edges": sum(graph.n_edges for graph in graphs),
            "fingerprint": whole,
        },
        "warnings": list(said),
    }


@contextmanager
def collected() -> Iterator[list[str]]:
    """Keep what is warned inside, each sentence once, and warn it at the end: a few in full, the others by number."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MethodWarning)
        try:
            yield said
        finally:
            ours = [str(item.message) for item in caught if issubclass(item.category, MethodWarning)]
            said.extend(dict.fromkeys(ours))
    for item in caught:
        if not issubclass(item.category, MethodWarning):
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)
    for message in said[:_MOST_WARNINGS]:
        warnings.warn(message, MethodWarning, stacklevel=4)
    if len(said) > _MOST_WARNINGS:
        warnings.warn(f"and {len(said) - _MOST_WARNINGS:,} more warnings of such kinds", MethodWarning, stacklevel=4)
