"""Parquet: everything, for data frames and databases."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phusion.graph.arrow import numbers
from phusion.results.base import ResultFormat, described, restored
from phusion.results.embedding import Embedding
from phusion.results.ids import as_ids, plain_ids


class Parquet(ResultFormat):
    """A column ``node`` (or ``graph``), one for each feature, and the description as metadata ``phusion``."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet", ".pq")
    keeps = frozenset({"ids", "features", "spec"})

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Doubles as they are."""
        import pyarrow
        from pyarrow import parquet

        names = [embedding.kind.removesuffix("s"), *embedding.features]
        columns = [pyarrow.array(plain_ids(embedding.nodes))]
        columns += [pyarrow.array(np.ascontiguousarray(embedding.values[:, j])) for j in range(embedding.dim)]
        table = pyarrow.Table.from_arrays(columns, names=names)
        parquet.write_table(table.replace_schema_metadata({"phusion": described(embedding)}), path)

    def read(self, path: Path) -> Embedding:
        """The first column holds the ids."""
        from pyarrow import parquet

        table = parquet.read_table(path)
        nodes = as_ids(table.column(0).to_pylist())
        values = [numbers(table.column(j)) for j in range(1, table.num_columns)]
        text = (table.schema.metadata or {}).get(b"phusion")
        array = np.column_stack(values) if values else np.empty((len(nodes), 0))
        return restored(array, nodes, table.column_names[1:], text.decode() if text else None, path)


FORMAT = Parquet()
