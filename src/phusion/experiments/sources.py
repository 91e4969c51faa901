"""`Source`: where a study's graphs come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np

from phusion.datasets.generated import planted
from phusion.datasets.registry import names
from phusion.datasets.store import load
from phusion.errors import InputError, InputTypeError, suggest
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph

__all__ = ["Source"]

_KEYS = ("name", "order", "planted", "draws", "file", "labels", "batch")


@dataclass(frozen=True)
class Source:
    """A data set by name, a file, or a graph with planted roles.

    Parameters
    ----------
    name : as it is shown.
    order : ``"text"`` sorts nodes by their ids as text, which decides what random splits hold; None leaves them.
    planted : arguments of `phusion.datasets.generated.planted`.
    file, labels, batch : a graph's file, the file of its labels, and whether it holds many graphs.
    group : the name without the number of the draw.
    """

    name: str
    order: str | None = None
    planted: tuple[tuple[str, Any], ...] = ()
    file: str | None = None
    labels: str | None = None
    batch: bool = False
    group: str = field(default="", compare=False)

    @classmethod
    def of(cls, given: Any) -> list[Source]:
        """From a name, or a table; several, if a planted graph is drawn several times."""
        table: Any = {"name": given} if isinstance(given, str) else given
        if not isinstance(table, Mapping) or not isinstance(table.get("name"), str):
            raise InputTypeError(f"a data set is a name, or a table with a name; got {given!r}")
        for key in table:
            if key not in _KEYS:
                raise InputError(f"a data set has no key {key!r}.{suggest(key, _KEYS)}")
        rest = {key: value for key, value in table.items() if key not in ("planted", "draws")}
        if rest.get("order") not in (None, "text"):
            raise InputError(f"order is 'text', or left out; got {rest['order']!r}")
        if "planted" in table:
            return cls._planted(rest, table["planted"], table.get("draws", 1))
        if "file" not in table and table["name"] not in names():
            raise InputError(f"no data set is called {table['name']!r}.{suggest(table['name'], names())}")
        return [cls(**rest, group=table["name"])]

    @classmethod
    def _planted(cls, rest: Mapping[str, Any], arguments: Mapping[str, Any], draws: int) -> list[Source]:
        known = list(signature(planted).parameters)
        for key in arguments:
            if key not in known:
                raise InputError(f"planted has no argument {key!r}.{suggest(key, known)}")
        if type(draws) is not int or draws < 1:
            raise InputError(f"draws is a whole number ≥ 1; got {draws!r}")
        name = str(rest["name"])
        found = []
        for draw in range(draws):
            chosen = {**arguments, "seed": arguments.get("seed", 0) + draw}
            shown = name if draws == 1 else f"{name} {draw}"
            found.append(cls(shown, planted=tuple(sorted(chosen.items())), group=name))
        return found

    def load(self) -> Graph | GraphBatch:
        """The graph, or the graphs."""
        found: Any
        if self.planted:
            found = planted(**dict(self.planted))
        elif self.file is not None:
            found = as_batch(self.file) if self.batch else as_graph(self.file, labels=self.labels)
        else:
            found = load(self.name)
        if self.order == "text" and isinstance(found, Graph):
            found = found.permuted(np.argsort([str(node) for node in found.nodes], kind="stable"))
        return found  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """What identifies it."""
        if self.planted:
            return {"planted": dict(self.planted)}
        plain = {"name": self.name, "order": self.order, "file": self.file, "labels": self.labels}
        return {key: value for key, value in plain.items() if value is not None}
