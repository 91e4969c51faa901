"""Which column is what: source, target, weight; by name where names are known, else by place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.errors import InputError, suggest
from phusion.graph.draft import Options
from phusion.graph.ids import Array
from phusion.graph.numerals import is_number

__all__ = [
    "NODE_ID",
    "Roles",
    "are_column_names",
    "assign_roles",
    "plain_name",
    "refuse_coordinates",
    "said_direction",
    "shared_ids",
    "unused_direction",
]

_SOURCE = ("source", "src", "from", "fromnode", "fromnodeid", "sourceid", "sourcenode", "node1", "nodeid1",
           "id1", "u", "start", "startnode", "proteina", "protein1", "vertex1", "v1", "i", "sender", "follower",
           "citing", "caller", "parent", "genea", "gene1", "interactora", "nodea", "persona", "person1")  # fmt: skip
_TARGET = ("target", "dst", "dest", "destination", "to", "tonode", "tonodeid", "targetid", "targetnode", "node2",
           "nodeid2", "id2", "v", "end", "endnode", "proteinb", "protein2", "vertex2", "v2", "j", "recipient",
           "receiver", "followee", "followed", "cited", "callee", "child", "geneb", "gene2", "interactorb", "nodeb",
           "personb", "person2")  # fmt: skip
_TWO_KINDS = (  # of nodes, whose ids may be the same and mean others
    ("user", "customer", "author", "actor", "student", "person", "drug", "gene", "reviewer", "buyer"),
    ("item", "movie", "product", "paper", "book", "song", "course", "group", "event", "disease", "business"),
)
_PAIRS = ((_SOURCE, _TARGET), tuple((*kind, *(f"{name}id" for name in kind)) for kind in _TWO_KINDS))
_WEIGHT = ("weight", "weights", "w", "wgt", "value", "rating", "score", "combinedscore", "strength",
           "confidence", "sign", "similarity", "count")  # fmt: skip
NODE_ID = ("id", "node", "nodeid", "name", "vertex")
_TIMES = ("time", "date", "year", "epoch", "since", "until")
_NAMES = ("label", "type", "kind", "name", "class", "group")
_DIRECTION = ("type",)


_PLAIN_WEIGHT = _WEIGHT[:4]  # nobody means anything else by these
_COORDINATE = re.compile(r"[+-]?[0-9]*\.[0-9]{5,}(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+(?:\.[0-9]*)?[eE]-[0-9]+")
_CLASSES = ("label", "labels", "class", "classes", "group", "community", "category")
_SECONDS = (1e9, 2.2e9)  # since 1970: the years 2001 to 2039


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


def plain_name(name: str) -> str:
    """Column names compared without case, spaces and punctuation."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def are_column_names(words: Sequence[str], id_columns: int = 2) -> bool:
    """Whether a line names the columns of an edge list, or (1) of a table of nodes.

    Single letters do not count: they may well be node ids.
    """
    plain = {plain_name(word) for word in words if len(word) > 1}
    if id_columns == 1:
        return bool(plain & set(NODE_ID))
    return any(plain & set(one) and plain & set(other) for one, other in _PAIRS) or _name_labels(words)


