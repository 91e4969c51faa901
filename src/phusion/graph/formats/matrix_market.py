"""Matrix Market: a sparse or dense matrix as text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np

from phusion.errors import FileError
from phusion.graph.columnar.base import Kind
from phusion.graph.delimited import Gathered, column_blocks
from phusion.graph.dialect import WHITESPACE, Dialect, explain_line
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.limits import as_count, check_announced
from phusion.graph.lines import Block, stated_direction, text_blocks

__all__ = ["FORMAT"]

_BANNER = b"%%matrixmarket"
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")


class MatrixMarket(Format):
    """The adjacency matrix; a symmetric one is undirected. Nodes are 0..n−1 (the file counts from 1)."""

    name = "matrix_market"
    title = "Matrix Market"
    suffixes = (".mtx", ".mm")
    holds = Holds(ids=frozenset({"position"}))

    def recognises(self, head: bytes, path: Path) -> bool:
        """By its banner."""
        return head[:14].lower() == _BANNER

    def contradicts(self, head: bytes) -> bool:
        """Without the banner it is something else, often an edge list."""
        return not self.recognises(head, Path())

    def read(self, path: Path, options: Options) -> Draft:
        """Read with the parser of edge lists, which names the line of a mistake (scipy's may crash on one)."""
        blocks = text_blocks(path, options)
        first = next(blocks)
        dense, field, symmetry = _banner(first, path)
        size, body = _sizes(first, 2 if dense else 3, path)
        if size[0] != size[1]:
            raise FileError(f"an adjacency matrix is square (n × n); got {size[0]} × {size[1]}", path=path)
        if size[0] == 0:
            raise FileError("the matrix is 0 × 0: a graph needs at least one node", path=path)
        values: Array | None
        n_columns = 1 if dense else 2 if field == "pattern" else 3
        columns = _columns(chain([body], blocks), n_columns, path)
        if not dense:
            check_announced(size[0], len(columns[0]), path)
        if dense:
            rows, cols, values = _dense(columns[0], size[0], symmetry, path)
        else:
            rows, cols, values = columns[0] - 1, columns[1] - 1, columns[2] if n_columns == 3 else None
            if len(rows) != size[2]:
                raise FileError(f"announces {size[2]:,} entries but has {len(rows):,}; is it cut off?", path=path)
        if len(rows) and (min(rows.min(), cols.min()) < 0 or max(rows.max(), cols.max()) >= size[0]):
            raise FileError(f"has an entry outside 1..{size[0]:,}", path=path)
        if symmetry != "general":
            rows, cols, values = _mirrored(rows, cols, values, -1.0 if symmetry == "skew-symmetric" else 1.0)
        return Draft(
            rows,
            cols,
            np.arange(size[0], dtype=np.int64),
            values,
            directed=False if symmetry == "symmetric" else stated_direction(first.data),
            given="arcs",
            weight_names=False,
            positional=True,
            source=f"Matrix Market file {path}",
        )

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write with scipy; symmetric if undirected, every digit kept."""
        from scipy.io import mmwrite

        field = "real" if graph.weighted or graph.signed else "pattern"
        symmetry = "general" if graph.directed else "symmetric"
        buffer = io.BytesIO()
        comment = f"{'Directed' if graph.directed else 'Undirected'} graph"
        mmwrite(buffer, graph.adjacency.tocoo(), comment, field=field, precision=17, symmetry=symmetry)
        stream.write(buffer.getvalue())


def _banner(first: Block, path: Path) -> tuple[bool, str, str]:
    words = first.data.partition(b"\n")[0].decode(errors="replace").lower().split()
    if len(words) != 5 or words[1] != "matrix" or words[2] not in ("coordinate", "array"):
        expected = "%%MatrixMarket matrix coordinate|array FIELD SYMMETRY"
        raise FileError(f"the first line is not {expected!r}", path=path, line=1)
    if words[3] not in _FIELDS or words[4] not in _SYMMETRIES:
        raise FileError(
            f"a {words[3]} {words[4]} matrix is no graph: accepted are {', '.join(_FIELDS)}; {', '.join(_SYMMETRIES)}",
            path=path,
            line=1,
        )
    return words[2] == "array", words[3], words[4]


def _sizes(first: Block, count: int, path: Path) -> tuple[list[int], Block]:
    """The numbers of the size line, and what follows it."""
    rest, line = first.data, 0
    while rest:
        text, _, rest = rest.partition(b"\n")
        line += 1
        if text.strip() and not text.lstrip().startswith(b"%"):
            words = text.split()
            sizes = [number for number in map(as_count, words) if number is not None]
            if len(words) != count or len(sizes) != count:
                shown = text[:60].decode(errors="replace")
                raise FileError(f"expected {count} sizes; got {shown!r}", path=path, line=line)
            return sizes, Block(rest, line + 1)
    raise FileError("has no size line; is it cut off?", path=path)


def _columns(blocks: Iterator[Block], n_columns: int, path: Path) -> list[Array]:
    dialect = Dialect(WHITESPACE, b"%", None, None, (("",) * n_columns,))
    value = n_columns - 1 if n_columns != 2 else None
    kinds = {i: Kind.FLOAT64 if i == value else Kind.INT64 for i in range(n_columns)}

    def explain(block: Block, why: Callable[[], str]) -> Exception:
        return explain_line(block, dialect, path, (), value) or FileError(why(), path=path, line=block.line)

    found = {i: Gathered() for i in kinds}
    for parsed in column_blocks(blocks, dialect, kinds, explain):
        for place, column in parsed.items():
            if column.missing:
                raise FileError("an entry is incomplete", path=path)
            found[place].extend(column)
    return [part.values if len(part.values) else np.empty(0, dtype=np.int64) for part in found.values()]


def _dense(values: Array, n: int, symmetry: str, path: Path) -> tuple[Array, Array, Array]:
    """Entries column by column; of symmetric matrices only the lower triangle."""
    needed = {"general": n * n, "symmetric": n * (n + 1) // 2}.get(symmetry, n * (n - 1) // 2)
    if len(values) != needed:
        raise FileError(f"needs {needed:,} values but has {len(values):,}; is it cut off?", path=path)
    cols, rows = np.divmod(np.arange(n * n), n)
    if symmetry != "general":
        lower = rows >= cols if symmetry == "symmetric" else rows > cols
        rows, cols = rows[lower], cols[lower]
    present = values != 0
    return rows[present], cols[present], values[present]


def _mirrored(rows: Array, cols: Array, values: Array | None, sign: float) -> tuple[Array, Array, Array | None]:
    off = rows != cols
    both = np.concatenate([rows, cols[off]]), np.concatenate([cols, rows[off]])
    if values is None:
        return (*both, None if sign > 0 else np.repeat([1.0, -1.0], [len(rows), off.sum()]))
    return (*both, np.concatenate([values, sign * values[off]]))


FORMAT = MatrixMarket()
