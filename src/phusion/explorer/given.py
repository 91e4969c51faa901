"""Embeddings that were computed before: read, matched with the graph by node id, and shown as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError, InputError, InputTypeError
from phusion.explorer.designs import Design
from phusion.explorer.rows import Rows
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, find
from phusion.partitions import PartitionedEmbedding
from phusion.paths import exists
from phusion.results.embedding import Embedding

__all__ = ["given_designs"]


def given_designs(graph: Graph, shown: Array, embeddings: Any) -> list[Design]:
    """A design for each embedding. One after the other is read, and only rows of shown nodes are kept.

    Parameters
    ----------
    graph : whose nodes they must have rows for.
    shown : positions of the nodes that are shown.
    embeddings : one or several of: an `Embedding`, a file or folder of one, ``"NAME=FILE"``; or a mapping from names to
        those. None for none.
    """
    return [_design(graph, shown, name, source) for name, source in _named(embeddings)]


def _named(embeddings: Any) -> list[tuple[str, Any]]:
    if embeddings is None:
        return []
    if isinstance(embeddings, dict):
        return [(str(name), source) for name, source in embeddings.items()]
    several = embeddings if isinstance(embeddings, (list, tuple)) else [embeddings]
    return [_pair(source) for source in several]


def _pair(source: Any) -> tuple[str, Any]:
    if isinstance(source, str) and not exists(source):
        name, equals, path = source.partition("=")
        if equals:
            return name.strip(), path.strip()
    if isinstance(source, PartitionedEmbedding):
        source = source.path
    if isinstance(source, (str, Path)):
        return Path(source).stem, source
    if isinstance(source, Embedding) and source.spec is not None:
        spec = source.spec
        return " ".join((spec.proximity.name, spec.nonlinearity.name, spec.embedding.name)), source
    return "embedding", source


def _design(graph: Graph, shown: Array, name: str, source: Any) -> Design:
    path = Path(source) if isinstance(source, (str, Path)) else None
    embedding = Embedding.load(path) if path is not None else source
    if isinstance(embedding, PartitionedEmbedding):
        embedding = embedding.load()
    if not isinstance(embedding, Embedding):
        raise InputTypeError(f"embeddings are phusion.Embedding or files of them; got {type(embedding).__name__}")
    reason = _why_not(graph, embedding)
    if reason is not None:
        raise InputError(f"{name}: {reason}") if path is None else FileError(reason, path=path)
    spec = embedding.spec
    assert spec is not None
    rows = Rows.of(embedding, find(embedding.nodes, graph.nodes[shown]))
    return Design(name, "structural" if spec.embedding.structural else "positional", spec, given=rows)


def _why_not(graph: Graph, embedding: Embedding) -> str | None:
    """Why an embedding cannot be shown beside this graph, if it cannot."""
    if embedding.kind != "nodes":
        return f"it has rows of {embedding.kind}; a map needs rows of nodes"
    if embedding.spec is None:
        return (
            "it does not tell which method made it, so whether it is positional or structural is not known; "
            ".parquet, .npz, .zarr and .h5ad files of phusion tell"
        )
    places = find(embedding.nodes, graph.nodes)
    missing = np.flatnonzero(places < 0)
    if len(missing):
        ids = embedding.nodes[:1].tolist()
        return (
            f"{len(missing):,} of the graph's {len(graph):,} nodes have no row in it, such as "
            f"{graph.nodes[missing[:1]].tolist()[0]!r}; it has {len(embedding):,} rows"
            + (f", with ids like {ids[0]!r}" if ids else "")
            + ". Was it made of another graph?"
        )
    if len(embedding) > len(graph):
        return (
            f"it has {len(embedding):,} rows and the graph {len(graph):,} nodes; it was made of another graph, or of "
            "this one with its nodes that have no edges (--nodes FILE reads those)"
        )
    return None
