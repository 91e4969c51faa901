"""What a file format must say and do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from phusion.errors import InputError
from phusion.graph.batch import GraphBatch
from phusion.graph.draft import Draft, Options
from phusion.graph.graph import Graph

__all__ = ["AN_EMBEDDING", "BatchFormat", "Format", "Holds"]

AN_EMBEDDING = "this is an embedding, not a graph; a graph is expected here"


@dataclass(frozen=True)
class Holds:
    """What a format can keep of a graph, so that converting loses nothing unasked.

    `ids` are the kinds of node ids it gives back unchanged: any "int", any "str",
    or only the "position" (0..n−1 in order) or the "count" (1..n in order).
    """

    ids: frozenset[str]
    direction: bool = True
    isolated: bool = True
    self_loops: bool = True
    labels: bool = False
    attributes: bool = False


class Format(ABC):
    """A file format for one graph.

    Class attributes: `name`, `suffixes` (with dot, without compression), `title` for tables,
    `holds` if it can be written, `needs` if only an extra library can read and write it. `understands` are those of
    the options source, target, delimiter and header that mean something here; the others are refused.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    holds: ClassVar[Holds | None] = None
    needs: ClassVar[str] = ""
    understands: ClassVar[frozenset[str]] = frozenset()

    def recognises(self, head: bytes, path: Path) -> bool:
        """Whether the first bytes (decompressed) are surely of this format."""
        return False

    def contradicts(self, head: bytes) -> bool:
        """Whether the first bytes cannot be of this format, whatever the suffix says."""
        return False

    def check_library(self) -> None:  # noqa: B027
        """Refuse before the work what cannot be written after it, for want of a library."""

    @abstractmethod
    def read(self, path: Path, options: Options) -> Draft:
        """Read the file; the door settles duplicates, direction, extra nodes and labels."""

    def keeps_text(self, ids: list[str], path: Path) -> bool:
        """Whether ids that are text come back unchanged; asked only if `holds.ids` has "str"."""
        return True

    def also_lost(self, graph: Graph) -> list[str]:
        """What else this format does not keep of this graph, as sentences."""
        return []

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write the graph; called only if there is a `holds`, and it keeps the graph or loss was accepted."""
        raise InputError(f"phusion reads {self.title} files but does not write them")


class BatchFormat(Format):
    """A file format for many graphs."""

    @abstractmethod
    def read_batch(self, path: Path, options: Options) -> GraphBatch:
        """Read all graphs."""

    def read(self, path: Path, options: Options) -> Draft:
        """One graph only; the door uses `read_batch` for more."""
        raise InputError(f"{path} holds many graphs; use phusion.as_batch")
