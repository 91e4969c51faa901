"""Results as tasks give them, made up, and a study with dangerous names."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from phusion.experiments.ledger import Ledger
from phusion.experiments.reading import paper_studies
from phusion.experiments.runner import cell_of
from phusion.experiments.study import Study, each_cell
from phusion.report.content import Asked

STUDIES = paper_studies()
OWN = """
title = "Mine & <script>alert(1)</script>"
about = "A <b>bold</b> study."
task = "node_clustering"
table = "designs"
figure = "bars"
datasets = [
    { name = "<img src=x onerror=alert(2)>", planted = { shape = "house", count = 2, length = 6 } },
    { name = "second | *data* set", planted = { shape = "fan", count = 2, length = 6 } },
]
seeds = [0, 1]
[proximities]
"<script>alert(3)</script>" = "katz"
"\\"quoted' & long label of a proximity" = "ppmi"
heat = "heat"
"""


def asked(name: str, *, quick: bool = False) -> Asked:
    """A study of the paper, to report on."""
    study = STUDIES[name].quick() if quick else STUDIES[name]
    return Asked(study, f"phusion reproduce {name}", True)


def recorded(ledger: Ledger, study: Study, score: Callable[[str, str, str, int], Any]) -> None:
    """Record every cell: `score` says its result; None leaves it out, text is an error."""
    for profile, source, design, seed in each_cell(study, study.profiles):
        found = score(profile, source.name, design.label, seed)
        if found is not None:
            cell = cell_of(study, profile, source, design, seed)
            failed = isinstance(found, str)
            ledger.record(cell, None if failed else found, found if failed else None, 0.5)


def number(*parts: object) -> float:
    """The same for the same parts, from 0 to 1."""
    return zlib.crc32("|".join(map(str, parts)).encode()) / 2**32


def printed_values(profile, dataset, label, seed):
    """The graph table as it is printed, but for HK, which is a little off, and L⁺, which is far off."""
    mean, _ = STUDIES["graph_classification"].printed[dataset][label]
    off = {"HK": 0.3, "L⁺": 2.0}.get(label, 0.0)
    return {"accuracy": [mean + off, mean + off]}


def classified(profile, dataset, label, seed):
    return {"micro_f1": [20 + 60 * number(dataset, label, seed, name) for name in (1, 2)], "macro_f1": [1.0, 2.0]}


def accurate(profile, dataset, label, seed):
    return {"accuracy": [20 + 60 * number(dataset, label, seed)]}


def clustered(profile, dataset, label, seed):
    metrics = ("homogeneity", "completeness", "ami", "silhouette")
    return {metric: [number(dataset, label, seed, metric)] for metric in metrics}


def distributed(profile, dataset, label, seed):
    shape = {"counts": [1, 4, 2], "edges": [0.0, 1.0, 2.0, 3.0], "skewness": 0.1, "kurtosis": 0.2}
    statistics = ("sum", "variance", "entropy")
    return {statistic: {**shape, "bell_over_tail": number(label, statistic) - 0.5} for statistic in statistics}
