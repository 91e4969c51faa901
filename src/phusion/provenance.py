"""Where an embedding comes from: versions, seed, graph, and what was said on the way."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from functools import cache
from importlib import import_module, metadata
from typing import Any

from phusion.graph.fingerprint import fingerprint
from phusion.graph.graph import Graph
from phusion.linalg.fidelity import Fidelity
from phusion.results.certificate import Certificate
from phusion.spec import Spec

__all__ = ["fingerprint_of", "provenance"]


def provenance(
    graphs: Sequence[Graph],
    spec: Spec,
    said: Sequence[str],
    precision: str,
    certificate: Certificate | None = None,
    fidelity: Sequence[Fidelity] = (),
) -> dict[str, Any]:
    """Plain values; the same graph, spec and versions give the same ones."""
    libraries = ("numpy", "scipy", "scikit-learn", *spec.embedding.libraries)
    return {
        "phusion": import_module("phusion").__version__,
        "python": platform.python_version(),
        **{library: _version(library) for library in libraries},
        "seed": spec.random_state,
        "precision": precision,
        "graph": {
            "name": graphs[0].name if len(graphs) == 1 else "",
            "graphs": len(graphs),
            "nodes": sum(len(graph) for graph in graphs),
            "edges": sum(graph.n_edges for graph in graphs),
            "fingerprint": fingerprint_of(graphs, spec.attributes),
        },
        **({} if certificate is None else {"certificate": certificate.as_dict()}),
        "warnings": list(said),
        **({"fidelity": [one.as_dict() for one in fidelity]} if fidelity else {}),
    }


@cache  # a search of folders each time
def _version(library: str) -> str:
    return metadata.version(library)


def fingerprint_of(graphs: Sequence[Graph], attributes: Sequence[str] = ()) -> str:
    """One name for all graphs, and for the attributes that are used."""
    prints = [fingerprint(graph, attributes) for graph in graphs]
    return prints[0] if len(prints) == 1 else hashlib.sha256(" ".join(prints).encode()).hexdigest()[:32]
