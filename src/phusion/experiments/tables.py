"""The tables of a study, from its ledger: the paper's value beside ours in each profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import rankdata

from phusion.experiments.ledger import Ledger
from phusion.experiments.runner import cell_of
from phusion.experiments.study import Design, Study
from phusion.experiments.tasks import RowDistributions, vuong
from phusion.graph.ids import Array

__all__ = ["METRICS", "RANK_COLUMNS", "Entry", "Score", "Table", "scores_of", "table_of"]

RANK_COLUMNS = ("rank", "mean", "max")
METRICS = {
    "node_classification": "micro_f1",
    "graph_classification": "accuracy",
    "link_prediction": "auc",
    "node_clustering": "ami",
}
"""What a design's score is, by task."""
_NEAR = {"link_prediction": 0.005, "node_clustering": 0.005}  # shares; all other scores are percentages
_SHOWN = ("homogeneity", "completeness", "silhouette")


@dataclass(frozen=True)
class Score:
    """One design on one data set in one profile: its metrics over all splits of all seeds.

    Attributes
    ----------
    means : metric → its mean over seeds; empty unless all are recorded.
    spreads : metric → the standard deviation of the seeds' means, if there are several.
    counts : metric → how many numbers its mean is of: splits, or folds, of all seeds.
    seeds : how many of them gave a result.
    raw : what each seed gave, for tasks whose result is no list of numbers.
    errors : of cells that failed.
    missing : how many cells are not recorded.
    """

    dataset: str
    design: Design
    means: Mapping[str, float]
    spreads: Mapping[str, float]
    counts: Mapping[str, int]
    seeds: int
    raw: tuple[Any, ...]
    errors: tuple[str, ...]
    missing: int
    seconds: float

    @property
    def numbers(self) -> dict[str, float]:
        """Every number that is recorded, but for histograms: the means, or what describes the rows' statistics."""
        if self.means or self.errors or self.missing or not self.raw:
            return dict(self.means)
        return {
            f"{statistic} {name}": float(value)
            for statistic, found in self.raw[0].items()
            for name, value in {**found, "vuong_z": vuong(found)}.items()
            if isinstance(value, (int, float))
        }


@dataclass(frozen=True)
class Entry:
    """One number of a table: the paper's, and ours in each profile; None where there is none."""

    group: str
    row: str
    column: str
    printed: float | None
    found: Mapping[str, float | None]
    spread: Mapping[str, float | None]
    near: float
    """What counts as agreement, in the unit of the column."""
    printed_spread: float | None = None
    to_reach: float | None = None
    """How near to the paper the first profile is meant to come, where the study says so."""

    def difference(self, profile: str = "published") -> float | None:
        """Ours − the paper's."""
        value = self.found.get(profile)
        return None if value is None or self.printed is None else value - self.printed

    def verdict(self, profile: str = "published") -> str:
        """In a word: agrees, close (within five times of that), differs; or what is missing."""
        difference = self.difference(profile)
        if self.printed is None:
            return "not printed"
        if difference is None:
            return "not computed"
        size = abs(difference)
        return "agrees" if size <= self.near else "close" if size <= 5 * self.near else "differs"

    def reached(self, profile: str = "published") -> bool:
        """Whether it is as near to the paper as it is meant to be."""
        difference = self.difference(profile)
        return self.to_reach is not None and difference is not None and abs(difference) <= self.to_reach


@dataclass(frozen=True)
class Table:
    """All entries of a study's table, with the scores they are made of."""

    study: Study
    entries: tuple[Entry, ...]
    scores: Mapping[str, tuple[Score, ...]]
    """Profile → scores."""

    def of_design(self, profile: str, dataset: str, proximity: str, nonlinearity: str = "") -> Score | None:
        """The score of one design, if the study has it."""
        for one in self.scores.get(profile, ()):
            if (one.dataset, one.design.proximity, one.design.nonlinearity) == (dataset, proximity, nonlinearity):
                return one
        return None

    def score(self, profile: str, dataset: str, proximity: str, nonlinearity: str = "") -> float | None:
        """Its mean, if it is complete."""
        one = self.of_design(profile, dataset, proximity, nonlinearity)
        return None if one is None else one.means.get(METRICS.get(self.study.task, ""))

    @property
    def groups(self) -> list[str]:
        """Data sets, or the one group of all."""
        return list(dict.fromkeys(entry.group for entry in self.entries))


def table_of(study: Study, ledger: Ledger) -> Table:
    """What is recorded of a study."""
    scores = {profile: tuple(scores_of(study, profile, ledger)) for profile in study.profiles}
    make = {
        "ranks": _rank_entries,
        "designs": _design_entries,
        "metrics": _metric_entries,
        "shapes": _shape_entries,
    }[study.table]
    entries = (replace(entry, to_reach=_to_reach(study, entry)) for entry in make(study, scores))
    return Table(study, tuple(entries), scores)


def _to_reach(study: Study, entry: Entry) -> float | None:
    given = study.to_reach
    within = given.get("within")
    limit = within.get(entry.group) if isinstance(within, Mapping) else within
    named = entry.row in given.get("rows", [entry.row]) and entry.column in given.get("columns", [entry.column])
    return None if limit is None or entry.printed is None or not named else float(limit)


