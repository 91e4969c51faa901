"""NumPy's .npy: the values alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phusion.graph.ids import Array
from phusion.results.base import ResultFormat, numbered, restored
from phusion.results.embedding import Embedding
from phusion.results.head import Head


class Npy(ResultFormat):
    """The array of values."""

    name = "npy"
    title = "NumPy .npy"
    suffixes = (".npy",)
    keeps = frozenset[str]()
    in_parts = True
    one_file = True

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """One array."""
        with path.open("wb") as stream:
            np.save(stream, embedding.values, allow_pickle=False)

    def parts(self, folder: Path, head: Head, rows: int) -> NpyParts:
        """A file of the whole length, now; every row has its place in it."""
        shape = len(head.nodes), len(head.features)
        with folder.open("r+b") as stream:
            facts = {"descr": "<f8", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(stream, facts)
            first = stream.tell()
            stream.truncate(first + 8 * shape[0] * shape[1])
        return NpyParts(folder, first)

    def read(self, path: Path) -> Embedding:
        """Ids become 0..n−1."""
        values = np.load(path, allow_pickle=False)
        if values.ndim != 2:
            raise ValueError(f"an embedding is an n × d array; this one has shape {values.shape}")
        return restored(values, np.arange(len(values)), numbered(values.shape[1]), None, path)


@dataclass(frozen=True)
class NpyParts:
    """Writes rows where they belong, `first` bytes from the beginning on."""

    path: Path
    first: int

    def write(self, part: int, start: int, nodes: Array, rows: Array) -> None:
        """The same bytes, if it was done before."""
        with self.path.open("r+b") as stream:
            stream.seek(self.first + 8 * start * rows.shape[1])
            stream.write(np.ascontiguousarray(rows, "<f8").data)


FORMAT = Npy()
