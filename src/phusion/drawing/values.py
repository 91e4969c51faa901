"""What nodes are coloured by: classes or numbers, one of either for each node, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.ids import Array, as_id_array, find, object_array
from phusion.graph.labels import Labels, is_missing

__all__ = ["SEVERAL", "Classes", "Numbers", "classes_or_numbers", "given_for", "is_wide", "of_labels"]

SEVERAL = "several labels"


@dataclass(frozen=True, eq=False)
class Classes:
    """A class for each: `codes` are places in `names`, −1 where there is none."""

    codes: Array
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Numbers:
    """A number for each, NaN where there is none."""

    values: Array


def classes_or_numbers(values: Any) -> Classes | Numbers:
    """Numbers, if all that is there are numbers; anything else is a class, by its text.

    >>> classes_or_numbers(["b", None, "a"]).codes
    array([ 1, -1,  0])
    >>> classes_or_numbers([1, None, 2.5]).values
    array([1. , nan, 2.5])
    """
    array = values if isinstance(values, np.ndarray) else object_array(list(values))
    if array.dtype.kind in "iuf":
        return Numbers(array.astype(np.float64))
    given = array.tolist()
    present = [value for value in given if not is_missing(value)]
    if present and all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in present):
        return Numbers(np.array([np.nan if is_missing(value) else float(value) for value in given]))
    words = [None if is_missing(value) else str(value) for value in given]
    names = tuple(sorted({word for word in words if word is not None}))
    place: dict[str | None, int] = {None: -1, **{word: i for i, word in enumerate(names)}}
    return Classes(np.array([place[word] for word in words], dtype=np.int64), names)


def of_labels(labels: Labels) -> Classes:
    """The class of each node; nodes with several have one of their own."""
    names = tuple(str(name) for name in labels.classes.tolist())
    codes = np.full(len(labels), -1)
    one = labels.per_node == 1
    codes[one] = labels.membership[one].indices
    codes[labels.per_node > 1] = len(names)
    return Classes(codes, (*names, SEVERAL) if labels.multi else names)


def given_for(ids: Array, given: Any, what: str = "node") -> Classes | Numbers:
    """What is given for these ids.

    Parameters
    ----------
    ids : the nodes or graphs, in their order.
    given : `Labels`; a mapping from ids, of which some may be missing; a pandas Series whose index holds the ids; or
        one value for each in their order.
    what : ``"node"`` or ``"graph"``, for messages.
    """
    if isinstance(given, Labels):
        _check_length(len(given), len(ids), what)
        return of_labels(given)
    if isinstance(given, Mapping):
        return _by_id(ids, list(given), list(given.values()), what)
    index = getattr(given, "index", None)
    if type(given).__name__ == "Series" and index is not None:
        keys = index.tolist()
        counted = keys == list(range(len(ids)))  # a frame's own row numbers say nothing
        if set(keys) == set(ids.tolist()) or not (counted or set(keys).isdisjoint(ids.tolist())):
            return _by_id(ids, keys, given.tolist(), what)
    if isinstance(given, (str, bytes)) or not hasattr(given, "__len__") or not hasattr(given, "__iter__"):
        raise InputTypeError(
            f"colours come from labels, a mapping from ids, or a value for each {what}; got {type(given).__name__}"
        )
    if getattr(given, "ndim", 1) != 1:
        raise InputError(f"colours come from one value for each {what}; got an array of shape {given.shape}")
    _check_length(len(given), len(ids), what)
    return classes_or_numbers(given)


def is_wide(values: Array) -> bool:
    """Whether numbers, such as degrees, span so many sizes that only their logarithm tells them apart."""
    finite = values[np.isfinite(values)]
    positive = finite[finite > 0]
    return bool(len(positive) and finite.min() >= 0 and finite.max() > 15 * float(np.median(positive)))


def _by_id(ids: Array, keys: list[Any], values: list[Any], what: str) -> Classes | Numbers:
    places = find(ids, as_id_array(keys))
    if (places < 0).any():
        unknown = keys[int(np.argmax(places < 0))]
        like = f"; ids look like {ids[:1].tolist()[0]!r}" if len(ids) else ""
        raise InputError(f"{int((places < 0).sum()):,} ids of colours are no {what}s, such as {unknown!r}{like}")
    found = np.full(len(ids), None, dtype=object)
    for place, value in zip(places.tolist(), values, strict=True):
        found[place] = value
    return classes_or_numbers(found)


def _check_length(given: int, due: int, what: str) -> None:
    if given != due:
        raise InputError(f"colours need one value for each of the {due:,} {what}s; got {given:,}")
