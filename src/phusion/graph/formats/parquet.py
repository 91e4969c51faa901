"""Parquet: an edge frame on disk; direction and isolated nodes stand in the file's metadata."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import IO, Any

from phusion.errors import FileError, InputError, NoEdgesError
from phusion.graph.arrow import need_pyarrow
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import AN_EMBEDDING, Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import integers
from phusion.graph.limits import Allowance
from phusion.graph.nodes import add_nodes
from phusion.graph.streams import parsing, read_all
from phusion.graph.tables import draft_from_frame

__all__ = ["FORMAT"]

_KEY = b"phusion"
_LONG = 2**31 - 1


class Parquet(Format):
    """Columns as in an edge frame: source, target, weight by name, else by place."""

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet", ".pq")
    holds = Holds(ids=frozenset({"int", "str"}))
    needs = "pyarrow"
    understands = frozenset({"source", "target"})

    def recognises(self, head: bytes, path: Path) -> bool:
        """By its magic."""
        return head[:4] == b"PAR1"

    def contradicts(self, head: bytes) -> bool:
        """Without the magic it is something else."""
        return not self.recognises(head, Path())

    def check_library(self) -> None:
        """Only pyarrow writes it."""
        need_pyarrow("Parquet")

    def read(self, path: Path, options: Options) -> Draft:
        """Read with pyarrow."""
        self.check_library()
        import pyarrow as pa
        from pyarrow import parquet

        data = read_all(path, options.progress)
        with parsing(path, "Parquet file"):
            rows = parquet.ParquetFile(pa.BufferReader(data), thrift_string_size_limit=_LONG).metadata.num_rows
            Allowance(len(data), path).spend(16 * rows)  # two ends of an edge
            # our metadata names every node: let it be as long as it is
            table = parquet.read_table(pa.BufferReader(data), thrift_string_size_limit=_LONG)
            table.validate(full=True)  # text may hold anything, and breaks only where it is read
            said = json.loads((table.schema.metadata or {}).get(_KEY, b"{}"))
        _check_said(said, path)
        if said and not table.num_rows:
            draft = _no_edges(path)
        else:
            try:
                draft = draft_from_frame(table, options, f"Parquet file {path}")
            except NoEdgesError as error:
                raise NoEdgesError(error.message, path=path) from error
            except InputError as error:
                raise FileError(str(error), path=path) from error
        draft.path = path
        if said:
            draft.directed, draft.given = said["directed"], "edges"
            ids = said["nodes"]
            add_nodes(draft, integers(ids) if all(type(node) is int for node in ids) else ids, options)
        return draft

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write the edge frame, and all ids in order as metadata."""
        self.check_library()
        import pyarrow as pa
        from pyarrow import parquet

        rows, cols, weights = graph.edge_list()
        columns: dict[str, Any] = {"source": graph.nodes[rows], "target": graph.nodes[cols]}
        if graph.weighted or graph.signed:
            columns["weight"] = weights
        said = json.dumps({"directed": graph.directed, "nodes": graph.nodes.tolist()})
        table = pa.table({name: pa.array(values) for name, values in columns.items()})
        buffer = io.BytesIO()
        parquet.write_table(table.replace_schema_metadata({_KEY: said.encode()}), buffer, compression="zstd")
        stream.write(buffer.getvalue())


def _check_said(said: Any, path: Path) -> None:
    """Our metadata are those of a graph, if there are any."""
    if isinstance(said, dict) and "spec" in said:
        raise FileError(AN_EMBEDDING, path=path)
    ids = said.get("nodes") if isinstance(said, dict) else None
    sound = isinstance(ids, list) and all(type(node) in (int, str) for node in ids)
    if said != {} and not (sound and isinstance(said.get("directed"), bool)):
        raise FileError("its metadata are those of a graph that phusion wrote, but damaged", path=path)


def _no_edges(path: Path) -> Draft:
    import numpy as np

    none = np.empty(0, dtype=np.int64)
    return Draft(none, none, none, source=f"Parquet file {path}")


FORMAT = Parquet()
