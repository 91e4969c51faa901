"""Ids in files: whole numbers and text as they are, anything else as text."""

from __future__ import annotations

from ast import literal_eval
from threading import Lock
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.graph.ids import Array, integers, object_array

__all__ = [
    "are_plain",
    "are_whole",
    "as_ids",
    "from_literals",
    "from_words",
    "literal_ids",
    "look_whole",
    "plain_ids",
    "text_ids",
]

_PARSING = Lock()  # Python 3.11 miscounts where several threads parse: "AST constructor recursion depth mismatch"


def are_plain(nodes: Array) -> bool:
    """Whether all ids are whole numbers of at most 64 bits, or all are text."""
    ids = _native(nodes)
    if all(type(node) is int for node in ids):
        return all(-(2**63) <= node < 2**63 for node in ids)
    return all(type(node) is str for node in ids)


def are_whole(nodes: Array) -> bool:
    """Whether all ids are whole numbers, of any size."""
    return all(type(node) is int for node in _native(nodes))


def text_ids(nodes: Array) -> list[Any]:
    """For text, which holds whole numbers of any size: these and text as they are, others as text."""
    return _native(nodes) if are_whole(nodes) else plain_ids(nodes)


def plain_ids(nodes: Array) -> list[Any]:
    """Plain ids as they are, others as text."""
    ids = _native(nodes)
    if are_plain(nodes):
        return ids
    words = [str(node) for node in ids]
    if len(set(words)) < len(words):
        first: dict[str, Any] = {}
        one, other = next((first[str(node)], node) for node in ids if first.setdefault(str(node), node) is not node)
        raise InputError(
            f"ids of several types are written as text, and {one!r} and {other!r} are the same then; rename one of them"
        )
    return words


def _native(nodes: Array) -> list[Any]:
    return [node.item() if isinstance(node, np.generic) else node for node in nodes.tolist()]


def as_ids(values: list[Any]) -> Array:
    """Ids read from a file: whole numbers where all are, else text."""
    if all(type(value) is int for value in values):
        return integers(values)
    return object_array(values)


def from_words(words: list[str]) -> Array:
    """Ids read from plain text: whole numbers where all are written as such, else text."""
    return as_ids([int(word) for word in words] if look_whole(words) else words)


def look_whole(words: list[str]) -> bool:
    """Whether all are written as whole numbers are: 7, not 007."""
    return all(word.removeprefix("-").isascii() and word.removeprefix("-").isdigit() for word in words) and all(
        str(int(word)) == word for word in words
    )


def literal_ids(nodes: Array) -> list[str] | None:
    """Ids of any Python literal (tuples, floats, truth values, large numbers) in words that give them back."""
    words = [repr(node) for node in _native(nodes)]
    try:
        with _PARSING:
            same = all(literal_eval(word) == node for word, node in zip(words, _native(nodes), strict=True))
    except (ValueError, SyntaxError, TypeError):
        return None
    return words if same else None


def from_literals(words: list[str]) -> Array:
    """What `literal_ids` wrote."""
    with _PARSING:
        return object_array([literal_eval(word) for word in words])
