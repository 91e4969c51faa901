"""Parameters of components: types with bounds, checked and said in words."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from functools import cache
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from phusion.errors import InputError

__all__ = [
    "Bounds",
    "Count",
    "Counts",
    "Parameter",
    "Positive",
    "Positives",
    "Steps",
    "StepsEach",
    "parameters_of",
    "section",
]


@dataclass(frozen=True)
class Bounds:
    """What ``Annotated[float, Bounds(gt=0)]`` allows of its type."""

    gt: float | None = None
    ge: float | None = None
    lt: float | None = None
    le: float | None = None
    pattern: str | None = None
    words: str | None = None
    """What `pattern` stands for."""
    empty: bool = False
    """Whether a list may be empty."""

    def hold(self, value: Any) -> bool:
        """Whether a value is within."""
        if isinstance(value, tuple):
            return True
        if isinstance(value, str):
            return self.pattern is None or re.fullmatch(self.pattern, value) is not None
        return (
            (self.gt is None or value > self.gt)
            and (self.ge is None or value >= self.ge)
            and (self.lt is None or value < self.lt)
            and (self.le is None or value <= self.le)
        )

    def __str__(self) -> str:
        pairs = ((">", self.gt), ("≥", self.ge), ("<", self.lt), ("≤", self.le))
        return " and ".join(f"{sign} {end:g}" for sign, end in pairs if end is not None)


Positive = Annotated[float, Bounds(gt=0)]
Positives = tuple[Positive, ...]
Count = Annotated[int, Bounds(ge=1)]
Counts = tuple[Count, ...]
Steps = Annotated[int, Bounds(ge=1, le=100_000)]
"""Of a walk, one product of matrices each: more are a slip of the pen, and take for ever."""
StepsEach = tuple[Steps, ...]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a component: its name, type with bounds, default and meaning."""

    name: str
    annotation: Any
    default: Any
    meaning: str

    @property
    def accepts(self) -> str:
        """What may be given, in words: ``a number > 0, or a list of these``."""
        return _words(self.annotation)

    def checked(self, given: Any, owner: str) -> Any:
        """The value in its own type, or an error with what is accepted and what it means."""
        try:
            return _converted(_plain(given), self.annotation)
        except ValueError:
            plain = _plain(given)
            words = repr(list(plain) if isinstance(plain, tuple) else plain)
            shown = words if len(words) < 80 else f"{words[:77]}…"
            why = f" ({self.meaning.partition(';')[0].rstrip('.')})" if self.meaning else ""
            raise InputError(f"{owner} needs {self.name} to be {self.accepts}; got {shown}{why}") from None

    def parsed(self, text: str, owner: str) -> Any:
        """The value of ``--set NAME=TEXT``; commas make a list."""
        words = [_literal(word.strip()) for word in text.split(",") if word.strip()]
        one: Any = words[0] if len(words) == 1 and "," not in text else tuple(words)
        try:
            return self.checked(one, owner)
        except InputError:
            if isinstance(one, tuple):
                raise
            with suppress(InputError):
                return self.checked((one,), owner)  # a list of one
            raise


@cache
def parameters_of(component: type) -> tuple[Parameter, ...]:
    """The parameters of a component class, in order."""
    hints = get_type_hints(component, include_extras=True)
    meanings = _meanings(component.__doc__ or "")
    return tuple(
        Parameter(
            field.name,
            hints[field.name],
            None if field.default is MISSING else field.default,
            meanings.get(field.name, ""),
        )
        for field in fields(component)
    )


def section(docstring: str, title: str) -> str:
    """The text of a numpydoc section; empty if there is none."""
    pattern = rf"^{title}\n-+\n(.*?)(?=^\w[^\n]*\n-{{3,}}$|\Z)"
    found = re.search(pattern, cleandoc(docstring), re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def _meanings(docstring: str) -> dict[str, str]:
    """Name → meaning, from the section Parameters (``name : meaning``, continued by indentation)."""
    entries = re.findall(r"^(\w+) : (.*?)(?=^\S|\Z)", section(docstring, "Parameters"), re.DOTALL | re.MULTILINE)
    return {name: " ".join(text.split()).replace("``", "") for name, text in entries}


def _converted(value: Any, annotation: Any) -> Any:
    """The value in the annotated type; a ValueError if it is none of it. Gives back the same object if it can."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner, bounds = arguments
        if bounds.empty and value == ():
            return value
        converted = _converted(value, inner)
        if not bounds.hold(converted):
            raise ValueError
        return converted
    if origin in (Union, UnionType):
        for option in arguments:
            with suppress(ValueError):
                return _converted(value, option)
        raise ValueError
    if origin is Literal:
        if type(value) is str and value in arguments:
            return value
        raise ValueError
    if origin is tuple:
        if not isinstance(value, tuple):
            raise ValueError
        items = tuple(_converted(item, arguments[0]) for item in value)
        if not items:
            raise ValueError
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    if annotation is float and type(value) in (int, float):
        try:
            number = float(value)
        except OverflowError as error:
            raise ValueError from error
        if not math.isfinite(number):
            raise ValueError
        return number
    if annotation is int and type(value) is float and value.is_integer():
        return int(value)
    if type(value) is annotation and annotation is not float:
        return value
    raise ValueError


def _literal(word: str) -> Any:
    """A word of the command line as the number, truth value, nothing or text it says."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(word)
    return {"true": True, "false": False, "none": None}.get(word.lower(), word)


def _plain(value: Any) -> Any:
    """Numpy's numbers and arrays, lists and ranges as Python's numbers and tuples."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist()) if value.ndim == 1 else value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        items = tuple(_plain(item) for item in value)
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    if isinstance(value, (list, range)):
        return tuple(_plain(item) for item in value)
    return value


def _words(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner, bounds = arguments
        return bounds.words or f"{_words(inner)} {bounds}".strip()
    if origin in (Union, UnionType):
        return " or ".join(_words(option) for option in arguments)
    if origin is Literal:
        return " or ".join(repr(value) for value in arguments)
    if origin is tuple:
        item = _words(arguments[0])
        return f"a list of {item.replace('a whole number', 'whole numbers').replace('a number', 'numbers')}"
    names = {float: "a number", int: "a whole number", bool: "True or False", str: "text", NoneType: "None"}
    return names[annotation]
