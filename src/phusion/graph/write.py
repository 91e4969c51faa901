"""Writing a graph to a file, whole or not at all, so that nothing is lost unasked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import InputError, suggest
from phusion.graph.accept import as_graph
from phusion.graph.files import all_formats, by_suffix
from phusion.graph.formats.base import Format, Holds
from phusion.graph.graph import Graph
from phusion.graph.ids import integers, object_array
from phusion.graph.streams import COMPRESSIONS, compress_stream, plain_suffix
from phusion.graph.zstd import check_zstd
from phusion.output import check_target, whole_file

__all__ = ["check_output", "losses", "write_graph"]


def write_graph(
    graph: Any,
    path: str | Path,
    *,
    format: str | None = None,
    lossy: bool = False,
    overwrite: bool = False,
) -> tuple[str, ...]:
    """Write a graph to a file; the suffix chooses the format, ``.gz .bz2 .xz .zst`` compress.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts is made a graph by it first.
    path : where to. The file appears whole or not at all.
    format : a format's name, if the suffix does not tell.
    lossy : write although the format cannot keep ids, direction, isolated nodes or self-loops.
    overwrite : replace an existing file.

    Returns
    -------
    what the file does not keep, in words; empty if it keeps everything.

    Examples
    --------
    >>> import phusion, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> graph = phusion.as_graph([("ada", "bob")])
    >>> phusion.write_graph(graph, f"{folder}/friends.graphml")
    ()
    >>> list(phusion.as_graph(f"{folder}/friends.graphml").nodes)
    ['ada', 'bob']
    """
    graph = as_graph(graph)
    target = Path(path)
    chosen = check_output(target, format=format, overwrite=overwrite)
    hard, soft = losses(graph, chosen, target)
    if hard and not lossy:
        others = sorted(f.suffixes[0] for f in all_formats().values() if f.holds and not losses(graph, f, target)[0])
        raise InputError(
            f"{chosen.title} cannot keep {'; '.join(hard)}. Formats that can: {', '.join(others) or 'none'}. "
            "Pass lossy=True (--lossy) to write it all the same"
        )
    compression = target.suffix.lower() if target.suffix.lower() in COMPRESSIONS else ""
    if graph.directed and "direction" in hard:
        graph = graph.undirected(how="max")
    if "self-loops" in hard:
        graph = graph.without_self_loops()
    _write_whole(graph, chosen, target, compression, overwrite)
    return (*hard, *soft)


def check_output(path: Path, *, format: str | None = None, overwrite: bool = False) -> Format:
    """The format a path would be written in; refused if there is none, or if the file exists."""
    chosen = _format_to_write(path, format)
    chosen.check_library()
    if path.suffix.lower() == ".zst":
        check_zstd()
    check_target(path, overwrite)
    return chosen


def _format_to_write(path: Path, name: str | None) -> Format:
    known = all_formats()
    if name is not None:
        if name not in known:
            raise InputError(f"format={name!r} is not known.{suggest(name, known)}")
        chosen = known[name]
    else:
        suffix = plain_suffix(path)
        found = by_suffix(suffix)
        if found is None:
            writable = sorted(s for f in known.values() if f.holds for s in f.suffixes)
            raise InputError(f"{path.name}: the suffix {suffix!r} names no format; known are {' '.join(writable)}")
        chosen = found
    if chosen.holds is None or plain_suffix(path) == ".npy":
        raise InputError(f"phusion reads {chosen.title} files but does not write {plain_suffix(path)}")
    return chosen


def losses(graph: Graph, chosen: Format, path: Path) -> tuple[list[str], list[str]]:
    """What of the graph itself a format cannot keep, and what of its order, labels and attributes."""
    holds = chosen.holds
    if holds is None:
        return ["anything: it is not written"], []
    hard = []
    if not _ids_kept(graph, chosen, holds, path):
        hard.append("these node ids" + (" (it has none; nodes come back as 0..n−1)" if "position" in holds.ids else ""))
    if graph.directed and not holds.direction:
        hard.append("direction")
    edges = np.diff(graph.adjacency.indptr) + np.bincount(graph.adjacency.indices, minlength=len(graph))
    if not holds.isolated and not edges.all():
        hard.append("nodes without edges")
    if graph.n_self_loops and not holds.self_loops:
        hard.append("self-loops")
    soft = chosen.also_lost(graph)
    if graph.labels is not None and not holds.labels:
        soft.append("labels are not written")
    if graph.attributes and not holds.attributes:
        soft.append("node attributes are not written")
    if graph.edge_attributes:
        soft.append("edge attributes are not written")
    return hard, soft


def _ids_kept(graph: Graph, chosen: Format, holds: Holds, path: Path) -> bool:
    ids = graph.nodes.tolist()
    if all(type(node) is int for node in ids):
        if "int" in holds.ids:
            return integers(ids).dtype != object
        start = 0 if "position" in holds.ids else 1
        return bool(ids == list(range(start, start + len(ids))))
    if all(type(node) is str for node in ids) and "str" in holds.ids:
        return chosen.keeps_text(ids, path) and not any("\ud800" <= c <= "\udfff" for node in ids for c in node)
    return False


def _write_whole(graph: Graph, chosen: Format, target: Path, compression: str, overwrite: bool) -> None:
    plain = _plain_ids(graph)
    with whole_file(target, overwrite=overwrite) as part, compress_stream(part, compression) as stream:
        chosen.write(plain, stream, target)


def _plain_ids(graph: Graph) -> Graph:
    """Python integers as a native array, and whatever is neither integer nor text as text."""
    ids = graph.nodes.tolist()
    if graph.nodes.dtype.kind in "iu" or all(type(node) is str for node in ids):
        return graph
    if all(type(node) is int for node in ids) and (native := integers(ids)).dtype != object:
        return replace(graph, nodes=native)
    words = [str(node) for node in ids]
    if len(set(words)) < len(words):
        raise InputError("as text, two of the node ids are the same; rename the nodes before writing them")
    return replace(graph, nodes=object_array(words))
