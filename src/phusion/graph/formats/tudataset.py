"""TUDataset: many graphs in one folder or zip (NAME_A.txt, NAME_graph_indicator.txt, …)."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from phusion.errors import FileError
from phusion.graph import columnar
from phusion.graph.batch import GraphBatch
from phusion.graph.build import build
from phusion.graph.columnar.base import Kind, Unparsable
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import BatchFormat
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.labels import Labels
from phusion.graph.limits import check_announced, check_members
from phusion.graph.streams import explained, parsing

__all__ = ["FORMAT"]

_PARTS = (
    "A", "graph_indicator", "graph_labels", "graph_attributes",
    "node_labels", "node_attributes", "edge_labels", "edge_attributes",
)  # fmt: skip


class TUDataset(BatchFormat):
    """Arcs listed twice count once. Node ids are those of the files, 1..N over all graphs."""

    name = "tudataset"
    title = "TUDataset"
    suffixes = (".zip",)

    def recognises(self, head: bytes, path: Path) -> bool:
        """A folder or a zip archive with a member ``…_A.txt``."""
        if path.is_dir():
            return any(any(path.glob(f"*_{part}.txt")) for part in _PARTS)
        if head[:4] not in (b"PK\x03\x04", b"PK\x05\x06"):
            return False
        return any(name.endswith(tuple(f"_{part}.txt" for part in _PARTS)) for name in _members(path))

    def read_batch(self, path: Path, options: Options) -> GraphBatch:
        """Read all graphs as one disjoint union, then cut it apart."""
        name, parts = _load(path)
        missing = [part for part in ("A", "graph_indicator") if part not in parts]
        if missing:
            raise FileError(
                f"the data set lacks {', '.join(f'{name}_{part}.txt' for part in missing)}; "
                f"found only {', '.join(sorted(parts)) or 'nothing'}",
                path=path,
            )
        where = {part: f"{path}/{name}_{part}.txt" for part in parts}
        indicator = _numbers(parts["graph_indicator"], where["graph_indicator"], integers=True)[:, 0]
        if not len(indicator):
            raise FileError("no nodes, so no graphs", path=where["graph_indicator"])
        if indicator.min() < 1:
            raise FileError("graph numbers start at 1", path=where["graph_indicator"])
        labels = _graph_labels(parts, where)
        n_graphs = int(indicator.max()) if labels is None else len(labels)
        check_announced(n_graphs, len(indicator), where["graph_indicator"], "graphs")
        if indicator.max() > n_graphs:
            raise FileError(
                f"names graph {indicator.max():,}, but there are {n_graphs:,} graph labels",
                path=where["graph_indicator"],
            )
        draft = _union(parts, where, indicator, path)
        whole = build(draft, options)
        order = np.argsort(indicator, kind="stable")
        if (order[1:] < order[:-1]).any():
            whole = whole.permuted(order)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(indicator - 1, minlength=n_graphs))])
        notes = list(draft.notes)
        empty = int((np.diff(offsets) == 0).sum())
        if empty:
            notes.append(f"{empty:,} graphs have no nodes")
        graphs = tuple(
            _cut(whole, start, stop) for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        )
        return GraphBatch(graphs, labels, name, tuple(notes))


def _members(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return [member.filename for member in archive.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, OSError):
        return []


def _load(path: Path) -> tuple[str, dict[str, bytes]]:
    """The data set's name and the contents of its parts."""
    if path.is_dir():
        contents = {}
        for each in sorted(each for part in _PARTS for each in path.glob(f"*_{part}.txt")):
            with explained(each):
                contents[each.name] = each.read_bytes()
    else:
        with parsing(path, "zip archive"), zipfile.ZipFile(path) as archive:
            check_members(archive, path.stat().st_size, path)
            contents = {
                member.filename.rpartition("/")[2]: archive.read(member)
                for member in archive.infolist()
                if member.filename.endswith(".txt") and not member.filename.rpartition("/")[2].startswith("._")
            }
    found: dict[str, dict[str, bytes]] = {}
    for file, data in contents.items():
        for part in _PARTS:
            if file.endswith(f"_{part}.txt"):
                found.setdefault(file.removesuffix(f"_{part}.txt"), {})[part] = data
    if len(found) != 1:
        raise FileError(
            f"needs the files of one TUDataset; found those of {', '.join(sorted(found)) or 'none'}",
            path=path,
        )
    return next(iter(found.items()))


def _numbers(data: bytes, where: str, *, integers: bool, columns: int | None = None) -> Array:
    """A file of comma-separated numbers as a 2-d array."""
    lines = data.strip().splitlines()
    if not lines:
        return np.empty((0, columns or 1), dtype=np.int64 if integers else np.float64)
    width = columns or lines[0].count(b",") + 1
    kinds = dict.fromkeys(range(width), Kind.INT64 if integers else Kind.FLOAT64)
    try:
        found = columnar.fastest().parse(data, ",", width, kinds)
    except Unparsable as error:
        raise _bad_line(data, where, kinds) from error
    if any(column.missing for column in found.values()):
        raise _bad_line(data, where, kinds)
    return np.column_stack([column.values for column in found.values()])