def scores_of(study: Study, profile: str, ledger: Ledger) -> list[Score]:
    """Every design on every data set."""
    found = []
    for source in study.sources:
        for design in study.designs_on(profile, source):
            seeds = study.seeds_of(profile, source, design)
            keys = [cell_of(study, profile, source, design, seed).key for seed in seeds]
            recorded = ledger.done(keys)
            results = [recorded[key].result for key in keys if key in recorded and recorded[key].error is None]
            whole = results if len(results) == len(keys) else []  # a mean of some seeds is another number
            listed = [one for one in whole if all(isinstance(value, list) for value in one.values())]
            metrics = listed[0] if listed else {}
            by_seed = {name: [float(np.mean(one[name])) for one in listed] for name in metrics}
            found.append(
                Score(
                    dataset=source.name,
                    design=design,
                    means={name: float(np.mean(values)) for name, values in by_seed.items()},
                    spreads={name: float(np.std(values)) for name, values in by_seed.items() if len(values) > 1},
                    counts={name: sum(len(one[name]) for one in listed) for name in metrics},
                    seeds=len(results),
                    raw=tuple(results),
                    errors=tuple(one.error for one in recorded.values() if one.error is not None),
                    missing=len(keys) - len(recorded),
                    seconds=sum(one.seconds for one in recorded.values()),
                )
            )
    return found


def _rank_entries(study: Study, scores: Mapping[str, tuple[Score, ...]]) -> list[Entry]:
    """By Ψ and by σ: average rank among all designs, average and maximum of the score."""
    metric = METRICS[study.task]
    entries = []
    for source in study.sources:
        found: dict[tuple[str, str], dict[str, float | None]] = {}
        labels: list[str] = []
        for profile in study.profiles:
            here = [one for one in scores[profile] if one.dataset == source.name]
            labels = list(
                dict.fromkeys([one.design.proximity for one in here] + [one.design.nonlinearity for one in here])
            )
            values = np.array([one.means.get(metric, np.nan) for one in here])
            complete = bool(here) and not np.isnan(values).any()
            places = _places(values, study.first_rank) if complete else np.full(len(here), np.nan)
            for label in filter(None, labels):
                chosen = [label in (one.design.proximity, one.design.nonlinearity) for one in here]
                some = values[chosen]
                numbers = (places[chosen].mean(), some.mean(), some.max()) if len(some) else (np.nan,) * 3
                for column, number in zip(RANK_COLUMNS, numbers, strict=True):
                    found.setdefault((label, column), {})[profile] = None if np.isnan(number) else float(number)
        printed = study.printed.get(source.name, {})
        for (label, column), by_profile in found.items():
            row = printed.get(label)
            value = None if row is None else float(row[RANK_COLUMNS.index(column)])
            near = 0.3 if column == "rank" else _NEAR.get(study.task, 0.1)
            entries.append(Entry(source.name, label, column, value, by_profile, {}, near))
    return entries


def _places(values: Array, first: int) -> Array:
    """Ranks from the highest on; equal ones have the best of theirs, as the paper's do."""
    return np.asarray(rankdata(-values, method="min") - 1.0 + first)


def _design_entries(study: Study, scores: Mapping[str, tuple[Score, ...]]) -> list[Entry]:
    """The mean of each design on each data set, with its spread."""
    metric = METRICS[study.task]
    entries = []
    for source in study.sources:
        by_profile = {
            profile: {one.design.label: one for one in scores[profile] if one.dataset == source.name}
            for profile in study.profiles
        }
        labels = dict.fromkeys(label for found in by_profile.values() for label in found)
        for label in labels:
            row = study.printed.get(source.name, {}).get(label)
            ours = {profile: found[label] for profile, found in by_profile.items() if label in found}
            entries.append(
                Entry(
                    source.name,
                    label,
                    metric,
                    None if row is None else float(row[0]),
                    {profile: one.means.get(metric) for profile, one in ours.items()},
                    {profile: one.spreads.get(metric) for profile, one in ours.items()},
                    _NEAR.get(study.task, 0.1),
                    None if row is None or len(row) < 2 else float(row[1]),
                )
            )
    return entries


def _metric_entries(study: Study, scores: Mapping[str, tuple[Score, ...]]) -> list[Entry]:
    """Each metric of each design, averaged over the data sets."""
    entries = []
    labels = dict.fromkeys(one.design.label for found in scores.values() for one in found)
    for label in labels:
        row = study.printed.get(label)
        for k, metric in enumerate(_SHOWN):
            values = {
                profile: [one.means.get(metric) for one in found if one.design.label == label]
                for profile, found in scores.items()
            }
            means = {
                profile: None if not some or None in some else float(np.mean(some))  # type: ignore[arg-type]
                for profile, some in values.items()
            }
            entries.append(Entry("", label, metric, None if row is None else float(row[k]), means, {}, 0.005))
    return entries


def _shape_entries(study: Study, scores: Mapping[str, tuple[Score, ...]]) -> list[Entry]:
    """How much likelier a bell is than a heavy tail, for each statistic of each design's rows, and Vuong's z of it."""
    found: dict[tuple[str, str, str], dict[str, float | None]] = {}
    for profile, some in scores.items():
        for one in some:
            for statistic in RowDistributions.metrics:
                shape = one.raw[0][statistic] if one.raw else None
                place = one.dataset, one.design.label
                found.setdefault((*place, statistic), {})[profile] = None if shape is None else shape["bell_over_tail"]
                found.setdefault((*place, f"{statistic} z"), {})[profile] = None if shape is None else vuong(shape)
    return [Entry(*place, None, values, {}, 0.1) for place, values in found.items()]
