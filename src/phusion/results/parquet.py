"""Parquet: everything, for data frames and databases."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from phusion.errors import FileError
from phusion.graph.arrow import need_pyarrow, numbers
from phusion.graph.ids import Array
from phusion.graph.limits import Allowance
from phusion.results.base import ResultFormat, described, restored
from phusion.results.embedding import Embedding
from phusion.results.head import Head
from phusion.results.ids import are_plain, as_ids, literal_ids, plain_ids


class Parquet(ResultFormat):
    """A column ``node`` (or ``graph``), one for each feature, and the description as metadata ``phusion``.

    Written in parts it is a folder of such files, part-00000.parquet and so on, in the order of the nodes.
    """

    name = "parquet"
    title = "Parquet"
    suffixes = (".parquet", ".pq")
    keeps = frozenset({"ids", "features", "spec"})
    needs = "pyarrow"
    in_parts = True

    def check_library(self) -> None:
        """Only pyarrow writes it."""
        need_pyarrow("Parquet")

    def write(self, embedding: Embedding, path: Path, target: Path) -> None:
        """Doubles as they are."""
        names = (embedding.kind.removesuffix("s"), *embedding.features)
        _write(path, names, plain_ids(embedding.nodes), embedding.values, described(embedding))

    def parts(self, folder: Path, head: Head, rows: int) -> ParquetParts:
        """One file for each part."""
        plain = are_plain(head.nodes)
        plain_ids(head.nodes)  # refuses ids that are the same as text
        literal = not plain and literal_ids(head.nodes) is not None
        digits = max(5, len(str(len(head.nodes) // rows)))
        names = (head.kind.removesuffix("s"), *head.features)
        text = json.dumps(json.loads(described(head, ids=False)) | {"parts": -(-len(head.nodes) // rows)})
        return ParquetParts(folder, names, text, digits, plain, literal)

    def owns(self, folder: Path) -> bool:
        """Nothing but parts."""
        return all(re.fullmatch(r"part-\d+\.parquet", entry.name) for entry in folder.iterdir())

    def read(self, path: Path) -> Embedding:
        """The first column holds the ids."""
        self.check_library()
        from pyarrow import parquet

        files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
        if not files:
            raise FileError("there are no .parquet files in this folder", path=path)
        for file in files:
            about = parquet.read_metadata(file)
            Allowance(file.stat().st_size, file).spend(8 * about.num_rows * about.num_columns)
        tables = (parquet.read_table(file, partitioning=None) for file in files)
        found = [_content(table) for table in tables]
        names, text = found[0][2:]
        if any(part[2] != names for part in found):
            raise FileError("the files in this folder have different columns", path=path)
        due = json.loads(text or "{}").get("parts", len(files))
        if path.is_dir() and len(files) != due:
            raise FileError(
                f"it holds {len(files):,} of {due:,} parts; copy or embed it again. To read one part, give its file",
                path=path,
            )
        if len(found) > 1 and text and "ids" in json.loads(text):
            literals = [word for *_, said in found for word in json.loads(said or "{}").get("ids") or []]
            text = json.dumps(json.loads(text) | {"ids": literals})
        nodes = as_ids([node for part in found for node in part[0]])
        return restored(np.vstack([part[1] for part in found]), nodes, names[1:], text, path)


@dataclass(frozen=True)
class ParquetParts:
    """Writes the files of a folder."""

    folder: Path
    names: tuple[str, ...]
    text: str
    digits: int
    plain: bool
    literal: bool

    def write(self, part: int, start: int, nodes: Array, rows: Array) -> None:
        """A file appears whole, in place of the one of an earlier try."""
        ids = plain_ids(nodes) if self.plain else [str(node) for node in nodes.tolist()]
        text = json.dumps(json.loads(self.text) | {"ids": literal_ids(nodes)}) if self.literal else self.text
        target = self.folder / f"part-{part:0{self.digits}}.parquet"
        draft = target.with_name(f".{target.name}.{uuid4().hex}")
        _write(draft, self.names, ids, rows, text)
        draft.replace(target)


def _write(path: Path, names: tuple[str, ...], ids: list[Any], values: Array, text: str) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = [_ids(ids), *(_numbers(pyarrow.float64(), values[:, j]) for j in range(values.shape[1]))]
    table = pyarrow.Table.from_arrays(columns, names=list(names))
    # hardly two numbers of a feature are equal: dictionaries of them take three times as long to write, and more room
    parquet.write_table(table.replace_schema_metadata({"phusion": text}), path, use_dictionary=False)


def _numbers(kind: Any, values: Array) -> Any:
    """As `pyarrow.array`, which would load pandas: 50 MB in each Dask worker."""
    import pyarrow

    buffer = pyarrow.py_buffer(np.ascontiguousarray(values))
    return pyarrow.Array.from_buffers(kind, len(values), [None, buffer])


def _ids(ids: list[Any]) -> Any:
    import pyarrow

    if all(type(node) is int for node in ids):
        return _numbers(pyarrow.int64(), np.array(ids, dtype=np.int64))
    words = [node.encode() for node in ids]
    ends = np.cumsum([0, *map(len, words)])
    if ends[-1] >= 2**31:
        return pyarrow.array(ids)
    return pyarrow.StringArray.from_buffers(
        len(ids), pyarrow.py_buffer(ends.astype(np.int32)), pyarrow.py_buffer(b"".join(words))
    )


def _content(table: Any) -> tuple[list[Any], Array, list[str], str | None]:
    """Ids, values, names of columns, description."""
    values = [numbers(table.column(j)) for j in range(1, table.num_columns)]
    text = (table.schema.metadata or {}).get(b"phusion")
    ids = table.column(0).to_pylist()
    array = np.column_stack(values) if values else np.empty((len(ids), 0))
    return ids, array, table.column_names, text.decode() if text else None


FORMAT = Parquet()
