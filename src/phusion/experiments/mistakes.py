"""`StudyError`: what is wrong in a study's file, and on which line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from phusion.errors import InputError

__all__ = ["StudyError", "at", "line_of"]

Keys = tuple[str | int, ...]


class StudyError(InputError):
    """Something in a study cannot be used; `keys` lead to it from the top of the file."""

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


def at(error: Exception, *keys: str | int, about: str = "") -> StudyError:
    """The error as a mistake below these keys."""
    below = error.keys if isinstance(error, StudyError) else ()
    return StudyError(f"{about}{error}", *keys, *below)


def line_of(text: str, keys: Keys, message: str) -> int | None:
    """The line of the word that the message quotes last, within what the keys lead to; else where that begins.

    TOML's parser tells no lines. So the file is parsed up to each line in turn: what the keys lead to begins on the
    line after which they first lead to something.
    """
    text = text.replace("\r\n", "\n")
    whole = tomllib.loads(text)
    while keys and not _has(whole, keys):
        keys = keys[:-1]
    if not keys:
        return None
    lines = text.split("\n")
    before = 0
    for end in range(1, len(lines) + 1):
        try:
            part = tomllib.loads("\n".join(lines[:end]))
        except ValueError:  # in the middle of a value
            continue
        if _has(part, keys):
            break
        before = end
    first = next(k for k in range(before, end) if lines[k].partition("#")[0].strip())
    # a table goes on below its header, everything else ends with its value
    end = len(lines) if lines[first].lstrip().startswith("[") or "." in lines[first].partition("=")[0] else end
    given = re.split(r" Did you mean| Known: ", message)[0]
    for word in reversed(re.findall(r"'([^']+)'", given)):
        for k in range(first, end):
            if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", lines[k]):
                return k + 1
    return first + 1


def _has(given: Any, keys: Keys) -> bool:
    for key in keys:
        in_list = isinstance(given, list) and isinstance(key, int) and key < len(given)
        if not in_list and not (isinstance(given, Mapping) and key in given):
            return False
        given = given[key]
    return True
