"""The report as CSV: a line for each cell of each table, with every digit."""

from __future__ import annotations

import csv
import io

from phusion.report.content import Report

__all__ = ["csv_of"]

_PROFILES = ("published", "corrected", "own")


def csv_of(report: Report) -> str:
    """Empty fields where there is no number."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    details = ("", "_spread", "_difference", "_verdict")
    writer.writerow(
        [
            "study",
            "dataset",
            "row",
            "column",
            "paper",
            "paper_spread",
            *(f"{p}{detail}" for p in _PROFILES for detail in details),
        ]
    )
    for part in report.parts:
        for entry in part.table.entries:
            fields: list[object] = [
                part.study.name,
                entry.group,
                entry.row,
                entry.column,
                entry.printed,
                entry.printed_spread,
            ]
            for profile in _PROFILES:
                known = profile in part.study.profiles
                fields += [entry.found.get(profile), entry.spread.get(profile), entry.difference(profile)]
                fields.append(entry.verdict(profile) if known else None)
            writer.writerow(fields)
    return target.getvalue()
