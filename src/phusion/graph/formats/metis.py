"""METIS: line i lists the neighbours of node i; a blank line is an isolated node."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from phusion.errors import FileError
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.limits import as_count
from phusion.graph.lines import whole_text

__all__ = ["FORMAT"]


class Metis(Format):
    """``n m [fmt [ncon]]``, then one line per node. Nodes are 0..n−1 (the file counts from 1)."""

    name = "metis"
    title = "METIS"
    suffixes = (".graph", ".metis")
    holds = Holds(ids=frozenset({"position"}), direction=False, self_loops=False)

    def read(self, path: Path, options: Options) -> Draft:
        """Read all numbers at once, then cut them by the words per line."""
        lines = [
            (number, line)
            for number, line in enumerate(whole_text(path, options).removesuffix("\n").split("\n"), 1)
            if not line.lstrip().startswith("%")
        ]
        start = next((i for i, (_, line) in enumerate(lines) if line.strip()), None)
        if start is None:
            raise FileError("the file is empty; a METIS file starts with 'nodes edges'", path=path)
        n_nodes, n_edges, skip, weighted = _header(lines[start], path)
        body = lines[start + 1 :]
        while len(body) > n_nodes and not body[-1][1].strip():
            body.pop()
        if len(body) != n_nodes:
            raise FileError(
                f"announces {n_nodes:,} nodes but lists {len(body):,}; one line per node, blank if isolated",
                path=path,
                line=body[-1][0] if body else lines[start][0],
            )
        counts = np.array([len(line.split()) for _, line in body], dtype=np.int64)
        values = _numbers(body, path)
        step = 2 if weighted else 1
        odd = np.flatnonzero((counts < skip) | ((counts - skip) % step != 0))
        if len(odd):
            raise FileError(
                f"has {counts[odd[0]]} numbers; expected {skip} node weights, then neighbours"
                f"{' each with its weight' if weighted else ''}",
                path=path,
                line=body[odd[0]][0],
            )
        first = np.cumsum(counts) - counts
        place = np.arange(len(values)) - np.repeat(first, counts) - skip
        owner = np.repeat(np.arange(n_nodes), counts)
        is_neighbour = (place >= 0) & (place % step == 0)
        rows, cols = owner[is_neighbour], values[is_neighbour]
        wrong = np.flatnonzero((cols < 1) | (cols > n_nodes) | (cols != np.floor(cols)))
        if len(wrong):
            raise FileError(
                f"neighbour {cols[wrong[0]]:g} is not one of the nodes 1..{n_nodes:,}",
                path=path,
                line=body[rows[wrong[0]]][0],
            )
        weights = values[(place >= 0) & (place % step == 1)] if weighted else None
        if len(rows) != 2 * n_edges:
            raise FileError(
                f"announces {n_edges:,} edges, so {2 * n_edges:,} neighbours, but lists {len(rows):,}; "
                "is the file cut off?",
                path=path,
            )
        _refuse_one_sided(rows, cols.astype(np.int64) - 1, n_nodes, body, path)
        nodes = np.arange(n_nodes, dtype=np.int64)
        draft = Draft(
            rows,
            cols.astype(np.int64) - 1,
            nodes,
            weights,
            directed=False,
            given="arcs",
            weight_names=False,
            positional=True,
            path=path,
        )
        draft.source = f"METIS file {path}"
        if skip:
            draft.notes.append("node weights were not used")
        return draft

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write neighbours counted from 1, with weights if there are any."""
        matrix = graph.adjacency
        weighted = graph.weighted or graph.signed
        stream.write(f"{len(graph)} {graph.n_edges}{' 001' if weighted else ''}\n".encode())
        for start, stop in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True):
            neighbours = (matrix.indices[start:stop] + 1).tolist()
            if weighted:
                pairs = zip(neighbours, matrix.data[start:stop].tolist(), strict=True)
                words = [f"{neighbour} {weight!r}" for neighbour, weight in pairs]
            else:
                words = [str(neighbour) for neighbour in neighbours]
            stream.write((" ".join(words) + "\n").encode())


def _header(line: tuple[int, str], path: Path) -> tuple[int, int, int, bool]:
    """(nodes, edges, numbers before the neighbours, whether neighbours have weights)."""
    number, text = line
    words = text.split()
    sizes = [number for number in map(as_count, words) if number is not None]
    if not 2 <= len(words) <= 4 or len(sizes) < len(words):
        raise FileError(
            f"a METIS file starts with 'nodes edges [fmt [ncon]]'; got {text[:60]!r}", path=path, line=number
        )
    flags = (words[2] if len(words) > 2 else "0").zfill(3)
    constraints = sizes[3] if len(sizes) > 3 else 1
    skip = (flags[-3] == "1") + constraints * (flags[-2] == "1")
    return sizes[0], sizes[1], skip, flags[-1] == "1"


def _refuse_one_sided(rows: Array, cols: Array, n_nodes: int, body: list[tuple[int, str]], path: Path) -> None:
    """Each edge stands in the lists of both its nodes."""
    there, back = rows * n_nodes + cols, cols * n_nodes + rows
    alone = np.flatnonzero(~np.isin(there, back))
    if len(alone):
        row, col = int(rows[alone[0]]), int(cols[alone[0]])
        raise FileError(
            f"node {row + 1} lists {col + 1}, but {col + 1} does not list {row + 1}",
            path=path,
            line=body[row][0],
        )


def _numbers(body: list[tuple[int, str]], path: Path) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    words = " ".join(line for _, line in body).split()
    try:
        return np.array(words, dtype=np.float64)
    except ValueError as error:
        for number, line in body:
            for word in line.split():
                try:
                    float(word)
                except ValueError:
                    raise FileError(f"{word!r} is not a number", path=path, line=number) from error
        raise


FORMAT = Metis()
