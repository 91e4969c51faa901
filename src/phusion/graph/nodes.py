"""Nodes that no edge names, and labels: from a list, a mapping, a frame or a second file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError, InputError, InputTypeError
from phusion.graph.columnar.base import Kind
from phusion.graph.columns import NODE_ID, plain_name
from phusion.graph.delimited import column_blocks
from phusion.graph.dialect import (
    WHITESPACE,
    Dialect,
    data_lines,
    explain_line,
    find_comments_inside,
    is_integer,
    sniff_dialect,
)
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, as_id_array, find, integers, object_array
from phusion.graph.labels import Labels
from phusion.graph.lines import Block, text_blocks, without_blank_lines
from phusion.graph.origin import comes_from
from phusion.graph.streams import plain_suffix
from phusion.graph.tables import frame_columns, is_frame, is_text, tidy_column

__all__ = ["add_labels", "add_nodes"]

_MOST = 2**40
_NOWHERE = "\x1f"  # a delimiter that no line has
_LABEL = ("label", "labels", "class", "group", "category", "role", "community")


def add_nodes(draft: Draft, nodes: Any, options: Options) -> None:
    """Put these nodes first, in their order; those that only edges name follow as they appear.

    `nodes` is a list of ids, a number n for 0..n−1, or a table (frame or file) whose first or
    ``id`` column holds the ids and whose other columns become node attributes.
    """
    attributes: dict[str, Array] = {}
    nodes = _plain(nodes)
    if isinstance(nodes, (int, np.integer)) and not isinstance(nodes, bool):
        if nodes < 0:
            raise InputError(f"nodes={nodes}: a number of nodes cannot be negative")
        if nodes > _MOST:
            raise InputError(f"nodes={nodes}: that does not fit in memory")
        ids = np.arange(int(nodes), dtype=np.int64)
    elif isinstance(nodes, (str, Path)) or is_frame(nodes):
        names, columns = _table(nodes, options, draft, whole_lines=True)
        if names is None and not draft.positional and _is_no_node(columns, draft):
            draft.notes.append(
                f"{_first_line(columns, nodes)} was read as a node; call that column id if it is a header"
            )
        place = _id_column(names) if draft.positional else _column_of_ids(columns, names, draft, nodes, "nodes")
        ids = as_id_array(_like(columns.pop(place), draft.nodes, nodes))
        attributes = {(names[i] if names else f"column {i + 1}"): tidy_column(column) for i, column in columns.items()}
    elif isinstance(nodes, Iterable):
        ids = as_id_array(nodes)
    else:
        raise InputTypeError(f"nodes is a list of ids, a number, a frame or a file; got {type(nodes).__name__}")
    if draft.positional and not isinstance(nodes, (int, np.integer)):
        _name_positions(draft, ids)
    else:
        _refuse_other_type(draft, ids)
        _put_first(draft, ids)
    for name, values in attributes.items():
        if name in draft.attributes:
            raise InputError(f"nodes= has a column {name!r}, but the graph has a node attribute of that name")
        draft.attributes[name] = values if len(values) == len(draft.nodes) else _padded(values, len(draft.nodes))


def _plain(values: Any) -> Any:
    """Items of tensors and pyarrow arrays are no ids: make them plain numbers and words first."""
    if hasattr(values, "detach"):
        return np.asarray(values.detach().cpu())
    if hasattr(values, "to_pylist") and not is_frame(values):
        return values.to_pylist()
    return values


def _name_positions(draft: Draft, ids: Array) -> None:
    """The ids of a source that has none, such as a matrix: one for each row."""
    if len(ids) != len(draft.nodes):
        raise InputError(
            f"the {draft.source} has {len(draft.nodes):,} nodes without names; nodes= must name each, "
            f"but has {len(ids):,} ids"
        )
    draft.nodes, draft.positional = ids, False


def _refuse_other_type(draft: Draft, ids: Array) -> None:
    """Ids ``'1'`` beside 1 would be another node, which nobody means."""
    given, own = (
        {int if isinstance(node, (int, np.integer)) else type(node) for node in array.tolist()}
        for array in (ids, draft.nodes)
    )
    if {frozenset(given), frozenset(own)} == {frozenset({int}), frozenset({str})}:
        raise InputError(
            f"nodes= has ids such as {ids.tolist()[0]!r}, but the graph's ids are like {draft.nodes.tolist()[0]!r}: "
            "give them the same type"
        )


def _put_first(draft: Draft, ids: Array) -> None:
    known = find(ids, draft.nodes)  # where each present node stands among the given ones
    others = np.flatnonzero(known < 0)
    position = known.copy()
    position[others] = len(ids) + np.arange(len(others))
    if len(others) == 0:
        nodes = ids
    elif ids.dtype == draft.nodes.dtype and ids.dtype.kind in "iu":
        nodes = np.concatenate([ids, draft.nodes[others]])
    else:
        nodes = object_array([*ids.tolist(), *draft.nodes[others].tolist()])
    for name, values in list(draft.attributes.items()):
        moved = np.empty_like(values) if len(nodes) == len(values) else _padded(values[:0], len(nodes))
        moved[position] = values
        draft.attributes[name] = moved
    if draft.labels is not None:
        membership = draft.labels.membership.tocoo()
        names = draft.labels.classes[membership.col]
        draft.labels = Labels.from_pairs(len(nodes), position[membership.row], names.tolist())
    draft.rows, draft.cols, draft.nodes = position[draft.rows], position[draft.cols], nodes


def _padded(values: Array, size: int) -> Array:
    """The values, then NaN (numbers) or None up to `size`."""
    if values.dtype.kind in "fiub":
        longer: Array = np.full((size, *values.shape[1:]), np.nan)
    else:
        longer = np.full((size, *values.shape[1:]), None, dtype=object)
    longer[: len(values)] = values
    return longer


def add_labels(draft: Draft, labels: Any, options: Options) -> None:
    """Attach labels: a sequence in node order, a mapping, a frame, a file, or the name of an attribute."""
    n = len(draft.nodes)
    labels = _plain(labels)
    if comes_from(labels, "pandas") and hasattr(labels, "to_dict") and not is_frame(labels):
        labels = labels.to_dict()  # a series goes by its index
    if isinstance(labels, Labels):
        found = labels
    elif isinstance(labels, str) and labels in draft.attributes:
        found = Labels.from_values(draft.attributes[labels].tolist())
    elif isinstance(labels, (str, Path)) or is_frame(labels):
        if isinstance(labels, str) and not Path(labels).exists():
            known = f"; node attributes: {', '.join(draft.attributes)}" if draft.attributes else ""
            raise InputError(f"labels={labels!r} is neither a file nor a node attribute{known}")
        found = _labels_from_table(draft, labels, options)
    elif isinstance(labels, Mapping):
        positions = _positions(draft, list(labels), None, options)
        values = np.full(n, None, dtype=object)
        for place, value in zip(positions, labels.values(), strict=True):
            values[place] = value
        found = Labels.from_values(values.tolist())
    elif isinstance(labels, np.ndarray) and labels.shape == (n, 1):
        found = Labels.from_values(labels[:, 0].tolist())
    elif hasattr(labels, "tocsr") or (isinstance(labels, np.ndarray) and labels.ndim == 2):
        found = _labels_from_membership(labels, n)
    elif isinstance(labels, Iterable) and not isinstance(labels, (set, frozenset)):
        found = Labels.from_values(labels.tolist() if isinstance(labels, np.ndarray) else labels)
    else:
        raise InputTypeError(
            "labels is a sequence with one entry per node, a mapping from id to label, a file, or the name "
            f"of a node attribute; got {type(labels).__name__}"
        )
    if len(found) != n:
        raise InputError(
            f"{n:,} nodes need {n:,} labels (None for unlabelled); got {len(found):,}. "
            "A mapping from id to label may leave nodes out"
        )
    draft.labels = found


def _labels_from_membership(matrix: Any, n: int) -> Labels:
    from scipy import sparse

    if matrix.dtype.kind not in "biuf":
        raise InputTypeError(f"a label matrix has a column per class and numbers; got {matrix.dtype}")
    pairs = sparse.coo_array(matrix)
    if pairs.shape[0] != n:
        raise InputError(f"a label matrix needs one row per node: {n:,}; got {pairs.shape[0]:,}")
    return Labels(np.arange(pairs.shape[1]), sparse.csr_array(matrix) != 0)


def _labels_from_table(draft: Draft, table: Any, options: Options) -> Labels:
    names, columns = _table(table, options, draft)
    if len(columns) < 2:
        raise FileError(
            "a label file has two columns, node id and label; this one has fewer",
            path=None if is_frame(table) else table,
        )
    skipped = names is None and _is_no_node(columns, draft) and columns[1][0] not in columns[1][1:]
    if skipped:
        draft.notes.append(f"{_first_line(columns, table)} names no node of the graph and was taken for a header")
        names, columns = [words[0] for words in columns.values()], {i: words[1:] for i, words in columns.items()}
    place = _column_of_ids(columns, names, draft, table, "labels")
    ids = _like(columns.pop(place), draft.nodes, table)
    columns = dict(sorted(columns.items(), key=lambda column: (column[0] < place, column[0])))  # those after it first
    path = table if isinstance(table, (str, Path)) else None
    positions = _positions(draft, ids, path, options, skipped=int(skipped))
    chosen = [i for i in columns if names and plain_name(names[i]) in _LABEL] or list(columns)[:1]
    unused = [names[i] if names else f"column {i + 1}" for i in columns if i not in chosen]
    if unused:
        draft.notes.append(f"columns of the labels not used: {', '.join(map(repr, unused))}")
    pairs = [
        (place, name)
        for column in (columns[i] for i in chosen)
        for place, name in zip(positions, tidy_column(column).tolist(), strict=True)
        if name is not None and name == name and name != ""
    ]
    given = [name for _, name in pairs]
    if given and (find(draft.nodes, object_array(given)) >= 0).all() and not is_integer(str(given[0])):
        draft.notes.append("every label is the id of a node: is this a list of edges?")
    return Labels.from_pairs(len(draft.nodes), [p for p, _ in pairs], given)


def _column_of_ids(columns: dict[int, Array], names: list[str] | None, draft: Draft, table: Any, of: str) -> int:
    """The column that is called so, or the first; where that has no node at all, one that has all or nothing else."""

    def nodes_in(column: int) -> int:
        with suppress(FileError):  # words where ids are integers
            return int((find(draft.nodes, _like(columns[column], draft.nodes, table)) >= 0).sum())
        return 0

    expected = _id_column(names)
    if nodes_in(expected):
        return expected
    due = min(len(columns[expected]), len(draft.nodes))
    others = [column for column in columns if column != expected and due and nodes_in(column) >= due]
    if len(others) != 1:
        return expected
    what = repr(names[others[0]]) if names else f"number {others[0] + 1}"
    draft.notes.append(f"ids of the {of} were taken from the column {what}, as it holds the graph's")
    return others[0]


def _positions(
    draft: Draft, ids: list[Any] | Array, path: str | Path | None, options: Options, skipped: int = 0
) -> Array:
    wanted = ids if isinstance(ids, np.ndarray) else object_array(ids)
    found = find(draft.nodes, wanted)
    if (found < 0).any():
        missing = wanted[found < 0]
        raise FileError(
            f"{len(missing):,} of {len(wanted):,} labelled ids are not nodes of the graph, such as "
            f"{missing.tolist()[0]!r}; its ids look like {draft.nodes.tolist()[0]!r}. If these nodes have "
            "no edges, add them with nodes= (--nodes)",
            path=path,
            line=None if path is None else _line_of(skipped + int(np.argmax(found < 0)), Path(path), options),
        )
    return found


def _line_of(row: int, path: Path, options: Options) -> int | None:
    """The line of a table's row, counted slowly; None if it cannot be told."""
    blocks, dialect = _text_table(path, options)
    numbers = (line for block in blocks for line, _ in data_lines(block, dialect))
    return next((line for place, line in enumerate(numbers) if place == row), None)


