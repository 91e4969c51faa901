"""The formula at work: ζ(σ(Ψ(A))) for one graph or many."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from phusion.errors import InputError
from phusion.execution.engine import compute
from phusion.execution.jobs import Done, Job
from phusion.execution.plan import Plan
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.execution.sinks import Nowhere
from phusion.execution.stacks import compute_stacks
from phusion.features import Feature, scale_names
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.blas import blas_threads
from phusion.linalg.fidelity import Fidelity
from phusion.proximities.base import Proximity
from phusion.results.certificate import Certificate
from phusion.spec import Spec

__all__ = ["Learned", "embed_graphs", "learn", "plan_of"]

_NARROW = 300  # nodes up to which one thread of BLAS is as fast as two


@dataclass(frozen=True)
class Learned:
    """What was learned from the fitted graphs and other graphs need: scales, what ζ shares, names of columns.

    And how near the embedding is, where it is approximate.
    """

    proximity: Proximity
    shared: tuple[Any, ...]
    features: tuple[Feature, ...]
    certificate: Certificate | None = None
    fidelity: tuple[Fidelity, ...] = ()


def plan_of(spec: Spec, graph: Graph, resources: Resources, *, partitioned: bool = False) -> Plan:
    """How a graph would be embedded."""
    check_graph(graph, spec)
    job = Job(spec, spec.proximity.fitted([graph]), sink=Nowhere() if partitioned else None)
    return make_plan(graph, [job], resources)


def learn(spec: Spec, graphs: Sequence[Graph], seed: int, resources: Resources) -> tuple[Learned, list[Array]]:
    """Learn from these graphs, and embed them."""
    if len(graphs) > 1:
        resources = exact_for_many(resources)
    for graph in graphs:
        check_graph(graph, spec)
    proximity = spec.proximity.fitted(graphs)
    shared: Sequence[Any] | None = None
    if len(graphs) > 1 and spec.embedding.learns:
        parts = [done.shared for done in _computed(Job(spec, proximity), graphs, seed, resources)]
        shared = [spec.embedding.combined(each) for each in zip(*parts, strict=True)]
    found = _computed(Job(spec, proximity, shared), graphs, seed, resources)
    return learned(spec, proximity, found[0]), [done.values for done in found]


def exact_for_many(resources: Resources) -> Resources:
    """Many graphs are embedded exactly; an accuracy that is asked for is refused."""
    if not isinstance(resources.accuracy, str):
        raise InputError(
            f"accuracy={resources.accuracy!r} is for the nodes of one large graph, which get a certificate; "
            "several graphs are embedded exactly, in stacks: leave accuracy out, or embed each graph by itself"
        )
    return replace(resources, accuracy="exact")


def learned(spec: Spec, proximity: Proximity, done: Done) -> Learned:
    """What is kept of a computed embedding, and the names of its columns."""
    each = proximity.at_each_scale()
    if spec.propagate is not None:  # which mixes columns of all scales
        names = [f"{spec.propagate.name}_{i}" for i in range(done.values.shape[1])]
        mixed = tuple(Feature(each[0], proximity.name, spec.nonlinearity.name, name) for name in names)
        return Learned(proximity, tuple(done.shared), mixed, done.certificate, tuple(done.fidelity))
    width = done.values.shape[1] // len(each)
    features = tuple(
        Feature(one, name, spec.nonlinearity.name, label)
        for one, name, state in zip(each, scale_names(each), done.shared, strict=True)
        for label in spec.embedding.labels(width, state)
    )
    return Learned(proximity, tuple(done.shared), features, done.certificate, tuple(done.fidelity))


def embed_graphs(spec: Spec, learned: Learned, graphs: Sequence[Graph], seed: int, resources: Resources) -> list[Array]:
    """Rows of other graphs, comparable with those of the fitted ones."""
    for graph in graphs:
        check_graph(graph, spec)
    job = Job(spec, learned.proximity, learned.shared)
    return [done.values for done in _computed(job, graphs, seed, resources)]


def check_graph(graph: Graph, spec: Spec) -> None:
    """Refuse what the proximity refuses, and what has no or too few nodes."""
    if len(graph) == 0:
        raise InputError(f"graph {graph.name!r} has no nodes, so there is nothing to embed")
    spec.proximity.check(graph)
    spec.embedding.check_size(len(graph))
    if spec.propagate is not None:
        scales = len(spec.proximity.fitted([graph]).at_each_scale())
        spec.propagate.check(graph, spec.embedding.width(len(graph)) * scales)


def _computed(job: Job, graphs: Sequence[Graph], seed: int, resources: Resources) -> list[Done]:
    """The job on each graph: small ones together where there is such a way, the others one by one."""
    stacked = compute_stacks(job, graphs, seed, resources) if len(graphs) > 1 else [None]
    return [
        _alone(job, graph, seed, resources, many=len(graphs) > 1) if done is None else done
        for graph, done in zip(graphs, stacked, strict=True)
    ]


def _alone(job: Job, graph: Graph, seed: int, resources: Resources, *, many: bool) -> Done:
    # of many, small ones are done before several threads of BLAS have found each other
    with blas_threads(1) if many and len(graph) <= _NARROW else nullcontext():
        return compute(make_plan(graph, [job], resources), seed)[0]