def _name_labels(words: Sequence[str]) -> bool:
    """Whether a line names the columns of a list of labels: ``node,label``."""
    return len(words) == 2 and plain_name(words[0]) in NODE_ID and plain_name(words[1]) in _CLASSES


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
    if names and options.source is options.target is None and _name_labels(names):
        raise InputError(
            f"columns {names[0]!r} and {names[1]!r} are labels, not edges; a graph is expected here. Give them as "
            "labels= beside it, or say source= and target="
        )
    plain = [plain_name(name) for name in names] if names else []
    notes: list[str] = []
    guessed: list[str] = []
    unusual: list[str] = []
    used: list[int] = []
    ends = []
    for role, known, asked in (
        ("source", _SOURCE, options.source),
        ("target", _TARGET, options.target),
    ):
        if asked is not None:
            place = _asked(asked, role, names, n_columns)
        else:
            place = next((plain.index(name) for name in known if name in plain), -1)
            if place < 0 or place in used:
                free = [i for i in range(n_columns) if i not in used]
                place = next((i for i in free if not (names and _is_index(names[i]))), free[0])
                if names:
                    guessed.append(f"{role} is {names[place]!r}")
                    unusual.append(names[place])
        ends.append(place)
        used.append(place)
    if ends[0] == ends[1]:
        raise InputError(f"source and target are the same column, {_called(names, ends[0])}")

    direction = next((plain.index(name) for name in _DIRECTION if name in plain), None)
    if direction in used or (direction is not None and numeric(direction)):
        direction = None
    weight: int | None = None
    if options.weight not in (None, "auto"):
        weight = _asked(options.weight, "weight", names, n_columns)
    elif options.weight == "auto":
        # a column called weight is one, whatever it holds: what is wrong with it is then said
        rest = [i for i in range(n_columns) if i not in used and (plain[i : i + 1] == ["weight"] or numeric(i))]
        weight = next((plain.index(n) for n in _WEIGHT if n in plain and plain.index(n) in rest), None)
        if weight is None and rest and rest[0] == max(used) + 1:
            candidate = rest[0]
            if _are_times(sample(candidate)):
                notes.append(
                    f"{_called(names, candidate)} holds seconds since 1970, as it seems, and is no weight "
                    f"(weight={repr(names[candidate]) if names else candidate} takes it)"
                )
            elif not names or _may_weigh(names[candidate]):
                weight = candidate
                guessed.append(f"weight is {_called(names, candidate)}")
        elif weight is not None and plain[weight] not in _PLAIN_WEIGHT:
            guessed.append(f"weight is {_called(names, weight)}")
    if guessed:
        notes.append("columns guessed: " + ", ".join(guessed))
    ignored = [
        i for i in range(n_columns) if i not in (*used, weight, direction) and not (names and _is_index(names[i]))
    ]
    if ignored:
        notes.append("columns not used: " + ", ".join(_called(names, i) for i in ignored))
        words = [_called(names, i) for i in ignored if plain[i : i + 1] and plain[i] in _WEIGHT and not numeric(i)]
        if weight is None and options.weight == "auto" and words:
            notes.append(f"{words[0]} holds words, not numbers (weight={words[0]} reads it all the same)")
    return Roles(ends[0], ends[1], weight, direction, tuple(notes), tuple(unusual) if len(unusual) == 2 else ())


def _are_times(values: Sequence[Any]) -> bool:
    """Whether all of these numbers are whole seconds since 1970 (or thousandths of them) of this century."""
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        return False
    return bool(numbers) and any(
        all(_SECONDS[0] * unit <= number <= _SECONDS[1] * unit and number.is_integer() for number in numbers)
        for unit in (1, 1000)
    )


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
    raise InputError(
        f"{_called(names, place)} holds numbers such as {fractions[0]}, which are no node ids: is this an embedding, "
        f"or a table of nodes? A graph is expected here. If they are ids, say so: target={which} (--target {place})"
    )


def _may_weigh(name: str) -> bool:
    """Whether a column of numbers with this name may hold weights, rather than times, ids or row numbers."""
    plain = plain_name(name)
    return not (_is_index(name) or plain in _NAMES or plain.endswith("id") or any(word in plain for word in _TIMES))


def _is_index(name: str) -> bool:
    """Whether a column is the row numbers pandas saved along."""
    return not name or name.startswith(("__index_level_", "Unnamed: "))


def _called(names: Sequence[str] | None, place: int) -> str:
    return repr(names[place]) if names else f"column {place} (from 0)"


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


def _asked(asked: str | int | None, role: str, names: Sequence[str] | None, n_columns: int) -> int:
    if isinstance(asked, bool) or not isinstance(asked, (str, int)):
        raise InputError(f"{role} is a column's name or its place, from 0; got {asked!r}")
    if isinstance(asked, int):
        if not 0 <= asked < n_columns:
            raise InputError(f"{role}={asked}: there are {n_columns} columns, 0 to {n_columns - 1}")
        return asked
    if names is None:
        raise InputError(f"{role}={asked!r}: there is no header line; give the column's place, from 0")
    if asked not in names:
        raise InputError(f"{role}={asked!r}: no such column.{suggest(asked, names)}")
    return list(names).index(asked)
