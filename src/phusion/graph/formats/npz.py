"""numpy files: scipy's sparse .npz (with ids and labels beside it, if we wrote it) and dense .npy."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import sparse

from phusion.errors import FileError, InputError
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import AN_EMBEDDING, Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, as_id_array, fits_in_array
from phusion.graph.labels import Labels
from phusion.graph.limits import check_announced, check_members
from phusion.graph.matrices import draft_from_matrix
from phusion.graph.streams import parsing, read_all

__all__ = ["FORMAT"]


class Npz(Format):
    """``scipy.sparse.save_npz`` files; ours open with ``scipy.sparse.load_npz`` too."""

    name = "npz"
    title = "scipy .npz, numpy .npy"
    suffixes = (".npz", ".npy")
    holds = Holds(ids=frozenset({"int", "str"}), labels=True)

    def recognises(self, head: bytes, path: Path) -> bool:
        """Numpy's magic, or a zip archive whose first member is an array."""
        return head[:6] == b"\x93NUMPY" or (head[:4] == b"PK\x03\x04" and b".npy" in head[:200])

    def contradicts(self, head: bytes) -> bool:
        """Anything else is not numpy's."""
        return not self.recognises(head, Path())

    def read(self, path: Path, options: Options) -> Draft:
        """Read without ever unpickling."""
        data = read_all(path, options.progress)
        with parsing(path, "scipy .npz or numpy file"):
            if data[:4] == b"PK\x03\x04":
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    check_members(archive, len(data), path)
            loaded = np.load(io.BytesIO(data), allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return draft_from_matrix(loaded, f"numpy file {path}", path)
            with loaded as arrays:
                parts = {name: arrays[name] for name in arrays.files}
            other = next((name for name, part in parts.items() if not isinstance(part, np.ndarray)), None)
            if other is not None:  # numpy gives whatever is no array as bytes
                raise FileError(f"its member {other!r} is no numpy array; is it damaged?", path=path)
            if {"values", "features", "phusion"} <= set(parts):
                raise FileError(AN_EMBEDDING, path=path)
            if "indices" in parts or "row" in parts or "offsets" in parts:
                matrix: Any = sparse.load_npz(io.BytesIO(data))
            else:
                matrix = _only_square(parts, path)
            if sparse.issparse(matrix):
                check_announced(matrix.shape[0], matrix.nnz, path)
        draft = draft_from_matrix(matrix, f"npz file {path}", path)
        if "directed" in parts:
            draft.directed = _one_truth(parts["directed"], path)
        if "nodes" in parts:
            draft.nodes = as_id_array(parts["nodes"])
            if len(draft.nodes) != matrix.shape[0]:
                raise FileError(f"{len(draft.nodes)} ids for {matrix.shape[0]} nodes", path=path)
        if "label_classes" in parts:
            with parsing(path, "label table"):
                names = parts["label_classes"][parts["label_class"]].tolist()
                draft.labels = Labels.from_pairs(len(draft.nodes), parts["label_node"], names)
        return draft

    def keeps_text(self, ids: list[str], path: Path) -> bool:
        """Numpy drops zero characters at the end of text, and gives each word the room of the longest."""
        return fits_in_array(ids)

    def also_lost(self, graph: Graph) -> list[str]:
        """Classes are integers or text."""
        if graph.labels is None or graph.labels.classes.dtype.kind != "O":
            return []
        return ["classes are written as text"]

    def write(self, graph: Graph, stream: IO[bytes], path: Path) -> None:
        """Write the keys of scipy's format, then ours."""
        matrix = graph.adjacency
        parts: dict[str, Any] = {
            "format": b"csr", "shape": matrix.shape, "_is_array": np.array(True),
            "data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr,
            "directed": np.array(graph.directed),
        }  # fmt: skip
        nodes = graph.nodes
        if nodes.dtype.kind == "O" and not fits_in_array(nodes.tolist()):
            raise InputError(
                ".npz drops zero characters at the end of ids and gives each the room of the longest; write .parquet"
            )
        parts["nodes"] = nodes if nodes.dtype.kind in "iu" else np.array(nodes.tolist())
        if graph.labels is not None:
            pairs = graph.labels.membership.tocoo()
            classes = graph.labels.classes
            parts["label_classes"] = classes if classes.dtype.kind != "O" else np.array(classes.astype(str))
            parts["label_node"], parts["label_class"] = pairs.row, pairs.col
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **parts)
        stream.write(buffer.getvalue())


def _one_truth(stated: Array, path: Path) -> bool:
    if stated.size != 1 or stated.dtype.kind not in "biu":
        raise FileError(f"its array 'directed' is not one truth value but {stated.dtype} {stated.shape}", path=path)
    return bool(stated.ravel()[0])


def _only_square(parts: dict[str, Any], path: Path) -> Any:
    square = [a for a in parts.values() if a.ndim == 2 and a.shape[0] == a.shape[1] and a.dtype.kind in "fiub"]
    if len(square) != 1:
        raise FileError(
            f"needs one square matrix; found {len(square)} among {', '.join(parts) or 'no arrays'}", path=path
        )
    return square[0]


FORMAT = Npz()
