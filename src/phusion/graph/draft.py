"""What a source or a file format hands to the door: numbered edges and what is known about them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Literal, get_args

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["Draft", "Duplicates", "Given", "Options"]

Given = Literal["list", "arcs", "edges"]
Duplicates = Literal["auto", "error", "sum", "first", "max"]


@dataclass(frozen=True)
class Options:
    """What the caller of the door asked for; see `phusion.as_graph` for the meaning of each."""

    directed: bool | None = None
    weight: str | int | None = "auto"
    source: str | int | None = None
    target: str | int | None = None
    duplicates: Duplicates = "auto"
    format: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    comments: str = "#%"
    encoding: str = "utf-8"
    progress: Callable[[int, int | None], None] | None = None

    def __post_init__(self) -> None:
        if self.directed is not None and not isinstance(self.directed, (bool, np.bool_)):
            raise InputTypeError(f"directed is True, False or None; got {self.directed!r}")
        if isinstance(self.weight, bool) or not (self.weight is None or isinstance(self.weight, (str, int))):
            raise InputTypeError(f"weight is a name, a column's place, 'auto' or None; got {self.weight!r}")
        if self.header is not None and not isinstance(self.header, (bool, np.bool_)):
            raise InputTypeError(f"header is True, False or None; got {self.header!r}")
        for name in ("format", "delimiter"):
            if not isinstance(getattr(self, name), (str, NoneType)):
                raise InputTypeError(f"{name} is text or None; got {getattr(self, name)!r}")
        for name in ("comments", "encoding"):
            if not isinstance(getattr(self, name), str):
                raise InputTypeError(f"{name} is text; got {getattr(self, name)!r}")
        if not self.comments.isascii():
            raise InputError(f"comments are ASCII characters, each of which starts a comment; got {self.comments!r}")
        if self.progress is not None and not callable(self.progress):
            raise InputTypeError(f"progress is a function, or None; got {self.progress!r}")
        if not isinstance(self.duplicates, str) or self.duplicates not in get_args(Duplicates):
            rules = ", ".join(map(repr, get_args(Duplicates)))
            raise InputError(f"duplicates is one of {rules}; got {self.duplicates!r}")

    def refuse_all_but(self, understood: Collection[str], what: str) -> None:
        """Refuse options of text and tables that were given where they mean nothing."""
        for name in ("source", "target", "delimiter", "header", "format"):
            value = getattr(self, name)
            if value is not None and name not in understood:
                raise InputError(f"{name}={value!r} means nothing for a {what}; leave it out")


@dataclass
class Draft:
    """Edges between numbered nodes, before duplicates are combined and direction is settled.

    Parameters
    ----------
    rows, cols : positions in `nodes`, one pair per entry.
    nodes : the ids, in the user's order.
    weights : one per entry, or None if the source has none.
    directed : what the source says of itself; None if it says nothing.
    given : how entries are meant. ``"list"``: a pair may be given once or in both directions.
        ``"arcs"``: every entry is an arc, and the graph is undirected if they are symmetric (matrices).
        ``"edges"``: every edge is given exactly once and `directed` is known (networkx).
    edge_attributes : one value per entry.
    weight_names : whether weight= may name something here; the entries of a matrix have no names.
    positional : whether the source has no ids of its own, so that nodes= may name them.
    notes : what was guessed or ignored, as sentences.
    """

    rows: Array
    cols: Array
    nodes: Array
    weights: Array | None = None
    directed: bool | None = None
    given: Given = "list"
    attributes: dict[str, Array] = field(default_factory=dict)
    labels: Labels | None = None
    edge_attributes: dict[str, Array] = field(default_factory=dict)
    weight_names: bool = True
    positional: bool = False
    notes: list[str] = field(default_factory=list)
    name: str = ""
    source: str = ""
    path: Path | None = None
