"""MATLAB .mat files with a matrix ``network`` and, if there are labels, ``group`` (nodes × classes)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import sparse

from phusion.errors import FileError
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import Format, Holds
from phusion.graph.given_labels import add_labels
from phusion.graph.graph import Graph
from phusion.graph.labels import Labels
from phusion.graph.matlab5 import read_variables
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.streams import parsing, read_all

__all__ = ["FORMAT"]

_NETWORK = ("network", "A", "adj", "adjacency", "graph", "W", "G")
_HDF5 = 2  # the version of such files
_GROUP = ("group", "groups", "label", "labels", "gnd")


class Matlab(Format):
    """As the node-embedding literature shares its data sets. Nodes are 0..n−1."""

    name = "matlab"
    title = "MATLAB .mat"
    suffixes = (".mat",)
    holds = Holds(ids=frozenset({"position"}), labels=True)

    def recognises(self, head: bytes, path: Path) -> bool:
        """By the text every MATLAB 5 file starts with."""
        return head[:6] == b"MATLAB"

    def read(self, path: Path, options: Options) -> Draft:
        """MATLAB 7.3 files (HDF5) are refused with a way out."""
        data = read_all(path, options.progress)
        if not data:
            raise FileError("the file is empty", path=path)
        with parsing(path, "MATLAB file"):
            return _draft(_variables(data, path), path)

    def also_lost(self, graph: Graph) -> list[str]:
        """Classes are the columns of a matrix."""
        classes = [] if graph.labels is None else graph.labels.classes.tolist()
        return [] if classes == list(range(len(classes))) else ["classes come back as 0, 1, …"]

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write ``network`` and ``group``."""
        from scipy.io import savemat

        content: dict[str, Any] = {"network": sparse.csc_matrix(graph.adjacency), "directed": graph.directed}
        if graph.labels is not None:
            content["group"] = sparse.csc_matrix(graph.labels.membership.astype(np.float64))
        buffer = io.BytesIO()
        savemat(buffer, content, do_compression=True)
        stream.write(buffer.getvalue())


def _draft(found: dict[str, Any], path: Path) -> Draft:
    variables = {name: value for name, value in found.items() if not name.startswith("__")}
    name = _network(variables, path)
    draft = draft_from_matrix(variables.pop(name), f"MATLAB file {path}", path)
    if name != "network":
        draft.notes.append(f"the graph was taken from variable {name!r}")
    group = next((key for key in _GROUP if variables.get(key) is not None), None)
    if group is not None:
        _add_group(draft, variables.pop(group), group)
    if "directed" in variables:
        said = variables.pop("directed")
        draft.directed = bool(said.nnz if sparse.issparse(said) else np.any(said))
    if variables:
        draft.notes.append(f"variables not used: {', '.join(map(repr, variables))}")
    return draft


def _variables(data: bytes, path: Path) -> dict[str, Any]:
    """Of MATLAB 5 and, through scipy, of MATLAB 4, which has zeros among its first bytes."""
    if 0 in data[:4] or len(data) < 128:
        from scipy.io import loadmat

        found: dict[str, Any] = loadmat(io.BytesIO(data), spmatrix=False)
        return found
    if data[125 if data[126:128] == b"IM" else 124] == _HDF5:
        raise FileError("is a MATLAB 7.3 file (HDF5); in MATLAB, save it again with save(…, '-v7')", path=path)
    return read_variables(data, path)


def _network(variables: dict[str, Any], path: Path) -> str:
    """The variable that holds the graph: by name, else the only square matrix."""
    for name in _NETWORK:
        if variables.get(name) is not None:
            return name
    square = [
        name
        for name, value in variables.items()
        if getattr(value, "ndim", 0) == 2 and value.shape[0] == value.shape[1] > 1
    ]
    if len(square) != 1:
        raise FileError(
            f"has no variable 'network' (found: {', '.join(variables) or 'none'}); save the adjacency "
            "matrix under that name",
            path=path,
        )
    return square[0]


def _add_group(draft: Draft, group: Any, name: str) -> None:
    """A matrix nodes × classes, or a vector with one class per node."""
    n = len(draft.nodes)
    if group.shape in ((n, 1), (1, n)) and not sparse.issparse(group):
        draft.labels = Labels.from_values(np.ravel(group).tolist())
    elif group.shape[0] == n:
        add_labels(draft, group, Options())
    else:
        draft.notes.append(f"{name!r} has {group.shape[0]:,} rows for {n:,} nodes and was not used")


FORMAT = Matlab()
