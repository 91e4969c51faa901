"""The formula at work: ζ(σ(Ψ(A))) for one graph or many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.features import Feature, scale_names
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import ProximityMatrix
from phusion.spec import Spec

__all__ = ["Learned", "embed_graph", "learn"]

_SMALL = 100_000_000  # bytes that are not asked for: thousands of small graphs need not read the system's files


@dataclass(frozen=True)
class Learned:
    """What was learned from the fitted graphs and other graphs need: scales, what ζ shares, names of columns."""

    proximity: Proximity
    shared: tuple[Any, ...]
    features: tuple[Feature, ...]


def learn(spec: Spec, graphs: Sequence[Graph], seed: int) -> tuple[Learned, list[Array]]:
    """Learn from these graphs, and embed them."""
    for graph in graphs:
        check_graph(graph, spec)
    proximity = spec.proximity.fitted(graphs)
    embedding = spec.embedding
    if len(graphs) == 1:  # learn and embed in one go
        shared, blocks = [], []
        for matrix in _filtered(spec, proximity, graphs[0]):
            shared.append(embedding.learn(matrix))
            blocks.append(embedding.embed(matrix, shared[-1], seed))
        found = [blocks]
    else:
        shared = _shared(spec, proximity, graphs)
        found = [_rows(spec, proximity, graph, shared, seed) for graph in graphs]
    widths = [block.shape[1] for block in found[0]]
    each = proximity.at_each_scale()
    features = tuple(
        Feature(one, name, spec.nonlinearity.name, label)
        for one, name, width, state in zip(each, scale_names(each), widths, shared, strict=True)
        for label in embedding.labels(width, state)
    )
    return Learned(proximity, tuple(shared), features), [_finished(spec, blocks) for blocks in found]


def embed_graph(spec: Spec, learned: Learned, graph: Graph, seed: int) -> Array:
    """Rows of another graph, comparable with those of the fitted ones."""
    check_graph(graph, spec)
    return _finished(spec, _rows(spec, learned.proximity, graph, learned.shared, seed))


def check_graph(graph: Graph, spec: Spec) -> None:
    """Refuse what the proximity refuses, what has no nodes, and what does not fit in memory."""
    n = len(graph)
    if n == 0:
        raise InputError(f"graph {graph.name!r} has no nodes, so there is nothing to embed")
    spec.proximity.check(graph)
    spec.embedding.check_size(n)
    needed = spec.proximity.copies * 8 * n * n
    available = _memory() if needed > _SMALL else None
    if available is not None and needed > available:
        raise InputError(
            f"this computation needs about {needed / 1e9:,.1f} GB for {n:,} nodes; "
            f"{available / 1e9:,.1f} GB are free. Embed a part of the graph, such as its largest component"
        )


def _filtered(spec: Spec, proximity: Proximity, graph: Graph) -> Iterator[ProximityMatrix]:
    """σ(S) at each scale."""
    for matrix in proximity.matrices(graph, entrywise=spec.nonlinearity.entrywise):
        yield spec.nonlinearity.apply(matrix)


def _rows(spec: Spec, proximity: Proximity, graph: Graph, shared: Sequence[Any], seed: int) -> list[Array]:
    """ζ(σ(S)) at each scale."""
    matrices = _filtered(spec, proximity, graph)
    return [spec.embedding.embed(matrix, state, seed) for matrix, state in zip(matrices, shared, strict=True)]


def _shared(spec: Spec, proximity: Proximity, graphs: Sequence[Graph]) -> list[Any]:
    """What ζ learns of all graphs together, at each scale."""
    if not spec.embedding.learns:
        return [None] * len(proximity.at_each_scale())
    parts = [[spec.embedding.learn(matrix) for matrix in _filtered(spec, proximity, graph)] for graph in graphs]
    return [spec.embedding.combined(each) for each in zip(*parts, strict=True)]


def _finished(spec: Spec, blocks: Sequence[Array]) -> Array:
    values = np.hstack(blocks)
    if not np.isfinite(values).all():
        raise InputError(
            f"{spec.embedding!r} of {spec.proximity!r} is not finite on this graph: numbers beyond 1e308. "
            "Divide the weights by their maximum, or use smaller scales and landmarks"
        )
    if spec.normalize == "l2":
        largest = np.abs(values).max(axis=1, keepdims=True)
        values = np.divide(values, largest, out=np.zeros_like(values), where=largest > 0)  # squares stay in range
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
    return values


def _memory() -> int | None:
    """Bytes of memory that are free, in the machine or its control group, where the system tells."""
    free = []
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free.append(int(dict(line.split(":", 1) for line in lines)["MemAvailable"].split()[0]) * 1024)
        group = Path("/sys/fs/cgroup")
        limit, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
        free.append(limit - used)
    except (OSError, KeyError, ValueError):  # "max" is no number: no limit
        pass
    return min(free, default=None)
