"""`Study`: data sets, designs and a protocol, from what its file says; `reading` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import phusion.experiments.published as _published
from phusion.component import resolve
from phusion.errors import PhusionError, suggest
from phusion.experiments.checks import (
    PRECISIONS,
    REFUSED,
    check_exceptions,
    check_parts,
    check_printed,
    check_seeds,
    check_shape,
    check_to_reach,
    one_of,
)
from phusion.experiments.fitting import check_designs
from phusion.experiments.mistakes import StudyError, at
from phusion.experiments.sources import Source
from phusion.experiments.tasks import EMBEDDINGS, TASKS, task_of
from phusion.spec import Spec

__all__ = ["PROFILES", "Design", "Study", "each_cell", "study_of"]

PROFILES = ("published", "corrected")
"""What the authors' code did, and what the paper's text says."""
_OWN = "own"
_TABLES = {"node_clustering": ("metrics", "designs", "ranks"), "row_distributions": ("shapes",)}
_OTHER_TABLES = ("designs", "ranks")  # of all other tasks; the first is what a study has that names none
_FIGURES = ("none", "bars", "order", "distributions")
_OWN_FIGURES = {"ranks": "bars", "shapes": "distributions"}  # of studies that name none, by their table
_KINDS = ("one graph", "many graphs")
_PUBLISHED = _published.__name__  # its components are registered by the import


@dataclass(frozen=True)
class Design:
    """One method under its label, (Ψ, σ) of the grid or a name of its own, with its protocol."""

    proximity: str
    nonlinearity: str
    spec: Spec
    protocol: Mapping[str, Any]

    @property
    def label(self) -> str:
        """Both labels."""
        return f"{self.proximity} {self.nonlinearity}".strip()


@dataclass(frozen=True)
class Study:
    """What to compute, and how to show it.

    Parameters
    ----------
    name : of its file.
    title, about : in words.
    paper : the table or figure it reproduces.
    task : see `phusion.experiments.tasks.TASKS`.
    sources : the data sets.
    seeds : of the splits, of any part of the study; see `seeds_of`.
    table : how results are shown: ``"ranks"``, ``"designs"``, ``"metrics"`` or ``"shapes"``.
    figure : how they are drawn: ``"bars"``, ``"order"`` (of designs whose labels end in a number), ``"distributions"``
        or ``"none"``.
    coloured_by : the study whose scores colour the distributions.
    printed : the paper's values.
    to_reach : how near to them the first profile is meant to come: `within`, a number or one for each data set; `rows`
        and `columns`, if not all.
    folder : of its file, from which files of data sets are found.
    profiles : those the file tells apart, or ``("own",)``.
    """

    name: str
    title: str
    task: str
    sources: tuple[Source, ...]
    seeds: tuple[int, ...]
    given: Mapping[str, Any] = field(repr=False)
    paper: str = ""
    about: str = ""
    table: str = "designs"
    figure: str = "none"
    coloured_by: str = ""
    printed: Mapping[str, Any] = field(default_factory=dict, repr=False)
    to_reach: Mapping[str, Any] = field(default_factory=dict, repr=False)
    folder: Path = field(default=Path(), repr=False)

    @property
    def first_rank(self) -> int:
        """The rank of the best design, 0 or 1."""
        return int(self.given.get("first_rank", 1))

    @cached_property
    def profiles(self) -> tuple[str, ...]:
        """Profiles that the file tells apart; of one that tells none, its own."""
        return PROFILES if _tells_profiles(self.given) else (_OWN,)

    def designs(self, profile: str) -> list[Design]:
        """All designs in one profile."""
        protocol = _chosen(self.given.get("protocol", {}), profile)
        usual = EMBEDDINGS.get(self.task, "characteristic")
        embedding = _chosen(self.given.get("embedding", usual), profile)
        pooling = _chosen(self.given.get("pooling"), profile)
        found = []
        rows = self.given.get("proximities", {})
        columns = self.given.get("nonlinearities", {"": "identity"})
        for (row, psi), (column, sigma) in product(rows.items(), columns.items()):
            parts = {"proximity": _chosen(psi, profile), "nonlinearity": _chosen(sigma, profile)}
            spec = {**parts, "embedding": embedding, "pooling": pooling, "random_state": 0}
            found.append(Design(row, column, _spec(spec, f"{row} {column}"), protocol))
        for label, entry in self.given.get("designs", {}).items():
            chosen = _chosen(entry, profile)
            if "spec" not in chosen:
                raise StudyError(f"the design {label!r} needs a spec", "designs", label)
            try:
                start = {"random_state": 0, "embedding": usual, **({"pooling": pooling} if pooling else {})}
                own = _spec({**start, **_parts_of(chosen["spec"])}, label)
            except PhusionError as error:
                raise at(error, "designs", label) from error
            found.append(Design(label, "", own, {**protocol, **chosen.get("protocol", {})}))
        if not found:
            raise StudyError("a study needs proximities or designs")
        return found

    def designs_on(self, profile: str, source: Source) -> list[Design]:
        """All designs in one profile, as they are on one data set: exceptions may have a proximity of their own."""
        found = []
        for design in self.designs(profile):
            own = self._of("proximity", None, profile, source, design)
            spec = design.spec if own is None else replace(design.spec, proximity=resolve("proximities", own))
            found.append(replace(design, spec=spec))
        return found

    def grid(self, profile: str) -> dict[str, Any]:
        """The parts of the formula as the file has them for a profile."""
        keys = ("proximities", "nonlinearities", "embedding", "protocol")
        return {key: _chosen(self.given[key], profile) for key in keys if key in self.given}

    def seeds_of(self, profile: str, source: Source, design: Design) -> tuple[int, ...]:
        """Those of one design on one data set."""
        return tuple(self._of("seeds", [0], profile, source, design))

    def precision_of(self, profile: str, source: Source, design: Design) -> str:
        """That of one embedding, ``"double"`` or ``"single"``."""
        return str(self._of("precision", PRECISIONS[0], profile, source, design))

    @property
    def precisions(self) -> tuple[str, ...]:
        """Those of all parts."""
        parts = (part[:3] for part in each_cell(self, self.profiles))
        return tuple(dict.fromkeys(self.precision_of(*part) for part in parts))

    def _of(self, key: str, usual: Any, profile: str, source: Source, design: Design) -> Any:
        """What the last exception about this design on this data set has of its own, else what the profile has."""
        found = _chosen(self.given.get(key, usual), profile)
        about = {"profiles": profile, "datasets": source.name, "rows": design.proximity}
        for entry in self.given.get("exceptions", []):
            if key in entry and all(name in entry.get(kind, [name]) for kind, name in about.items()):
                found = entry[key]
        return found

    def task_for(self, design: Design) -> Any:
        """The task with the design's protocol."""
        return task_of(self.task, design.protocol)

    def quick(self) -> Study:
        """A smaller one that shows whether everything runs."""
        changes = dict(self.given.get("quick", {}))
        protocol = {**self.given.get("protocol", {}), **changes.pop("protocol", {})}
        full = {str(_name_of(entry)): entry for entry in self.given["datasets"]}
        sources = [full.get(str(_name_of(entry)), entry) for entry in changes.pop("datasets", full)]
        rest = {key: value for key, value in self.given.items() if key not in ("quick", "exceptions")}
        smaller = {"seeds": list(self.seeds[:1]), "protocol": protocol, "datasets": sources, **changes}
        return study_of(self.name, {**rest, **smaller}, self.folder)


