"""Edge lists: one edge a line, in any delimiter, with or without header, weights and further columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from phusion.errors import FileError, InputError, NoEdgesError
from phusion.graph import columnar
from phusion.graph.column_names import are_column_names, are_pairs
from phusion.graph.columnar.base import Kind, Words
from phusion.graph.columns import (
    Roles,
    assign_roles,
    said_direction,
    shared_ids,
    unused_direction,
)
from phusion.graph.delimited import Gathered, column_blocks, noncanonical_integers
from phusion.graph.dialect import (
    EMPTY_ID,
    Dialect,
    data_lines,
    explain_line,
    find_comments_inside,
    is_integer,
)
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, number_endpoints
from phusion.graph.lines import Block, stated_direction, text_blocks, without_blank_lines
from phusion.graph.named_matrix import is_named_matrix, read_named_matrix, refuse_other_names
from phusion.graph.no_list import ARROWS, refuse_what_is_no_list
from phusion.graph.numerals import has_decimal_comma, is_number, thousands_by_points, with_point
from phusion.graph.sniff import sniff_dialect
from phusion.graph.streams import plain_suffix

__all__ = ["FORMAT"]

_SPLITS = re.compile(r'[ "\r\n]')
_DELIMITER_OF = {".csv": ",", ".tsv": "\t"}


class _WiderIds(Exception):  # noqa: N818 - not an error: the file is read again
    """The ids of some later block do not fit the type guessed from the first."""


class EdgeList(Format):
    """``source target [weight …]``; ids are integers if all of them are, else text."""

    name = "edgelist"
    title = "edge list"
    suffixes = (".edgelist", ".edges", ".txt", ".csv", ".tsv", ".dat", ".el", ".wel", ".ncol")
    holds = Holds(ids=frozenset({"int", "str"}), isolated=False)
    understands = frozenset({"source", "target", "delimiter", "header"})

    def read(self, path: Path, options: Options) -> Draft:
        """Read block by block; the type of the ids widens if a later line needs it."""
        blocks = text_blocks(path, options)
        blocks = _with_last_line(blocks)
        first, dialect = Block(b"", 1), None
        while dialect is None and (block := next(blocks, None)):  # a preamble may fill whole blocks
            first = Block(first.data + block.data, 1)
            dialect = sniff_dialect(first, options, path)
        if dialect is None:
            nothing = "no edges: the file holds only comments or a header"
            raise NoEdgesError(nothing if first.data.strip() else "the file is empty", path=path)
        if options.source is options.target is None:
            if is_named_matrix(dialect):
                return read_named_matrix(chain([first], blocks), dialect, path)
            refuse_other_names(dialect, path)
        try:
            roles = assign_roles(dialect.names, dialect.n_columns, dialect.numeric, options, dialect.column)
        except InputError as error:
            line = _first_line(first, dialect) if dialect.n_columns < 2 else None
            raise FileError(str(error), path=path, line=line) from error
        refuse_what_is_no_list(dialect, roles, options, path, _first_line(first, dialect))
        draft = _Edges(path, dialect, roles, options, stated_direction(first.data))
        # a file that is not compressed has about as many lines as its first block promises
        lines = first.data.count(b"\n") * path.stat().st_size / len(first.data)
        draft.expected = int(1.02 * lines) if path.stat().st_size >= len(first.data) else 0
        kinds = [Kind.INT32, Kind.INT64, Kind.UINT64, Kind.TEXT]
        words = {row[i] for row in dialect.sample for i in (roles.source, roles.target) if i < len(row)}
        for kind in kinds if all(is_integer(word) for word in words) else kinds[-1:]:
            try:
                return draft.read(chain([first], blocks), kind)
            except _WiderIds:
                blocks.close()
                blocks = text_blocks(path, options)
                first = Block(b"", 1)
        raise AssertionError("every id is text")  # pragma: no cover

    def keeps_text(self, ids: list[str], path: Path) -> bool:
        """Text survives if it cannot be taken for a number, a comment, a header, an arrow, two words or a delimiter."""
        spaced = _delimiter(path) == " "
        for word in ids:
            if word != word.strip() or not word.isprintable() or word[:1] in ("", "#", "%", "(") or word in ARROWS:
                return False
            if '"' in word or "{" in word:
                return False
            if spaced and (len(word.split()) > 1 or is_number(word) or {word[0], word[-1]} & set(",;|")):
                return False
        return not (all(map(is_integer, ids)) or (spaced and (are_column_names(ids) or are_pairs(ids))))

    def also_lost(self, graph: Graph) -> list[str]:
        """Nodes come back in the order in which edges name them."""
        rows, cols, _ = graph.edge_list()
        order = number_endpoints(rows, cols)[2] if len(rows) else rows
        return [] if (order[1:] > order[:-1]).all() else ["the order of nodes is not kept"]

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write one edge a line; .csv and .tsv with a header, others with a comment on direction."""
        delimiter = _delimiter(path)
        rows, cols, weights = graph.edge_list()
        columns = {"source": graph.nodes[rows], "target": graph.nodes[cols]}
        if delimiter == " ":
            _refuse_words_that_split(graph.nodes, path)
            kind = "Directed" if graph.directed else "Undirected"
            stream.write(f"# {kind} graph: {len(graph)} nodes, {graph.n_edges} edges\n".encode())
        elif graph.directed:
            columns["type"] = np.full(len(rows), "Directed", dtype=object)  # as Gephi writes it
        if graph.weighted or graph.signed:
            columns["weight"] = weights
        columnar.fastest().write(columns, stream, delimiter, table=delimiter != " ")


