"""How scores change with the order of proximity: a drawing for each family of designs, a line for each data set."""

from __future__ import annotations

from phusion.experiments.tables import Table
from phusion.report.figures.svg import SERIES, Figure, Scale, drawing, element, legend, levels, text

__all__ = ["order"]

_LEFT, _TOP, _HEIGHT, _WIDTH = 34.0, 10.0, 140.0, 340.0
_DASHES = ("", "5 4", "2 3")

Curves = dict[tuple[str, str], list[tuple[int, float]]]


def order(table: Table) -> list[Figure]:
    """A drawing for each family, the label without its last word."""
    families: dict[str, Curves] = {}
    for profile, scores in table.scores.items():
        for one in scores:
            family, _, number = one.design.label.rpartition(" ")
            score = table.score(profile, one.dataset, one.design.proximity, one.design.nonlinearity)
            if score is not None:
                curve = families.setdefault(family, {}).setdefault((profile, one.dataset), [])
                curve.append((int(number), score))
    return [_drawn(family, curves, table) for family, curves in families.items()]


def _drawn(family: str, curves: Curves, table: Table) -> Figure:
    datasets = [source.name for source in table.study.sources if any(name == source.name for _, name in curves)]
    profiles = list(table.scores)
    orders = sorted({number for curve in curves.values() for number, _ in curve})
    known = [score for curve in curves.values() for _, score in curve]
    margin = max(max(known) - min(known), 1e-9) * 0.08
    up = Scale(min(known) - margin, max(known) + margin, _TOP + _HEIGHT, _TOP)
    along = Scale(orders[0], orders[-1], _LEFT + 12, _WIDTH - 12)
    marks = [levels(up, _LEFT, _WIDTH)]
    marks += [
        text(str(number), along(number), _TOP + _HEIGHT + 15, text_anchor="middle", class_="small") for number in orders
    ]
    for (profile, dataset), curve in curves.items():
        colour = datasets.index(dataset) % SERIES + 1
        points = [(along(number), up(score)) for number, score in sorted(curve)]
        dashes = _DASHES[profiles.index(profile) % len(_DASHES)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        marks.append(element("polyline", points=path, class_=f"line-{colour}", stroke_dasharray=dashes or "none"))
        marks += [element("circle", cx=x, cy=y, r=2.6, class_=f"fill-{colour}") for x, y in points]
    boxes, below = legend(datasets, _TOP + _HEIGHT + 34, _LEFT, _WIDTH)
    how = "orders 1 to k side by side; " + "; ".join(
        f"{'solid' if not place else 'dashed'}: {profile}" for place, profile in enumerate(profiles)
    )
    about = f"Scores of {family} against the highest order k; {how}. The numbers are in the table."
    return Figure(family, drawing(_WIDTH, below + 8, about, *marks, boxes), how)
