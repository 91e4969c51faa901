"""`phusion report`: what a ledger holds of some studies, as a page, as Markdown and as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phusion.report.content import Asked

__all__ = ["report"]

_LEDGER = Path("phusion-ledger.sqlite")


def report(
    *studies: str,
    ledger: Path = _LEDGER,
    out: Path = Path("report.html"),
    quick: bool = False,
    force: bool = False,
) -> None:
    """Write what is computed of the paper's tables and figures, or of your own studies, beside the paper's values.

    Three files are written: an HTML page that needs no network, the same as Markdown without its figures, and a CSV
    file with every number of the tables and every metric of each design.

    Examples: phusion report; phusion report rank_struc --quick; phusion report mine.toml --out mine.html

    Parameters
    ----------
    studies
        Names of the paper's studies, or TOML files of your own; all of the paper's, if none is given.
    ledger
        Where `phusion reproduce` or `phusion study` kept the results.
    out
        The page; the .md and .csv files have the same name.
    quick
        Report what was computed with --quick.
    force
        Replace files that exist.
    """
    from phusion.errors import InputError
    from phusion.experiments.ledger import Ledger
    from phusion.output import check_target, whole_files
    from phusion.report.content import report_of
    from phusion.report.csv import csv_of
    from phusion.report.markdown import markdown_of
    from phusion.report.page import page_of

    asked = _asked(studies, ledger, quick)
    if not ledger.is_file():
        raise InputError(f"there is no ledger {ledger}; this makes one: {asked[0].command}")
    base = out.with_suffix("") if out.suffix.lower() in (".html", ".htm", ".md", ".csv") else out
    kinds = {".html": page_of, ".md": markdown_of, ".csv": csv_of}
    targets = {base.with_name(base.name + suffix): make for suffix, make in kinds.items()}
    for target in targets:
        check_target(target, force)
    with Ledger(ledger, reading=True) as opened:
        found = report_of(asked, opened, quick=quick)
    texts = {target: make(found) for target, make in targets.items()}
    with whole_files(*texts, overwrite=force) as folder:
        for target, text in texts.items():
            (folder / target.name).write_text(text, encoding="utf-8")
    print(f"{found.cells - found.missing:,} of {found.cells:,} cells are computed. Written:")
    for target in texts:
        print(f"  {target}")


def _asked(studies: tuple[str, ...], ledger: Path, quick: bool) -> list[Asked]:
    """The studies by name or file, each with the command that computes it."""
    from shlex import join

    from phusion.cli.method import UsageError
    from phusion.errors import suggest
    from phusion.experiments.reading import paper_studies, read_study
    from phusion.paths import exists
    from phusion.report.content import Asked

    known = paper_studies()
    options = [*(["--quick"] if quick else []), *(["--ledger", str(ledger)] if ledger != _LEDGER else [])]
    found = []
    for name in dict.fromkeys(studies or known):
        if name in known:
            study, command = known[name], "reproduce"
        elif name.endswith(".toml") or exists(name):
            study, command = read_study(name), "study"
        else:
            raise UsageError(f"no study of the paper is called {name!r}, and no file.{suggest(name, known)}")
        found.append(
            Asked(study.quick() if quick else study, join(["phusion", command, name, *options]), name in known)
        )
    return found
