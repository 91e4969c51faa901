"""Files: which format a path is in, reading it, and writing a graph so that nothing is lost unasked."""

from __future__ import annotations

import os
import tempfile
import zipfile
from dataclasses import replace
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import iter_modules

import numpy as np

from phusion.errors import FileError, InputError, NoEdgesError, OutputError, UnreadableFileError, suggest
from phusion.graph import formats
from phusion.graph.batch import GraphBatch
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import BatchFormat, Format
from phusion.graph.graph import Graph
from phusion.graph.ids import integers, object_array
from phusion.graph.streams import COMPRESSIONS, compress_stream, explained, parsing, peek, plain_suffixes

__all__ = ["all_formats", "check_output", "choose_format", "losses", "read_file", "write_graph"]


@cache
def all_formats() -> dict[str, Format]:
    """Every known format by name: the modules of `phusion.graph.formats`, then entry points."""
    modules = [import_module(f"{formats.__name__}.{m.name}") for m in iter_modules(formats.__path__)]
    found = {m.FORMAT.name: m.FORMAT for m in modules if hasattr(m, "FORMAT")}
    for point in metadata.entry_points(group="phusion.formats"):
        plugin = point.load()
        plugin = getattr(plugin, "FORMAT", plugin)
        found.setdefault(plugin.name, plugin)
    return found


def read_file(path: Path, options: Options) -> Draft | GraphBatch:
    """Read a graph, or a batch if the format holds many; the format is seen from content and suffix."""
    with explained(path):
        if not path.is_dir() and _is_wrapping_zip(path):
            return _read_only_member(path, options)
        chosen, note = choose_format(path, options)
    result = chosen.read_batch(path, options) if isinstance(chosen, BatchFormat) else chosen.read(path, options)
    if isinstance(result, Draft):
        result.path = path
        result.name = result.name or path.name.partition(".")[0]
        if note:
            result.notes.insert(0, note)
    return result


def choose_format(path: Path, options: Options) -> tuple[Format, str]:
    """The format of a file, and what to say if it was guessed against its suffix."""
    known = all_formats()
    if options.format is not None:
        if options.format not in known:
            raise InputError(f"format={options.format!r} is not known.{suggest(options.format, known)}")
        return known[options.format], ""
    if path.is_dir():
        if known["tudataset"].recognises(b"", path):
            return known["tudataset"], ""
        raise UnreadableFileError(
            "this is a folder, and not of a TUDataset (NAME_A.txt, NAME_graph_indicator.txt, …); give a file",
            path=path,
        )
    head = peek(path)
    if not head:
        raise NoEdgesError("the file is empty", path=path)
    for candidate in known.values():
        if candidate.recognises(head, path):
            return candidate, ""
    suffix = (plain_suffixes(path) or [""])[-1]
    by_suffix = next((f for f in known.values() if suffix in f.suffixes), None)
    fallback = known["edgelist"]
    if by_suffix is None:
        return fallback, f"the suffix {suffix!r} is not known; read as an edge list" if suffix else ""
    if by_suffix is not fallback and by_suffix.contradicts(head):
        if b"\x00" in head[:4096] or isinstance(by_suffix, BatchFormat):
            raise FileError(f"is not a {by_suffix.title} file, though its suffix says so", path=path)
        return fallback, f"the suffix says {by_suffix.title} but the content does not; read as an edge list"
    return by_suffix, ""


def _is_wrapping_zip(path: Path) -> bool:
    """Whether this is a zip archive around a single file that is not numpy's."""
    if path.suffix.lower() != ".zip" or not zipfile.is_zipfile(path):
        return False
    with parsing(path, "zip archive"), zipfile.ZipFile(path) as archive:
        files = [member for member in archive.infolist() if not member.is_dir()]
    return len(files) == 1 and not files[0].filename.endswith("_A.txt")


def _read_only_member(path: Path, options: Options) -> Draft | GraphBatch:
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        member = next(m for m in archive.infolist() if not m.is_dir())
        # only the last part of the name, so that nothing can be written elsewhere
        inner = Path(folder) / (Path(member.filename.replace("\\", "/")).name or "member")
        try:
            with archive.open(member) as packed:
                inner.write_bytes(packed.read())
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
            raise FileError(f"cannot be unpacked ({error}); fetch it again", path=path) from error
        try:
            result = read_file(inner, options)
        except FileError as error:
            raise type(error)(error.message, path=f"{path}/{member.filename}", line=error.line) from error
    if isinstance(result, Draft):
        result.path = path
        result.source = result.source.replace(str(inner), f"{path}/{member.filename}")
    return result


