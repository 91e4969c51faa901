"""Labels that are given beside a graph: a sequence, a mapping, a frame, a second file or an attribute's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import FileError, InputError, InputTypeError
from phusion.graph.column_names import plain_name
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, find, object_array
from phusion.graph.labels import Labels
from phusion.graph.node_tables import (
    column_of_ids,
    first_line,
    is_no_node,
    like_ids,
    line_of,
    plain_items,
    read_table,
)
from phusion.graph.origin import comes_from
from phusion.graph.tables import is_frame, tidy_column
from phusion.paths import exists

__all__ = ["add_labels"]

_LABEL = ("label", "labels", "class", "group", "category", "role", "community")


def add_labels(draft: Draft, labels: Any, options: Options) -> None:
    """Attach labels: a sequence in node order, a mapping, a frame, a file, or the name of an attribute."""
    n = len(draft.nodes)
    labels = plain_items(labels)
    if comes_from(labels, "pandas") and hasattr(labels, "to_dict") and not is_frame(labels):
        labels = labels.to_dict()  # a series goes by its index
    if isinstance(labels, Labels):
        found = labels
    elif isinstance(labels, str) and labels in draft.attributes:
        found = Labels.from_values(draft.attributes[labels].tolist())
    elif isinstance(labels, (str, Path)) or is_frame(labels):
        if isinstance(labels, str) and not exists(labels):
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
    names, columns = read_table(table, options, draft)
    if len(columns) < 2:
        raise FileError(
            "a label file has two columns, node id and label; this one has fewer",
            path=None if is_frame(table) else table,
        )
    skipped = names is None and is_no_node(columns, draft) and columns[1][0] not in columns[1][1:]
    if skipped:
        draft.notes.append(f"{first_line(columns, table)} names no node of the graph and was taken for a header")
        names, columns = [words[0] for words in columns.values()], {i: words[1:] for i, words in columns.items()}
    place = column_of_ids(columns, names, draft, table, "labels")
    ids = like_ids(columns.pop(place), draft.nodes, table)
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
            line=None if path is None else line_of(skipped + int(np.argmax(found < 0)), Path(path), options),
        )
    return found
