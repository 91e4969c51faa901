"""Which column is what: source, target, weight; by name where names are known, else by place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.column_names import is_index, name_labels, plain_name
from phusion.graph.draft import Options
from phusion.graph.ends import Columns, choose_ends
from phusion.graph.ids import Array
from phusion.graph.numerals import is_number
from phusion.graph.weighing import choose_weight, notes_on_unused

__all__ = ["Roles", "assign_roles", "refuse_coordinates", "said_direction", "shared_ids", "unused_direction"]

_DIRECTION = ("type",)

_COORDINATE = re.compile(r"[+-]?[0-9]*\.[0-9]{5,}(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+(?:\.[0-9]*)?[eE]-[0-9]+")


@dataclass(frozen=True)
class Roles:
    """Places of the columns; `notes` says what was guessed and what is not used.

    `guessed` are names of the ends, if neither is a usual one.
    """

    source: int
    target: int
    weight: int | None
    direction: int | None
    notes: tuple[str, ...]
    guessed: tuple[str, ...] = ()


def assign_roles(
    names: Sequence[str] | None,
    n_columns: int,
    numeric: Callable[[int], bool],
    options: Options,
    sample: Callable[[int], Sequence[Any]],
) -> Roles:
    """Find source, target and weight among the columns.

    Parameters
    ----------
    names : column names, None if the file has no header.
    numeric : says whether the column at a place holds numbers.
    sample : some of what it holds.
    options : `source`, `target` and `weight` may name a column or give its place.
    """
    if n_columns < 2:
        raise InputError(
            f"an edge needs two columns, source and target; got {n_columns}{f' ({names[0]!r})' if names else ''}"
        )
    if names and options.source is options.target is None and name_labels(names):
        raise InputError(
            f"columns {names[0]!r} and {names[1]!r} are labels, not edges; a graph is expected here. Give them as "
            "labels= beside it, or say source= and target="
        )
    columns = Columns(names, n_columns, numeric, sample)
    chosen = choose_ends(columns, options)
    ends = (chosen.source, chosen.target)
    plain = [plain_name(name) for name in names] if names else []
    direction = next((plain.index(name) for name in _DIRECTION if name in plain), None)
    if direction in ends or (direction is not None and numeric(direction)):
        direction = None
    notes: list[str] = []
    guessed = chosen.guessed
    weight = choose_weight(columns, ends, options, notes, guessed)
    if guessed:
        notes.append("columns guessed: " + ", ".join(guessed))
    unused = [i for i in range(n_columns) if i not in (*ends, weight, direction) and not (names and is_index(names[i]))]
    if unused:
        notes.append("columns not used: " + ", ".join(map(columns.called, unused)))
        notes += notes_on_unused(columns, unused, options, weight)
    unusual = tuple(chosen.unusual) if len(chosen.unusual) == 2 else ()
    return Roles(*ends, weight, direction, tuple(notes), unusual)


def shared_ids(roles: Roles, rows: Array, cols: Array, nodes: Array) -> list[str]:
    """What to say of numbers that stand in both columns, where these may count different things."""
    if not roles.guessed or nodes.dtype.kind not in "iu":
        return []
    both = np.zeros((2, len(nodes)), dtype=bool)
    both[0, rows] = both[1, cols] = True
    places = np.flatnonzero(both.all(axis=0))
    if not len(places):
        return []
    one, other = roles.guessed
    return [
        f"{len(places):,} ids, such as {nodes[places[0]]}, stand in both {one!r} and {other!r} and are one node each; "
        "if they number different things, make them differ first, such as u1 and i1"
    ]


def refuse_coordinates(words: Sequence[str], names: Sequence[str] | None, place: int) -> None:
    """Numbers with long fractions where the second node of an edge should be: this is a table of nodes."""
    fractions = [word for word in words if _COORDINATE.fullmatch(word)]
    if not words or 2 * len(fractions) < len(words) or not all(map(is_number, words)):
        return
    which = repr(names[place]) if names else place
    called = which if names else f"column {place} (from 0)"
    raise InputError(
        f"{called} holds numbers such as {fractions[0]}, which are no node ids: is this an embedding, "
        f"or a table of nodes? A graph is expected here. If they are ids, say so: target={which} (--target {place})"
    )


def said_direction(words: Iterable[Any]) -> bool | None:
    """What Gephi's ``Type`` column says: all Directed or all Undirected; a mixture is refused."""
    said = {str(word).strip().lower() for word in words}
    if not said <= {"directed", "undirected"} or not said:
        return None
    if len(said) > 1:
        raise InputError("mixes directed and undirected edges, which phusion cannot keep apart")
    return said == {"directed"}


def unused_direction(name: str, words: Iterable[Any]) -> str:
    """What to say of such a column that tells no direction."""
    shown = ", ".join(sorted({repr(str(word)) for word in words})[:3])
    return f"columns not used: {name!r}, which holds {shown} and no direction"
