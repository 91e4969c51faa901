"""Comma- and tab-separated values."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phusion.results.base import ResultFormat, as_ids, plain_ids, restored
from phusion.results.embedding import Embedding


class Csv(ResultFormat):
    """A header, then an id and its values a line, to the last digit. Ids that are text stand in quotes."""

    name = "csv"
    title = "CSV"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)
    keeps = frozenset({"ids", "features"})
    delimiter = ","

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Python writes the shortest digits that read back to the same number."""
        with path.open("w", encoding="utf-8", newline="") as stream:
            head = csv.writer(stream, delimiter=self.delimiter, lineterminator="\n")
            head.writerow([embedding.kind.removesuffix("s"), *embedding.features])
            for node, row in zip(plain_ids(embedding.nodes), embedding.values.tolist(), strict=True):
                stream.write(self.delimiter.join([_word(node), *map(repr, row)]) + "\n")

    def read(self, path: Path) -> Embedding:
        """Whole numbers without quotes are whole numbers again."""
        with path.open(encoding="utf-8", newline="") as stream:
            quoted = any(line.startswith('"') for line in list(stream)[1:])
        with path.open(encoding="utf-8", newline="") as stream:
            head, *rows = [row for row in csv.reader(stream, delimiter=self.delimiter) if row]
        ids: list[Any] = [row[0] for row in rows]
        if not quoted and all(_is_whole(word) for word in ids):
            ids = [int(word) for word in ids]
        values = np.array([[float(word) for word in row[1:]] for row in rows]).reshape(len(rows), len(head) - 1)
        kind = '{"kind": "graphs"}' if head[0] == "graph" else None
        return restored(values, as_ids(ids), head[1:], kind, path)


class Tsv(Csv):
    """The same with tabs."""

    name = "tsv"
    title = "TSV"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)
    delimiter = "\t"


def _word(node: Any) -> str:
    return str(node) if isinstance(node, int) else '"' + node.replace('"', '""') + '"'


def _is_whole(word: str) -> bool:
    return word.removeprefix("-").isdigit()


FORMAT = (Csv(), Tsv())
