"""Components: the parts Ψ, σ, ζ, π and ρ are chosen from. A frozen value with a name, a formula and bounded parameters.

A class registers itself when it is defined, and the modules of a family's folder are found by themselves;
so a new component is one file. Third parties use the entry-point groups ``phusion.proximities``,
``phusion.nonlinearities``, ``phusion.embeddings``, ``phusion.propagations`` and ``phusion.poolings``.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, wraps
from importlib import import_module, metadata
from inspect import cleandoc
from pkgutil import iter_modules
from typing import Any, ClassVar, Self, dataclass_transform

from phusion.errors import InputError, InputTypeError, MethodWarning, callers_level, suggest
from phusion.parameter import Parameter, parameters_of, section

__all__ = ["FAMILIES", "Component", "known", "resolve"]

FAMILIES = {
    "proximities": ("proximity", "Ψ"),
    "nonlinearities": ("nonlinearity", "σ"),
    "embeddings": ("embedding function", "ζ"),
    "propagations": ("propagation", "π"),
    "poolings": ("pooling", "ρ"),
}
_NUMBERS = {"propagations": ("low_pass", "steps")}  # what a whole number alone stands for
_REGISTRY: dict[str, dict[str, type[Component]]] = {family: {} for family in FAMILIES}


@dataclass_transform(frozen_default=True)
class Component:
    """Base of all components. Subclasses state their parameters as annotated fields, as a dataclass does.

    Two components with the same parameters are equal. A component never changes: `replace` gives another one.
    """

    family: ClassVar[str] = ""
    name: ClassVar[str] = ""
    offered: ClassVar[bool] = True
    """False for one that is found by its name, but stands in no list."""

    def __init_subclass__(cls, *, name: str = "", family: str = "", offered: bool = True, **facts: Any) -> None:
        super().__init_subclass__()
        if family:
            cls.family = family
        if name:
            cls.name = name
            dataclass(frozen=True, repr=False)(cls)
            cls.__init__ = _suggesting(cls, cls.__init__)  # type: ignore[method-assign]
            other = _REGISTRY[cls.family].get(name)
            if other is not None and other.__module__ != cls.__module__:
                raise InputError(f"{cls.__module__}: {other.__module__} has a component called {name!r} already")
            _REGISTRY[cls.family][name] = cls
            cls.offered = offered

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            value = parameter.checked(getattr(self, parameter.name), type(self).__name__)
            object.__setattr__(self, parameter.name, value)
        self.check_parameters()

    def check_parameters(self) -> None:
        """Refuse parameters that are fine one by one but not together."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters with what each accepts, its default and its meaning."""
        return parameters_of(cls)  # type: ignore[arg-type]

    @classmethod
    def formula(cls) -> str:
        """The formula of the docstring, in LaTeX."""
        _, found, rest = cleandoc(cls.__doc__ or "").partition(".. math::")
        return " ".join(rest.split("\n\n")[0].split()) if found else ""

    @classmethod
    def title(cls) -> str:
        """The first line of the docstring."""
        return cleandoc(cls.__doc__ or "").split("\n")[0]

    @classmethod
    def source(cls) -> str:
        """Where it comes from: the section References."""
        return " ".join(section(cls.__doc__ or "", "References").split())

    @classmethod
    def example(cls) -> str:
        """A few lines that show it: the section Examples."""
        return section(cls.__doc__ or "", "Examples")

    def get_params(self, deep: bool = False) -> dict[str, Any]:
        """Parameters by name; what scikit-learn's ``clone`` asks for."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def own_name(cls, name: str) -> str:
        """The name of a parameter that is meant by this one."""
        return name

    def replace(self, **changes: Any) -> Self:
        """The same component with some parameters changed."""
        return replace(self, **_own(type(self), changes))  # type: ignore[type-var]

    def as_dict(self) -> dict[str, Any]:
        """The name and all parameters, as plain values: what TOML and JSON hold."""
        plain = {key: list(v) if isinstance(v, tuple) else v for key, v in self.get_params().items()}
        # None has no place in TOML, and is always a default
        return {"name": self.name, **{key: value for key, value in plain.items() if value is not None}}

    def __repr__(self) -> str:
        changed = [p for p in self.parameters() if getattr(self, p.name) != p.default]
        return f"{type(self).__name__}({', '.join(f'{p.name}={getattr(self, p.name)!r}' for p in changed)})"


def _suggesting(made: type[Component], start: Any) -> Any:
    """A constructor that suggests the nearest name for one it does not know."""

    @wraps(start)
    def begin(self: Component, *values: Any, **named: Any) -> None:
        start(self, *values, **_own(made, named))

    return begin


def known(family: str) -> dict[str, Any]:
    """Every registered component class of a family that is offered, by name."""
    _discover(family)
    return {name: found for name, found in sorted(_REGISTRY[family].items()) if found.offered}


@cache
def _discover(family: str) -> None:
    """Import the family's modules and plug-ins; a plug-in that fails is named, not fatal."""
    package = import_module(f"phusion.{family}")
    for module in iter_modules(package.__path__):
        import_module(f"phusion.{family}.{module.name}")
    for point in metadata.entry_points(group=f"phusion.{family}"):
        try:
            point.load()
        except Exception as error:
            words = f"the plug-in {point.name!r} of {family} failed: {error}"
            warnings.warn(words, MethodWarning, stacklevel=callers_level())


