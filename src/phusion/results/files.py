"""Saving and loading embeddings: the formats there are, and which one a path means."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from phusion import results
from phusion.errors import FileError, InputError, PhusionError, UnreadableFileError, suggest
from phusion.output import check_target, whole_file, whole_files, whole_folder
from phusion.paths import exists, impossible
from phusion.results.base import ResultFormat
from phusion.results.embedding import Embedding

__all__ = ["all_result_formats", "check_result", "load", "save", "write"]


@cache
def all_result_formats() -> dict[str, ResultFormat]:
    """Every format by name: the modules of `phusion.results` that have one."""
    found: dict[str, ResultFormat] = {}
    for module in iter_modules(results.__path__):
        entry = getattr(import_module(f"{results.__name__}.{module.name}"), "FORMAT", ())
        for one in entry if isinstance(entry, tuple) else (entry,):
            found[one.name] = one
    return found


def check_result(
    path: Path, *, format: str | None = None, overwrite: bool = False, in_parts: bool = False
) -> ResultFormat:
    """The format a path would be written in, as a file or in parts; refused if there is none, or if the path exists."""
    chosen = _chosen(path, format)
    if in_parts and not chosen.in_parts:
        known = " ".join(suffix for one in all_result_formats().values() if one.in_parts for suffix in one.suffixes)
        raise InputError(f"{path.name}: {chosen.title} is not written in parts; {known} are")
    chosen.check_library()
    for target in chosen.targets(path):
        replaceable = (in_parts or chosen.folder) and exists(target) and target.is_dir() and chosen.owns(target)
        check_target(target, overwrite, folder=replaceable)
    return chosen


def save(embedding: Embedding, path: Path, *, format: str | None = None, overwrite: bool = False) -> tuple[str, ...]:
    """Write an embedding; the file appears whole or not at all."""
    chosen = check_result(path, format=format, overwrite=overwrite)
    targets = chosen.targets(path)
    if len(targets) > 1:
        with whole_files(*targets, overwrite=overwrite) as folder:
            _write(chosen, embedding, folder / path.name, path)
    else:
        with (whole_folder if chosen.folder else whole_file)(path, overwrite=overwrite) as part:
            _write(chosen, embedding, part, path)
    return tuple(chosen.lost(embedding.nodes))


def write(embedding: Embedding, path: Path) -> None:
    """Write an embedding into a folder that is itself unfinished."""
    _write(_chosen(path, None), embedding, path, path)


def _write(chosen: ResultFormat, embedding: Embedding, part: Path, path: Path) -> None:
    try:
        chosen.write(embedding, part, path)
    except PhusionError:
        raise
    except (ValueError, OverflowError) as error:  # surrogates, NUL characters and what else a format cannot hold
        raise InputError(f"{chosen.title} cannot hold this embedding: {error}") from error


def load(path: Path, *, format: str | None = None) -> Embedding:
    """Read an embedding."""
    chosen = _chosen(path, format)
    if reason := impossible(path):
        raise UnreadableFileError(reason, path=repr(str(path)))
    if not (path.is_file() or (chosen.in_parts and path.is_dir())):
        raise UnreadableFileError("there is no such file", path=path)
    try:
        return chosen.read(path)
    except PhusionError:
        raise
    except OSError as error:
        raise UnreadableFileError(f"cannot be read: {error.strerror or error}", path=path) from error
    except Exception as error:  # libraries raise all kinds of errors for damaged files
        why = "" if "pickle" in str(error) else f": {error}"
        raise FileError(f"this is not an embedding in {chosen.title}{why}", path=path) from error


def _chosen(path: Path, name: str | None) -> ResultFormat:
    known = all_result_formats()
    if name is not None:
        if name not in known:
            raise InputError(f"format={name!r} is not known.{suggest(name, known)}")
        return known[name]
    # the longest suffix wins: .tensors.tsv is not .tsv
    fitting = [(suffix, one) for one in known.values() for suffix in one.suffixes if path.name.lower().endswith(suffix)]
    if not fitting:
        suffixes = " ".join(suffix for one in known.values() for suffix in one.suffixes)
        raise InputError(f"{path.name}: its suffix names no format for embeddings; known are {suffixes}")
    return max(fitting, key=lambda pair: len(pair[0]))[1]
