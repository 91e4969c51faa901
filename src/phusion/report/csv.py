"""The report as CSV, one number a line: first the cells of each table, then every metric of each design."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, fields

from phusion.experiments.tables import METRICS, Score
from phusion.report.content import Part, Report

__all__ = ["Line", "csv_of"]


@dataclass(frozen=True)
class Line:
    """One number, and all that is known of it; None where there is nothing to say.

    Attributes
    ----------
    kind : ``"table"``, a cell of a study's table, or ``"design"``, a metric of one design on one data set.
    row, column : of the table; the design's label and the metric.
    value : ours.
    spread : the standard deviation of the seeds' means.
    paper, paper_spread, difference, verdict : what is printed, and how ours compares.
    to_reach : how near to the paper the first profile is meant to come, where the study says so.
    seeds, splits : how many seeds gave a result, and how many numbers the value is the mean of.
    error : why cells failed.
    """

    kind: str
    study: str
    profile: str
    dataset: str
    row: str
    column: str
    value: float | None
    spread: float | None
    paper: float | None = None
    paper_spread: float | None = None
    difference: float | None = None
    verdict: str | None = None
    to_reach: float | None = None
    seeds: int | None = None
    splits: int | None = None
    error: str | None = None


def csv_of(report: Report) -> str:
    """Every digit; empty fields where there is nothing."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    names = [field.name for field in fields(Line)]
    writer.writerow(names)
    for part in report.parts:
        for line in (*_of_table(part), *_of_designs(part)):
            writer.writerow([getattr(line, name) for name in names])
    return target.getvalue()


def _of_table(part: Part) -> Iterator[Line]:
    for profile in part.study.profiles:
        for entry in part.table.entries:
            yield Line(
                kind="table",
                study=part.study.name,
                profile=profile,
                dataset=entry.group,
                row=entry.row,
                column=entry.column,
                value=entry.found.get(profile),
                spread=entry.spread.get(profile),
                paper=entry.printed,
                paper_spread=entry.printed_spread,
                difference=entry.difference(profile),
                verdict=entry.verdict(profile),
                to_reach=entry.to_reach if profile == part.study.profiles[0] else None,
            )


def _of_designs(part: Part) -> Iterator[Line]:
    main = METRICS.get(part.study.task, "")
    for profile, scores in part.table.scores.items():
        for one in scores:
            numbers: dict[str, float | None] = {**one.numbers} or {main: None}
            for metric, value in numbers.items():
                yield _of_metric(part.study.name, profile, one, metric, value)


def _of_metric(study: str, profile: str, one: Score, metric: str, value: float | None) -> Line:
    return Line(
        kind="design",
        study=study,
        profile=profile,
        dataset=one.dataset,
        row=one.design.label,
        column=metric,
        value=value,
        spread=one.spreads.get(metric),
        seeds=one.seeds,
        splits=one.counts.get(metric),
        error="; ".join(dict.fromkeys(one.errors)) or None,
    )
