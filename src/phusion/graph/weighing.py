"""Which column holds the weights, and what is to be said of it: times, distances and amounts are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from phusion.graph.amounts import note_on_amounts
from phusion.graph.column_names import WEIGHTS, counts_rows, is_index, is_time, plain_name
from phusion.graph.draft import Options
from phusion.graph.ends import Columns, asked_place

__all__ = ["choose_weight", "notes_on_unused"]

_PLAIN_WEIGHT = WEIGHTS[:4]  # nobody means anything else by these
_NAMES = ("label", "type", "kind", "name", "class", "group")
_SECONDS = (1e9, 2.2e9)  # since 1970: the years 2001 to 2039
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_DISTANCES = ("distance", "dist", "length", "cost", "duration", "km", "mile")
_RISING, _DIFFERENT = 10, 5  # so many lines, and values among them, look like times


def choose_weight(
    columns: Columns, ends: Sequence[int], options: Options, notes: list[str], guessed: list[str]
) -> int | None:
    """The place of the weights, if there are any; what is to be said goes into the lists."""
    if options.weight is None:
        return None
    if options.weight != "auto":
        weight = asked_place(options.weight, "weight", columns)
    else:
        found = _guessed_weight(columns, ends, notes, guessed)
        if found is None:
            return None
        weight = found
    if columns.names and _is_distance(columns.names[weight]):
        notes.append(
            f"{columns.called(weight)} is a weight, and a large weight means a strong tie; where it is a distance or a "
            "cost, turn it round (1/distance), or ignore it (weight=None, --weight none)"
        )
    return weight


def _guessed_weight(columns: Columns, ends: Sequence[int], notes: list[str], guessed: list[str]) -> int | None:
    names = columns.names
    plain = [plain_name(name) for name in names] if names else []
    # a column called weight is one, whatever it holds: what is wrong with it is then said
    rest = [i for i in range(columns.count) if i not in ends and (plain[i : i + 1] == ["weight"] or columns.numeric(i))]
    known = next((plain.index(name) for name in WEIGHTS if name in plain and plain.index(name) in rest), None)
    if known is not None:
        if plain[known] not in _PLAIN_WEIGHT:
            guessed.append(f"weight is {columns.called(known)}")
        return known
    others = [i for i in rest if not (names and i < max(ends) and (counts_rows(names[i]) or is_time(names[i])))]
    if not others or others[0] != max(ends) + 1:
        return None
    third = others[0]
    if _are_seconds(columns.sample(third)):
        notes.append(
            f"{columns.called(third)} holds seconds since 1970, as it seems, and is no weight "
            f"(weight={repr(names[third]) if names else third} takes it)"
        )
        return None
    if names and not _may_weigh(names[third]):
        return None
    guessed.append(f"weight is {columns.called(third)}")
    if not names and _rises(columns.sample(third)):
        notes.append(
            f"{columns.called(third)} never decreases and may be times (weight=None, --weight none, ignores it)"
        )
    return third


def notes_on_unused(columns: Columns, unused: Sequence[int], options: Options, weight: int | None) -> list[str]:
    """Why columns that might weigh do not."""
    names = columns.names
    if options.weight != "auto" or weight is not None:
        return []
    may = [i for i in unused if not columns.numeric(i) and not (names and not _may_weigh(names[i]))]
    amounts = [note for i in may if (note := note_on_amounts(columns.called(i), columns.sample(i)))]
    if amounts or not names:
        return amounts
    words = [columns.called(i) for i in may if plain_name(names[i]) in WEIGHTS]
    return [f"{words[0]} holds words, not numbers (weight={words[0]} reads it all the same)"] if words else []


def _may_weigh(name: str) -> bool:
    """Whether a column of numbers with this name may hold weights, rather than times, ids or row numbers."""
    plain = plain_name(name)
    return not (is_index(name) or plain in _NAMES or plain.endswith("id") or is_time(name))


def _is_distance(name: str) -> bool:
    """Whether a name has such a word: ``travel_cost``, ``distKm``, ``distances``; not ``district``."""
    parts = {part.lower() for part in _PART.findall(name)}
    return any(word in parts or word + "s" in parts for word in _DISTANCES) or "distance" in plain_name(name)


def _numbers(values: Sequence[Any]) -> list[float]:
    """All of these as numbers; none if some are no numbers."""
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        return []


def _are_seconds(values: Sequence[Any]) -> bool:
    """Whether all of these numbers are whole seconds since 1970 (or thousandths of them) of this century."""
    numbers = _numbers(values)
    return bool(numbers) and any(
        all(_SECONDS[0] * unit <= number <= _SECONDS[1] * unit and number.is_integer() for number in numbers)
        for unit in (1, 1000)
    )


def _rises(values: Sequence[Any]) -> bool:
    """Whether whole numbers never decrease, as times in a log do."""
    numbers = _numbers(values)
    whole = all(number.is_integer() for number in numbers)
    return whole and len(numbers) >= _RISING and len(set(numbers)) >= _DIFFERENT and numbers == sorted(numbers)
