"""What each Ψ, σ, ζ and scale does to the score, whatever it is put together with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from phusion.component import Component
from phusion.spec import Spec
from phusion.sweeps.found import Row

__all__ = ["Effect", "Share", "effects_of"]

_MOST = 8  # scales that are named one by one


@dataclass(frozen=True)
class Share:
    """All designs that have one choice in common: how many, the mean and the best of their screening scores."""

    choice: str
    designs: int
    mean: float
    best: float


@dataclass(frozen=True)
class Effect:
    """The choices of one part, best mean first."""

    part: str
    about: str
    shares: tuple[Share, ...]


def effects_of(rows: Sequence[Row]) -> list[Effect]:
    """Of Ψ, σ, ζ, and of the scales of each Ψ that is there with several."""
    found = [
        _effect("Ψ", "proximity", rows, lambda spec: spec.proximity.name),
        _effect("σ", "nonlinearity", rows, lambda spec: _named(spec.nonlinearity)),
        _effect("ζ", "embedding function", rows, _ending),
    ]
    for name in dict.fromkeys(row.design.spec.proximity.name for row in rows):
        some = [row for row in rows if row.design.spec.proximity.name == name]
        parameter = some[0].design.spec.proximity.scale_parameter
        if parameter:
            effect = _effect(f"{parameter} of {name}", "scale", some, lambda spec: _word(spec.proximity.scale_value))
            found += [effect] if len(effect.shares) > 1 else []
    return [effect for effect in found if effect.shares]


def _effect(part: str, about: str, rows: Sequence[Row], choice: Callable[[Spec], str]) -> Effect:
    groups: dict[str, list[float]] = {}
    for row in rows:
        groups.setdefault(choice(row.design.spec), []).append(row.screening)
    shares = [Share(name, len(some), fmean(some), max(some)) for name, some in groups.items()]
    return Effect(part, about, tuple(sorted(shares, key=lambda one: -one.mean)))


def _ending(spec: Spec) -> str:
    """ζ and what follows it."""
    words = [_named(spec.embedding)]
    words += [_named(spec.pooling)] if spec.pooling is not None else []
    return ", ".join(words + (["rows of length 1"] if spec.normalize else []))


def _named(part: Component) -> str:
    """The name and what is not by default."""
    parameters = part.parameters()
    changed = [
        f"{each.name} {_word(getattr(part, each.name))}"
        for each in parameters
        if getattr(part, each.name) != each.default
    ]
    name: str = part.name
    return f"{name} ({', '.join(changed)})" if changed else name


def _word(value: Any) -> str:
    if isinstance(value, tuple) and len(value) > _MOST:
        return f"{_word(value[0])} … {_word(value[-1])} ({len(value)} values)"
    if isinstance(value, tuple):
        return ", ".join(_word(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
