"""Which two columns hold the ends of an edge: those that were asked for, those with usual names, else the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from phusion.errors import InputError, suggest
from phusion.graph.amounts import is_amount
from phusion.graph.column_names import (
    ROW_NUMBERS,
    SOURCES,
    TARGETS,
    WEIGHTS,
    counts_rows,
    ends_by_name,
    is_index,
    is_time,
    plain_name,
    usual_ends,
)
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Options
from phusion.graph.numerals import is_date, is_number

__all__ = ["Columns", "Ends", "asked_place", "choose_ends"]

_OF_TIME_TOO = {"start", "end", "startnode", "endnode", "startid", "endid"}  # ends, unless others are there
_SUPERIORS = ("parent", "manager", "supervisor", "boss", "superior", "mother", "father")


@dataclass(frozen=True)
class Columns:
    """What is known of the columns of a table: names (None without header), whether they hold numbers, some words."""

    names: Sequence[str] | None
    count: int
    numeric: Callable[[int], bool]
    sample: Callable[[int], Sequence[Any]]

    def called(self, place: int) -> str:
        """How a column is spoken of."""
        return repr(self.names[place]) if self.names else f"column {place} (from 0)"

    def words(self, place: int) -> list[str]:
        """Some of what a column holds, as text."""
        return [str(value) for value in self.sample(place)]


@dataclass
class Ends:
    """Places of source and target; `guessed` says which were, `unusual` are names that say nothing of edges."""

    source: int
    target: int
    guessed: list[str] = field(default_factory=list)
    unusual: list[str] = field(default_factory=list)


def choose_ends(columns: Columns, options: Options) -> Ends:
    """Source and target among the columns."""
    names = columns.names
    plain = [plain_name(name) for name in names] if names else []
    free = [i for i in range(columns.count) if not (names and is_index(names[i]))]
    if names and options.source is options.target is None:
        if usual := usual_ends(names):
            return Ends(*usual)
        found = ends_by_name(names, lambda one, other: _fit(columns, one, other))
        if found:
            source, target, two_kinds = found
            told = _told(names, source, target)
            return Ends(source, target, told, [names[source], names[target]] if two_kinds else [])
        halves = [next((plain.index(n) for n in known if n in plain), -1) for known in (SOURCES, TARGETS)]
        if min(halves) >= 0:
            told = [] if {plain[place] for place in halves} <= _OF_TIME_TOO else _told(names, *halves)
            return Ends(halves[0], halves[1], told)
        if max(halves) < 0:
            free = _without_row_numbers(columns, free)
    return _one_by_one(columns, options, plain, free)


def _told(names: Sequence[str], source: int, target: int) -> list[str]:
    return [f"source is {names[source]!r}", f"target is {names[target]!r}"]


def _one_by_one(columns: Columns, options: Options, plain: Sequence[str], free: Sequence[int]) -> Ends:
    """As asked for, else by usual names, else the next of the free columns."""
    guessed: list[str] = []
    unusual: list[str] = []
    used: list[int] = []
    for role, known, asked in (("source", SOURCES, options.source), ("target", TARGETS, options.target)):
        if asked is not None:
            place = asked_place(asked, role, columns)
        else:
            place = next((plain.index(name) for name in known if name in plain), -1)
            if place < 0 or place in used:
                place = next(i for i in (*free, *range(columns.count)) if i not in used)
                if columns.names:
                    guessed.append(f"{role} is {columns.names[place]!r}")
                    unusual.append(columns.names[place])
        used.append(place)
    if used[0] == used[1]:
        raise InputError(f"source and target are the same column, {columns.called(used[0])}")
    return Ends(used[0], used[1], guessed, unusual)


def asked_place(asked: str | int | None, role: str, columns: Columns) -> int:
    """The place of a column that was asked for by name or place."""
    if isinstance(asked, bool) or not isinstance(asked, (str, int)):
        raise InputError(f"{role} is a column's name or its place, from 0; got {asked!r}")
    if isinstance(asked, int):
        if not 0 <= asked < columns.count:
            raise InputError(f"{role}={asked}: there are {columns.count} columns, 0 to {columns.count - 1}")
        return asked
    if columns.names is None:
        raise InputError(
            f"{role}={asked!r}: there is no header line; give the column's place, from 0, or say that the first line "
            "is one: header=True (--header)"
        )
    if asked not in columns.names:
        raise InputError(f"{role}={asked!r}: no such column.{suggest(asked, columns.names)}")
    return list(columns.names).index(asked)


def _fit(columns: Columns, one: int, other: int) -> bool:
    """Whether two columns may hold ends of edges: both numbers or both not, neither fractions nor dates."""
    return columns.numeric(one) == columns.numeric(other) and _may_be_ids(columns, one) and _may_be_ids(columns, other)


def _may_be_ids(columns: Columns, place: int) -> bool:
    words = columns.words(place)
    if words and all(map(is_date, words)):
        return False
    return not words or not all(map(is_amount, words)) or all(map(is_integer, words))


def _without_row_numbers(columns: Columns, free: Sequence[int]) -> list[int]:
    """The columns without those before all others that number rows or tell times: ``trade_id,date,…``."""
    kept = list(free)
    while len(kept) > 2 and _tells_rows(columns, kept[0], kept[1:]):
        kept.pop(0)
    return kept


def _tells_rows(columns: Columns, place: int, others: Sequence[int]) -> bool:
    """Whether a column is about the rows, not about nodes, by its name and by what it and others hold."""
    names = columns.names or ()
    words = columns.words(place)
    dates = all(map(is_date, words))
    whole = all(map(is_integer, words))
    if dates or (is_time(names[place]) and whole):
        return len(_possible_ends(columns, others, ids_only=False)) > 1
    if not (whole and len(set(words)) == len(words) and counts_rows(names[place])):
        return False
    if any(plain_name(names[other]).startswith(_SUPERIORS) for other in others):
        return False  # each row is a node, and names another
    ends = _possible_ends(columns, others, ids_only=plain_name(names[place]) not in ROW_NUMBERS)
    known = [other for other in ends if not set(words).isdisjoint(columns.words(other))]
    return len(ends) > 1 and len(known) != 1


def _possible_ends(columns: Columns, places: Sequence[int], ids_only: bool) -> list[int]:
    """Columns that may hold nodes; with `ids_only`, numbers do so only where they are called ids."""
    names = columns.names or ()
    return [
        place
        for place in places
        if not is_time(names[place])
        and plain_name(names[place]) not in WEIGHTS
        and _may_be_ids(columns, place)
        and not (ids_only and all(map(is_number, columns.words(place))) and not counts_rows(names[place]))
    ]
