"""Embeddings that are written in parts by whoever computes them, and are never held as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import randbits
from typing import Any

import numpy as np

from phusion.cautions import collected
from phusion.errors import InputError
from phusion.execution.engine import compute
from phusion.execution.jobs import Done, Job
from phusion.execution.planning import SMALL, make_plan
from phusion.execution.resources import Resources
from phusion.graph.graph import Graph
from phusion.graph.words import count
from phusion.linalg.fidelity import Fidelity
from phusion.output import whole_file, whole_folder
from phusion.pipeline import check_graph, learned
from phusion.provenance import provenance
from phusion.proximities.base import Proximity
from phusion.results.base import ResultFormat
from phusion.results.certificate import Certificate
from phusion.results.embedding import Embedding
from phusion.results.files import check_result
from phusion.results.head import Head, Parts
from phusion.spec import Spec

__all__ = ["PartitionedEmbedding", "embed_in_parts"]


@dataclass(frozen=True, repr=False)
class PartitionedEmbedding:
    """An embedding on disk.

    Attributes
    ----------
    path : the folder, or the file.
    n_nodes : rows.
    features : names of the columns.
    n_parts : files or chunks of rows.
    certificate : how far it is from the exact one, where `accuracy` was asked for.
    fidelity : how near approximate singular vectors are to exact ones, at each scale; empty where they are exact.
    lost : what the format does not keep, in words.
    """

    path: Path
    n_nodes: int
    features: tuple[str, ...]
    n_parts: int
    certificate: Certificate | None = None
    fidelity: tuple[Fidelity, ...] = ()
    lost: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shape = f"{count(self.n_nodes, 'node')} × {len(self.features)}"
        sure = f", {self.certificate.words}" if self.certificate else ""
        return f"PartitionedEmbedding({shape}, {count(self.n_parts, 'part')}{sure})"

    def load(self) -> Embedding:
        """All of it, into memory."""
        return Embedding.load(self.path)


class _Folder:
    """Where the rows of one job go. What is said until then is told in every part."""

    def __init__(
        self, chosen: ResultFormat, folder: Path, graph: Graph, spec: Spec, said: list[str], precision: str
    ) -> None:
        self._chosen, self._folder, self._graph, self._spec = chosen, folder, graph, spec
        self._said, self._precision = said, precision
        self.features: tuple[str, ...] = ()
        self.n_parts = 0

    def open(
        self, shared: Sequence[Any], rows: int, certificate: Certificate | None, fidelity: Sequence[Fidelity]
    ) -> Parts:
        """With names and description, which are known now."""
        n, spec = len(self._graph), self._spec
        width = Job(spec, spec.proximity).width(n)
        known = learned(spec, spec.proximity, Done(np.empty((0, width)), list(shared)))
        self.features = tuple(feature.name for feature in known.features)
        self.n_parts = -(-n // rows)
        origin = provenance([self._graph], spec, list(self._said), self._precision, certificate, fidelity)
        return self._chosen.parts(self._folder, Head(self._graph.nodes, self.features, spec, origin), rows)


def embed_in_parts(
    path: Path, graph: Graph, spec: Spec, resources: Resources, *, format: str | None = None, overwrite: bool = False
) -> PartitionedEmbedding:
    """Embed the nodes of a graph into a folder or file, which appears whole or not at all."""
    if spec.pooling is not None:
        raise InputError(f"embed_to embeds nodes; this method has a pooling, {spec.pooling.name}. Use embed")
    chosen = check_result(path, format=format, overwrite=overwrite, in_parts=True)
    check_graph(graph, spec)
    proximity: Proximity = spec.proximity.fitted([graph])
    drawn = randbits(31) if spec.random_state is None and spec.embedding.random else spec.random_state
    spec = spec.replace(proximity=proximity, random_state=drawn)
    if spec.embedding.by_node and len(graph) > SMALL:
        resources = replace(resources, strategy="blocked")
    whole = whole_file if chosen.one_file else whole_folder
    with collected() as said, whole(path, overwrite=overwrite) as unfinished:
        sink = _Folder(chosen, unfinished, graph, spec, said, resources.precision)
        done = compute(make_plan(graph, [Job(spec, proximity, sink=sink)], resources), spec.random_state or 0)
    sure = done[0].certificate, tuple(done[0].fidelity)
    return PartitionedEmbedding(path, len(graph), sink.features, sink.n_parts, *sure, tuple(chosen.lost(graph.nodes)))
