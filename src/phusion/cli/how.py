"""Saying on the command line what computing may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from cyclopts import Parameter

__all__ = ["Computing"]


@Parameter(name="*")
@dataclass
class Computing:
    """What computing may use: memory, threads, precision, machines."""

    memory: str | None = None
    """Memory beyond what Python itself takes, such as 2GB; default: 70 % of what is free here or in the container."""
    threads: int | None = None
    """How many work at a time; default: one on each processor."""
    precision: Literal["double", "single"] = "double"
    """"single" takes half the memory and time, with errors of about 1e-6."""
    dask: str | None = None
    """A Dask scheduler's address, or "local" for workers on this machine."""

    def arguments(self, accuracy: str | None = None) -> dict[str, Any]:
        """For an estimator; with how accurate it must be, where that can be said."""
        from phusion.cli.method import UsageError
        from phusion.errors import InputError
        from phusion.execution.resources import Resources

        found: dict[str, Any] = {
            "memory": self.memory,
            "threads": self.threads,
            "precision": self.precision,
            "executor": self.dask,
            **({} if accuracy is None else {"accuracy": _number(accuracy)}),
        }
        try:
            Resources(**found)
        except InputError as error:
            raise UsageError(str(error)) from error
        return found


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
