"""NumPy's .npy: the values alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phusion.results.base import ResultFormat, numbered, restored
from phusion.results.embedding import Embedding


class Npy(ResultFormat):
    """The array of values."""

    name = "npy"
    title = "NumPy .npy"
    suffixes = (".npy",)
    keeps = frozenset[str]()

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """One array."""
        with path.open("wb") as stream:
            np.save(stream, embedding.values, allow_pickle=False)

    def read(self, path: Path) -> Embedding:
        """Ids become 0..n−1."""
        values = np.load(path, allow_pickle=False)
        if values.ndim != 2:
            raise ValueError(f"an embedding is an n × d array; this one has shape {values.shape}")
        return restored(values, np.arange(len(values)), numbered(values.shape[1]), None, path)


FORMAT = Npy()
