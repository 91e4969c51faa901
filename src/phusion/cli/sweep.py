"""`phusion sweep`: the best design for a graph and its labels, with an honest score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from phusion.cli.how import Computing
from phusion.cli.reading import Reading

if TYPE_CHECKING:
    from phusion.sweeps.result import SweepResult

__all__ = ["sweep"]

_SHOWN = 10  # designs


def sweep(
    graph: str,
    /,
    *,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    batch: bool = False,
    designs: Path | None = None,
    kind: Literal["positional", "structural", "both"] = "both",
    metric: Literal["micro_f1", "macro_f1", "accuracy"] | None = None,
    seeds: int = 5,
    seed: int = 0,
    splits: int = 10,
    folds: int = 5,
    keep: int = 8,
    trials: int = 0,
    jobs: int = 1,
    ledger: Path = Path("phusion-ledger.sqlite"),
    room: str = "2GB",
    retry: bool = False,
    minutes: float = 60.0,
    full: bool = False,
    computing: Computing | None = None,
    how: Reading | None = None,
    force: bool = False,
) -> None:
    """Choose a design for a graph and its labels, and say honestly how good the choice is.

    Every split chooses with its training part alone and is tested once on the rest. All steps are kept in a ledger: a
    sweep that was ended goes on where it was, and several may share one.

    Examples: phusion sweep friends.csv --labels clubs.csv -o best; phusion sweep usa --jobs 2;
    phusion sweep proteins --batch -o best; phusion sweep brazil --kind structural --trials 20

    Parameters
    ----------
    graph
        A file in any format of `phusion formats`, or a data set's name.
    out
        A folder for the winner's spec and embedding, the page and the leaderboard.
    batch
        The graph is many graphs, each with a class: a TUDataset folder or zip, or a data set's name.
    designs
        A TOML file in the grammar of `phusion study`; the paper's 70 designs and 51 more otherwise.
    kind
        Only positional or structural designs.
    metric
        What is compared; micro_f1 for nodes and accuracy for graphs, if none is given.
    seeds
        How many seeds, each with its own splits.
    seed
        The first of them.
    splits
        Random splits from each seed, 80 % to train on; of graphs: folds.
    folds
        Inner folds of a training part, to choose by.
    keep
        Designs that pass the screening.
    trials
        Designs that Optuna proposes in each split, beside the others.
    jobs
        How many processes share the work; each gets its share of processors and memory.
    ledger
        The file in which all steps are kept; embeddings lie in a folder beside it.
    room
        What these embeddings may take on disk.
    retry
        Try designs again that could not be computed before.
    minutes
        A sweep that would take longer is sampled, and says how.
    full
        Leave nothing out, however long it takes.
    force
        Replace files in OUT that exist.
    """
    from phusion.cli.console import say_notes
    from phusion.cli.leaderboard import leaderboard
    from phusion.cli.method import UsageError, saying_warnings
    from phusion.cli.reading import read
    from phusion.cli.running import kept_in
    from phusion.errors import FileError, InputError
    from phusion.graph.batch import GraphBatch
    from phusion.sweeps.result import check_files

    resources = (computing or Computing()).arguments()
    if resources.pop("executor") is not None:
        raise UsageError("a sweep computes on this machine, in --jobs N processes; leave --dask out")
    if seeds < 1 or jobs < 1:
        raise UsageError(f"--seeds and --jobs are whole numbers ≥ 1; got {seeds} and {jobs}")
    if out is not None:
        check_files(out, force)
    found = read(graph, how)
    if batch != isinstance(found, GraphBatch):
        kinds = f"{graph} is one graph; leave --batch out", f"{graph} holds {len(found):,} graphs; say --batch"
        raise UsageError(kinds[isinstance(found, GraphBatch)])
    from phusion.sweeps.sweep import sweep as run

    with kept_in(ledger), leaderboard() as said:
        try:
            result = run(
                found, designs=designs, kind=kind, metric=metric, seeds=range(seed, seed + seeds), splits=splits,
                folds=folds, keep=keep, trials=trials, ledger=ledger, room=room, jobs=jobs, retry=retry,
                minutes=minutes, full=full, said=said, noted=lambda note: say_notes([note]), **resources,
            )  # fmt: skip
        except FileError:
            raise
        except InputError as error:
            raise UsageError(str(error)) from error
    _show(result)
    if out is not None:
        with saying_warnings():
            targets = result.save(out, overwrite=force)
        kept = f"{ledger} (what was computed, with embeddings in a folder beside it; another run goes on from there)"
        print("Written:", *(f"\n  {target}" for target in (*targets, kept)), sep="")


def _show(result: SweepResult) -> None:
    from rich.table import Table

    from phusion.cli.console import output, say_notes
    from phusion.execution.explain import time_in_words
    from phusion.sweeps.frontier import time_of

    failed = len(result.found.failed)
    if failed:
        name, reason = next(iter(result.found.failed.items()))
        say_notes([f"{failed} of the designs cannot be computed here, such as {name}: {reason}"])
    table = Table(box=None, pad_edge=False)
    table.add_column("design", no_wrap=True)
    for head in ("raced", "folds", "screened", "chosen in", "time"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in result.found.rows[:_SHOWN]:
        racing = "" if row.racing is None else f"{row.racing:.2f}"
        wins = f"{row.wins} of {result.honest.splits}" if row.wins else ""
        table.add_row(
            row.design.label, racing, str(row.folds or ""), f"{row.screening:.2f}", wins, time_of(row.seconds)
        )
    console = output()
    console.print(table)
    if any(row.racing is not None and row.folds < result.problem.rule.folds for row in result.found.rows[:_SHOWN]):
        print("            (who raced in more folds stands first: means over few folds are luck)")
    print(f"winner      {result.label}")
    print(f"honest      {result.metric} {result.honest}")
    print(f"baseline    {result.baseline:.2f}, naming the most frequent labels for all")
    print(
        f"optimistic  {result.optimistic.score:.2f}, the winner on splits it has seen: optimism {result.optimism:+.2f}"
    )
    print(f"time        {time_in_words(result.seconds)}")
