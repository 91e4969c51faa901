"""`Report`: all that a report says, read from a ledger; pages only lay it out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from phusion import __version__
from phusion.experiments.ledger import Ledger, Recorded
from phusion.experiments.observations import Statement, statements
from phusion.experiments.reading import paper_studies
from phusion.experiments.runner import cell_of
from phusion.experiments.study import Study, each_cell
from phusion.experiments.tables import Table, table_of
from phusion.report.figures.bars import bars
from phusion.report.figures.critical import critical_differences
from phusion.report.figures.distributions import distributions
from phusion.report.figures.order import order
from phusion.report.figures.svg import Figure
from phusion.report.grids import Grid, designs_of, grids_of, titled
from phusion.report.reasons import Differences, differences_of

__all__ = ["VERDICTS", "Asked", "Failure", "Part", "Report", "report_of"]

VERDICTS = ("agrees", "close", "differs", "not computed")


@dataclass(frozen=True)
class Asked:
    """A study to report on, the command that computes it, and whether it is one of the paper's."""

    study: Study
    command: str
    of_paper: bool = False


@dataclass(frozen=True)
class Failure:
    """A cell that could not be computed; `key` is its place in the ledger."""

    key: str
    study: str
    profile: str
    dataset: str
    design: str
    seed: int
    error: str


@dataclass(frozen=True)
class Part:
    """One study: what is found, and how far it is computed.

    Attributes
    ----------
    scored : the table that colours its figures.
    keys : of its cells; studies may share some.
    recorded : what became of those that are computed.
    """

    study: Study
    command: str
    table: Table
    scored: Table | None
    keys: frozenset[str]
    recorded: Mapping[str, Recorded]
    failures: tuple[Failure, ...]
    quick: bool

    @property
    def cells(self) -> int:
        """In all."""
        return len(self.keys)

    @property
    def missing(self) -> int:
        """Cells not yet computed."""
        return self.cells - len(self.recorded)

    @property
    def printed(self) -> bool:
        """Whether there is anything to compare with."""
        return any(entry.printed is not None for entry in self.table.entries)

    def verdicts(self, profile: str) -> dict[str, int]:
        """How many printed values agree, are close, differ or are not computed."""
        found = Counter(entry.verdict(profile) for entry in self.table.entries if entry.printed is not None)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def reached(self) -> tuple[int, int] | None:
        """How many cells of the first profile are as near to the paper as they are meant to be, and of how many."""
        asked = [entry for entry in self.table.entries if entry.to_reach is not None]
        return (sum(entry.reached(self.study.profiles[0]) for entry in asked), len(asked)) if asked else None

    @property
    def to_reach(self) -> str:
        """How near these are meant to be, in words."""
        within = self.study.to_reach.get("within", {})
        groups = within if isinstance(within, Mapping) else {"": within}
        limits = ", ".join(f"{name} {limit:g}".strip() for name, limit in groups.items() if name in self.table.groups)
        rows, columns = (self.study.to_reach.get(key) for key in ("rows", "columns"))
        only = [", ".join(map(titled, names)) for names in (rows, columns) if names]
        return f"{limits} ({'; '.join(only)})" if only else limits

    @property
    def seconds(self) -> float:
        """Of all its cells."""
        return sum(one.seconds for one in self.recorded.values())

    @cached_property
    def grids(self) -> list[Grid]:
        """Its table, one for each data set."""
        return grids_of(self.table)

    @cached_property
    def designs(self) -> list[Grid]:
        """Each Ψ with each σ, where its table has only averages of them."""
        return designs_of(self.table)

    @cached_property
    def figures(self) -> list[Figure]:
        """As the study asks."""
        if self.study.figure == "bars":
            return bars(self.table)
        if self.study.figure == "order":
            return order(self.table)
        return distributions(self.table, self.scored) if self.study.figure == "distributions" else []

    @cached_property
    def comparisons(self) -> list[Figure]:
        """Critical-difference diagrams, where methods are compared on several data sets."""
        return [] if self.study.figure in ("order", "distributions") else critical_differences(self.table)

    @property
    def differences(self) -> list[Differences]:
        """What differs from the paper, and why."""
        return differences_of(self.table, quick=self.quick)


