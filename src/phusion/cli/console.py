"""What a person sees: tables on stdout; notes, progress and spinners on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["cells_progress", "output", "passes_progress", "patience", "reading_progress", "say_notes"]

_PATIENCE = 1.0  # seconds without a word
_SELDOM = 30.0  # seconds between lines where no bar can move
_WIDE = 160  # columns where no terminal sets a limit, so that files and pipes get every word


def output() -> Console:
    """Where tables go."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for the application to end well; rich ends with an exit code of 1

    console = Output(highlight=False)
    return console if console.is_terminal else Output(highlight=False, width=_WIDE)


def say_notes(notes: Iterable[str], word: str = "note") -> None:
    """Print notes to stderr."""
    for note in notes:
        print(f"{word}: {note}", file=sys.stderr)


@contextmanager
def reading_progress(what: str) -> Iterator[Any]:
    """A progress bar on stderr, once reading takes longer than a second."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("reading {task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = bar.add_task(what, total=None)
    begun = time.monotonic()

    def progress(done: int, total: int | None) -> None:
        bar.update(task, completed=done, total=total)
        if console.is_terminal and not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
            bar.start()

    try:
        yield progress
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def passes_progress(what: str) -> Iterator[None]:
    """A spinner, or a bar with passes and the remaining time, once something takes longer than a second; on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from phusion.execution.progress import watching

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=None)
    begun = time.monotonic()

    def watch(message: str, done: int, total: int) -> None:
        if not total:
            say_notes([message])
            return
        fresh = bar.tasks[0].description != f"{what}, {message}"
        if fresh:
            bar.reset(task, description=f"{what}, {message}", total=total)
        bar.update(task, completed=done, total=total)
        if console.is_terminal and not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
            bar.start()

    try:
        with watching(watch):
            yield
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def cells_progress() -> Iterator[Any]:
    """A bar with cells and the remaining time on stderr, or a line now and then where there is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from phusion.execution.explain import time_in_words

    console = Console(stderr=True)
    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.fields[left]}"), TextColumn("{task.description}"))
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("", total=None, left="")
    told = time.monotonic()

    def progress(now: Any) -> None:
        nonlocal told
        left = "" if now.remaining is None else f"about {time_in_words(now.remaining)} left"
        bar.update(task, completed=now.done, total=now.total, description=now.what, left=left)
        if console.is_terminal and not bar.live.is_started and now.done < now.total:
            bar.start()
        if not console.is_terminal and time.monotonic() - told > _SELDOM:
            told = time.monotonic()
            rest = ", ".join(part for part in (left, now.what) if part)
            print(f"{now.done:,} of {now.total:,} cells, {rest}", file=sys.stderr, flush=True)

    try:
        yield progress
    finally:
        if bar.live.is_started:
            bar.stop()


@contextmanager
def patience(what: str) -> Iterator[None]:
    """A spinner on stderr, once something takes longer than a second."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    status = console.status(what)
    timer = threading.Timer(_PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()
