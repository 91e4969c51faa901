"""The registry: data about data sets, from registry.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from phusion.errors import DatasetError, suggest

__all__ = ["Dataset", "RemoteFile", "find", "is_meant", "names"]

_ALIKE = 0.7  # words more alike than that are the same, misspelt


@dataclass(frozen=True)
class RemoteFile:
    """One file: where it lies below ``$PHUSION_DATA``, its public address, and its checksum(s)."""

    path: str
    sha256: str
    url: str = ""
    url_sha256: str = ""


@dataclass(frozen=True)
class Dataset:
    """A registry entry. `counts` is verified after loading; `options` go to the door."""

    name: str
    title: str
    licence: str
    origin: str
    paper: bool
    counts: Mapping[str, int]
    files: Mapping[str, RemoteFile] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    batch: bool = False


@cache
def _registry() -> dict[str, Dataset]:
    entries = tomllib.loads(files("phusion.datasets").joinpath("registry.toml").read_text(encoding="utf-8"))
    return {
        name: Dataset(
            name,
            **{key: value for key, value in entry.items() if key != "files"},
            files={role: RemoteFile(**given) for role, given in entry.get("files", {}).items()},
        )
        for name, entry in entries.items()
    }


def names() -> list[str]:
    """All known data sets, the embedded one and the paper's first."""
    return list(_registry())


def is_meant(name: str) -> bool:
    """Whether a name, which is not that of a file, is that of a data set; a misspelt one suggests the nearest."""
    if name in _registry():
        return True
    if near := get_close_matches(name, names(), n=1, cutoff=_ALIKE):
        raise DatasetError(f"there is no file and no data set {name!r}. Did you mean {near[0]!r}?")
    return False


def find(name: str) -> Dataset:
    """The entry of this name; an unknown name suggests the nearest."""
    known = _registry()
    if name not in known:
        raise DatasetError(f"no data set is called {name!r}.{suggest(str(name), known)}")
    return known[name]
