"""Files: which formats there are, which one a path is in, and reading it."""

from __future__ import annotations

import re
import zipfile
import zlib
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from pkgutil import iter_modules

from phusion.errors import FileError, InputError, NoEdgesError, UnreadableFileError, suggest
from phusion.graph import formats
from phusion.graph.batch import GraphBatch
from phusion.graph.draft import Draft, Options
from phusion.graph.formats.base import BatchFormat, Format
from phusion.graph.limits import Allowance
from phusion.graph.pipes import settled
from phusion.graph.streams import explained, parsing, peek, plain_suffix
from phusion.output import scratch_folder

__all__ = ["all_formats", "by_suffix", "choose_format", "is_wrapping_zip", "read_file"]


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


def by_suffix(suffix: str) -> Format | None:
    """The format this suffix stands for."""
    return next((known for known in all_formats().values() if suffix in known.suffixes), None)


def read_file(path: Path, options: Options) -> Draft | GraphBatch:
    """Read a graph, or a batch if the format holds many; the format is seen from content and suffix."""
    with explained(path):
        if path.is_fifo():
            with settled(path) as inner:
                return _renamed(read_file(inner, options), inner, path)
        if not path.is_dir() and is_wrapping_zip(path):
            return _read_only_member(path, options)
        chosen, note = choose_format(path, options)
    options.refuse_all_but({*chosen.understands, "format"}, f"{chosen.title} file ({path.name})")
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
    suffix = plain_suffix(path)
    expected = by_suffix(suffix)
    fallback = known["edgelist"]
    if expected in (None, fallback) and options.delimiter is None:
        _refuse_what_is_no_list(head, path)
    if expected is None:
        return fallback, f"the suffix {suffix!r} is not known; read as an edge list" if suffix else ""
    if expected is not fallback and expected.contradicts(head):
        if b"\x00" in head[:4096] or isinstance(expected, BatchFormat):
            raise FileError(f"is not a {expected.title} file, though its suffix says so", path=path)
        return fallback, f"the suffix says {expected.title} but the content does not; read as an edge list"
    return expected, ""


_NO_LISTS = (
    (rb"(?i)<(?:!doctype\s+html|html|head|body)\b", "a web page, perhaps that of an error; fetch the file again"),
    (rb"(?i)<(?:\?xml|gexf|graph|svg|!--)", "XML; of its kinds phusion reads GraphML. Save the graph as GraphML"),
    (
        rb'\{\s*(?:"|\})|\[\s*(?:\[|\{)',
        "JSON, which phusion does not read; make a graph of it, as by networkx.node_link_graph, and pass that",
    ),
    (rb"version https://git-lfs", "a pointer of Git LFS, not the file; `git lfs pull` fetches it"),
)


def _refuse_what_is_no_list(head: bytes, path: Path) -> None:
    """What is plainly something else would make a list of nonsense."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    for pattern, what in _NO_LISTS:
        if re.match(pattern, text):
            raise FileError(f"this is {what}", path=path)


def is_wrapping_zip(path: Path) -> bool:
    """Whether this is a zip archive around a single file (and not what is left of a TUDataset)."""
    if path.is_dir() or path.suffix.lower() != ".zip" or not zipfile.is_zipfile(path):
        return False
    with parsing(path, "zip archive"), zipfile.ZipFile(path) as archive:
        files = [member for member in archive.infolist() if not member.is_dir()]
    return len(files) == 1 and not files[0].filename.endswith("_A.txt")


def _renamed(result: Draft | GraphBatch, inner: Path, path: Path, member: str = "") -> Draft | GraphBatch:
    """As if it had been read where it came from."""
    if isinstance(result, Draft):
        result.path = path
        result.source = result.source.replace(str(inner), f"{path}/{member}" if member else str(path))
    return result


def _read_only_member(path: Path, options: Options) -> Draft | GraphBatch:
    with zipfile.ZipFile(path) as archive, scratch_folder("zip") as folder:
        member = next(m for m in archive.infolist() if not m.is_dir())
        if member.filename.lower().endswith(".zip"):  # it may even hold itself, for ever
            raise FileError("is a zip archive in a zip archive; unpack it once", path=path)
        # only the last part of the name, so that nothing can be written elsewhere
        inner = folder / (Path(member.filename.replace("\\", "/")).name or "member")
        try:
            with archive.open(member) as packed:
                inner.write_bytes(Allowance(path.stat().st_size, path).read(packed))
        except FileError:
            raise
        except (zipfile.BadZipFile, RuntimeError, ValueError, NotImplementedError, EOFError, zlib.error) as error:
            raise FileError(f"cannot be unpacked ({error}); fetch it again", path=path) from error
        try:
            result = read_file(inner, options)
        except FileError as error:
            raise type(error)(error.message, path=f"{path}/{member.filename}", line=error.line) from error
    return _renamed(result, inner, path, member.filename)