def _bad_line(data: bytes, where: str, kinds: dict[int, Kind]) -> FileError:
    width, kind = len(kinds), "integers" if Kind.INT64 in kinds.values() else "numbers"
    for number, line in enumerate(data.splitlines(), 1):
        words = [word.strip() for word in line.split(b",")]
        try:
            right = len(words) == width and all(
                (int(word) if kind == "integers" else float(word)) is not None for word in words
            )
        except ValueError:
            right = False
        if line.strip() and not right:
            shown = line.decode(errors="replace")[:60]
            return FileError(f"expected {width} {kind}, comma-separated; got {shown!r}", path=where, line=number)
    return FileError(columnar.why_not(data, ",", width, kinds), path=where)


def _graph_labels(parts: dict[str, bytes], where: dict[str, str]) -> Array | None:
    if "graph_labels" in parts:
        return _whole(_numbers(parts["graph_labels"], where["graph_labels"], integers=False)[:, 0])
    if "graph_attributes" in parts:
        attributes = _numbers(parts["graph_attributes"], where["graph_attributes"], integers=False)
        return attributes[:, 0] if attributes.shape[1] == 1 else attributes
    return None


def _whole(values: Array) -> Array:
    """Numbers as integers, if all of them are."""
    finite = np.isfinite(values).all() and np.abs(values).max(initial=0) < 2**53
    return values.astype(np.int64) if finite and (values == np.round(values)).all() else values


def _union(parts: dict[str, bytes], where: dict[str, str], indicator: Array, path: Path) -> Draft:
    n_nodes = len(indicator)
    arcs = _numbers(parts["A"], where["A"], integers=True, columns=2)
    wrong = np.flatnonzero(((arcs < 1) | (arcs > n_nodes)).any(axis=1))
    if len(wrong):
        ends = arcs[wrong[0]]
        odd = ends[(ends < 1) | (ends > n_nodes)][0]
        raise FileError(
            f"names node {odd:,}, but graph_indicator has the nodes 1..{n_nodes:,}",
            path=where["A"],
            line=int(wrong[0]) + 1,
        )
    across = np.flatnonzero(indicator[arcs[:, 0] - 1] != indicator[arcs[:, 1] - 1])
    if len(across):
        u, v = arcs[across[0]]
        raise FileError(
            f"joins node {u} to node {v}, which are in different graphs", path=where["A"], line=int(across[0]) + 1
        )
    draft = Draft(
        arcs[:, 0] - 1,
        arcs[:, 1] - 1,
        np.arange(1, n_nodes + 1, dtype=np.int64),
        source=f"TUDataset {path}",
        path=path,
    )

    def column(part: str, size: int, what: str, integers: bool) -> Array | None:
        if part not in parts:
            return None
        values = _numbers(parts[part], where[part], integers=integers)
        if len(values) != size:
            raise FileError(f"has {len(values):,} lines for {size:,} {what}", path=where[part])
        return values[:, 0] if values.shape[1] == 1 else values

    classes = column("node_labels", n_nodes, "nodes", False)
    if classes is not None:
        classes = _whole(classes)
        names = classes.tolist() if classes.ndim == 1 else [tuple(row) for row in classes.tolist()]
        draft.labels = Labels.from_pairs(n_nodes, np.arange(n_nodes), names)
    attributes = column("node_attributes", n_nodes, "nodes", False)
    if attributes is not None:
        draft.attributes["node_attributes"] = attributes
    for part, integers in (("edge_labels", True), ("edge_attributes", False)):
        values = column(part, len(arcs), "edges", integers)
        if values is not None:
            draft.edge_attributes[part] = values
    return draft


def _cut(whole: Graph, start: int, stop: int) -> Graph:
    """The graph of nodes start..stop of a disjoint union."""
    indptr = whole.adjacency.indptr[start : stop + 1]
    entries = slice(int(indptr[0]), int(indptr[-1]))
    matrix: Any = sparse.csr_array(
        (whole.adjacency.data[entries], whole.adjacency.indices[entries] - start, indptr - indptr[0]),
        shape=(stop - start, stop - start),
    )
    return Graph(
        matrix,
        whole.nodes[start:stop],
        whole.directed,
        {name: values[start:stop] for name, values in whole.attributes.items()},
        None if whole.labels is None else whole.labels.take(np.arange(start, stop)),
        {name: values[entries] for name, values in whole.edge_attributes.items()},
    )


FORMAT = TUDataset()
