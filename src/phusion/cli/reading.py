"""Reading a graph for a command: the options all commands share, progress, and notes on stderr."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from phusion.cli.console import patience, reading_progress, say_notes
from phusion.errors import GraphNotice
from phusion.paths import exists

if TYPE_CHECKING:
    from phusion.graph.batch import GraphBatch
    from phusion.graph.graph import Graph

__all__ = ["Reading", "keep", "read", "read_one"]


@Parameter(name="*")
@dataclass
class Reading:
    """How to read the graph, where the file does not tell."""

    directed: bool | None = None
    """Read as directed, or not (--no-directed); default: what the file says."""
    weight: str | None = None
    """Column or attribute that holds weights; "none" ignores weights."""
    nodes: Path | None = None
    """File with all node ids, one a line or with further columns; adds nodes no edge names. `plan`: or how many."""
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
    from phusion.datasets import load
    from phusion.datasets.registry import is_meant
    from phusion.graph.accept import as_batch, as_graph
    from phusion.graph.batch import GraphBatch

    options = (how or Reading()).options()
    changed = {name: value for name, value in options.items() if value != Reading().options()[name]}
    if not exists(graph) and is_meant(graph):
        with patience(f"loading {graph}"):
            known = load(graph)
        if isinstance(known, GraphBatch):
            return as_batch(known, **changed)
        return as_graph(known, **changed) if changed else known
    with warnings.catch_warnings(record=True) as caught, reading_progress(graph) as progress:
        warnings.simplefilter("always", GraphNotice)
        path = Path(graph)
        if _holds_many(path, options["format"]):
            with patience(f"reading {graph}"):
                found: Graph | GraphBatch = as_batch(path, **changed)
        else:
            found = as_graph(path, **options, progress=progress)
    say_notes("\n".join(item.message.lines) for item in caught if isinstance(item.message, GraphNotice))
    return found


def keep(graph: str, out: Path | None) -> None:
    """Refuse to write in the place of the graph that is read, whatever else may be replaced."""
    from phusion.cli.method import UsageError

    if out is not None and exists(graph) and exists(out) and out.samefile(graph):
        raise UsageError(f"{out} is the graph itself, which would be gone; choose another name")


def read_one(graph: str, how: Annotated[Reading | None, Parameter(parse=False)], command: str) -> Graph:
    """The same, for commands that take one graph."""
    from phusion.cli.method import UsageError
    from phusion.graph.batch import GraphBatch

    found = read(graph, how)
    if isinstance(found, GraphBatch):
        raise UsageError(
            f"{graph} holds {len(found):,} graphs; {command} takes one. A row for each graph: phusion graphs"
        )
    return found


def _holds_many(path: Path, name: str | None) -> bool:
    from phusion.graph.draft import Options
    from phusion.graph.files import choose_format, is_wrapping_zip
    from phusion.graph.formats.base import BatchFormat

    if path.suffix.lower() != ".zip" and not path.is_dir() and name is None:
        return False
    if is_wrapping_zip(path):
        return False
    return isinstance(choose_format(path, Options(format=name))[0], BatchFormat)
