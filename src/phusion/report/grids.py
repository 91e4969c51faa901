"""`Grid`: a table as rows of words, which pages lay out; and how numbers are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phusion.experiments.evidence import SURE
from phusion.experiments.tables import METRICS, Entry, Table

__all__ = ["SHAPES", "Field", "Grid", "Row", "designs_of", "grids_of", "shown", "signed", "titled"]

_COLUMNS = {
    "rank": "average rank",
    "mean": "average score",
    "max": "highest score",
    "micro_f1": "micro-F1, %",
    "accuracy": "accuracy, %",
    "ami": "adjusted mutual information",
    "auc": "area under the curve",
    "sum": "row sums",
    "variance": "row variances",
    "entropy": "row entropies",
    "sum z": "row sums, z",
    "variance z": "row variances, z",
    "entropy z": "row entropies, z",
}
_NOTHING = "–"
SHAPES = (
    "How much likelier, per row, a normal distribution (a bell) is than a one-sided exponential one (a heavy tail), "
    "both fitted, in natural logarithms: above 0 a bell, below 0 a tail. z is Vuong's, the mean over its standard "
    f"error: beyond ±{SURE} it is significant, as far as rows are independent."
)
"""What tables of shapes compare."""


@dataclass(frozen=True)
class Field:
    """One place of a grid: words, and what kind they are (a verdict, or nothing)."""

    words: str
    kind: str = ""


@dataclass(frozen=True)
class Row:
    """A row with its label; `section` is Ψ or σ where a grid has both."""

    label: str
    section: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Grid:
    """A table with columns in groups, all of the same parts."""

    caption: str
    groups: tuple[str, ...]
    parts: tuple[str, ...]
    rows: tuple[Row, ...]


def grids_of(table: Table) -> list[Grid]:
    """One for each data set, or one for all."""
    return [_grid(table, group) for group in table.groups]


def _grid(table: Table, group: str) -> Grid:
    entries = {(entry.row, entry.column): entry for entry in table.entries if entry.group == group}
    rows = list(dict.fromkeys(row for row, _ in entries))
    columns = list(dict.fromkeys(column for _, column in entries))
    printed = any(entry.printed is not None for entry in entries.values())
    main, *others = table.study.profiles
    parts = ("paper", main, "difference", "verdict", *others) if printed else (main, *others)
    proximities = {one.design.proximity for some in table.scores.values() for one in some}
    made = []
    for row in rows:
        section = ("Ψ" if row in proximities else "σ") if table.study.table == "ranks" else ""
        fields = tuple(
            field for column in columns for field in _fields(entries[row, column], table.study.profiles, printed)
        )
        made.append(Row(row, section, fields))
    return Grid(group, tuple(map(titled, columns)), parts, tuple(made))


def designs_of(table: Table) -> list[Grid]:
    """Ψ × σ, one for each data set and profile, where the study's own table has only averages over Ψ and σ."""
    if table.study.table != "ranks":
        return []
    return [
        _of_designs(table, profile, source.name) for source in table.study.sources for profile in table.study.profiles
    ]


def _of_designs(table: Table, profile: str, dataset: str) -> Grid:
    designs = [one.design for one in table.scores[profile] if one.dataset == dataset]
    columns = list(dict.fromkeys(one.nonlinearity for one in designs))
    metric = METRICS[table.study.task]
    digits = 4 if any(entry.near < 0.05 for entry in table.entries) else 2
    rows = tuple(
        Row(row, "", tuple(Field(shown(table.score(profile, dataset, row, column), digits)) for column in columns))
        for row in dict.fromkeys(one.proximity for one in designs)
    )
    caption = f"{dataset}, {profile}: {titled(metric)}"
    return Grid(caption, tuple(column or "no σ" for column in columns), (profile,), rows)


def titled(column: str) -> str:
    """A column's name in words."""
    return _COLUMNS.get(column, column)


def _fields(entry: Entry, profiles: Sequence[str], printed: bool) -> list[Field]:
    digits = 4 if entry.near < 0.05 else 2
    main, *others = (
        Field(_with_spread(entry.found.get(profile), entry.spread.get(profile), digits)) for profile in profiles
    )
    if not printed:
        return [main, *others]
    verdict = entry.verdict(profiles[0])
    paper = Field(_with_spread(entry.printed, entry.printed_spread, digits))
    return [paper, main, Field(signed(entry.difference(profiles[0]), digits)), Field(verdict, verdict), *others]


def _with_spread(value: float | None, spread: float | None, digits: int) -> str:
    return shown(value, digits) if spread is None else f"{shown(value, digits)} ± {shown(spread, digits)}"


def shown(value: float | None, digits: int = 2) -> str:
    """A number with a real minus; a dash for none.

    >>> shown(-1.5), shown(None)
    ('−1.50', '–')
    """
    return _NOTHING if value is None else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float | None, digits: int = 2) -> str:
    """The same with its sign; nothing is added to what rounds to zero."""
    if value is None:
        return _NOTHING
    words = f"{value:+.{digits}f}"
    return (words[1:] if not float(words) else words).replace("-", "−")