def study_of(name: str, given: Mapping[str, Any], folder: Path = Path()) -> Study:
    """A study from what its file says; its data sets may also be graphs."""
    check_shape(given, PROFILES)
    task = given.get("task")
    if task not in TASKS:
        raise StudyError(f"no task is called {task!r}.{suggest(str(task), TASKS)}", "task")
    table = one_of("table", given, _TABLES.get(task, _OTHER_TABLES))
    figure = one_of("figure", {"figure": _OWN_FIGURES.get(table, "none"), **given}, _FIGURES)
    for profile in PROFILES:
        one_of("precision", {"precision": _chosen(given.get("precision", "double"), profile)}, PRECISIONS)
    check_printed(given.get("printed", {}), table)
    check_to_reach(given.get("to_reach", {}))
    known = {f.name for f in fields(Study)} & set(given) - {"seeds", "task", "table", "figure"}
    study = Study(
        name=name, task=task, sources=_sources(given, folder), given=given,
        seeds=check_seeds(given.get("seeds", [0]), PROFILES), table=table, figure=figure, folder=folder,
        **{"title": name, **{key: given[key] for key in known}},
    )  # fmt: skip
    check_parts(given, study.profiles, _chosen)
    others = check_exceptions(given.get("exceptions", []), _names_in(study))
    study = replace(study, seeds=tuple(dict.fromkeys((*study.seeds, *others))))
    for profile in study.profiles:  # all that can be wrong is found now, not after hours
        check_designs(study, profile)
    if "quick" in given:
        try:
            study.quick()
        except PhusionError as error:
            raise at(error, "quick", about="quick: ") from error
    return study


