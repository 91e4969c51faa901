"""Zarr: a folder of chunks, for arrays larger than memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError, MissingLibraryError
from phusion.graph.ids import Array
from phusion.graph.limits import Allowance
from phusion.results.base import ResultFormat, described, restored
from phusion.results.embedding import Embedding
from phusion.results.head import Head
from phusion.results.ids import as_ids, plain_ids

_CHUNK = 4 << 20  # bytes of values in a chunk, about
_IDS = 100_000  # in a chunk


class Zarr(ResultFormat):
    """A group of format 3: arrays ``values`` and ``nodes``; kind, features, spec and provenance as attributes."""

    name = "zarr"
    title = "Zarr"
    suffixes = (".zarr",)
    keeps = frozenset({"ids", "features", "spec"})
    needs = "zarr"
    in_parts = True
    folder = True

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Chunk by chunk."""
        head = Head(embedding.nodes, embedding.features, embedding.spec, embedding.provenance, embedding.kind)
        rows = max(1, _CHUNK // max(1, 8 * embedding.dim))
        writer = self.parts(path, head, rows)
        for part, start in enumerate(range(0, len(embedding), rows)):
            some = slice(start, start + rows)
            writer.write(part, start, embedding.nodes[some], embedding.values[some])

    def parts(self, folder: Path, head: Head, rows: int) -> ZarrParts:
        """Everything but values, now; these in chunks of so many rows."""
        _finished(lambda: self._begin(folder, head, rows))
        return ZarrParts(folder)

    def _begin(self, folder: Path, head: Head, rows: int) -> None:
        ids = plain_ids(head.nodes)
        n, dim = len(ids), len(head.features)
        facts = json.loads(described(head)) | {"features": list(head.features)}
        group = _zarr().create_group(str(folder), overwrite=True, zarr_format=3, attributes=facts)
        chunks = (max(1, min(rows, n)), max(1, dim))
        group.create_array("values", shape=(n, dim), chunks=chunks, dtype="float64", fill_value=np.nan)
        whole = all(type(node) is int for node in ids)
        nodes = group.create_array("nodes", shape=(n,), chunks=(_IDS,), dtype="int64" if whole else "string")
        nodes[:] = np.array(ids, dtype=np.int64 if whole else object)

    def check_library(self) -> None:
        """Zarr itself."""
        _zarr()

    def owns(self, folder: Path) -> bool:
        """Its two arrays."""
        return {entry.name for entry in folder.iterdir()} == {"zarr.json", "values", "nodes"}

    def read(self, path: Path) -> Embedding:
        """What `parts` wrote."""
        group = _zarr().open_group(str(path), mode="r", zarr_format=3)
        facts = dict(group.attrs)
        packed = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        allowance = Allowance(packed, path)
        for array in (group["values"], group["nodes"]):  # and a chunk may be larger than all of it
            allowance.spend(8 * max(prod(array.shape), prod(array.chunks)))
        values = group["values"][:]
        if np.isnan(values).any():
            raise FileError("chunks of its values are missing", path=path)
        return restored(values, as_ids(group["nodes"][:].tolist()), facts["features"], json.dumps(facts), path)


@dataclass(frozen=True)
class ZarrParts:
    """Writes chunks of the values."""

    folder: Path

    def write(self, part: int, start: int, nodes: Array, rows: Array) -> None:
        """A chunk appears whole, in place of the one of an earlier try; none where the folder is gone."""

        def write() -> None:
            _zarr().open_array(str(self.folder / "values"), mode="r+")[start : start + len(rows)] = rows

        _finished(write)


def _finished(write: Callable[[], None]) -> None:
    """Have something written by a thread that no signal reaches.

    Zarr writes in threads of its own. Interrupted while it waits for them, it would leave them at work, and they would
    bring back a folder that is being removed.
    """
    with ThreadPoolExecutor(1) as own:
        own.submit(write).result()


def _zarr() -> Any:
    try:
        import zarr
    except ImportError as error:
        raise MissingLibraryError("a .zarr folder", "zarr", "zarr") from error
    return zarr


FORMAT = Zarr()
