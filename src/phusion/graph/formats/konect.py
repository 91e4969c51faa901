"""KONECT: an edge list whose first line says what kind of network it is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np

from phusion.errors import FileError
from phusion.graph.dialect import is_integer
from phusion.graph.draft import Draft, Options
from phusion.graph.formats import edgelist
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import object_array
from phusion.graph.limits import as_count, check_announced
from phusion.graph.nodes import add_nodes
from phusion.graph.streams import peek

__all__ = ["FORMAT"]

_FIRST = re.compile(rb"%\s*(sym|asym|bip)\s+(\w+)")
_SECOND = re.compile(rb"%[ \t]*(\d+)[ \t]+(\d+)[ \t]+(\d+)")


class Konect(Format):
    """``% sym|asym|bip weights`` and ``% edges nodes nodes``; ids are 1..n, all of which are nodes."""

    name = "konect"
    title = "KONECT"
    suffixes = (".konect",)
    holds = Holds(ids=frozenset({"count"}))

    def recognises(self, head: bytes, path: Path) -> bool:
        """By the first line, which no other format has."""
        return _FIRST.match(head) is not None

    def contradicts(self, head: bytes) -> bool:
        """Without that line it is a plain edge list."""
        return not self.recognises(head, Path())

    def read(self, path: Path, options: Options) -> Draft:
        """Read as an edge list with known columns, then add the nodes that no edge names."""
        head = peek(path)
        first = _FIRST.match(head)
        if first is None:
            raise FileError("a KONECT file starts with '% sym', '% asym' or '% bip'", path=path, line=1)
        kind, weights = first.group(1).decode(), first.group(2).decode()
        chosen = 2 if options.weight == "auto" else options.weight
        data_line = next((line for line in head.split(b"\n") if line[:1] not in (b"%", b"")), b"")
        if options.weight == "auto" and (weights == "unweighted" or len(data_line.split()) < 3):
            chosen = None
        known = replace(options, source=0, target=1, weight=chosen, header=False, comments="%", delimiter=" ")
        sizes = _sizes(head, path)
        if sizes is not None and not data_line:
            none = np.empty(0, dtype=np.int64)
            draft = Draft(none, none, none)
        else:
            draft = edgelist.FORMAT.read(path, known)
        draft.source = f"KONECT file {path}"
        if draft.nodes.dtype.kind not in "iu":
            odd = next((node for node in draft.nodes.tolist() if not is_integer(node)), draft.nodes[0])
            raise FileError(f"KONECT ids are the integers 1..n; got {odd!r}", path=path)
        draft.directed = kind == "asym"
        if sizes is not None and sizes[0] != len(draft.rows):
            draft.notes.append(f"{sizes[0]:,} edges are announced but {len(draft.rows):,} lines are here")
        if kind == "bip":
            _split_sides(draft, *(sizes[1:] if sizes else (0, 0)), path)
        elif sizes is not None:
            check_announced(sizes[1], len(draft.rows), path)
            add_nodes(draft, range(1, sizes[1] + 1), options)
        return draft

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write ids 1..n with the two header lines."""
        rows, cols, weights = graph.edge_list()
        kind = "asym" if graph.directed else "sym"
        plain = not (graph.weighted or graph.signed)
        style = "unweighted" if plain else "signed" if graph.signed else "posweighted"
        stream.write(f"% {kind} {style}\n% {len(rows)} {len(graph)} {len(graph)}\n".encode())
        for row, col, weight in zip(rows.tolist(), cols.tolist(), weights.tolist(), strict=True):
            stream.write((f"{row + 1} {col + 1}" + ("\n" if plain else f" {weight!r}\n")).encode())


def _sizes(head: bytes, path: Path) -> tuple[int, int, int] | None:
    """Numbers of edges and of nodes on either side, if the file announces them."""
    found = _SECOND.search(head)
    if found is None:
        return None
    n_edges, n_left, n_right = map(as_count, found.groups())
    if n_edges is None or n_left is None or n_right is None:
        raise FileError("announces more edges or nodes than any file can hold", path=path)
    return n_edges, n_left, n_right


def _split_sides(draft: Draft, n_left: int, n_right: int, path: Path) -> None:
    """Two-mode networks number both sides from 1: left nodes become L1, L2, …, right R1, R2, … ."""
    left, right = draft.nodes[draft.rows], draft.nodes[draft.cols]
    if min(left.min(initial=1), right.min(initial=1)) < 1:
        raise FileError("KONECT ids are the integers 1..n; got one below 1", path=path)
    n_left, n_right = max(n_left, int(left.max(initial=0))), max(n_right, int(right.max(initial=0)))
    check_announced(n_left + n_right, len(left), path)
    draft.rows, draft.cols = left - 1, n_left + right - 1
    draft.nodes = object_array([f"L{i}" for i in range(1, n_left + 1)] + [f"R{i}" for i in range(1, n_right + 1)])
    draft.attributes["side"] = np.repeat(np.array(["left", "right"], dtype=object), [n_left, n_right])
    draft.directed = False
    draft.notes.append(f"a two-mode network: its {n_left:,} left and {n_right:,} right nodes are named L1… and R1…")


FORMAT = Konect()
