"""`ResultFormat`: a file format for embeddings."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phusion.errors import FileError, InputError
from phusion.graph.ids import Array, integers, object_array
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["ResultFormat", "as_ids", "described", "plain_ids", "restored"]


class ResultFormat(ABC):
    """One format: how to write an embedding and how to read it back."""

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[frozenset[str]]
    """Of "ids", "features", "spec"."""

    @abstractmethod
    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Write to `path`, which will be renamed to `target`."""

    @abstractmethod
    def read(self, path: Path) -> Embedding:
        """Read it back."""

    def lost(self, embedding: Embedding) -> list[str]:
        """What of this embedding the file does not keep, in words."""
        notes = []
        if "ids" not in self.keeps and plain_ids(embedding.nodes) != list(range(len(embedding))):
            notes.append(f"{self.title} keeps no ids: row i is the graph's i-th node")
        elif "ids" in self.keeps and not _are_plain(embedding.nodes):
            notes.append("ids that are neither whole numbers nor text are written as text")
        if "features" not in self.keeps:
            notes.append("feature names are not written")
        if "spec" not in self.keeps:
            notes.append("the spec and provenance are not written; .npz, .parquet and .h5ad keep them")
        return notes


def _are_plain(nodes: Array) -> bool:
    kinds = {type(node) for node in nodes.tolist()}
    return kinds <= {int} or kinds <= {str}


def plain_ids(nodes: Array) -> list[Any]:
    """Ids that are all whole numbers or all text as they are, others as text."""
    ids: list[Any] = nodes.tolist()
    if _are_plain(nodes):
        return ids
    words = [str(node) for node in ids]
    if len(set(words)) < len(words):
        raise InputError("as text, two of the ids are the same; rename them before saving")
    return words


def as_ids(values: list[Any]) -> Array:
    """Ids read from a file: whole numbers where all are, else text."""
    if all(type(value) is int for value in values):
        return integers(values)
    return object_array(values)


def described(embedding: Embedding) -> str:
    """Kind, spec and provenance as one JSON text."""
    return json.dumps(
        {
            "kind": embedding.kind,
            "spec": embedding.spec.as_dict() if embedding.spec else None,
            "provenance": dict(embedding.provenance),
        },
        ensure_ascii=False,
    )


def restored(values: Array, nodes: Array, features: list[str], text: str | None, path: Path) -> Embedding:
    """The embedding of what a file holds."""
    try:
        facts: Mapping[str, Any] = json.loads(text) if text else {}
    except json.JSONDecodeError as error:
        raise FileError(f"its description is damaged: {error.msg}", path=path) from error
    spec = Spec.from_dict(facts["spec"]) if facts.get("spec") else None
    values = np.asarray(values, dtype=np.float64)
    return Embedding(values, nodes, tuple(features), spec, facts.get("provenance", {}), facts.get("kind", "nodes"))


def numbered(n_columns: int) -> list[str]:
    """Names for columns whose own were not kept."""
    return [f"feature_{i}" for i in range(n_columns)]
