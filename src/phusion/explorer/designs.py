"""Which methods make the maps: those that are asked for, or such as suit the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.pipeline import check_graph
from phusion.presets.registry import find
from phusion.shortcuts import spec_of
from phusion.spec import Spec

__all__ = ["LENSES", "Design", "chosen", "told_apart"]

LENSES = ("positional", "structural")

_LARGE = 20_000
"""Nodes above which the logarithm of PPMI, which is never sparse, takes too long for a first look."""


@dataclass(frozen=True)
class Design:
    """A method with the name and the lens under which it is shown."""

    name: str
    lens: str
    spec: Spec

    @property
    def words(self) -> str:
        """The parts of the formula."""
        return " → ".join(part.name for part in (self.spec.proximity, self.spec.nonlinearity, self.spec.embedding))


def chosen(graph: Graph, lens: str, methods: Any = None) -> list[Design]:
    """The designs of a lens.

    Parameters
    ----------
    graph : the graph they must accept.
    lens : ``"positional"`` or ``"structural"``.
    methods : one or several of: a preset's name, ``NAME=FILE.toml``, anything else `phusion.embed` takes as a method,
        or a mapping from names to those. None: NetMF and GraphWave where they accept the graph, else HOPE (also for
        more than 20,000 nodes) and sRDE.
    """
    if methods is None:
        return [_suited(graph, lens)]
    designs = [_design(graph, lens, name, method) for name, method in _named(methods)]
    if not designs:
        raise InputError(f"the {lens} map needs a method, such as {_candidates(graph, lens)[0]!r}")
    return designs


def told_apart(designs: Sequence[Design]) -> None:
    """Refuse two designs of one name."""
    names = [design.name for design in designs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two designs are called {name!r}; name them apart, as NAME=FILE.toml")


def _suited(graph: Graph, lens: str) -> Design:
    reasons = []
    for name in _candidates(graph, lens):
        try:
            return _design(graph, lens, name, name)
        except InputError as error:
            reasons.append(str(error))
    raise InputError(f"no {lens} method that is tried by itself takes this graph: {' '.join(reasons)}")


def _candidates(graph: Graph, lens: str) -> Sequence[str]:
    if lens == "positional":
        if graph.directed and graph.lambda_max == 0:  # no cycles: walks end, and HOPE's own decay is not defined
            return ("hope-pagerank", "hope-common-neighbors")
        return ("hope",) if len(graph) > _LARGE else ("netmf", "hope")
    return ("srde",) if graph.signed else ("graphwave", "srde")


def _named(methods: Any) -> list[tuple[str, Any]]:
    """Pairs of a name and a method."""
    if isinstance(methods, dict) and "proximity" not in methods:
        return list(methods.items())
    several = methods if isinstance(methods, (list, tuple)) else [methods]
    return [_pair(method) for method in several]


def _pair(method: Any) -> tuple[str, Any]:
    if isinstance(method, str):
        name, equals, path = method.partition("=")
        if equals:
            return name.strip(), path.strip()
    if isinstance(method, (str, Path)):
        return Path(method).stem if str(method).endswith((".toml", ".json")) else str(method), method
    spec = spec_of(method)
    return " ".join((spec.proximity.name, spec.nonlinearity.name, spec.embedding.name)), spec


def _design(graph: Graph, lens: str, name: str, method: Any) -> Design:
    preset = isinstance(method, str) and not method.endswith((".toml", ".json"))
    spec = find(method).spec if preset else spec_of(method)
    if spec.pooling is not None:
        raise InputError(f"{name} embeds whole graphs; a map needs a method for nodes, such as netmf or graphwave")
    if spec.embedding.structural != (lens == "structural"):
        kind = "structural" if spec.embedding.structural else "positional"
        raise InputError(f"{name} is {kind} (its embedding function is {spec.embedding.name}); give it as {kind}")
    spec.proximity.check(graph)
    spec = _fitting(graph, spec) if preset else spec
    check_graph(graph, spec)
    return Design(name, lens, spec)


def _fitting(graph: Graph, spec: Spec) -> Spec:
    """A preset for a graph of this size: no more columns than nodes, and scales where it finds none by itself."""
    dim = getattr(spec.embedding, "dim", None)
    if dim is not None and dim > len(graph):
        spec = spec.replace(embedding__dim=len(graph))
    try:
        return spec.replace(proximity=spec.proximity.fitted([graph]))
    except InputError:  # without edges, or so large that the spectral gap takes long
        return spec.replace(scale="auto")
