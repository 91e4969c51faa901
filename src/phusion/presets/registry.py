"""The registry of published systems: data, from the .toml files beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from phusion.errors import InputError, suggest
from phusion.spec import Spec

__all__ = ["Preset", "find", "names"]


@dataclass(frozen=True)
class Preset:
    """A published system.

    Parameters
    ----------
    name : as `phusion.preset` takes it.
    title : the system's own name.
    summary : what it does, in a line.
    citation : who published it.
    url : where to read it.
    paper_note : every deviation of its authors' paper or code from this spec, and of the seed paper's reading of it.
    example : a data set of its kind.
    spec : the method.
    """

    name: str
    title: str
    summary: str
    citation: str
    url: str
    paper_note: str
    example: str
    spec: Spec

    @property
    def kind(self) -> Literal["nodes", "graphs"]:
        """What it embeds."""
        return "nodes" if self.spec.pooling is None else "graphs"


@cache
def _presets() -> dict[str, Preset]:
    found = {}
    for file in sorted(files("phusion.presets").iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".toml"):
            continue
        common = tomllib.loads(file.read_text(encoding="utf-8"))
        variants = common.pop("variant")
        for name, variant in variants.items():
            facts = {**common, **variant}
            found[name] = Preset(name, **{**facts, "spec": Spec.from_dict(facts["spec"])})
    return found


def names() -> list[str]:
    """All presets."""
    return list(_presets())


def find(name: str) -> Preset:
    """The preset of this name; an unknown name suggests the nearest."""
    known = _presets()
    if name not in known:
        raise InputError(f"no preset is called {name!r}.{suggest(str(name), known)}")
    return known[name]
