"""Saying a method on the command line: a preset, a spec file, or parts; then settings."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from phusion.errors import FileError, InputError, MethodWarning

if TYPE_CHECKING:
    from phusion.spec import Spec

__all__ = ["Method", "UsageError", "saying_warnings"]


class UsageError(InputError):
    """The command line names something that does not exist, or does not fit together."""


@Parameter(name="*")
@dataclass
class Method:
    """The method: a preset, a spec file, or parts by name; --set changes single parameters."""

    preset: str | None = None
    """A published system by name; see `phusion presets`."""
    spec: Path | None = None
    """A .toml or .json file that describes the method, as --dry-run prints it."""
    proximity: str | None = None
    """Ψ by name; see `phusion components`."""
    nonlinearity: str | None = None
    """σ by name."""
    embedding: str | None = None
    """ζ by name."""
    propagate: str | None = None
    """π by name, or a number of steps of low_pass; "none" for none."""
    settings: Annotated[list[str], Parameter(name="--set", consume_multiple=False, negative=(), show_default=False)] = (
        field(default_factory=list)
    )
    """PART.PARAMETER=VALUE, such as proximity.scale=0.1,1,10; or PARAMETER=VALUE where only one part has it."""
    normalize: Literal["l2"] | None = None
    """Give rows length 1."""
    seed: int | Literal["none"] | None = None
    """Seed of what is random; "none" draws one. Default: the preset's or the file's, else 0."""

    def described(self, *, graphs: bool = False, pooling: str | None = None, attributes: Any = None) -> Spec:
        """The spec, with a pooling for graphs."""
        try:
            return self._described(graphs, pooling, attributes)
        except FileError:
            raise
        except InputError as error:
            raise UsageError(str(error)) from error

    def _described(self, graphs: bool, pooling: str | None, attributes: Any) -> Spec:
        from phusion.presets.registry import find
        from phusion.spec import Spec

        if self.preset and self.spec:
            raise InputError("give --preset or --spec, not both")
        if not (self.preset or self.spec or self.proximity or self.embedding):
            raise InputError(
                "choose a method: --preset NAME (see phusion presets), --spec FILE, or --proximity and --embedding "
                "(see phusion components)"
            )
        if self.preset:
            start = find(self.preset).spec.as_dict()
        elif self.spec:
            start = Spec.read(self.spec).as_dict()
        else:
            start = {"random_state": 0}
        parts = {
            "proximity": self.proximity,
            "nonlinearity": self.nonlinearity,
            "embedding": self.embedding,
            "propagate": self._propagate(),
            "pooling": pooling or (start.get("pooling", "mean") if graphs else None),
            "attributes": attributes,
            "normalize": self.normalize,
            "random_state": self.seed,
        }
        given = {name: value for name, value in parts.items() if value is not None}
        if self.seed == "none":
            given["random_state"] = None
        if self.propagate == "none":
            start.pop("propagate", None)
        return Spec.from_dict({**start, **given}).with_settings(self.settings)

    def _propagate(self) -> Any:
        given = self.propagate
        return None if given in (None, "none") else int(given) if given.isdecimal() else given


@contextmanager
def saying_warnings() -> Iterator[None]:
    """What is warned goes to stderr, one line each."""
    from phusion.cli.console import say_notes

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MethodWarning)
        try:
            yield
        finally:
            say_notes(dict.fromkeys(str(item.message) for item in caught), word="warning")
