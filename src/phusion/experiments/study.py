"""`Study`: data sets, designs and a protocol, read from one TOML file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import phusion.experiments.published as _published
from phusion.errors import FileError, InputError, PhusionError, UnreadableFileError, suggest
from phusion.experiments.sources import Source
from phusion.experiments.tasks import TASKS, task_of
from phusion.spec import Spec

__all__ = ["PROFILES", "Design", "Study", "paper_studies", "read_study"]

PROFILES = ("published", "corrected")
"""What the authors' code did, and what the paper's text says."""
_OWN = "own"
_KEYS = (
    "title", "paper", "about", "task", "datasets", "seeds", "protocol", "proximities", "nonlinearities", "embedding",
    "pooling", "designs", "precision", "quick", "table", "figure", "coloured_by", "printed",
)  # fmt: skip
_WORDS = ("title", "paper", "about", "coloured_by")
_TABLES = {"node_clustering": ("metrics", "designs", "ranks"), "row_distributions": ("shapes",)}
_OTHER_TABLES = ("designs", "ranks")  # of all other tasks; the first is what a study has that names none
_FIGURES = ("none", "bars", "order", "distributions")
_OWN_FIGURES = {"ranks": "bars", "shapes": "distributions"}  # of studies that name none, by their table
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
    seeds : of the splits.
    table : how results are shown: ``"ranks"``, ``"designs"``, ``"metrics"`` or ``"shapes"``.
    figure : how they are drawn: ``"bars"``, ``"order"`` (of designs whose labels end in a number), ``"distributions"``
        or ``"none"``.
    coloured_by : the study whose scores colour the distributions.
    printed : the paper's values.
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
    precision: str = "double"
    printed: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def profiles(self) -> tuple[str, ...]:
        """Profiles that the file tells apart; of one that tells none, its own."""
        return PROFILES if _tells_profiles(self.given) else (_OWN,)

    def designs(self, profile: str) -> list[Design]:
        """All designs in one profile."""
        protocol = _chosen(self.given.get("protocol", {}), profile)
        embedding = _chosen(self.given.get("embedding", "characteristic"), profile)
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
            if not isinstance(chosen, Mapping) or "spec" not in chosen:
                raise InputError(f"the design {label!r} needs a spec; got {chosen!r}")
            spec = {"random_state": 0, **({"pooling": pooling} if pooling else {}), **_spec_of(chosen["spec"], label)}
            found.append(Design(label, "", _spec(spec, label), {**protocol, **chosen.get("protocol", {})}))
        if not found:
            raise InputError("a study needs proximities or designs")
        return found

    def task_for(self, design: Design) -> Any:
        """The task with the design's protocol."""
        return task_of(self.task, design.protocol)

    def quick(self) -> Study:
        """A smaller one that shows whether everything runs."""
        changes = dict(self.given.get("quick", {}))
        protocol = {**self.given.get("protocol", {}), **changes.pop("protocol", {})}
        full = {_name_of(entry): entry for entry in self.given["datasets"]}
        sources = [full.get(_name_of(entry), entry) for entry in changes.pop("datasets", full)]
        rest = {key: value for key, value in self.given.items() if key != "quick"}
        smaller = {"seeds": list(self.seeds[:1]), "protocol": protocol, "datasets": sources, **changes}
        return _study(self.name, {**rest, **smaller})


def paper_studies() -> dict[str, Study]:
    """The paper's tables and figures, by name."""
    folder = files("phusion.experiments") / "paper"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {name[:-5]: read_study(Path(str(folder / name))) for name in names}


def read_study(path: str | Path) -> Study:
    """Read a study; what is wrong is named with its line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"not TOML: {error}", path=path, line=_line_in(str(error))) from error
    try:
        return _study(path.stem, given)
    except PhusionError as error:
        raise FileError(str(error), path=path, line=_line_of(str(error), text)) from error


def _study(name: str, given: Mapping[str, Any]) -> Study:
    for key in given:
        if key not in _KEYS:
            raise InputError(f"a study has no key {key!r}.{suggest(key, _KEYS)}")
    task = given.get("task")
    if task not in TASKS:
        raise InputError(f"no task is called {task!r}.{suggest(str(task), TASKS)}")
    sources = tuple(one for entry in given.get("datasets", []) for one in Source.of(entry))
    if not sources:
        raise InputError("a study needs datasets, a list of names or files")
    seeds = given.get("seeds", [0])
    if not isinstance(seeds, list) or not seeds or not all(type(s) is int and s >= 0 for s in seeds):
        raise InputError(f"seeds is a list of whole numbers ≥ 0; got {seeds!r}")
    for key in _WORDS:
        if not isinstance(given.get(key, ""), str):
            raise InputError(f"{key} is text; got {given[key]!r}")
    table = _one_of("table", given, _TABLES.get(task, _OTHER_TABLES))
    figure = _one_of("figure", {"figure": _OWN_FIGURES.get(table, "none"), **given}, _FIGURES)
    known = {f.name for f in fields(Study)} & set(given) - {"seeds", "task", "table", "figure"}
    study = Study(
        name=name, task=task, sources=sources, seeds=tuple(seeds), given=given, table=table, figure=figure,
        **{"title": name, **{key: given[key] for key in known}},
    )  # fmt: skip
    for profile in study.profiles:  # all that can be wrong is found now, not after hours
        for design in study.designs(profile):
            study.task_for(design)
            if figure == "order" and not design.label.rpartition(" ")[2].isdecimal():
                raise InputError(f"figure = 'order' needs labels that end in the order, as 'A 2'; got {design.label!r}")
    if "quick" in given:
        study.quick()
    return study


def _one_of(key: str, given: Mapping[str, Any], accepted: tuple[str, ...]) -> str:
    chosen = given.get(key, accepted[0])
    if chosen not in accepted:
        raise InputError(f"the {key} of such a study is {' or '.join(map(repr, accepted))}; got {chosen!r}")
    return str(chosen)


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
    except PhusionError as error:
        raise InputError(f"the design {label!r}: {error}") from error


def _spec_of(given: Any, label: str) -> Mapping[str, Any]:
    """A preset's name, or parts."""
    if isinstance(given, str):
        from phusion.presets.registry import find

        return {key: value for key, value in find(given).spec.as_dict().items() if key != "random_state"}
    if isinstance(given, Mapping):
        return given
    raise InputError(f"the design {label!r}: a spec is a preset's name or a table; got {given!r}")


def _line_in(message: str) -> int | None:
    found = re.search(r"line (\d+)", message)
    return int(found[1]) if found else None


def _line_of(message: str, text: str) -> int | None:
    """The line on which the last quoted word of the message that occurs in the file first stands."""
    lines = text.splitlines()
    for word in re.findall(r"'([^']+)'", message):
        for number, line in enumerate(lines, 1):
            if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line.partition("#")[0]):
                return number
    return None


def each_cell(study: Study, profiles: tuple[str, ...]) -> Iterator[tuple[str, Source, Design, int]]:
    """Everything a study computes, one data set after another."""
    for profile in profiles:
        for source, design, seed in product(study.sources, study.designs(profile), study.seeds):
            yield profile, source, design, seed