def by_class_name(family: str, name: str) -> Any:
    """``phusion.proximities.Heat``: the class of this name, wherever it is defined."""
    if name == "__all__":
        return class_names(family)
    if not name.startswith("_"):
        for found in known(family).values():
            if found.__name__ == name:
                return found
    hint = suggest(name, [found.__name__ for found in known(family).values()]) if not name.startswith("_") else ""
    raise AttributeError(f"module 'phusion.{family}' has no attribute {name!r}.{hint}")


def class_names(family: str) -> list[str]:
    """The names `by_class_name` knows."""
    return sorted(found.__name__ for found in known(family).values())


def resolve(family: str, given: Any) -> Any:
    """A component from itself, its name, or a mapping with its name and parameters.

    >>> resolve("proximities", {"name": "katz", "beta": 0.1})
    Katz(beta=0.1)
    """
    singular, symbol = FAMILIES[family]
    if isinstance(given, Component):
        if given.family != family:
            raise InputTypeError(
                f"{given!r} is {_with_article(FAMILIES[given.family][0])}; {_with_article(singular)} {symbol} is "
                f"needed here, such as {', '.join(list(known(family))[:4])}"
            )
        return given
    if isinstance(given, type) and issubclass(given, Component):
        raise InputTypeError(f"{given.__name__} is a class; give {given.__name__}(), with its parameters")
    if isinstance(given, str):
        return _named(family, given)()
    if family in _NUMBERS and type(given) is int:
        name, parameter = _NUMBERS[family]
        return _named(family, name)(**{parameter: given})
    if isinstance(given, Mapping):
        rest = dict(given)
        if "name" not in rest:
            raise InputError(f"{_with_article(singular)} needs its name, as in {{'name': 'NAME', …}}; got {rest!r}")
        return _named(family, rest.pop("name"))(**rest)
    raise InputTypeError(
        f"{_with_article(singular)} {symbol} is given by object, by name or by a mapping with its name; "
        f"got {type(given).__name__}. Names: {', '.join(known(family))}"
    )


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _named(family: str, name: Any) -> Any:
    offered = known(family)
    if not isinstance(name, str) or name not in _REGISTRY[family]:
        singular, symbol = FAMILIES[family]
        raise InputError(f"no {singular} {symbol} is called {name!r}.{suggest(str(name), offered)}")
    return _REGISTRY[family][name]


def _own(found: type[Component], given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by the names a component has for them; refuses what it does not know, or gets twice."""
    accepted = [parameter.name for parameter in found.parameters()]
    own: dict[str, Any] = {}
    for name, value in given.items():
        meant = found.own_name(str(name))
        if meant not in accepted:
            hint = suggest(str(name), accepted) if accepted else " It has no parameters."
            raise InputError(f"{found.__name__} has no parameter {name!r}.{hint}")
        if meant in own:
            raise InputError(f"{found.__name__} gets {meant} twice: its scale is called {meant}")
        own[meant] = value
    return own
