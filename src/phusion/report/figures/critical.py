"""Critical-difference diagrams: average ranks over data sets, and which differ by too little to tell them apart."""

from __future__ import annotations

import numpy as np

from phusion.evaluation.ranks import critical_difference, friedman, ranks
from phusion.experiments.tables import METRICS, Table
from phusion.report.figures.svg import Figure, Scale, drawing, element, text
from phusion.report.grids import titled

__all__ = ["critical_differences"]

_WIDTH, _SIDE, _LINE = 350.0, 92.0, 15.0
_MOST = 24  # methods that can still be told apart

Scores = dict[str, list[float]]


def critical_differences(table: Table) -> list[Figure]:
    """For each profile: Ψ and σ of a grid, each averaged over the other, or the designs.

    Draws of one planted graph are no data sets of their own: they are averaged first.
    """
    metric = METRICS.get(table.study.task, "")
    found = []
    for profile in table.scores:
        for what, scores in _compared(table, profile).items():
            n_datasets = len(next(iter(scores.values()), []))
            if 3 <= len(scores) <= _MOST and n_datasets >= 2:
                found.append(_drawn(f"{what}, {profile}", scores, n_datasets, titled(metric).removesuffix(", %")))
    return found


def _compared(table: Table, profile: str) -> dict[str, Scores]:
    """What is compared → method → its score on each data set; only of data sets that are complete."""
    kinds: dict[str, Scores] = {}
    groups: dict[str, list[str]] = {}
    for source in table.study.sources:
        groups.setdefault(source.group, []).append(source.name)
    designs = table.study.designs(profile)
    for draws in groups.values():
        values = [[table.score(profile, draw, one.proximity, one.nonlinearity) for draw in draws] for one in designs]
        if any(None in some for some in values):
            continue
        if table.study.table == "ranks":
            names = {"Ψ": [one.proximity for one in designs], "σ": [one.nonlinearity for one in designs]}
        else:
            names = {"designs": [one.label for one in designs]}
        for what, labels in names.items():
            for label in dict.fromkeys(labels):
                some = [value for value, other in zip(values, labels, strict=True) if other == label]
                kinds.setdefault(what, {}).setdefault(label, []).append(float(np.mean(some)))  # type: ignore[arg-type]
    return kinds


def _drawn(title: str, scores: Scores, n_datasets: int, metric: str) -> Figure:
    labels = list(scores)
    values = np.array([scores[label] for label in labels]).T
    places = np.mean([ranks(row) for row in values], axis=0)
    width = critical_difference(len(labels), n_datasets)
    chance = friedman(values)
    order = np.argsort(places, kind="stable")
    along = Scale(1.0, float(len(labels)), _SIDE, _WIDTH - _SIDE)
    top = 46.0
    alike = _alike(places[order], width)
    marks = [element("line", x1=along(1), x2=along(len(labels)), y1=top, y2=top, class_="axis")]
    for number in range(1, len(labels) + 1):
        marks.append(element("line", x1=along(number), x2=along(number), y1=top - 4, y2=top, class_="axis"))
        if len(labels) <= 12 or number % 2:
            marks.append(text(str(number), along(number), top - 8, text_anchor="middle", class_="small"))
    reach = min(width, len(labels) - 1.0)
    marks.append(element("line", x1=along(1), x2=along(1 + reach), y1=16, y2=16, class_="mark"))
    marks.append(text(f"critical difference {width:.2f}", along(1), 10, class_="small"))
    below = top + 10 + 6 * len(alike)
    half = (len(order) + 1) // 2
    for place, method in enumerate(order):
        left = place < half
        y = below + _LINE * ((place if left else len(order) - 1 - place) + 1)
        x, end = along(places[method]), _SIDE - 6 if left else _WIDTH - _SIDE + 6
        marks.append(element("polyline", points=f"{x:.1f},{top:.1f} {x:.1f},{y:.1f} {end:.1f},{y:.1f}", class_="lead"))
        label = labels[method] if len(labels[method]) <= 10 else f"{labels[method][:9]}…"
        shown = f"{label} {places[method]:.2f}"
        at, anchor = (end - 4, "end") if left else (end + 4, "start")
        marks.append(text(shown, at, y + 4, text_anchor=anchor, class_="small"))
    for number, (first, last) in enumerate(alike):
        y = top + 8 + 6 * number
        ends = {"x1": along(places[order[first]]) - 3, "x2": along(places[order[last]]) + 3}
        marks.append(element("line", **ends, y1=y, y2=y, class_="alike"))
    how = f"average ranks by {metric} over {n_datasets} data sets; Friedman's test p = {chance:.2g}"
    words = ", ".join(f"{labels[method]} {places[method]:.2f}" for method in order)
    drawn = drawing(_WIDTH, below + _LINE * half + 12, f"{title}: {how}: {words}", *marks)
    return Figure(title, drawn, f"{how}; thick bars join what cannot be told apart")


def _alike(places: np.ndarray[tuple[int, ...], np.dtype[np.float64]], width: float) -> list[tuple[int, int]]:
    """The longest runs of sorted ranks that span less than the critical difference."""
    found: list[tuple[int, int]] = []
    for first in range(len(places)):
        last = int(np.searchsorted(places, places[first] + width, side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found
