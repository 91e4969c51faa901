"""Nodes that no edge names: from a list, a number, a frame or a second file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.draft import Draft, Options
from phusion.graph.ids import Array, as_id_array, find, object_array
from phusion.graph.labels import Labels
from phusion.graph.node_tables import (
    column_of_ids,
    first_line,
    id_column,
    is_no_node,
    like_ids,
    plain_items,
    read_table,
)
from phusion.graph.tables import is_frame, tidy_column

__all__ = ["add_nodes"]

_MOST = 2**40


def add_nodes(draft: Draft, nodes: Any, options: Options) -> None:
    """Put these nodes first, in their order; those that only edges name follow as they appear.

    `nodes` is a list of ids, a number n for 0..n−1, or a table (frame or file) whose first or
    ``id`` column holds the ids and whose other columns become node attributes.
    """
    attributes: dict[str, Array] = {}
    nodes = plain_items(nodes)
    if isinstance(nodes, (int, np.integer)) and not isinstance(nodes, bool):
        if nodes < 0:
            raise InputError(f"nodes={nodes}: a number of nodes cannot be negative")
        if nodes > _MOST:
            raise InputError(f"nodes={nodes}: that does not fit in memory")
        ids = np.arange(int(nodes), dtype=np.int64)
    elif isinstance(nodes, (str, Path)) or is_frame(nodes):
        names, columns = read_table(nodes, options, draft, whole_lines=True)
        if names is None and not draft.positional and is_no_node(columns, draft):
            draft.notes.append(
                f"{first_line(columns, nodes)} was read as a node; call that column id if it is a header"
            )
        place = id_column(names) if draft.positional else column_of_ids(columns, names, draft, nodes, "nodes")
        ids = as_id_array(like_ids(columns.pop(place), draft.nodes, nodes))
        attributes = {(names[i] if names else f"column {i + 1}"): tidy_column(column) for i, column in columns.items()}
    elif isinstance(nodes, Iterable):
        ids = as_id_array(nodes)
    else:
        raise InputTypeError(f"nodes is a list of ids, a number, a frame or a file; got {type(nodes).__name__}")
    if draft.positional and not isinstance(nodes, (int, np.integer)):
        _name_positions(draft, ids)
    else:
        _refuse_other_type(draft, ids)
        if len(draft.nodes) and isinstance(nodes, (str, Path)) and (find(ids, draft.nodes) < 0).all():
            draft.notes.append(
                f"none of the {len(ids):,} ids of the nodes, such as {ids.tolist()[0]!r}, is on an edge; are they of "
                "this graph?"
            )
        _put_first(draft, ids)
    for name, values in attributes.items():
        if name in draft.attributes:
            raise InputError(f"nodes= has a column {name!r}, but the graph has a node attribute of that name")
        draft.attributes[name] = values if len(values) == len(draft.nodes) else _padded(values, len(draft.nodes))


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
