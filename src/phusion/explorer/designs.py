"""Which methods make the maps: those that are asked for, or such as suit the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from phusion.errors import InputError
from phusion.explorer.rows import Rows
from phusion.graph.graph import Graph
from phusion.pipeline import check_graph
from phusion.presets.registry import find
from phusion.shortcuts import spec_of
from phusion.spec import Spec

__all__ = ["LARGE", "LENSES", "Design", "chosen", "told_apart", "told_large"]

LENSES = ("positional", "structural")

LARGE = 20_000
"""Nodes above which methods whose cost grows with n² take too long for a first look."""

_LINEAR = {
    "heat": {"proximity": {"name": "heat", "scale": [0.1, 1.0, 10.0]}, "embedding": "characteristic"},
    "walk_power": {"proximity": {"name": "walk_power", "order": 2}, "embedding": "characteristic"},
    "adjacency_power": {"proximity": {"name": "adjacency_power", "order": 2}, "embedding": "characteristic"},
}
"""Structural methods of large graphs: their cost grows with the edges, or with the walks of two steps."""

_DIRECTED = {"pagerank": {"proximity": "pagerank", "embedding": "characteristic"}}
"""Of directed graphs. sRDE takes them too, but walks so far that nodes of one group get like histograms."""

_OWN = _LINEAR | _DIRECTED


@dataclass(frozen=True, eq=False)
class Design:
    """A method with the name and the lens under which it is shown.

    Attributes
    ----------
    given : its rows, if it was computed before.
    large : whether nobody asked for it and it was taken because the graph is large.
    named : whether its name, of a preset or of what is taken by default, may be given for it.
    """

    name: str
    lens: str
    spec: Spec
    given: Rows | None = None
    large: bool = False
    named: bool = False

    @property
    def words(self) -> str:
        """The parts of the formula."""
        spec = self.spec
        parts = (spec.proximity, spec.nonlinearity, spec.embedding, spec.propagate)
        return " → ".join(part.name for part in parts if part is not None)


def chosen(graph: Graph, lens: str, methods: Any = None) -> list[Design]:
    """The designs of a lens.

    Parameters
    ----------
    graph : the graph they must accept.
    lens : ``"positional"`` or ``"structural"``.
    methods : one or several of: a preset's name, ``NAME=FILE.toml``, anything else `phusion.embed` takes as a method,
        or a mapping from names to those. None: NetMF and GraphWave where they accept the graph, else HOPE, and sRDE
        for signs or PageRank's characteristic functions for arcs; for more than 20,000 nodes Edge PMI, and heat or
        walks of two steps.
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


def told_large(designs: Sequence[Design]) -> str | None:
    """In words that some were taken because the graph is large."""
    names = " and ".join(design.name for design in designs if design.large)
    if not names:
        return None
    return (
        f"As the graph has more than {LARGE:,} nodes and no method was asked for, {names} "
        f"{'are' if ' and ' in names else 'is'} shown: the cost grows with the edges, not with the square of the nodes."
    )


def _suited(graph: Graph, lens: str) -> Design:
    reasons = []
    large = len(graph) > LARGE
    for name in _candidates(graph, lens):
        try:
            design = _design(graph, lens, name, name)
            return replace(design, large=large and name != "hope")
        except InputError as error:
            reasons.append(str(error))
    raise InputError(f"no {lens} method that is tried by itself takes this graph: {' '.join(reasons)}")


def _candidates(graph: Graph, lens: str) -> Sequence[str]:
    if len(graph) > LARGE:
        structural = ("adjacency_power",) if graph.signed else ("heat", "walk_power")
        return ("edge-pmi", "hope") if lens == "positional" else structural
    if lens == "positional":
        if graph.directed and graph.lambda_max == 0:  # no cycles: walks end, and HOPE's own decay is not defined
            return ("hope-pagerank", "hope-common-neighbors")
        return ("netmf", "hope")
    return ("srde",) if graph.signed else ("graphwave", "pagerank")


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
    if isinstance(method, str):
        method = _OWN.get(method, method)
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
    return Design(name, lens, spec, named=preset or method in _OWN.values())


def _fitting(graph: Graph, spec: Spec) -> Spec:
    """A preset for a graph of this size: no more columns than nodes, and scales where it finds none by itself."""
    dim = getattr(spec.embedding, "dim", None)
    if dim is not None and dim > len(graph):
        spec = spec.replace(embedding__dim=len(graph))
    try:
        return spec.replace(proximity=spec.proximity.fitted([graph]))
    except InputError:  # without edges, or so large that the spectral gap takes long
        return spec.replace(scale="auto")
