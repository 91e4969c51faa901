"""`Source`: where a study's graphs come from."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from phusion.datasets.generated import planted
from phusion.datasets.registry import find, names
from phusion.datasets.store import load
from phusion.errors import GraphNotice, InputError, InputTypeError, PhusionError, suggest
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.fingerprint import fingerprint
from phusion.graph.graph import Graph

__all__ = ["Source"]

_TYPES: dict[str, Any] = {
    "name": str,
    "order": str,
    "planted": Mapping,
    "draws": int,
    "file": str,
    "labels": str,
    "batch": bool,
}
_WORDS = {str: "text", Mapping: "a table", int: "a whole number from 1 to 10,000", bool: "true or false"}
_NEEDS = {"draws": "planted", "labels": "file", "batch": "file"}
_EXCLUDES = (("planted", "file"), ("planted", "order"), ("batch", "labels"), ("batch", "order"))


@dataclass(frozen=True)
class Source:
    """A data set by name, a file, a graph with planted roles, or a graph that is at hand.

    Parameters
    ----------
    name : as it is shown.
    order : ``"text"`` sorts nodes by their ids as text, which decides what random splits hold; None leaves them.
    planted : arguments of `phusion.datasets.generated.planted`.
    file, labels, batch : a graph's file, the file of its labels, and whether it holds many graphs.
    folder : where relative paths begin.
    graph : the graph itself, which no file of a study can say.
    group : the name without the number of the draw.
    """

    name: str
    order: str | None = None
    planted: tuple[tuple[str, Any], ...] = ()
    file: str | None = None
    labels: str | None = None
    batch: bool = False
    folder: str = field(default="", repr=False)
    group: str = field(default="", compare=False)
    graph: Graph | None = field(default=None, repr=False)

    @classmethod
    def of(cls, given: Any, folder: Path | str = "") -> list[Source]:
        """From a name, or a table; several, if a planted graph is drawn several times."""
        if isinstance(given, Graph):
            name = given.name or "graph"
            return [cls(name, graph=given, group=name)]
        table: Any = {"name": given} if isinstance(given, str) else given
        if not isinstance(table, Mapping) or "name" not in table:
            raise InputTypeError(f"a data set is a name, or a table with a name; got {given!r}")
        _check(table)
        rest = {key: value for key, value in table.items() if key not in ("planted", "draws")}
        if "planted" in table:
            return cls._planted(str(table["name"]), table["planted"], table.get("draws", 1))
        if "file" not in table and table["name"] not in names():
            raise InputError(f"no data set is called {table['name']!r}.{suggest(table['name'], names())}")
        return [cls(**rest, folder=str(folder) if "file" in table else "", group=table["name"])]

    @classmethod
    def _planted(cls, name: str, arguments: Mapping[str, Any], draws: int) -> list[Source]:
        known = list(signature(planted).parameters)
        for key in arguments:
            if key not in known:
                raise InputError(f"planted has no argument {key!r}.{suggest(key, known)}")
        planted(**arguments)  # says now what is wrong with them
        found = []
        for draw in range(draws):
            chosen = {**arguments, "seed": arguments.get("seed", 0) + draw}
            shown = name if draws == 1 else f"{name} {draw}"
            found.append(cls(shown, planted=tuple(sorted(chosen.items())), group=name))
        return found

    @property
    def many(self) -> bool:
        """Whether these are many graphs."""
        if self.graph is not None:
            return False
        return self.batch if self.planted or self.file is not None else find(self.name).batch

    def load(self) -> Graph | GraphBatch:
        """The graph, or the graphs."""
        found: Any
        if self.graph is not None:
            found = self.graph
        elif self.planted:
            found = planted(**dict(self.planted))
        elif self.file is not None:
            found = self._read(Path(self.folder) / self.file)
        else:
            found = load(self.name)
        if self.order == "text" and isinstance(found, Graph):
            found = found.permuted(np.argsort([str(node) for node in found.nodes], kind="stable"))
        return found  # type: ignore[no-any-return]

    def _read(self, path: Path) -> Graph | GraphBatch:
        labels = None if self.labels is None else Path(self.folder) / self.labels
        with warnings.catch_warnings():  # `phusion inspect` says what was combined or guessed
            warnings.simplefilter("ignore", GraphNotice)
            try:
                return as_batch(path) if self.batch else as_graph(path, labels=labels)
            except PhusionError as error:
                raise InputError(f"{error}. See: phusion inspect {self.file}") from error

    def as_dict(self) -> dict[str, Any]:
        """What identifies it: of a file or a graph its content, wherever it comes from."""
        if self.graph is not None:
            return {"graph": _print_of(self.graph)}
        if self.planted:
            return {"planted": dict(self.planted)}
        if self.file is None:
            return {"name": self.name} | ({} if self.order is None else {"order": self.order})
        paths = [Path(self.folder) / each for each in (self.file, self.labels) if each is not None]
        plain = {"file": Path(self.file).name, "sha256": [_digest(path) for path in paths], "order": self.order}
        return {key: value for key, value in plain.items() if value is not None}


@lru_cache(maxsize=4)
def _print_of(graph: Graph) -> str:
    return fingerprint(graph, ("labels",))


def _check(table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in _TYPES:
            raise InputError(f"a data set has no key {key!r}.{suggest(key, _TYPES)}")
        kind = _TYPES[key]
        if not isinstance(value, kind) or (kind is int and (type(value) is bool or not 1 <= value <= 10_000)):
            raise InputTypeError(f"the {key} of a data set is {_WORDS[kind]}; got {value!r}")
    for key, other in _NEEDS.items():
        if key in table and other not in table:
            raise InputError(f"a data set has {key} only with {other}; got {dict(table)!r}")
    for key, other in _EXCLUDES:
        if key in table and other in table:
            raise InputError(f"a data set has {key} or {other}, not both; got {dict(table)!r}")
    if table.get("order") not in (None, "text"):
        raise InputError(f"order is 'text', or left out; got {table['order']!r}")


def _digest(path: Path) -> str:
    try:
        files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
        known = tuple((str(each), each.stat().st_size, each.stat().st_mtime_ns) for each in files)
    except OSError:
        return "not here"
    return _digest_of(known)


@lru_cache(maxsize=1000)
def _digest_of(known: tuple[tuple[str, int, int], ...]) -> str:
    found = sha256()
    for path, _, _ in known:
        try:
            found.update(Path(os.fspath(path)).read_bytes())
        except OSError:
            return "not here"
    return found.hexdigest()
