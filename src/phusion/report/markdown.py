"""The report as Markdown: everything but the figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from phusion.execution.explain import time_in_words
from phusion.report.content import VERDICTS, Part, Report
from phusion.report.grids import SHAPES, Grid, shown, signed, titled
from phusion.report.reasons import Difference

__all__ = ["markdown_of"]


def markdown_of(report: Report) -> str:
    """Headings, tables and lists; all names are escaped."""
    blocks = [f"# {_plain(report.title)}", *_state(report), *_summary(report), *_statements(report)]
    for part in report.parts:
        blocks += _part(part)
    blocks += _differences(report) + _failures(report) + _made(report)
    return "\n\n".join(blocks) + "\n"


def _state(report: Report) -> list[str]:
    taken = f", in {time_in_words(report.seconds)} of computing" if report.recorded else ""
    found = [f"{report.cells - report.missing:,} of {report.cells:,} cells computed{taken}."]
    if report.shared:
        found.append(
            f"Some belong to several studies and count once here; the studies' own add up to {report.shared:,} more."
        )
    if report.quick:
        found.append(
            "**A quick run**: fewer data sets and splits than the paper's, so that numbers differ by chance too."
        )
    lacking = [part for part in report.parts if part.missing]
    if lacking:
        found.append("Still missing, and the command that computes it:")
        found.append("\n".join(f"- {_plain(p.study.name)}, {p.missing:,} cells: {_code(p.command)}" for p in lacking))
    return found


def _summary(report: Report) -> list[str]:
    head = ["study", "profile", *VERDICTS, "within the figure to reach", "computed", "failed", "time"]
    rows = []
    for part in report.parts:
        done = f"{len(part.recorded):,} of {part.cells:,}"
        rest = [_reached(part), done, str(len(part.failures)), time_in_words(part.seconds)]
        for profile in part.study.profiles:  # what both profiles have in common stands once
            counts = [str(count) if part.printed else "" for count in part.verdicts(profile).values()]
            rows.append([part.study.name, profile, *counts, *rest])
            rest = [""] * len(rest)
    return ["## Summary", _table(head, rows)]


def _reached(part: Part) -> str:
    return "" if part.reached is None else f"{part.reached[0]} of {part.reached[1]}"


def _statements(report: Report) -> list[str]:
    if not report.statements:
        return []
    blocks = ["## Observations"]
    if report.quick:
        blocks.append(
            "In a quick run they are decided by fewer data sets and seeds than the paper has: a hint, no more."
        )
    for one in report.statements:
        lines = [f"**{_plain(one.claim)}** {_plain(one.outcome)}. True if {_plain(one.test)}.", ""]
        words = {True: "true", False: "false", None: "unknown"}
        lines += [f"- {name}: {words[found.holds]}. {_plain(found.evidence)}" for name, found in one.findings.items()]
        blocks.append("\n".join(lines))
    return blocks


def _part(part: Part) -> list[str]:
    study = part.study
    blocks = [f"## {_plain(study.title)}", f"{_plain(study.name)}" + (f", {_plain(study.paper)}" * bool(study.paper))]
    if study.about:
        blocks.append(_plain(" ".join(study.about.split())))
    if part.reached is not None:
        words = f"Figures to reach, {study.profiles[0]}: {_reached(part)} cells are within {part.to_reach}."
        blocks.append(_plain(words))
    if study.table == "shapes":
        blocks.append(_plain(SHAPES))
    for grid in [*part.grids, *part.designs]:
        blocks += ([f"### {_plain(grid.caption)}"] if grid.caption else []) + [_grid(grid)]
    return blocks


def _grid(grid: Grid) -> str:
    alone = len(grid.parts) == 1
    head = ["", *(group if alone else f"{group}: {part}" for group in grid.groups for part in grid.parts)]
    return _table(head, ([row.label, *(field.words for field in row.fields)] for row in grid.rows))


def _differences(report: Report) -> list[str]:
    blocks = []
    for part in report.parts:
        for some in part.differences:
            blocks.append(f"### {_plain(part.study.name)}, {_plain(some.profile)}")
            blocks += [f"All rows: {_plain(' '.join(some.shared))}"] * bool(some.shared)
            rows = [_difference(one, some.profile, bool(some.shared)) for one in some.rows]
            blocks.append(_table(["row", "cells", "largest difference", "why"], rows))
    return ["## What differs, and why", *blocks] if blocks else []


def _difference(one: Difference, profile: str, shared: bool) -> list[str]:
    entry, digits = one.largest, 4 if one.largest.near < 0.05 else 2
    place = f"{titled(entry.column)} on {entry.group}" if entry.group else titled(entry.column)
    ours, theirs = shown(entry.found[profile], digits), shown(entry.printed, digits)
    largest = f"{place}: {ours} against {theirs} ({signed(entry.difference(profile), digits)})"
    return [one.row, f"{one.cells} of {one.of}", largest, " ".join(filter(None, (*one.reasons, one.lacking(shared))))]


def _failures(report: Report) -> list[str]:
    rows = ([f.study, f.profile, f.dataset, f.design, str(f.seed), f.error] for f in report.failures)
    head = ["study", "profile", "data set", "design", "seed", "error"]
    return ["## Failed cells", _table(head, rows)] if report.failures else []


def _made(report: Report) -> list[str]:
    lines = [f"- cells computed by phusion {version}: {count:,}" for version, count in report.versions.items()]
    for about, count in report.machines:
        words = "; ".join(f"{key} {value}" for key, value in about.items())
        lines.append(f"- {count:,} cells on: {_plain(words)}")
    if report.unplaced:
        lines.append(f"- {report.unplaced:,} cells on a machine that is not recorded")
    if report.period:
        lines.append(f"- computed from {report.period[0]} to {report.period[1]}")
    lines += [f"- {_plain(part.study.name)}: seeds {', '.join(map(str, part.study.seeds))}" for part in report.parts]
    return ["## Machine, versions, seeds, times", "\n".join(lines)]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(w if w == '---' else _plain(w) for w in line)} |" for line in lines)


def _plain(words: str) -> str:
    """Words that mean nothing to Markdown or HTML."""
    words = " ".join(words.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#~])", r"\\\1", words)


def _code(command: str) -> str:
    return f"`{' '.join(command.replace('`', '').split())}`"
