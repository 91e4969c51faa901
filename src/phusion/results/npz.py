"""NumPy's .npz: everything."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

from phusion.errors import InputError
from phusion.graph.ids import fits_in_array
from phusion.graph.limits import check_members
from phusion.results.base import ResultFormat, described, restored
from phusion.results.embedding import Embedding
from phusion.results.ids import as_ids, plain_ids


class Npz(ResultFormat):
    """Arrays ``values``, ``nodes``, ``features`` and the text ``phusion``."""

    name = "npz"
    title = "NumPy .npz"
    suffixes = (".npz",)
    keeps = frozenset({"ids", "features", "spec"})

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Arrays without pickles. Ids that arrays of text would cut or blow up stand in the description."""
        if not fits_in_array(embedding.features):
            raise InputError("a name of a feature is too long for .npz, or ends with a zero character; use .parquet")
        words = plain_ids(embedding.nodes)
        plain = fits_in_array(words)
        about = described(embedding, literal=not plain)
        with path.open("wb") as stream:
            np.savez(
                stream,
                values=embedding.values,
                nodes=np.array(words) if plain else np.arange(len(words)),
                features=np.array(embedding.features, dtype=str),
                phusion=np.array(about),
                allow_pickle=False,
            )

    def read(self, path: Path) -> Embedding:
        """All of it."""
        with zipfile.ZipFile(path) as archive:
            check_members(archive, path.stat().st_size, path)
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            nodes = as_ids(arrays["nodes"].tolist())
            return restored(arrays["values"], nodes, arrays["features"].tolist(), str(arrays["phusion"]), path)


FORMAT = Npz()
