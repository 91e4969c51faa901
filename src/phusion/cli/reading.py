"""Reading a graph for a command: the options all commands share, progress, and notes on stderr."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from phusion.errors import GraphNotice

if TYPE_CHECKING:
    from phusion.graph.batch import GraphBatch
    from phusion.graph.graph import Graph

__all__ = ["Reading", "patience", "read", "say_notes"]

_PATIENCE = 1.0  # seconds without a word


@Parameter(name="*")
@dataclass
class Reading:
    """How to read the graph, where the file does not tell."""

    directed: bool | None = None
    """Read as directed, or not (--no-directed); default: what the file says."""
    weight: str | None = None
    """Column or attribute that holds weights; "none" ignores weights."""
    nodes: Path | None = None
    """File with all node ids, one a line or with further columns; adds nodes no edge names."""
    labels: str | None = None
    """File with node ids and labels, or the name of a node attribute."""
    duplicates: Literal["auto", "error", "sum", "first", "max"] = "auto"
    """What becomes of an edge given more than once; auto: once without weights, else summed."""
    source: str | None = None
    """Column of the first node, by name or place (from 0)."""
    target: str | None = None
    """Column of the second node, by name or place (from 0)."""
    format: str | None = None
    """The file's format (see `phusion formats`), if its suffix misleads."""
    delimiter: str | None = None
    """Character between columns."""
    header: bool | None = None
    """Whether the first line names the columns."""
    comments: str = "#%"
    """Characters that start a comment line."""
    encoding: str = "utf-8"
    """Encoding of text files."""

    def options(self) -> dict[str, Any]:
        """As `phusion.as_graph` takes them."""
        given = {name: value for name, value in vars(self).items() if name != "weight"}
        given["weight"] = {None: "auto", "none": None}.get(self.weight, _place(self.weight))
        for end in ("source", "target"):
            given[end] = _place(given[end])
        return given


def _place(text: str | None) -> str | int | None:
    return int(text) if text is not None and text.isdigit() else text


def read(graph: str, how: Annotated[Reading | None, Parameter(parse=False)]) -> Graph | GraphBatch:
    """Read a file, folder or data set by name; notes go to stderr, once."""
    from phusion import datasets
    from phusion.graph.accept import as_batch, as_graph
    from phusion.graph.batch import GraphBatch

    options = (how or Reading()).options()
    if not Path(graph).exists() and graph in datasets.names():
        with patience(f"loading {graph}"):
            known = datasets.load(graph)
            labels = options.pop("labels")
            return (
                known if labels is None or isinstance(known, GraphBatch) else as_graph(known, labels=labels)
            )
    with warnings.catch_warnings(record=True) as caught, _bytes_read(graph) as progress:
        warnings.simplefilter("always", GraphNotice)
        path = Path(graph)
        if _holds_many(path, options["format"]):
            names = ("directed", "duplicates", "format")
            found: Graph | GraphBatch = as_batch(path, **{name: options[name] for name in names})
        else:
            found = as_graph(path, **options, progress=progress)
    say_notes(str(item.message) for item in caught if issubclass(item.category, GraphNotice))
    return found


def _holds_many(path: Path, name: str | None) -> bool:
    from phusion.graph.draft import Options
    from phusion.graph.files import choose_format
    from phusion.graph.formats.base import BatchFormat

    if path.suffix.lower() != ".zip" and not path.is_dir() and name is None:
        return False
    return isinstance(choose_format(path, Options(format=name))[0], BatchFormat)


def say_notes(notes: Any) -> None:
    """Print notes to stderr."""
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


@contextmanager
def _bytes_read(what: str) -> Iterator[Any]:
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