def _names_in(study: Study) -> dict[str, list[str]]:
    """What parts of a study are called."""
    rows = [*study.given.get("proximities", {}), *study.given.get("designs", {})]
    return {"profiles": list(study.profiles), "datasets": [source.name for source in study.sources], "rows": rows}


def _sources(given: Mapping[str, Any], folder: Path) -> tuple[Source, ...]:
    found: list[Source] = []
    for place, entry in enumerate(given.get("datasets", [])):
        try:
            for source in Source.of(entry, folder):
                if source.many != (given["task"] == "graph_classification"):
                    raise StudyError(f"{given['task']} is for {_KINDS[not source.many]}; {source.name!r} is not")
                if source.name in (other.name for other in found):
                    raise StudyError(f"two data sets are called {source.name!r}")
                found.append(source)
        except PhusionError as error:
            raise at(error, "datasets", place) from error
    if not found:
        raise StudyError("a study needs datasets, a list of names or files", "datasets")
    return tuple(found)


def _name_of(dataset: Any) -> Any:
    return dataset.get("name") if isinstance(dataset, Mapping) else dataset


def _tells_profiles(given: Any) -> bool:
    if isinstance(given, Mapping):
        return set(given) == set(PROFILES) or any(_tells_profiles(value) for value in given.values())
    return False


def _chosen(given: Any, profile: str) -> Any:
    """What stands for this profile, at any depth."""
    if isinstance(given, Mapping):
        if set(given) == set(PROFILES):
            return given[profile]
        return {key: _chosen(value, profile) for key, value in given.items()}
    return given


def _spec(given: Mapping[str, Any], label: str) -> Spec:
    try:
        return Spec.from_dict({key: value for key, value in given.items() if value is not None})
    except REFUSED as error:
        raise StudyError(f"the design {label!r}: {error}") from error


def _parts_of(given: Any) -> Mapping[str, Any]:
    """A preset's name, or parts."""
    if isinstance(given, str):
        from phusion.presets.registry import find

        return {key: value for key, value in find(given).spec.as_dict().items() if key != "random_state"}
    if isinstance(given, Mapping):
        return given
    raise StudyError(f"a spec is the name of a preset or a table; got {given!r}", "spec")


def each_cell(study: Study, profiles: tuple[str, ...]) -> Iterator[tuple[str, Source, Design, int]]:
    """Everything a study computes, one data set after another."""
    for profile in profiles:
        for source in study.sources:
            for design in study.designs_on(profile, source):
                for seed in study.seeds_of(profile, source, design):
                    yield profile, source, design, seed
