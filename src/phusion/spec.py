"""`Spec`: one description of a method for Python, TOML, JSON and the command line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from phusion.component import Component, resolve
from phusion.errors import FileError, InputError, InputTypeError, PhusionError, UnreadableFileError, suggest
from phusion.graph.draft import Options

__all__ = ["PARTS", "Spec"]

PARTS = {
    "proximity": "proximities",
    "nonlinearity": "nonlinearities",
    "embedding": "embeddings",
    "propagate": "propagations",
    "pooling": "poolings",
}
"""Part of the formula → family it is chosen from."""
_OPTIONAL = ("propagate", "pooling")


@dataclass(frozen=True)
class Spec:
    """Y = ζ(σ(Ψ(A))), π(Y) if `propagate` is given, ρ(Y) if `pooling` is: every choice and parameter, and nothing else.

    Parts may be given by object, by name or by a mapping with the name and parameters.

    Parameters
    ----------
    proximity : Ψ.
    nonlinearity : σ. ``"log"`` alone, beside ppmi and svd, means floor one, as NetMF.
    embedding : ζ.
    propagate : π, which mixes rows of a positional ζ along edges; a number means so many steps of low_pass.
    pooling : ρ, for graphs; None for nodes.
    attributes : node attributes that enter by Kronecker product before pooling; ``"labels"`` for node labels.
    normalize : ``"l2"`` gives rows length 1; None leaves them.
    random_state : seed of what is random; None draws one.

    Examples
    --------
    >>> spec = Spec("katz", "identity", {"name": "svd", "dim": 2})
    >>> spec == Spec.from_toml(spec.to_toml()) == Spec.from_json(spec.to_json())
    True
    """

    proximity: Any = "heat"
    nonlinearity: Any = "identity"
    embedding: Any = "characteristic"
    pooling: Any = None
    attributes: Any = ()
    normalize: str | None = None
    random_state: Any = None
    propagate: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.random_state, np.integer):
            object.__setattr__(self, "random_state", int(self.random_state))
        by_name = isinstance(self.nonlinearity, str)
        for part, family in PARTS.items():
            given = getattr(self, part)
            if given is not None or part not in _OPTIONAL:
                object.__setattr__(self, part, resolve(family, given))
        if by_name:
            object.__setattr__(self, "nonlinearity", self.nonlinearity.suited(self.proximity, self.embedding))
        if not isinstance(self.attributes, (str, list, tuple, type(None))):
            raise InputTypeError(f"attributes are names of node attributes; got {self.attributes!r}")
        names = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes or ())
        object.__setattr__(self, "attributes", names)
        self._check()

    def _check(self) -> None:
        if self.normalize not in (None, "l2"):
            raise InputError(f"normalize is 'l2' or None; got {self.normalize!r}")
        if self.random_state is not None and (type(self.random_state) is not int or self.random_state < 0):
            raise InputError(f"random_state is a whole number ≥ 0 or None; got {self.random_state!r}")
        if not all(isinstance(name, str) for name in self.attributes):
            raise InputTypeError(f"attributes are names of node attributes; got {self.attributes!r}")
        if self.propagate is not None and (self.embedding.structural or self.pooling is not None):
            what = "a pooling" if self.pooling is not None else f"{self.embedding.name}, which is structural"
            raise InputError(
                f"propagate mixes the rows of near nodes, after a positional ζ such as svd; it does not go with {what}"
            )
        if self.attributes and self.pooling is None:
            raise InputError("attributes enter before pooling, so they need one: pooling='mean', for example")

    # plain values

    def as_dict(self) -> dict[str, Any]:
        """Plain values: what TOML and JSON hold. What is None or empty is left out."""
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        plain = {key: value for key, value in plain.items() if value is not None and value != ()}
        parts = {key: value.as_dict() for key, value in plain.items() if isinstance(value, Component)}
        rest = {key: list(v) if isinstance(v, tuple) else v for key, v in plain.items() if key not in parts}
        return {**rest, **parts}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Spec:
        """From plain values; an unknown key suggests the nearest."""
        if not isinstance(given, Mapping):
            raise InputTypeError(f"a spec is a mapping with {', '.join(PARTS)}; got {type(given).__name__}")
        known = [f.name for f in fields(cls)]
        for key in given:
            if key not in known:
                raise InputError(f"a spec has no key {key!r}.{suggest(str(key), known)}")
        return cls(**given)

    # text

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Spec:
        """From JSON."""
        try:
            return cls.from_dict(json.loads(text))
        except json.JSONDecodeError as error:
            raise FileError(f"not JSON: {error.msg}", line=error.lineno) from error
        except PhusionError:
            raise
        except RecursionError as error:
            raise FileError("not a spec: nested too deeply") from error
        except ValueError as error:  # a number of 5,000 digits
            raise FileError(f"not a spec: {error}") from error

    def to_toml(self) -> str:
        """As TOML."""
        import tomli_w

        return tomli_w.dumps(self.as_dict())

    @classmethod
    def from_toml(cls, text: str) -> Spec:
        """From TOML."""
        try:
            return cls.from_dict(tomllib.loads(text))
        except PhusionError:
            raise
        except RecursionError as error:
            raise FileError("not a spec: nested too deeply") from error
        except ValueError as error:  # a number of 5,000 digits is not even a mistake of TOML's own
            raise FileError(f"not TOML: {error}") from error

    def arguments(self) -> list[str]:
        """As the command line takes it: ``--proximity heat --set proximity.scale=0.1,1 …``."""
        words = []
        for part in PARTS:
            component = getattr(self, part)
            if component is None:
                continue
            words += [f"--{part}", component.name]
            for parameter in component.parameters():
                value = getattr(component, parameter.name)
                if value != parameter.default or (part == "nonlinearity"):
                    words += ["--set", f"{part}.{parameter.name}={_word(value)}"]
        words += [word for name in self.attributes for word in ("--attributes", name)]
        words += ["--normalize", self.normalize] if self.normalize else []
        words += ["--seed", "none" if self.random_state is None else str(self.random_state)]
        return words

    # files

    @classmethod
    def read(cls, path: str | Path) -> Spec:
        """From a .toml or .json file."""
        path = Path(path)
        parse = {".toml": cls.from_toml, ".json": cls.from_json}.get(path.suffix.lower())
        if parse is None:
            raise InputError(f"{path}: a spec is a .toml or .json file")
        try:
            return parse(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UnreadableFileError(f"cannot be read: {reason}", path=path) from error
        except FileError as error:
            raise FileError(error.message, path=path, line=error.line) from error
        except PhusionError as error:
            raise FileError(str(error), path=path) from error

    # others from this one

    def replace(self, **changes: Any) -> Spec:
        """Another spec: ``embedding="svd"``, ``embedding__dim=32``, or ``dim=32`` where only one part has a dim."""
        spec = self
        whole = {key: value for key, value in changes.items() if key in {f.name for f in fields(self)}}
        if whole:
            spec = replace(spec, **whole)
        for key, value in changes.items():
            if key not in whole:
                part, name = spec.part_of(key.replace("__", "."))
                spec = replace(spec, **{part: getattr(spec, part).replace(**{name: value})})
        return spec

    def with_settings(self, settings: Sequence[str]) -> Spec:
        """With ``PART.PARAMETER=VALUE`` or ``PARAMETER=VALUE``, as on the command line."""
        spec = self
        for setting in settings:
            key, equals, text = setting.partition("=")
            if not equals:
                raise InputError(f"a setting is PART.PARAMETER=VALUE, such as proximity.scale=0.1,1; got {setting!r}")
            if key.strip() in _OPTIONAL:
                word = text.strip()
                whole: Any = int(word) if word.isdecimal() else None if word.lower() == "none" else word
                spec = replace(spec, **{key.strip(): whole})
                continue
            part, name = spec.part_of(key.strip())
            component = getattr(spec, part)
            parameter = next(p for p in component.parameters() if p.name == name)
            value = parameter.parsed(text, type(component).__name__)
            spec = replace(spec, **{part: component.replace(**{name: value})})
        return spec

    def part_of(self, key: str) -> tuple[str, str]:
        """``proximity.scale`` or ``scale`` as (part, parameter)."""
        parts = {part: getattr(self, part) for part in PARTS if getattr(self, part) is not None}
        names = {part: [p.name for p in component.parameters()] for part, component in parts.items()}
        part, dot, name = key.partition(".")
        if dot:
            if part not in parts:
                raise InputError(f"{key!r}: there is no part {part!r} here.{suggest(part, parts)}")
            own = parts[part].own_name(name)
            if own not in names[part]:
                hint = suggest(name, names[part]) if names[part] else " It has no parameters."
                raise InputError(f"{parts[part].name} has no parameter {name!r}.{hint}")
            return part, own
        found = [part for part in parts if parts[part].own_name(key) in names[part]]
        if len(found) == 1:
            return found[0], parts[found[0]].own_name(key)
        everything = [f"{part}.{name}" for part, known in names.items() for name in known]
        if found:
            raise InputError(f"{key!r} is a parameter of {' and '.join(found)}; say which, as {found[0]}.{key}")
        near = get_close_matches(key, [name for known in names.values() for name in known], n=1)
        hint = f" Did you mean {near[0]!r}?" if near else f" Known: {', '.join(everything)}."
        if key in {option.name for option in fields(Options)}:
            hint = f" If it is for reading a file: phusion.as_graph(file, {key}=…) makes a graph, which is embedded."
        raise InputError(f"no part has a parameter {key!r}.{hint}")


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(_word(item) for item in value) + ("," if len(value) == 1 else "")
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
