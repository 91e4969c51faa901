"""Who wants to know how far a computation is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["announce", "report", "watching"]

Watcher = Callable[[str, int, int], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def report(what: str, done: int, total: int) -> None:
    """Say that `done` of `total` columns of a pass are done."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(what, done, total)


def announce(message: str) -> None:
    """Say something once, before the work."""
    report(message, 0, 0)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Have a function told of every block that is done: the pass in words, columns done, columns in all.

    Zero columns in all are a message and no pass.
    """
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)
