"""What phusion raises and warns: one base class, and never a bare traceback for bad input.

Every message says what was given, what is accepted and what to do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

__all__ = [
    "DatasetError",
    "FileError",
    "GraphNotice",
    "InputError",
    "InputTypeError",
    "MethodWarning",
    "MissingLibraryError",
    "NoEdgesError",
    "OutputError",
    "PhusionError",
    "UnreadableFileError",
    "WeightError",
    "callers_level",
    "suggest",
]

_OURS = ("phusion", "contextlib", "functools")  # modules that are on the way from a user's line to a warning


class PhusionError(Exception):
    """Base of everything phusion raises on purpose."""


class InputError(PhusionError, ValueError):
    """A value cannot be used; it is a ``ValueError`` too."""


class InputTypeError(PhusionError, TypeError):
    """An object is of a kind that is not accepted; it is a ``TypeError`` too."""


class FileError(InputError):
    """The content of a file cannot be used; says where, with the line if there is one."""

    def __init__(self, message: str, *, path: str | Path | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        super().__init__(message)

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.path, None if self.line is None else f"line {self.line:,}") if part)
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return _file_error, (type(self), self.message, self.path, self.line)


def _file_error(kind: type[FileError], message: str, path: str | None, line: int | None) -> FileError:
    return kind(message, path=path, line=line)


class NoEdgesError(FileError):
    """A list without edges; with nodes= it is a graph all the same."""


class WeightError(FileError, TypeError):
    """Edge weights of a kind that cannot weigh; a ``ValueError`` and a ``TypeError`` too."""


class UnreadableFileError(FileError, OSError):
    """A path cannot be read at all: missing, a folder, no permission. An ``OSError`` too."""


class OutputError(PhusionError, OSError):
    """A result cannot be written; what was there before is untouched. An ``OSError`` too."""


class DatasetError(InputError):
    """A data set is unknown, not here, or not what its registry entry says."""


class MissingLibraryError(PhusionError, ImportError):
    """Something needs a library that is not installed; says how to install it. An ``ImportError`` too."""

    def __init__(self, what: str, library: str, extra: str, *, instead: str = "") -> None:
        super().__init__(
            f"{what} needs {library}, which is not installed: pip install {library}, or 'phusion-embed[{extra}]'"
            + (f"; or {instead}" if instead else "")
        )


class GraphNotice(UserWarning):
    """Says, once per graph, what was combined, guessed or ignored while reading it.

    The same sentences stand in ``graph.reading.notes``. Silence them with
    ``warnings.simplefilter("ignore", phusion.errors.GraphNotice)``.

    Attributes
    ----------
    lines : the same, a line for each sentence.
    """

    def __init__(self, text: str, lines: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.lines = tuple(lines) or (text,)


class MethodWarning(UserWarning):
    """A computation is done as asked, but what it means is not what one may expect.

    The same sentences stand in ``embedding.provenance["warnings"]``.
    """


def callers_level() -> int:
    """The ``stacklevel`` of a warning that names the line outside phusion from which it was called."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    return level


def suggest(name: str, known: Iterable[str]) -> str:
    """``" Did you mean 'heat'?"`` if something near `name` is known, else the list of what is.

    >>> suggest("brasil", ["brazil", "usa"])
    " Did you mean 'brazil'?"
    """
    options = sorted(known)
    near = get_close_matches(name.lower(), [option.lower() for option in options], n=1, cutoff=0.6)
    meant = next((option for option in options if near and option.lower() == near[0]), "")
    return f" Did you mean {meant!r}?" if near else f" Known: {', '.join(options)}."