def _text_table(path: Path, options: Options, draft: Draft | None = None) -> tuple[list[Block], Dialect]:
    """Lines of a table, and how to read them; a line may be one name if there is a draft, whose nodes are known."""
    plain = Options(encoding=options.encoding, comments=options.comments)  # the rest is of the edges' file
    blocks = list(text_blocks(path, plain))
    dialect = sniff_dialect(blocks[0], plain, path, id_columns=1) if blocks else None
    if draft and dialect and dialect.delimiter == WHITESPACE and _are_whole_lines(dialect, path, draft):
        dialect = sniff_dialect(blocks[0], replace(plain, delimiter=_NOWHERE), path, id_columns=1)
    if dialect is None:
        raise FileError("the file is empty", path=path)
    return [without_blank_lines(block, dialect.delimiter) for block in blocks], dialect


def _are_whole_lines(dialect: Dialect, path: Path, draft: Draft) -> bool:
    """Whether blanks are parts of names, one a line: names are known, or cut unevenly, or commas would delimit."""
    if plain_suffix(path) == ".csv" or len({len(row) for row in dialect.sample}) > 1:
        return True
    return not {" ".join(row) for row in dialect.sample}.isdisjoint(map(str, draft.nodes.tolist()))


def _is_no_node(columns: dict[int, list[str]], draft: Draft) -> bool:
    """Whether the first line of a text file, which was not known as a header, may be one: no edge has its id."""
    first, *others = columns[0]
    return bool(others) and not is_integer(first.strip()) and first.strip() not in map(str, draft.nodes.tolist())