def write_graph(
    graph: Graph,
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
    target = Path(path)
    chosen = check_output(target, format=format, overwrite=overwrite)
    hard, soft = losses(graph, chosen, target)
    assert chosen.holds is not None
    if hard and not lossy:
        others = sorted(f.suffixes[0] for f in all_formats().values() if f.holds and not losses(graph, f, target)[0])
        raise InputError(
            f"{chosen.title} cannot keep {'; '.join(hard)}. Formats that can: {', '.join(others) or 'none'}. "
            "Pass lossy=True (--lossy) to write it all the same"
        )
    compression = target.suffix.lower() if target.suffix.lower() in COMPRESSIONS else ""
    if graph.directed and not chosen.holds.direction:
        graph = graph.undirected(how="max")
    if graph.n_self_loops and not chosen.holds.self_loops:
        graph = graph.without_self_loops()
    _write_whole(graph, chosen, target, compression)
    return (*hard, *soft)


def check_output(path: Path, *, format: str | None = None, overwrite: bool = False) -> Format:
    """The format a path would be written in; refused if there is none, or if the file exists."""
    chosen = _format_to_write(path, format)
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists; pass overwrite=True (--force) to replace it")
    return chosen


def _format_to_write(path: Path, name: str | None) -> Format:
    known = all_formats()
    if name is not None:
        if name not in known:
            raise InputError(f"format={name!r} is not known.{suggest(name, known)}")
        chosen = known[name]
    else:
        suffix = (plain_suffixes(path) or [""])[-1]
        found = next((f for f in known.values() if suffix in f.suffixes), None)
        if found is None:
            writable = sorted(s for f in known.values() if f.holds for s in f.suffixes)
            raise InputError(f"{path.name}: the suffix {suffix!r} names no format; known are {' '.join(writable)}")
        chosen = found
    if chosen.holds is None:
        raise InputError(f"phusion reads {chosen.title} files but does not write them")
    return chosen


def losses(graph: Graph, chosen: Format, path: Path) -> tuple[list[str], list[str]]:
    """What of the graph itself a format cannot keep, and what of its labels and attributes."""
    holds = chosen.holds
    if holds is None:
        return ["anything: it is not written"], []
    hard, soft = [], []
    if not _ids_kept(graph, chosen, path):
        hard.append("these node ids" + (" (it has none; nodes come back as 0..n−1)" if "position" in holds.ids else ""))
    if graph.directed and not holds.direction:
        hard.append("direction")
    if not holds.isolated and (np.diff(graph.adjacency.indptr) + np.bincount(
        graph.adjacency.indices, minlength=len(graph)
    ) == 0).any():  # fmt: skip
        hard.append("nodes without edges")
    if graph.n_self_loops and not holds.self_loops:
        hard.append("self-loops")
    if graph.labels is not None and not holds.labels:
        soft.append("labels are not written")
    if graph.attributes and not holds.attributes:
        soft.append("node attributes are not written")
    if graph.edge_attributes:
        soft.append("edge attributes are not written")
    return hard, soft


def _ids_kept(graph: Graph, chosen: Format, path: Path) -> bool:
    ids = graph.nodes.tolist()
    holds = chosen.holds
    assert holds is not None
    if all(type(node) is int for node in ids):
        if "int" in holds.ids:
            return integers(ids).dtype != object
        start = 0 if "position" in holds.ids else 1
        return bool(ids == list(range(start, start + len(ids))))
    if all(type(node) is str for node in ids):
        return "str" in holds.ids and chosen.keeps_text(ids, path)
    return False


def _write_whole(graph: Graph, chosen: Format, target: Path, compression: str) -> None:
    """Write beside the target and rename, so that no half-written file is ever seen."""
    plain = _plain_ids(graph)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent or ".")
        os.close(handle)
    except OSError as error:
        raise OutputError(f"cannot write in {target.parent}: {error.strerror or error}") from error
    part = Path(name)
    try:
        with compress_stream(part, compression) as stream:
            chosen.write(plain, stream, target)
        part.chmod(0o666 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


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
