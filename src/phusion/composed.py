"""`Composed`: estimators whose parts are components, with scikit-learn's nested parameters."""

from __future__ import annotations

from copy import copy
from secrets import randbits
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin

from phusion.component import resolve
from phusion.errors import InputError, PhusionError, suggest
from phusion.execution.resources import Resources
from phusion.frames import SetOutput
from phusion.spec import PARTS

__all__ = ["Composed", "as_seed"]


class Composed(SetOutput, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg, misc]
    """An estimator whose parts are components, given by object, by name or by a mapping."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name; with `deep` also those of the parts, as ``proximity__beta``."""
        params: dict[str, Any] = super().get_params(deep=False)
        if not deep:
            return params
        for name, value in list(params.items()):
            part = self._part(name, value)
            if hasattr(part, "get_params") and not isinstance(part, type):
                params.update({f"{name}__{key}": inner for key, inner in part.get_params().items()})
        return params

    def __sklearn_clone__(self) -> Any:
        """Clones share the executor: a Dask client cannot be copied."""
        bare = copy(self)
        bare.executor = None
        made = BaseEstimator.__sklearn_clone__(bare)
        made.executor = self.executor
        return made

    def _part(self, name: str, value: Any) -> Any:
        """The component as it would be computed; the value itself where it is none, as this must not fail."""
        if name not in PARTS:
            return value
        try:
            return getattr(self.spec, name)
        except PhusionError:
            try:
                return resolve(PARTS[name], value)
            except PhusionError:
                return value

    def set_params(self, **params: Any) -> Any:
        """Change parameters; ``proximity__beta=0.1`` changes one of a part, however the part was given.

        If one of them is refused, none is changed.
        """
        known = self.get_params(deep=False)
        changed: dict[str, Any] = {}
        inner: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, nested, rest = key.partition("__")
            if name not in known:
                raise InputError(f"{type(self).__name__} has no parameter {name!r}.{suggest(name, known)}")
            if nested:
                inner.setdefault(name, {})[rest] = value
            else:
                changed[name] = value
        for name, changes in inner.items():
            changed[name] = self._changed(name, changed.get(name, known[name]), changes)
        for name, value in changed.items():
            setattr(self, name, value)
        return self

    def _changed(self, name: str, value: Any, changes: dict[str, Any]) -> Any:
        if name not in PARTS:
            raise InputError(f"{name} has no parameters of its own")
        return resolve(PARTS[name], value).replace(**changes)

    def _repr_html_(self) -> str:
        from phusion.formula import formula_card

        return formula_card(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """What notebooks ask for first; ``sklearn.set_config(display="text")`` holds here too."""
        words = {"text/plain": repr(self)}
        return {**words, "text/html": self._repr_html_()} if get_config()["display"] == "diagram" else words

    @property
    def resources(self) -> Resources:
        """What computing may use, as given; checked."""
        given: Any = self
        return Resources(
            given.memory, given.threads, given.precision, given.executor, getattr(given, "accuracy", "exact")
        )

    def _seed(self, random: bool) -> int | None:
        """The seed to use, drawn if none is given and something is random."""
        given: Any = self.random_state
        if isinstance(given, np.random.RandomState):
            return int(given.randint(2**31 - 1))
        if isinstance(given, np.random.Generator):
            return int(given.integers(2**31 - 1))
        seed: int | None = self.spec.random_state
        return randbits(31) if seed is None and random else seed


def as_seed(given: Any) -> Any:
    """A whole number as a spec holds it; None where a generator is given, which is asked when fitting."""
    if isinstance(given, (np.random.RandomState, np.random.Generator)):
        return None
    return int(given) if isinstance(given, np.integer) else given