def _first_line(columns: dict[int, list[str]], table: Any) -> str:
    words = " ".join(words[0].strip() for words in columns.values())
    return f"{Path(table).name}: the first line, {words[:60]!r},"


def _table(
    table: Any, options: Options, draft: Draft, *, whole_lines: bool = False
) -> tuple[list[str] | None, dict[int, Any]]:
    """Names (None without header) and columns of a frame or a text file, all columns as text."""
    if is_frame(table):
        names, columns = frame_columns(table)
        return names, dict(enumerate(columns))
    path = Path(table)
    blocks, dialect = _text_table(path, options, draft if whole_lines else None)
    found: dict[int, list[str]] = {i: [] for i in range(dialect.n_columns)}
    _note_comments(blocks, dialect, path, draft)

    def explain(block: Block, why: Callable[[], str]) -> Exception:
        return explain_line(block, dialect, path, ()) or FileError(why(), path=path)

    for parsed in column_blocks(iter(blocks), dialect, dict.fromkeys(found, Kind.TEXT), explain):
        for place, column in parsed.items():
            found[place] += column.tolist()
    return _told_apart(dialect.names) if dialect.names else None, found


def _note_comments(blocks: list[Block], dialect: Dialect, path: Path, draft: Draft) -> None:
    inside, started = 0, False
    for block in blocks:
        more, started = find_comments_inside(block, dialect.comments, started)
        inside += more
    if inside:
        marks = " or ".join(repr(chr(mark)) for mark in dialect.comments)
        draft.notes.append(f"{path.name}: {inside:,} lines start with {marks} and were taken for comments")


def _told_apart(names: Iterable[str]) -> list[str]:
    """Names of columns, of which no two are the same."""
    found: list[str] = []
    for name in names:
        again, number = name, 2
        while again in found and name:
            again, number = f"{name} ({number})", number + 1
        found.append(again)
    return found


def _id_column(names: list[str] | None) -> int:
    plain = [plain_name(name) for name in names] if names else []
    return next((plain.index(name) for name in NODE_ID if name in plain), 0)


def _like(column: Any, nodes: Array, table: Any) -> Array:
    """An id column in the type of the graph's ids: the word ``7`` is node 7 where ids are integers."""
    if is_text(column):
        words = [word.strip() for word in column]
        numbered = nodes.dtype.kind in "iu" or all(type(node) is int for node in nodes.tolist())
        odd = next((word for word in words if not is_integer(word)), None)
        if not numbered or (odd is not None and not len(nodes)):
            return object_array(words)
        if odd is None:
            return integers([int(word) for word in words])
        raise FileError(
            f"node id {odd!r} does not match the graph, whose ids are integers such as {nodes[0]}", path=table
        )
    return tidy_column(column)
