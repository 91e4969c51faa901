"""What differs from the paper, and the reasons that are known."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from phusion.experiments.tables import Entry, Table

__all__ = ["Difference", "differences_of"]

_QUICK = "A quick run averages over fewer seeds."


@dataclass(frozen=True)
class Difference:
    """Cells of one row that do not agree with the paper in one profile.

    Attributes
    ----------
    cells, of : how many differ, of how many that are printed and computed.
    largest : the one that differs most, for its column.
    reasons : why, as far as it is known.
    """

    study: str
    profile: str
    row: str
    cells: int
    of: int
    largest: Entry
    reasons: tuple[str, ...]


def differences_of(table: Table, *, quick: bool = False) -> list[Difference]:
    """Row by row, in each profile."""
    found = []
    for profile in table.study.profiles:
        rows: dict[str, list[Entry]] = {}
        for entry in table.entries:
            if entry.difference(profile) is not None:
                rows.setdefault(entry.row, []).append(entry)
        for row, entries in rows.items():
            off = [entry for entry in entries if entry.verdict(profile) != "agrees"]
            if off:
                largest = max(off, key=lambda entry: abs(entry.difference(profile) or 0.0) / entry.near)
                reasons = (*_reasons_for(table.study.name, profile, row, off), *([_QUICK] if quick else []))
                found.append(Difference(table.study.name, profile, row, len(off), len(entries), largest, reasons))
    return found


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
