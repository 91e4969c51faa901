"""The pair of files that TensorBoard's projector loads."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phusion.errors import InputError
from phusion.results.base import ResultFormat, numbered, restored
from phusion.results.embedding import Embedding
from phusion.results.ids import from_words, plain_ids


class Tensorboard(ResultFormat):
    """``NAME.tensors.tsv`` holds values, ``NAME.metadata.tsv`` beside it holds ids, a line each, without headers."""

    name = "tensorboard"
    title = "TensorBoard projector pair"
    suffixes = (".tensors.tsv",)
    keeps = frozenset({"ids"})
    plain_text = any_size = True

    def targets(self, path: Path) -> tuple[Path, ...]:
        """Both files."""
        return (path, beside(path))

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Values, then ids."""
        words = [str(node) for node in plain_ids(embedding.nodes)]
        if any("\t" in word or "\n" in word or "\r" in word for word in words):
            raise InputError("projector files hold an id a line: no tabs or line breaks in ids; use .csv or .npz")
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines("\t".join(map(repr, row)) + "\n" for row in embedding.values.tolist())
        with beside(path).open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{word}\n" for word in words)

    def read(self, path: Path) -> Embedding:
        """Both files."""
        with path.open(encoding="utf-8") as stream:
            rows = [[float(word) for word in line.split("\t")] for line in stream if line.strip()]
        values = np.array(rows) if rows else np.empty((0, 0))
        ids = beside(path).read_text(encoding="utf-8").split("\n")[:-1]
        if len(ids) != len(values):
            raise ValueError(f"{len(values):,} rows, but {beside(path).name} has {len(ids):,} ids")
        return restored(values, from_words(ids), numbered(values.shape[1]), None, path)


def beside(path: Path) -> Path:
    """Where the ids stand."""
    return path.with_name(path.name.removesuffix(".tensors.tsv") + ".metadata.tsv")


FORMAT = Tensorboard()
