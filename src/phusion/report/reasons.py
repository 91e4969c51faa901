"""What differs from the paper, and the reasons that are known."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from phusion.experiments.tables import Entry, Table

__all__ = ["Difference", "Differences", "differences_of"]

_QUICK = "A quick run averages over fewer seeds."


@dataclass(frozen=True)
class Difference:
    """Cells of one row that do not agree with the paper.

    Attributes
    ----------
    cells, of : how many differ, of how many that are printed and computed.
    largest : the one that differs most, for its column.
    reasons : why, as far as it is known, beyond what is true of all rows.
    unexplained : data sets on which it differs and none of its reasons applies; one without a name stands for all.
    """

    row: str
    cells: int
    of: int
    largest: Entry
    reasons: tuple[str, ...]
    unexplained: tuple[str, ...]

    def lacking(self, shared: bool) -> str:
        """What has no reason, in words; nothing if all has one. `shared`: there are reasons of all rows above."""
        if not self.unexplained:
            return ""
        where = f" for {', '.join(self.unexplained)}" if self.reasons else ""
        return f"No reason known{where}{' beyond that of all rows' if shared else ''}."


@dataclass(frozen=True)
class Differences:
    """All rows of a study that differ in one profile, and the reasons that are true of every row."""

    profile: str
    shared: tuple[str, ...]
    rows: tuple[Difference, ...]


def differences_of(table: Table, *, quick: bool = False) -> list[Differences]:
    """Row by row, in each profile in which something differs."""
    found = []
    for profile in table.study.profiles:
        here = [one for one in _known() if table.study.name in one["studies"] and profile in one["profiles"]]
        shared = [one["text"] for one in here if _is_general(one)]
        own = [one for one in here if not _is_general(one)]
        rows: dict[str, list[Entry]] = {}
        for entry in table.entries:
            if entry.difference(profile) is not None:
                rows.setdefault(entry.row, []).append(entry)
        made = [_difference(row, some, profile, own) for row, some in rows.items()]
        if differing := tuple(one for one in made if one is not None):
            found.append(Differences(profile, (*shared, *([_QUICK] if quick else [])), differing))
    return found


def _difference(row: str, entries: list[Entry], profile: str, known: list[Mapping[str, Any]]) -> Difference | None:
    off = [entry for entry in entries if entry.verdict(profile) != "agrees"]
    if not off:
        return None
    datasets = list(dict.fromkeys(entry.group for entry in off))
    columns = {each: {entry.column for entry in off if entry.group == each} for each in datasets}
    applied = [(one["text"], [each for each in datasets if _applies(one, row, each, columns[each])]) for one in known]
    applied = [(text, where) for text, where in applied if where]
    reasons = tuple(text if where == datasets else f"On {', '.join(where)}: {text}" for text, where in applied)
    unexplained = tuple(each for each in datasets if not any(each in where for _, where in applied))
    largest = max(off, key=lambda entry: abs(entry.difference(profile) or 0.0) / entry.near)
    return Difference(row, len(off), len(entries), largest, reasons, unexplained)


def _is_general(reason: Mapping[str, Any]) -> bool:
    return not {"rows", "datasets", "columns"} & set(reason)


def _applies(reason: Mapping[str, Any], row: str, dataset: str, columns: set[str]) -> bool:
    return (
        row in reason.get("rows", [row])
        and dataset in reason.get("datasets", [dataset])
        and columns <= set(reason.get("columns", columns))
    )


@cache
def _known() -> tuple[Mapping[str, Any], ...]:
    text = (files("phusion.report") / "reasons.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["reason"])
