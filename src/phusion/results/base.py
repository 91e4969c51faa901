"""`ResultFormat`: a file format for embeddings."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phusion.errors import FileError
from phusion.graph.ids import Array
from phusion.results.embedding import Embedding
from phusion.results.head import Head, Parts
from phusion.results.ids import are_plain, are_whole, from_literals, literal_ids, look_whole
from phusion.spec import Spec

__all__ = ["ResultFormat", "described", "numbered", "restored"]


class ResultFormat(ABC):
    """One format: how to write an embedding and how to read it back."""

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    keeps: ClassVar[frozenset[str]]
    """Of "ids", "features", "spec"."""
    needs: ClassVar[str] = ""
    """The library without which it cannot be read and written."""
    in_parts: ClassVar[bool] = False
    """Whether rows can be written some at a time, into a folder of parts."""
    one_file: ClassVar[bool] = False
    """Whether they are parts of one file all the same."""
    folder: ClassVar[bool] = False
    """Whether it always is."""
    plain_text: ClassVar[bool] = False
    """Whether text and numbers look the same in it."""
    any_size: ClassVar[bool] = False
    """Whether ids may be whole numbers beyond 64 bits."""

    def targets(self, path: Path) -> tuple[Path, ...]:
        """Every file that saving to `path` makes."""
        return (path,)

    @abstractmethod
    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Write to `path`, which will be renamed to `target`; where `targets` are several, the others beside `path`."""

    @abstractmethod
    def read(self, path: Path) -> Embedding:
        """Read it back."""

    def parts(self, folder: Path, head: Head, rows: int) -> Parts:
        """Who writes an embedding into a folder (or one file, which is there and empty), so many rows at a time."""
        raise NotImplementedError

    def check_library(self) -> None:  # noqa: B027
        """Refuse before the work what cannot be written after it, for want of a library."""

    def owns(self, folder: Path) -> bool:
        """Whether there is nothing in a folder but what `parts` writes."""
        return False

    def lost(self, nodes: Array) -> list[str]:
        """What the file does not keep of an embedding of these nodes, in words."""
        notes = []
        if "ids" not in self.keeps and nodes.tolist() != list(range(len(nodes))):
            notes.append(f"{self.title} keeps no ids: row i is the graph's i-th node")
        elif self.any_size and are_whole(nodes):
            pass  # whole numbers of any size
        elif "ids" in self.keeps and not are_plain(nodes) and not ("spec" in self.keeps and literal_ids(nodes)):
            notes.append("ids that are neither whole numbers of 64 bits nor text are written as text")
        elif self.plain_text and isinstance(nodes.tolist()[0], str) and look_whole(nodes.tolist()):
            notes.append("ids are text that looks like whole numbers, and will be read as such")
        if "features" not in self.keeps:
            notes.append("feature names are not written")
        if "spec" not in self.keeps:
            notes.append(
                "how it was made (method, versions, measured error) is not written; "
                ".npz, .parquet, .zarr and .h5ad keep it"
            )
        return notes


def described(embedding: Embedding | Head, *, ids: bool = True, literal: bool = False) -> str:
    """Kind, spec and provenance as one JSON text; with ids that are not plain, or `literal`, and not left out."""
    return json.dumps(
        {
            "kind": embedding.kind,
            **({"ids": literal_ids(embedding.nodes)} if literal or (ids and not are_plain(embedding.nodes)) else {}),
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
    if facts.get("ids"):
        nodes = from_literals(facts["ids"])
    if len(set(nodes.tolist())) < len(nodes):
        raise FileError("an id stands there twice; every row needs an id of its own", path=path)
    kind, about = facts.get("kind", "nodes"), facts.get("provenance", {})
    if kind not in ("nodes", "graphs") or not isinstance(about, Mapping):
        raise FileError("its description is damaged: it is neither of nodes nor of graphs", path=path)
    spec = Spec.from_dict(facts["spec"]) if facts.get("spec") else None
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise FileError("some values are not finite: the file is damaged, or not an embedding of phusion's", path=path)
    found = Embedding(values, nodes, tuple(features), spec, about, kind)
    try:
        _ = found.certificate, found.fidelity
    except (TypeError, ValueError, AttributeError) as error:
        raise FileError(f"its description is damaged: {error}", path=path) from error
    return found


def numbered(n_columns: int) -> list[str]:
    """Names for columns whose own were not kept."""
    return [f"feature_{i}" for i in range(n_columns)]
