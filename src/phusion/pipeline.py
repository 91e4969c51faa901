"""The formula at work: ζ(σ(Ψ(A))) for one graph or many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phusion.embeddings.base import EmbeddingFunction
from phusion.errors import InputError
from phusion.features import Feature
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import ProximityMatrix
from phusion.spec import Spec

__all__ = ["Learned", "embed_graph", "learn"]

_COPIES = 4  # n × n arrays of doubles that exist at a time


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
    common = type(embedding).learn is not EmbeddingFunction.learn
    if common and len(graphs) > 1:
        parts = [[embedding.learn(m) for m in _filtered(spec, proximity, graph)] for graph in graphs]
        shared = tuple(_combined(embedding, each) for each in zip(*parts, strict=True))
        found = [_rows(spec, proximity, graph, shared, seed) for graph in graphs]
    elif common:
        blocks, learned = [], []
        for matrix in _filtered(spec, proximity, graphs[0]):
            learned.append(embedding.learn(matrix))
            blocks.append(embedding.embed(matrix, learned[-1], seed))
        shared, found = tuple(learned), [blocks]
    else:
        shared = (None,) * len(proximity.at_each_scale())
        found = [_rows(spec, proximity, graph, shared, seed) for graph in graphs]
    widths = [block.shape[1] for block in found[0]]
    features = tuple(
        Feature(one, spec.nonlinearity.name, label)
        for one, width, state in zip(proximity.at_each_scale(), widths, shared, strict=True)
        for label in embedding.labels(width, state)
    )
    return Learned(proximity, shared, features), [_finished(spec, blocks) for blocks in found]


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
    dim = getattr(spec.embedding, "dim", None)
    if dim is not None and dim > n:
        raise InputError(
            f"{type(spec.embedding).__name__} needs dim ≤ n; got dim={dim} for {n:,} nodes. Use dim={n} or less"
        )
    needed, available = _COPIES * 8 * n * n, _memory()
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


def _combined(embedding: EmbeddingFunction, parts: Sequence[Any]) -> Any:
    """What ζ learned of each graph, as if it had seen all at once."""
    return None if parts[0] is None else embedding.combined(parts)


def _finished(spec: Spec, blocks: Sequence[Array]) -> Array:
    values = np.hstack(blocks)
    if spec.normalize == "l2":
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        values = np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 0)
    return values


def _memory() -> int | None:
    """Bytes of memory that are free, where the system tells."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        facts = dict(line.split(":", 1) for line in lines)
        return int(facts["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        pass
    try:
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return None
