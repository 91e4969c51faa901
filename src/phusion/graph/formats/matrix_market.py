"""Matrix Market: a sparse or dense matrix as text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO

from phusion.errors import FileError
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.lines import stated_direction
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.streams import read_all

__all__ = ["FORMAT"]

_BANNER = b"%%matrixmarket"


class MatrixMarket(Format):
    """The adjacency matrix; a symmetric one is undirected. Nodes are 0..n−1."""

    name = "matrix_market"
    title = "Matrix Market"
    suffixes = (".mtx", ".mm")
    holds = Holds(ids=frozenset({"position"}))

    def recognises(self, head: bytes, path: Path) -> bool:
        """By its banner."""
        return head[:14].lower() == _BANNER

    def contradicts(self, head: bytes) -> bool:
        """Without the banner it is something else, often an edge list."""
        return not self.recognises(head, Path())

    def read(self, path: Path, options: Options) -> Draft:
        """Read with scipy's parser."""
        from scipy.io import mmread

        data = read_all(path, options.progress)
        words = data[: data.find(b"\n")].decode(errors="replace").lower().split()
        if "complex" in words or "hermitian" in words:
            raise FileError("has complex weights; weights must be real numbers", path=path, line=1)
        try:
            matrix = mmread(io.BytesIO(data))
        except (ValueError, OverflowError, StopIteration) as error:
            raise FileError(f"is not a valid Matrix Market file: {error}", path=path) from error
        draft = draft_from_matrix(matrix, f"Matrix Market file {path}", path)
        if "pattern" in words:
            draft.weights = None
        stated = stated_direction(data)
        draft.directed = False if "symmetric" in words else stated
        return draft

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write with scipy; symmetric if undirected, every digit kept."""
        from scipy.io import mmwrite

        field = "real" if graph.weighted or graph.signed else "pattern"
        symmetry = "general" if graph.directed else "symmetric"
        buffer = io.BytesIO()
        comment = f"{'Directed' if graph.directed else 'Undirected'} graph"
        mmwrite(buffer, graph.adjacency.tocoo(), comment, field=field, precision=17, symmetry=symmetry)
        stream.write(buffer.getvalue())


FORMAT = MatrixMarket()
