"""What a study's file may hold, checked before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from phusion.component import resolve
from phusion.errors import PhusionError, suggest
from phusion.experiments.mistakes import StudyError, at

__all__ = [
    "PRECISIONS", "REFUSED", "check_exceptions", "check_parts", "check_printed", "check_seeds", "check_shape",
    "check_to_reach", "one_of",
]  # fmt: skip

_KEYS = (
    "title", "paper", "about", "task", "datasets", "seeds", "protocol", "proximities", "nonlinearities", "embedding",
    "pooling", "designs", "precision", "quick", "table", "figure", "coloured_by", "first_rank",
    "printed", "to_reach", "exceptions",
)  # fmt: skip
_QUICK = ("datasets", "seeds", "protocol", "proximities", "nonlinearities", "embedding", "pooling", "designs")
_WORDS = ("title", "paper", "about", "task", "table", "figure", "coloured_by")
_TABLES = ("protocol", "proximities", "nonlinearities", "designs", "quick", "printed", "to_reach")
_GRID = {"proximities": "proximity", "nonlinearities": "nonlinearity"}
_DESIGN = ("spec", "protocol")
_EXCEPTION = ("profiles", "datasets", "rows", "seeds", "precision", "proximity")
REFUSED = (PhusionError, ValueError, TypeError, ArithmeticError)
"""What a component may raise for parameters that it did not foresee, such as numbers of 30 digits."""
PRECISIONS = ("double", "single")
_SEEDS = 2**32  # what NumPy's older generators, scikit-learn's, take


def check_shape(given: Mapping[str, Any], profiles: tuple[str, ...]) -> None:
    """Refuse unknown keys, and values of the wrong type."""
    _check_keys(given, _KEYS, "a study")
    _check_types(given, profiles)
    quick = given.get("quick", {})
    _check_keys(quick, _QUICK, "quick", "quick")
    _check_types(quick, profiles, "quick")


def _check_types(given: Mapping[str, Any], profiles: tuple[str, ...], *keys: str) -> None:
    for key in _WORDS:
        if not isinstance(given.get(key, ""), str):
            raise StudyError(f"{key} is text; got {given[key]!r}", *keys, key)
    if type(first := given.get("first_rank", 1)) is not int or first not in (0, 1):
        raise StudyError(f"first_rank is 0 or 1; got {first!r}", *keys, "first_rank")
    for key in _TABLES:
        if not isinstance(given.get(key, {}), Mapping):
            raise StudyError(f"{key} is a table; got {given[key]!r}", *keys, key)
    if not isinstance(given.get("datasets", []), list):
        raise StudyError(f"datasets is a list of names or tables; got {given['datasets']!r}", *keys, "datasets")
    for key, name in (*_GRID.items(), ("designs", "design")):
        for label, entry in given.get(key, {}).items():
            _check_profiles(entry, profiles, f"the {name} {label!r}", *keys, key, label)
    for key in ("protocol", "embedding", "pooling", "precision"):
        _check_profiles(given.get(key), profiles, key, *keys, key)
    for each in profiles:
        if not isinstance(given.get("protocol", {}).get(each, {}), Mapping):
            raise StudyError(f"protocol is a table; got {given['protocol']!r}", *keys, "protocol")
    for label, entry in given.get("designs", {}).items():
        _check_design(label, entry, profiles, *keys, "designs", label)


def _check_profiles(given: Any, profiles: tuple[str, ...], what: str, *keys: str) -> None:
    """Refuse, at any depth, a table that has one profile without the other, or something beside them."""
    if not isinstance(given, Mapping):
        return
    told = [each for each in profiles if each in given]
    lacking = [each for each in profiles if each not in given]
    others = [key for key in given if key not in profiles]
    for key in others if told else ():
        if get_close_matches(key, lacking):
            raise StudyError(f"{what} has no key {key!r}.{suggest(key, lacking)}", *keys, key)
    if told and lacking:
        raise StudyError(f"{what} has {told[0]} but not {lacking[0]}; give both", *keys, told[0])
    if told and others:
        raise StudyError(f"{what} has {' and '.join(told)}; within them belongs {others[0]!r}", *keys, others[0])
    for key, value in given.items():
        _check_profiles(value, profiles, what, *keys, key)


def _check_design(label: str, entry: Any, profiles: tuple[str, ...], *keys: str) -> None:
    if not isinstance(entry, Mapping):
        raise StudyError(f"the design {label!r} is a table with a spec; got {entry!r}", *keys)
    _check_keys(entry, (*_DESIGN, *profiles), f"the design {label!r}", *keys)
    for some in [entry, *(entry[each] for each in profiles if each in entry)]:
        protocol = some.get("protocol", {}) if isinstance(some, Mapping) else None
        if not isinstance(protocol, Mapping) or not all(isinstance(protocol.get(e, {}), Mapping) for e in profiles):
            raise StudyError(f"the design {label!r} has a spec and perhaps a protocol, a table; got {some!r}", *keys)


def check_seeds(given: Any, profiles: Sequence[str] = ()) -> tuple[int, ...]:
    """The seeds of all profiles together, if they are some: a list, or a table with one for each profile."""
    if isinstance(given, Mapping):
        if set(given) != set(profiles):
            raise StudyError(f"seeds of profiles are a table with {' and '.join(profiles)}; got {given!r}", "seeds")
        return tuple(dict.fromkeys(seed for each in given.values() for seed in check_seeds(each)))
    if not isinstance(given, list) or not given or not all(type(one) is int and 0 <= one < _SEEDS for one in given):
        raise StudyError(f"seeds is a list of whole numbers from 0 to 2³² − 1; got {given!r}", "seeds")
    if len(set(given)) < len(given):
        raise StudyError(f"seeds has a number twice: {given!r}", "seeds")
    return tuple(given)


def check_exceptions(given: Any, names: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
    """The seeds of parts of a study that are computed otherwise than the rest; `names` says which parts there are."""
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        raise StudyError(f"exceptions is a list of tables, [[exceptions]]; got {given!r}", "exceptions")
    found: dict[int, None] = {}
    for place, entry in enumerate(given):
        keys = ("exceptions", place)
        _check_keys(entry, _EXCEPTION, "an exception", *keys)
        if not {"seeds", "precision", "proximity"} & set(entry):
            raise StudyError("an exception has seeds, precision or a proximity of its own", *keys)
        for key, known in names.items():
            asked = entry.get(key, [])
            if not isinstance(asked, list):
                raise StudyError(f"{key} of an exception is a list of names; got {asked!r}", *keys)
            for name in asked:
                if name not in known:
                    raise StudyError(f"an exception: no {name!r} is among {key}.{suggest(str(name), known)}", *keys)
        try:
            one_of("precision", entry, PRECISIONS)
            found.update(dict.fromkeys(check_seeds(entry["seeds"]) if "seeds" in entry else ()))
            if "proximity" in entry:
                resolve("proximities", entry["proximity"])
        except REFUSED as error:
            raise StudyError(f"an exception: {error}", *keys) from error
    return tuple(found)


def check_parts(given: Mapping[str, Any], profiles: Iterable[str], chosen: Callable[[Any, str], Any]) -> None:
    """Refuse components that do not exist or have other parameters, each under its own key."""
    for profile in profiles:
        for key, name in _GRID.items():
            for label, entry in given.get(key, {}).items():
                try:
                    resolve(key, chosen(entry, profile))
                except REFUSED as error:
                    raise at(error, key, label, about=f"the {name} {label!r}: ") from error
        for key, family in (("embedding", "embeddings"), ("pooling", "poolings")):
            if key in given:
                try:
                    resolve(family, chosen(given[key], profile))
                except REFUSED as error:
                    raise at(error, key) from error


def check_printed(printed: Mapping[str, Any], table: str) -> None:
    """Refuse what the table cannot show."""
    least = 1 if table == "designs" else 3
    for name, entry in printed.items():
        if table == "metrics":
            _check_numbers(entry, least, name)
        elif not isinstance(entry, Mapping):
            raise StudyError(f"printed has a table for each data set; got {name!r} = {entry!r}", "printed", name)
        else:
            for label, numbers in entry.items():
                _check_numbers(numbers, least, name, label)


def check_to_reach(given: Mapping[str, Any]) -> None:
    """Refuse figures to reach that are none."""
    if not given:
        return
    _check_keys(given, ("within", "rows", "columns"), "to_reach", "to_reach")
    within: Any = given.get("within")
    for one in within.values() if isinstance(within, Mapping) and within else [within]:
        if type(one) not in (int, float) or not 0 <= one < math.inf:
            raise StudyError(
                f"within is a number ≥ 0, or a table with one for each data set; got {within!r}", "to_reach"
            )
    for key in ("rows", "columns"):
        names = given.get(key, [])
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise StudyError(f"{key} is a list of names; got {names!r}", "to_reach", key)


def one_of(key: str, given: Mapping[str, Any], accepted: tuple[str, ...]) -> str:
    """The choice, or the first."""
    chosen = given.get(key, accepted[0])
    if chosen not in accepted:
        raise StudyError(f"the {key} of such a study is {' or '.join(map(repr, accepted))}; got {chosen!r}", key)
    return str(chosen)


def _check_keys(given: Mapping[str, Any], known: tuple[str, ...], what: str, *keys: str | int) -> None:
    for key in given:
        if key not in known:
            raise StudyError(f"{what} has no key {key!r}.{suggest(key, known)}", *keys, key)


def _check_numbers(given: Any, least: int, *keys: str) -> None:
    numbers = given if isinstance(given, list) else []
    if len(numbers) < least or not all(type(one) in (int, float) for one in numbers):
        raise StudyError(f"printed has {least} numbers or more for {keys[-1]!r}; got {given!r}", "printed", *keys)
