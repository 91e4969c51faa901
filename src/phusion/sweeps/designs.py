"""`Design`: a method under its label; those a sweep takes if none are given, and those of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from phusion.errors import InputError
from phusion.experiments.reading import read_designs
from phusion.shortcuts import spec_of
from phusion.spec import Spec

__all__ = ["Design", "Kind", "default_designs", "designs_of", "label_of"]

Kind = Literal["positional", "structural", "both"]
_FILES = {"positional": "positional.toml", "structural": "structural.toml", "graphs": "graphs.toml"}
_SHORT = {"svd": "SVD", "characteristic": "CFS"}


@dataclass(frozen=True)
class Design:
    """A spec and how it is called. What it is says where its scores are kept, not what it is called."""

    label: str
    spec: Spec

    @cached_property
    def key(self) -> str:
        """The spec in short."""
        return sha256(json.dumps(self.spec.as_dict(), sort_keys=True).encode()).hexdigest()[:16]


def default_designs(kind: Kind = "both", *, graphs: bool = False) -> list[Design]:
    """The paper's 7 Ψ × 5 σ with SVD and with CFS, corrected, and choices of scale, landmarks and length beside them.

    Of graphs: seven Ψ with pooled CFS, and choices of scale and landmarks.
    """
    if kind not in ("positional", "structural", "both"):
        raise InputError(f"kind is 'positional', 'structural' or 'both'; got {kind!r}")
    if graphs and kind == "positional":
        raise InputError("rows of different graphs compare only if they are structural; leave kind out")
    chosen = ["graphs"] if graphs else ["structural", "positional"] if kind == "both" else [kind]
    found = []
    for name in chosen:
        path = Path(str(files("phusion.sweeps") / _FILES[name]))
        for design in read_designs(path, _task(graphs)):
            short = "" if graphs or not design.nonlinearity else f" {_SHORT[design.spec.embedding.name]}"
            found.append(Design(design.label + short, design.spec))
    return found


def designs_of(given: Any, *, kind: Kind = "both", graphs: bool = False) -> list[Design]:
    """From a file in the grammar of `phusion study`, a list or a mapping of methods; None for the default ones."""
    if given is None:
        return default_designs(kind, graphs=graphs)
    if isinstance(given, (str, Path)):
        found = [Design(each.label, each.spec) for each in read_designs(Path(given), _task(graphs))]
    else:
        named = given.items() if isinstance(given, Mapping) else ((None, each) for each in given)
        found = [_design(label, method) for label, method in named]
    if graphs != all(design.spec.pooling is not None for design in found):
        raise InputError("designs for many graphs have a pooling, such as pooling = 'mean'; those for nodes have none")
    found = [design for design in found if kind == "both" or design.spec.embedding.structural == (kind == "structural")]
    if not found:
        raise InputError("a sweep needs one design at least; got none")
    return found


def _design(label: str | None, method: Any) -> Design:
    spec = spec_of(method)
    spec = spec if spec.random_state is not None else spec.replace(random_state=0)
    return Design(label or (method if isinstance(method, str) else label_of(spec)), spec)


def fitted_to(designs: Iterable[Design], size: int) -> tuple[list[Design], list[str]]:
    """For a graph of so many nodes: no more dimensions than that, and nothing twice; and what was changed, in words."""
    found: dict[str, Design] = {}
    shorter = twice = 0
    for design in designs:
        if getattr(design.spec.embedding, "dim", 0) > size and not design.spec.embedding.structural:
            design, shorter = Design(design.label, design.spec.replace(embedding__dim=size)), shorter + 1
        if (getattr(design.spec.proximity, "rank", None) or 0) > size:
            design = Design(design.label, design.spec.replace(proximity__rank=size))
        twice += design.key in found
        found.setdefault(design.key, design)
    notes = [f"{shorter} designs have {size} dimensions, as many as there are nodes"] if shorter else []
    notes += [f"{twice} designs are the same as others on this graph and are taken once"] if twice else []
    return list(found.values()), notes


def label_of(spec: Spec) -> str:
    """A label from the parts and what differs from their defaults."""
    parts = [spec.proximity, spec.nonlinearity, spec.embedding, spec.pooling]
    words = []
    for part in parts:
        if part is None:
            continue
        given = {each.name: getattr(part, each.name) for each in part.parameters()}
        plain = {each.name: each.default for each in part.parameters()}
        changed = [f"{name}={_word(value)}" for name, value in given.items() if value != plain[name]]
        words.append(part.name + (f"({', '.join(changed)})" if changed else ""))
    return " ".join(words + ([spec.normalize] if spec.normalize else []))


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(_word(each) for each in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _task(graphs: bool) -> str:
    return "graph_classification" if graphs else "node_classification"
