"""`phusion reproduce`: the paper's tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from phusion.experiments.study import Study

__all__ = ["reproduce"]

Profile = Literal["published", "corrected", "both"]


def reproduce(
    *names: str,
    profile: Profile = "both",
    quick: bool = False,
    jobs: int = 1,
    ledger: Path = Path("phusion-ledger.sqlite"),
    retry: bool = False,
    listed: Annotated[bool, Parameter(name="--list", negative=())] = False,
) -> int | None:
    """Compute the paper's tables and figures, and show them beside the paper's numbers.

    Results are kept in a ledger, cell by cell: what is there is not computed again, a run that was ended goes on where
    it was, and several may share one. Exit code 5: some cells failed, or data sets are missing.

    Examples: phusion reproduce --list; phusion reproduce rank_struc --quick; phusion reproduce all --jobs 4

    Parameters
    ----------
    names
        Tables and figures by name, see --list; all of them, if none or "all" is given.
    profile
        "published" is what the authors' code did, "corrected" what the paper's text says.
    quick
        Fewer data sets, seeds and splits, to see that everything runs.
    jobs
        How many processes share the work; each gets its share of processors and memory.
    ledger
        The file in which results are kept.
    retry
        Try again what failed before.
    listed
        List what can be reproduced, and do nothing else.
    """
    from phusion.cli.method import UsageError
    from phusion.cli.running import run_and_show
    from phusion.errors import suggest
    from phusion.experiments.reading import paper_studies
    from phusion.experiments.study import PROFILES

    known = paper_studies()
    for name in names:
        if name not in known and name != "all":
            raise UsageError(f"no table or figure is called {name!r}.{suggest(name, [*known, 'all'])}")
    if listed:
        _list([known[name] for name in known if name in names or "all" in names or not names])
        return None
    chosen = known if not names or "all" in names else dict.fromkeys(names)
    profiles = PROFILES if profile == "both" else (profile,)
    words = "" if chosen is known else " ".join(names)
    return run_and_show([known[name] for name in chosen], profiles, quick, jobs, ledger, retry, words)


def _list(studies: Sequence[Study]) -> None:
    from rich.table import Table

    from phusion.cli.console import output

    table = Table(box=None, pad_edge=False)
    for column in ("name", "in the paper", "data sets", "what"):
        table.add_column(column)
    for study in studies:
        sources = ", ".join(dict.fromkeys(source.group for source in study.sources))
        table.add_row(study.name, study.paper, sources, study.title)
    output().print(table)
