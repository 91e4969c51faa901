"""The leaderboard of a sweep while it runs: a table on a terminal, a line now and then elsewhere; on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phusion.sweeps.standing import Standing

__all__ = ["leaderboard"]

_SELDOM = 15.0  # seconds between lines where no table can move
_SHOWN = 8  # designs


@contextmanager
def leaderboard() -> Iterator[Callable[[Standing], None]]:
    """What is to be told of each standing."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield lambda now: live.update(_table(now), refresh=True)


class _Lines:
    """Plain lines, seldom."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, now: Standing) -> None:
        if time.monotonic() - self._told > _SELDOM:
            self._told = time.monotonic()
            leader = f", {now.leaders[0].label} leads" if now.leaders else ""
            print(f"{_progress(now)}{leader}", file=sys.stderr, flush=True)


def _progress(now: Standing) -> str:
    from phusion.execution.explain import time_in_words

    words = [f"{now.screened} of {now.designs} designs screened", f"{now.chosen} of {now.splits} splits chosen"]
    words += [f"honest score so far {now.honest:.2f}"] if now.honest is not None else []
    words += [f"about {time_in_words(now.remaining)} left"] if now.remaining is not None else []
    return ", ".join(words)


def _table(now: Standing) -> Any:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    table.add_column("design", no_wrap=True)
    table.add_column("screened", justify="right")
    table.add_column("chosen in", justify="right")
    for leader in now.leaders[:_SHOWN]:
        table.add_row(Text(leader.label), f"{leader.screening:.2f}", str(leader.wins or ""))
    return Group(table, Text(_progress(now)), Text(now.what))
