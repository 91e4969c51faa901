"""The registry of published systems: data, from the .toml files beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from phusion.component import known as component_names
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
    aliases : other names it is found by.
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
    aliases: tuple[str, ...] = ()

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
            facts |= {"spec": Spec.from_dict(facts["spec"]), "aliases": tuple(facts.get("aliases", ()))}
            found[name] = Preset(name, **facts)
    return found


def names() -> list[str]:
    """All presets."""
    return list(_presets())


def find(name: str) -> Preset:
    """The preset of this name; an unknown name suggests the nearest."""
    known = {other: preset for preset in _presets().values() for other in (preset.name, *preset.aliases)}
    plain = str(name).lower().replace("_", "-")
    if plain in known:
        return known[plain]
    if plain in component_names("proximities"):
        raise InputError(f"{name!r} is a proximity, not a preset; PhUSION({name!r}, …) or --proximity {name} takes it")
    raise InputError(f"no preset is called {name!r}.{suggest(plain, known)}")