def _with_last_line(blocks: Generator[Block, None, None]) -> Generator[Block, None, None]:
    """The same blocks; a last line without an end stands in the first if there is no other, so that it is seen."""
    first = next(blocks, None)
    second = next(blocks, None)
    if first and second and b"\n" not in second.data:
        first, second = Block(first.data + second.data, first.line), None
    yield from (block for block in (first, second) if block)
    yield from blocks


def _delimiter(path: Path) -> str:
    return _DELIMITER_OF.get(plain_suffix(path), " ")


def _refuse_words_that_split(nodes: Array, path: Path) -> None:
    """Between blanks there are no quotes: a blank in an id would make it two."""
    if nodes.dtype == object:
        odd = next((word for word in nodes.tolist() if _SPLITS.search(word)), None)
        if odd is not None:
            raise InputError(
                f"{path.name}: node id {odd!r} cannot stand in a list whose words are cut at blanks; write a .csv"
            )


def _note_gaps(nodes: Array) -> list[str]:
    """Integers that count from 0 or 1 with gaps: perhaps nodes without edges, which a list cannot name."""
    if nodes.dtype.kind not in "iu" or int(nodes.min()) not in (0, 1):
        return []
    low, high = int(nodes.min()), int(nodes.max())
    gaps = high - low + 1 - len(nodes)
    if not 0 < gaps < len(nodes):
        return []
    full = f"nodes={high + 1}" if low == 0 else f"nodes=range(1, {high + 1})"
    return [f"{gaps:,} of the ids {low}..{high} are on no edge and are no nodes ({full} adds them as isolated)"]


def _first_line(block: Block, dialect: Dialect) -> int:
    """Where the data begins; a line of nothing but odd blanks is no data."""
    return next((line for line, _ in data_lines(block, dialect)), block.line)