@dataclass(frozen=True)
class Report:
    """All studies of a report."""

    parts: tuple[Part, ...]
    statements: tuple[Statement, ...]
    machines: tuple[tuple[Mapping[str, str], int], ...]
    quick: bool
    version: str = __version__

    @property
    def title(self) -> str:
        """In words."""
        if len(self.parts) == 1:
            return self.parts[0].study.title
        if any(part.study.paper for part in self.parts):
            return "The tables and figures of the PhUSION paper, cell by cell"
        return "Studies"

    @cached_property
    def recorded(self) -> dict[str, Recorded]:
        """What is computed; a cell that studies share is there once."""
        return {key: one for part in self.parts for key, one in part.recorded.items()}

    @cached_property
    def cells(self) -> int:
        """In all; those that studies share count once."""
        return len(frozenset[str]().union(*(part.keys for part in self.parts)))

    @property
    def missing(self) -> int:
        """Of all cells."""
        return self.cells - len(self.recorded)

    @property
    def shared(self) -> int:
        """By how many the cells of all studies, added up, are more than there are."""
        return sum(part.cells for part in self.parts) - self.cells

    @property
    def seconds(self) -> float:
        """Of all cells."""
        return sum(one.seconds for one in self.recorded.values())

    @property
    def failures(self) -> list[Failure]:
        """Of all studies; a cell that they share is named with the first."""
        found: dict[str, Failure] = {}
        for part in self.parts:
            for one in part.failures:
                found.setdefault(one.key, one)
        return list(found.values())

    @property
    def printed(self) -> bool:
        """Whether there is anything to compare with."""
        return any(part.printed for part in self.parts)

    @property
    def figured(self) -> bool:
        """Whether some study says how near to the paper it is meant to come."""
        return any(part.reached is not None for part in self.parts)

    @property
    def unplaced(self) -> int:
        """Cells of which no machine is recorded, as in ledgers of earlier versions."""
        return len(self.recorded) - sum(count for _, count in self.machines)

    @property
    def versions(self) -> dict[str, int]:
        """How many cells each version of phusion computed."""
        return dict(Counter(one.version for one in self.recorded.values()))

    @property
    def period(self) -> tuple[str, str] | None:
        """When the first and the last cell were computed."""
        times = [one.finished for one in self.recorded.values()]
        return (_date(min(times)), _date(max(times))) if times else None


def report_of(asked: Sequence[Asked], ledger: Ledger, *, quick: bool = False) -> Report:
    """Read everything at once."""
    tables = [table_of(one.study, ledger) for one in asked]
    of_paper = {one.study.name: table for one, table in zip(asked, tables, strict=True) if one.of_paper}
    named = {**_looked_at(asked, ledger, quick), **of_paper}
    parts = tuple(_part(one, table, named, ledger, quick) for one, table in zip(asked, tables, strict=True))
    said = tuple(one for one in statements(named) if one.studies[0] in of_paper)
    keys = {key for part in parts for key in part.recorded}
    return Report(parts, said, tuple(ledger.machines(keys)), quick)


def _looked_at(asked: Sequence[Asked], ledger: Ledger, quick: bool) -> dict[str, Table]:
    """Tables of the paper that colour the figures of others."""
    wanted = {one.study.coloured_by for one in asked} - {one.study.name for one in asked if one.of_paper}
    known = {name: study for name, study in paper_studies().items() if name in wanted}
    return {name: table_of(study.quick() if quick else study, ledger) for name, study in known.items()}


def _part(asked: Asked, table: Table, named: Mapping[str, Table], ledger: Ledger, quick: bool) -> Part:
    study = asked.study
    cells = {
        cell_of(study, profile, source, design, seed).key: (profile, source.name, design.label, seed)
        for profile, source, design, seed in each_cell(study, study.profiles)
    }
    recorded = ledger.done(cells)
    failures = tuple(_failures(study.name, cells, recorded))
    return Part(study, asked.command, table, named.get(study.coloured_by), frozenset(cells), recorded, failures, quick)


def _failures(
    name: str, cells: Mapping[str, tuple[str, str, str, int]], recorded: Mapping[str, Recorded]
) -> Iterable[Failure]:
    for key, (profile, dataset, design, seed) in cells.items():
        error = recorded[key].error if key in recorded else None
        if error is not None:
            yield Failure(key, name, profile, dataset, design, seed, error)


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(moment))
