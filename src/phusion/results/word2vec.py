"""word2vec's text format, as gensim reads it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phusion.errors import InputError
from phusion.results.base import ResultFormat, numbered, restored
from phusion.results.embedding import Embedding
from phusion.results.ids import from_words, plain_ids


class Word2vec(ResultFormat):
    """``n d`` on the first line, then an id and its values a line, all separated by spaces."""

    name = "word2vec"
    title = "word2vec text"
    suffixes = (".w2v.txt", ".w2v", ".emb")
    keeps = frozenset({"ids"})
    plain_text = any_size = True

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Ids must not hold spaces."""
        words = [str(node) for node in plain_ids(embedding.nodes)]
        for word in words:
            if not word or len(word.split()) != 1 or word != word.strip():
                raise InputError(f"word2vec text separates by spaces: it cannot hold the id {word!r}; use .csv or .npz")
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{len(words)} {embedding.dim}\n")
            for word, row in zip(words, embedding.values.tolist(), strict=True):
                stream.write(" ".join([word, *map(repr, row)]) + "\n")

    def read(self, path: Path) -> Embedding:
        """Ids that are all whole numbers are whole numbers again."""
        with path.open(encoding="utf-8") as stream:
            n, dim = (int(word) for word in stream.readline().split())
            rows = [line.rstrip("\n").split(" ") for line in stream if line.strip()]
        if len(rows) != n or any(len(row) != dim + 1 for row in rows):
            raise ValueError(f"its first line promises {n:,} rows of {dim:,} values; it holds others")
        values = np.array([[float(word) for word in row[1:]] for row in rows]).reshape(n, dim)
        return restored(values, from_words([row[0] for row in rows]), numbered(dim), None, path)


FORMAT = Word2vec()