class _Edges:
    """Reads the wanted columns of one file."""

    def __init__(
        self, path: Path, dialect: Dialect, roles: Roles, options: Options, stated_direction: bool | None
    ) -> None:
        self.path, self.dialect, self.roles, self.options = path, dialect, roles, options
        self.stated_direction = stated_direction
        self.ends = (roles.source, roles.target)
        self.expected = 0
        self.comments_inside = 0

    def read(self, blocks: Iterator[Block], kind: Kind) -> Draft:
        self.comments_inside = n_edges = 0
        roles = self.roles
        kinds = {roles.source: kind, roles.target: kind}
        commas = roles.weight is not None and self.dialect.has_commas(roles.weight)
        if roles.weight is not None:
            kinds[roles.weight] = Kind.TEXT if commas else Kind.FLOAT64
        if roles.direction is not None:
            kinds[roles.direction] = Kind.CATEGORY
        found: dict[int, Any] = {p: [] if k.is_words else Gathered(self.expected) for p, k in kinds.items()}
        for columns in column_blocks(
            self._watched(blocks, kind),
            self.dialect,
            kinds,
            lambda block, why: self._failure(block, why, kind),
        ):
            for place, column in columns.items():
                if kinds[place].is_words:
                    found[place].append(column)
                else:
                    if kinds[place] is kind and column.missing:
                        raise self._rescanned(None, EMPTY_ID)
                    found[place].extend(column)
            n_edges += len(columns[roles.source])
        if not n_edges:
            raise NoEdgesError("no edges: the file holds only comments or a header", path=self.path)
        notes = [*self.dialect.notes, *roles.notes]
        directed = self._direction(found.pop(roles.direction, None) if roles.direction is not None else None, notes)
        weights = None
        if roles.weight is not None:
            column = found.pop(roles.weight)
            weights = self._with_points(column, notes) if commas else column.values
        if weights is not None and not np.isfinite(weights).all():
            raise self._rescanned(roles.weight, "a weight is not a finite number")
        target = self._ids(found.pop(roles.target), kind)
        source = self._ids(found.pop(roles.source), kind)
        rows, cols, nodes = number_endpoints(source, target, reuse=True)
        if self.comments_inside:
            notes.append(
                f"{self.comments_inside:,} lines between the edges start with "
                f"{' or '.join(repr(chr(c)) for c in self.dialect.comments)} and were taken for comments "
                '(comments="" reads them as edges)'
            )
        notes += [*_note_gaps(nodes), *shared_ids(roles, rows, cols, nodes)]
        return Draft(rows, cols, nodes, weights, directed, notes=notes, source=f"edge list {self.path}", path=self.path)

    def _watched(self, blocks: Iterator[Block], kind: Kind) -> Iterator[Block]:
        """Look at each block for what the parser would not tell: ``007``, comments between edges."""
        started = False
        for given in blocks:
            block = without_blank_lines(given, self.dialect.delimiter)
            if any(mark in block.data for mark in self.dialect.comments):
                inside, started = find_comments_inside(block, self.dialect.comments, started)
                self.comments_inside += inside
            else:
                started = started or (block.data != b"" and not block.data.isspace())
            if kind is not Kind.TEXT and noncanonical_integers(block.data, self.dialect.delimiter):
                for _, words in data_lines(block, self.dialect):
                    if not all(is_integer(words[i]) for i in self.ends if i < len(words)):
                        raise _WiderIds
            yield block

    def _failure(self, block: Block, why: Callable[[], str], kind: Kind) -> Exception:
        explained = explain_line(block, self.dialect, self.path, self.ends, self.roles.weight)
        if explained is not None:
            return explained
        if kind is not Kind.TEXT:
            return _WiderIds()
        return FileError(f"cannot be read as an edge list: {why()}", path=self.path, line=block.line)

    def _ids(self, found: Any, kind: Kind) -> Array | Words:
        if kind is not Kind.TEXT:
            return found.values  # type: ignore[no-any-return]
        words: Words = found[0].joined(found[1:]).trimmed()
        if words.has_empty():
            raise self._rescanned(None, EMPTY_ID)
        return words

    def _with_points(self, found: list[Words], notes: list[str]) -> Array:
        """Weights whose decimal commas are points to everybody else."""
        words = [word.strip() for column in found for word in column.tolist()]
        odd = next(word for word in self.dialect.column(self.roles.weight or 0) if has_decimal_comma(word))
        notes.append(f"weights have decimal commas: {odd!r} was read as {with_point(odd)}")
        points = [with_point(word) for word in words]
        if any(map(thousands_by_points, words)) or not all(map(is_number, points)):
            raise self._rescanned(self.roles.weight, "a weight is not a finite number")
        return np.array(points, dtype=np.float64)

    def _rescanned(self, weight: int | None, otherwise: str) -> FileError:
        """Read once more, slowly, to name the line."""
        for block in text_blocks(self.path, self.options):
            explained = explain_line(block, self.dialect, self.path, self.ends, weight)
            if explained is not None:
                return explained
        return FileError(otherwise, path=self.path)

    def _direction(self, columns: list[Words] | None, notes: list[str]) -> bool | None:
        """What the file says of itself: Gephi's ``Type`` column, or SNAP's comment."""
        if not columns:
            return self.stated_direction
        words = {word for column in columns for word in column.distinct()}
        try:
            directed = said_direction(words)
        except InputError as error:
            raise FileError(str(error), path=self.path) from error
        if directed is None:
            names = self.dialect.names or ()
            notes.append(unused_direction(names[self.roles.direction or 0], words))
        return self.stated_direction if directed is None else directed


FORMAT = EdgeList()
