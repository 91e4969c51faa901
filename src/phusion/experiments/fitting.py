"""What in a study must fit together: designs and the task, printed values and the table."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from phusion.errors import PhusionError, suggest
from phusion.experiments.mistakes import StudyError, at
from phusion.experiments.tasks import EMBEDDINGS

if TYPE_CHECKING:
    from phusion.experiments.study import Study

__all__ = ["check_designs", "check_mentions"]


def check_designs(study: Study, profile: str) -> None:
    """Refuse designs that do not fit the task, the figure or each other."""
    labels = set()
    for design in study.designs(profile):
        own = ("designs", design.proximity) if design.proximity in study.given.get("designs", {}) else ()
        try:
            study.task_for(design)
        except PhusionError as error:
            if not own:
                raise
            raise at(error, *own, about=f"the design {design.label!r}: ") from error
        pooled = design.spec.pooling is not None
        if pooled != (study.task == "graph_classification"):
            have = "has a pooling, which is for graphs" if pooled else 'has no pooling, such as pooling = "mean"'
            raise StudyError(f"{study.task}: the design {design.label!r} {have}", *(own or ("pooling",)))
        only = EMBEDDINGS.get(study.task, design.spec.embedding.name)
        if design.spec.embedding.name != only:
            raise StudyError(
                f"{study.task} needs the embedding {only}, and takes it unasked; the design {design.label!r} has "
                f"{design.spec.embedding.name!r}",
                *(own or ("embedding",)),
            )
        if design.label in labels:
            raise StudyError(f"two designs are called {design.label!r}", *own)
        labels.add(design.label)
        if study.figure == "order" and not design.label.rpartition(" ")[2].isdecimal():
            raise StudyError(
                f"figure = 'order' needs labels that end in the order, as 'A 2'; got {design.label!r}", "figure"
            )


def check_mentions(study: Study, known: Collection[str]) -> None:
    """Refuse names of what the file does not have, or the paper: `known` are its studies.

    Quick forms, which lack some of what their files print, are not looked at.
    """
    designs = [design for profile in study.profiles for design in study.designs(profile)]
    rows = {design.label for design in designs}
    if study.table == "ranks":
        rows = {part for design in designs for part in (design.proximity, design.nonlinearity) if part}
    _check_printed_names(study, rows)
    if study.coloured_by and study.coloured_by not in known:
        raise StudyError(
            f"coloured_by: no study of the paper is called {study.coloured_by!r}.{suggest(study.coloured_by, known)}",
            "coloured_by",
        )


def _check_printed_names(study: Study, rows: Collection[str]) -> None:
    """Values of other data sets and rows would never be seen."""
    if study.printed and study.table == "shapes":
        raise StudyError("printed is for scores; distributions of rows are shown without", "printed")
    if study.table == "metrics":
        _check_rows(study.printed, rows, "printed")
        return
    datasets = [source.name for source in study.sources]
    for name, entry in study.printed.items():
        if name not in datasets:
            raise StudyError(f"printed: the study has no data set {name!r}.{suggest(name, datasets)}", "printed", name)
        _check_rows(entry, rows, "printed", name)


def _check_rows(given: Collection[str], rows: Collection[str], *keys: str) -> None:
    for label in given:
        if label not in rows:
            raise StudyError(f"printed: the table has no row {label!r}.{suggest(label, rows)}", *keys, label)
