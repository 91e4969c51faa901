"""Running studies from the command line, and what is said of them in the end."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phusion.experiments.runner import Outcome
    from phusion.experiments.study import Study
    from phusion.experiments.tables import Entry, Table

__all__ = ["kept_in", "run_and_show"]

_SHOWN = 20  # failed cells
_NAMED = ("published", "corrected")
_VERDICTS = ("agrees", "close", "differs", "not computed")


@contextmanager
def kept_in(ledger: Path) -> Iterator[None]:
    """Who interrupts what is within is told that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        from phusion.cli.console import say_notes

        say_notes([f"what is done is kept in {ledger}; the same command goes on from there"])
        raise


def run_and_show(
    studies: Sequence[Study], profiles: Sequence[str], quick: bool, jobs: int, ledger: Path, retry: bool, words: str
) -> int:
    """Compute what the ledger lacks, show all tables, and give back the exit code.

    `words` are how the studies are called on the command line.
    """
    from phusion.cli import exit_codes
    from phusion.cli.console import cells_progress, output, say_notes
    from phusion.cli.method import UsageError
    from phusion.experiments.ledger import Ledger
    from phusion.experiments.processes import run_in_processes
    from phusion.experiments.tables import table_of

    if jobs < 1:
        raise UsageError(f"--jobs is a whole number ≥ 1; got {jobs}")
    chosen = [study.quick() if quick else study for study in studies]
    with kept_in(ledger), cells_progress() as said:
        outcome = run_in_processes(chosen, ledger, profiles=profiles, jobs=jobs, retry=retry, said=said)
    say_notes((f"{where}: {message}" for message, where in outcome.warned.items()), word="warning")
    console = output()
    with Ledger(ledger) as found:
        for study in chosen:
            own = [each for each in study.profiles if each in profiles or len(study.profiles) == 1]
            _show(console, table_of(study, found), own)
    _show_problems(console, outcome)
    parts = ("phusion report", words, "--quick" if quick else "", f"--ledger {shlex.quote(str(ledger))}")
    command = " ".join(part for part in parts if part)
    console.print(f"{outcome.computed:,} cells computed now. See them: {command}", markup=False, soft_wrap=True)
    return exit_codes.INCOMPLETE if outcome.failed or outcome.missing else exit_codes.OK


def _show(console: Any, table: Table, profiles: Sequence[str]) -> None:
    from rich.markup import escape
    from rich.measure import Measurement

    where = f" ({table.study.paper})" if table.study.paper else ""
    console.print(f"[bold]{escape(table.study.title + where)}[/bold]")
    for group in table.groups:
        entries = [entry for entry in table.entries if entry.group == group]
        whole = _as_table(group, entries, profiles)
        if Measurement.get(console, console.options.update(max_width=10_000), whole).maximum <= console.width:
            console.print(whole)
        else:  # no number may be cut off: one column after the other
            for column in dict.fromkeys(entry.column for entry in entries):
                console.print(_as_table(group, [entry for entry in entries if entry.column == column], profiles))
    for profile in profiles:
        counts = Counter(entry.verdict(profile) for entry in table.entries if entry.printed is not None)
        if counts:
            words = ", ".join(f"{counts[word]} {word}" for word in _VERDICTS if counts[word])
            console.print(f"{profile} beside the paper: {words}", markup=False)
    console.print()


def _as_table(group: str, entries: Sequence[Entry], profiles: Sequence[str]) -> Any:
    """A row for each label; for each column the paper's number and ours."""
    from rich.table import Table as Grid

    columns = list(dict.fromkeys(entry.column for entry in entries))
    printed = {entry.column for entry in entries if entry.printed is not None}
    grid = Grid(box=None, pad_edge=False, title_justify="left")
    grid.add_column(group, no_wrap=True)
    for column in columns:
        heads = ["paper"] * (column in printed) + [each if each in _NAMED else "" for each in profiles]
        for place, head in enumerate(heads):
            first = column if place == 0 else ""
            grid.add_column(f"{first}\n{head}" if any(heads) else first, justify="right", no_wrap=True)
    by_place = {(entry.row, entry.column): entry for entry in entries}
    for row in dict.fromkeys(entry.row for entry in entries):
        words = []
        for column in columns:
            entry = by_place.get((row, column))
            digits = 3 if entry is None or entry.near < 0.05 else 2
            numbers = [] if column not in printed else [None if entry is None else entry.printed]
            numbers += [None if entry is None else entry.found.get(each) for each in profiles]
            words += ["–" if number is None else f"{number:.{digits}f}" for number in numbers]
        grid.add_row(row, *words)
    return grid


def _show_problems(console: Any, outcome: Outcome) -> None:
    for name, reason in outcome.missing.items():
        console.print(f"missing: {name}: {reason}", markup=False, soft_wrap=True)
    for label, error in list(outcome.failed.items())[:_SHOWN]:
        console.print(f"failed: {label}: {error}", markup=False, soft_wrap=True)
    if len(outcome.failed) > _SHOWN:
        console.print(f"failed: {len(outcome.failed) - _SHOWN:,} more cells", markup=False)
    if outcome.failed:
        console.print("Failed cells are kept with their error; --retry computes them again.", markup=False)
