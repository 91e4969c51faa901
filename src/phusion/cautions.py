"""What a method has to say about what it computes: collected for the result, and warned once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from phusion.errors import MethodWarning, callers_level

__all__ = ["caution", "collected", "overheard"]

_MOST = 5
_said: ContextVar[list[str] | None] = ContextVar("said", default=None)  # each thread has its own


def caution(message: str) -> None:
    """Say something of a computation that is done as asked: into the running collection, or else as a warning."""
    said = _said.get()
    if said is None:
        warnings.warn(message, MethodWarning, stacklevel=callers_level())
    elif message not in said:
        said.append(message)


@contextmanager
def overheard() -> Iterator[list[str]]:
    """Keep what is said inside, and do not pass it on."""
    said: list[str] = []
    token = _said.set(said)
    try:
        yield said
    finally:
        _said.reset(token)


@contextmanager
def collected() -> Iterator[list[str]]:
    """Keep what is said inside, each sentence once, and warn it at the end: a few in full, the others by number."""
    said: list[str] = []
    try:
        with overheard() as said:
            yield said
    finally:
        for message in said[:_MOST]:
            warnings.warn(message, MethodWarning, stacklevel=callers_level())
        if len(said) > _MOST:
            warnings.warn(
                f"and {len(said) - _MOST:,} more warnings of such kinds", MethodWarning, stacklevel=callers_level()
            )
