"""`phusion study`: an experiment of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path

from phusion.cli.reproduce import Profile

__all__ = ["study"]


def study(
    file: Path,
    /,
    *,
    profile: Profile = "both",
    quick: bool = False,
    jobs: int = 1,
    ledger: Path = Path("phusion-ledger.sqlite"),
    retry: bool = False,
) -> int:
    """Compute a study: data sets, designs and a protocol in one TOML file.

    Results are kept in a ledger, cell by cell, as those of `phusion reproduce`. Exit code 5: some cells failed, or data
    sets are missing.

    Example: phusion study my.toml --jobs 2

    Parameters
    ----------
    file
        A study; paths in it begin in its folder.
    profile
        Of a file that tells "published" and "corrected" apart: which of them.
    quick
        What the file calls quick, or its first seed.
    jobs
        How many processes share the work; each gets its share of processors and memory.
    ledger
        The file in which results are kept.
    retry
        Try again what failed before.
    """
    from phusion.cli.method import UsageError
    from phusion.cli.running import run_and_show
    from phusion.experiments.reading import read_study
    from phusion.experiments.study import PROFILES

    found = read_study(file)
    if profile != "both" and found.profiles != PROFILES:
        raise UsageError(f"{file} has no profiles; leave --profile out")
    profiles = PROFILES if profile == "both" else (profile,)
    return run_and_show([found], profiles, quick, jobs, ledger, retry, shlex.quote(str(file)))
