"""Columns by pyarrow, whose parser, hash tables and writer are fast and use all cores."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa
from pyarrow import compute
from pyarrow import csv as arrow_csv

from phusion.graph.appearance import by_appearance
from phusion.graph.arrays import Array, object_array, wide
from phusion.graph.arrow import numbers
from phusion.graph.columnar.base import Column, Kind, Numbers, Unparsable
from phusion.graph.columnar.ends import with_plain_ends
from phusion.graph.quotes import runs_over

__all__ = ["ArrowWords", "number_integers", "parse", "write"]

_BLOCK = 1 << 20  # bytes that one of pyarrow's threads parses at a time
_TYPES = {
    Kind.INT32: pa.int32(),
    Kind.INT64: pa.int64(),
    Kind.UINT64: pa.uint64(),
    Kind.FLOAT64: pa.float64(),
    Kind.TEXT: pa.string(),
    Kind.CATEGORY: pa.dictionary(pa.int32(), pa.string()),
}


def parse(data: bytes, delimiter: str, n_columns: int, kinds: Mapping[int, Kind]) -> dict[int, Column]:
    """As `Library.parse`."""
    convert = arrow_csv.ConvertOptions(
        column_types={str(place): _TYPES[kind] for place, kind in kinds.items()},
        include_columns=[str(place) for place in kinds],
        null_values=[""],
        strings_can_be_null=False,
    )
    read = arrow_csv.ReadOptions(
        column_names=[str(i) for i in range(n_columns)],
        block_size=_BLOCK,
        # a process that ends while pyarrow's threads are only starting may be aborted: none for one block
        use_threads=len(data) > _BLOCK,
    )
    try:
        table = arrow_csv.read_csv(pa.BufferReader(data), read, arrow_csv.ParseOptions(delimiter=delimiter), convert)
    except pa.ArrowInvalid as error:
        raise Unparsable(str(error)) from error
    if b'"' in data and _has_joined_lines(data, delimiter, table.num_rows):
        raise Unparsable("a quoted word runs over the end of its line")
    return {place: _column(table.column(str(place)), kind) for place, kind in kinds.items()}


def _has_joined_lines(data: bytes, delimiter: str, n_rows: int) -> bool:
    """Whether a quoted word ran over the end of a line, where pyarrow goes on, or over that of the text."""
    lines = with_plain_ends(data.removeprefix(codecs.BOM_UTF8))
    last = lines[:-1].rpartition(b"\n")[2]
    return n_rows != lines.count(b"\n") or runs_over(last.decode(errors="replace"), delimiter)


def _column(column: Any, kind: Kind) -> Column:
    if kind.is_words:
        return ArrowWords(column)
    return Numbers([numbers(chunk) for chunk in column.chunks], column.null_count > 0)


@dataclass(frozen=True)
class ArrowWords:
    """A chunked array of strings, or of codes with a dictionary of strings."""

    column: Any

    def joined(self, others: Sequence[ArrowWords]) -> ArrowWords:
        """As `Words.joined`; copies nothing."""
        chunks = [chunk for one in (self, *others) for chunk in one.column.chunks]
        return ArrowWords(pa.chunked_array(chunks, type=self.column.type))

    def trimmed(self) -> ArrowWords:
        """As `Words.trimmed`; from here on with a dictionary."""
        return ArrowWords(compute.utf8_trim(self.column, characters=" \t\r").dictionary_encode())

    def has_empty(self) -> bool:
        """As `Words.has_empty`."""
        dictionaries = (chunk.dictionary for chunk in _with_dictionary(self.column).chunks)
        return any(compute.equal(words, "").true_count for words in dictionaries)

    def distinct(self) -> list[str]:
        """As `Words.distinct`."""
        return self.column.unique().to_pylist()  # type: ignore[no-any-return]

    def tolist(self) -> list[str]:
        """As `Words.tolist`."""
        return self.column.to_pylist()  # type: ignore[no-any-return]

    def number_with(self, other: ArrowWords) -> tuple[Array, Array, Array]:
        """As `Words.number_with`."""
        rows, cols, distinct, order = _numbered(self.column, other.column)
        return rows, cols, object_array(distinct.to_pylist())[order]  # pyarrow's own way would import pandas

    def __len__(self) -> int:
        return len(self.column)


def number_integers(source: Array, target: Array) -> tuple[Array, Array, Array]:
    """As `Library.number_integers`, by a hash table."""
    rows, cols, distinct, order = _numbered(pa.array(source), pa.array(target))
    nodes = numbers(distinct)
    return rows, cols, nodes.astype(wide(nodes.dtype))[order]


def write(columns: Mapping[str, Array], stream: IO[bytes], delimiter: str, *, table: bool) -> None:
    """As `Library.write`."""
    arrow_csv.write_csv(
        pa.table({name: pa.array(values) for name, values in columns.items()}),
        stream,
        arrow_csv.WriteOptions(
            include_header=table,
            delimiter=delimiter,
            quoting_style="needed" if table else "none",
            quoting_header="none",
        ),
    )


def _numbered(source: Any, target: Any) -> tuple[Array, Array, Any, Array]:
    """Positions of both, the distinct ids, and the order in which these appear."""
    (codes, known), (other_codes, other_known) = _encoded(source), _encoded(target)
    together = pa.concat_arrays([known, other_known]).dictionary_encode()
    joint, other_joint = np.split(numbers(together.indices), [len(known)])
    rows, cols, order = by_appearance((codes, other_codes), (joint, other_joint), len(together.dictionary))
    return rows, cols, together.dictionary, order


def _with_dictionary(array: Any) -> Any:
    return array if pa.types.is_dictionary(array.type) else array.dictionary_encode()


def _encoded(array: Any) -> tuple[Array, Any]:
    """(codes, distinct values) of one column."""
    array = _with_dictionary(array)
    if isinstance(array, pa.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # no chunk or several: pyarrow ≥ 17 may keep the wrapper
            array = pa.concat_arrays(array.chunks)
    return numbers(array.indices), array.dictionary
