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
    """

    row: str
    cells: int
    of: int
    largest: Entry
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Differences:
    """All rows of a study that differ in one profile, and the reasons that are the same for each of them."""

    profile: str
    shared: tuple[str, ...]
    rows: tuple[Difference, ...]


def differences_of(table: Table, *, quick: bool = False) -> list[Differences]:
    """Row by row, in each profile in which something differs."""
    found = []
    for profile in table.study.profiles:
        rows: dict[str, list[Entry]] = {}
        for entry in table.entries:
            if entry.difference(profile) is not None:
                rows.setdefault(entry.row, []).append(entry)
        off = {row: [entry for entry in some if entry.verdict(profile) != "agrees"] for row, some in rows.items()}
        off = {row: some for row, some in off.items() if some}
        reasons = {row: _reasons_for(table.study.name, profile, row, some) for row, some in off.items()}
        shared = [reason for reason in next(iter(reasons.values()), ()) if all(reason in r for r in reasons.values())]
        made = tuple(
            Difference(
                row,
                len(some),
                len(rows[row]),
                _largest(some, profile),
                tuple(reason for reason in reasons[row] if reason not in shared),
            )
            for row, some in off.items()
        )
        if made:
            found.append(Differences(profile, (*shared, *([_QUICK] if quick else [])), made))
    return found


def _largest(entries: list[Entry], profile: str) -> Entry:
    return max(entries, key=lambda entry: abs(entry.difference(profile) or 0.0) / entry.near)


def _reasons_for(study: str, profile: str, row: str, off: list[Entry]) -> tuple[str, ...]:
    datasets, columns = {entry.group for entry in off}, {entry.column for entry in off}
    return tuple(
        reason["text"]
        for reason in _known()
        if study in reason["studies"]
        and profile in reason["profiles"]
        and row in reason.get("rows", [row])
        and datasets & set(reason.get("datasets", datasets))
        and columns <= set(reason.get("columns", columns))
    )


@cache
def _known() -> tuple[Mapping[str, Any], ...]:
    text = (files("phusion.report") / "reasons.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["reason"])
