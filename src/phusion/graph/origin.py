"""Which library an object comes from, without importing that library."""

from __future__ import annotations

from typing import Any

__all__ = ["comes_from"]


def comes_from(thing: Any, library: str) -> bool:
    """Whether the object's class, or one it inherits from, is of this library.

    >>> comes_from(3.0, "networkx")
    False
    """
    return any(cls.__module__.partition(".")[0] == library for cls in type(thing).__mro__)
