"""Comma- and tab-separated values."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phusion.errors import InputError
from phusion.results.base import ResultFormat, restored
from phusion.results.embedding import Embedding
from phusion.results.ids import as_ids, from_words, text_ids


class Csv(ResultFormat):
    """A header, then an id and its values a line, to the last digit. Ids that are text stand in quotes."""

    name = "csv"
    title = "CSV"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    keeps = frozenset({"ids", "features"})
    delimiter = ","
    any_size = True

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Python writes the shortest digits that read back to the same number."""
        if any(mark in name for name in embedding.features for mark in "\r\n"):
            raise InputError(f"a name of a feature has a line end, which {self.title} does not keep; write .parquet")
        with path.open("w", encoding="utf-8", newline="") as stream:
            head = csv.writer(stream, delimiter=self.delimiter, lineterminator="\n")
            head.writerow([embedding.kind.removesuffix("s"), *embedding.features])
            for node, row in zip(text_ids(embedding.nodes), embedding.values.tolist(), strict=True):
                stream.write(self.delimiter.join([_word(node), *map(repr, row)]) + "\n")

    def read(self, path: Path) -> Embedding:
        """Whole numbers without quotes are whole numbers again."""
        with path.open(encoding="utf-8", newline="") as stream:
            quoted = any(line.startswith('"') for line in list(stream)[1:])
        with path.open(encoding="utf-8", newline="") as stream:
            head, *rows = [row for row in csv.reader(stream, delimiter=self.delimiter) if row]
        if len(head) < 2 or any(len(row) != len(head) for row in rows):
            raise ValueError("a header with an id and features is needed, and as many values in every line")
        ids = [row[0] for row in rows]
        values = np.array([[float(word) for word in row[1:]] for row in rows]).reshape(len(rows), len(head) - 1)
        kind = '{"kind": "graphs"}' if head[0] == "graph" else None
        return restored(values, as_ids(ids) if quoted else from_words(ids), head[1:], kind, path)


class Tsv(Csv):
    """The same with tabs."""

    name = "tsv"
    title = "TSV"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)
    delimiter = "\t"


def _word(node: Any) -> str:
    return str(node) if isinstance(node, int) else '"' + node.replace('"', '""') + '"'


FORMAT = (Csv(), Tsv())
