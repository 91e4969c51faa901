"""Studies from TOML files: the paper's own, and those of users. What is wrong is named with its line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from phusion.errors import FileError, PhusionError, UnreadableFileError
from phusion.experiments.fitting import check_mentions
from phusion.experiments.mistakes import StudyError, line_of
from phusion.experiments.study import Design, Study, study_of

__all__ = ["paper_studies", "read_designs", "read_study"]

_ANY = ("karate", "mutag")  # a data set of either kind, where a file need not name one


def paper_studies() -> dict[str, Study]:
    """The paper's tables and figures, by name."""
    return {name: read_study(path) for name, path in _paper_files().items()}


def _paper_files() -> dict[str, Path]:
    folder = files("phusion.experiments") / "paper"
    paths = sorted(Path(str(entry)) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {path.stem: path for path in paths}


def read_study(path: str | Path) -> Study:
    """Read a study; what is wrong is named with its line. Files of data sets lie beside it, or below."""
    return _read(Path(path), {})


def read_designs(path: str | Path, task: str) -> list[Design]:
    """Only the designs of a study's file, corrected, for a task; what else it says does not count."""
    some = {"datasets": [_ANY[task == "graph_classification"]], "task": task}
    study = _read(
        Path(path),
        some,
        without=("quick", "printed", "to_reach", "seeds", "exceptions", "table", "figure", "coloured_by", "protocol"),
    )
    return study.designs(study.profiles[-1])


def _read(path: Path, changes: Mapping[str, Any], without: tuple[str, ...] = ()) -> Study:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", path=path) from error
    try:
        given = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a plain ValueError
        raise FileError(f"not TOML: {error}", path=path, line=_line_in(str(error))) from error
    given = {**{key: value for key, value in given.items() if key not in without}, **changes}
    try:
        study = study_of(path.stem, given, path.parent)
        check_mentions(study, _paper_files())
        return study
    except PhusionError as error:
        keys = error.keys if isinstance(error, StudyError) else ()
        raise FileError(str(error), path=path, line=line_of(text, keys, str(error))) from error


def _line_in(message: str) -> int | None:
    found = re.search(r"line (\d+)", message)
    return int(found[1]) if found else None
