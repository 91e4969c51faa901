"""`Resources`: the memory, threads, precision and machines a computation may use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.execution.memory import as_bytes, free_memory
from phusion.execution.threads import Executor, Threads, processors
from phusion.execution.workers import Workers

__all__ = ["Accuracy", "Precision", "Resources"]

Precision = Literal["double", "single"]
Accuracy = float | Literal["exact", "auto"]

_SHARE = 0.7  # of what is free
_FINEST, _COARSEST, _USUAL = 1e-3, 0.5, 0.01  # relative errors
_UNKNOWN = 4_000_000_000  # where the system does not tell
_EXECUTORS = "executor is None, 'dask', 'local', a scheduler's address like 'tcp://host:8786', or a dask client"


@dataclass(frozen=True)
class Resources:
    """What a computation may use.

    Parameters
    ----------
    memory : bytes, or words like ``"2GB"``, beyond what Python itself holds; None for 70 % of what is free in the
        machine or its control group.
    threads : how many work at a time; None for one on each processor this process may use.
    precision : ``"double"``, or ``"single"``: numbers of 4 bytes where small entries do not matter by their own size
        (identity, log_ramp, and log with floor one), polynomials good to 1e-6 and singular vectors to about 1e-3.
        Twice as fast or more, in half the memory.
    executor : None for threads here; ``"dask"`` for the Dask client of this process, ``"local"`` for Dask workers
        started for the occasion, a scheduler's address, or a client. `Workers` that are not there, to plan with.
    accuracy : ``"exact"``, or the relative error of n(φ − 1) that 95 of 100 nodes may have, such as 0.01:
        characteristic functions of local proximities are then approximated, and certified. ``"auto"`` is exact where
        that takes about a minute or less, else 0.01 where there is such a way.
    strategy : ``"auto"`` chooses; ``"dense"`` and ``"blocked"`` insist.
    width : columns of a block; None chooses.
    """

    memory: Any = None
    threads: Any = None
    precision: Precision = "double"
    executor: Any = None
    accuracy: Any = "exact"
    strategy: Literal["auto", "dense", "blocked"] = "auto"
    width: int | None = None

    def __post_init__(self) -> None:
        if self.memory is not None:
            as_bytes(self.memory)
        if self.threads is not None and (
            isinstance(self.threads, bool) or not isinstance(self.threads, (int, np.integer)) or self.threads < 1
        ):
            raise InputError(f"threads is a whole number ≥ 1 or None; got {self.threads!r}")
        if self.precision not in ("double", "single"):
            raise InputError(f"precision is 'double' or 'single'; got {self.precision!r}")
        self._check_accuracy()
        given = self.executor
        if isinstance(given, str) and given not in ("dask", "local") and ":" not in given:
            raise InputError(f"{_EXECUTORS}; got {given!r}")
        if given is not None and not isinstance(given, (str, Workers)) and not hasattr(given, "scheduler_info"):
            raise InputTypeError(f"{_EXECUTORS}; got {type(given).__name__}")

    def _check_accuracy(self) -> None:
        given = self.accuracy
        number = isinstance(given, (int, float, np.number)) and not isinstance(given, bool)
        if not (isinstance(given, str) and given in ("exact", "auto")) and not (
            number and _FINEST <= given <= _COARSEST
        ):
            raise InputError(
                f"accuracy is 'exact', 'auto', or a relative error from {_FINEST:g} to {_COARSEST:g}, such as 0.01; "
                f"got {given!r}"
            )

    @property
    def target(self) -> float | None:
        """The relative error asked for; None for exact results."""
        if isinstance(self.accuracy, str):
            return None if self.accuracy == "exact" else _USUAL
        return float(self.accuracy)

    @property
    def budget(self) -> int:
        """Bytes."""
        if self.memory is not None:
            return as_bytes(self.memory)
        free = free_memory()
        return int(_SHARE * (_UNKNOWN if free is None else free))

    @property
    def n_threads(self) -> int:
        """Threads."""
        if self.threads is not None:
            return int(self.threads)
        return processors()

    def shared(self, processes: int) -> Resources:
        """What each of so many processes may use, so that all of them together keep to this."""
        return replace(self, memory=self.budget // processes, threads=max(1, self.n_threads // processes))

    @property
    def remote(self) -> bool:
        """Whether other processes do the work."""
        return self.executor is not None

    @cached_property
    def workers(self) -> Workers | None:
        """Dask workers, if they do the work; their scheduler is asked."""
        if self.executor is None or isinstance(self.executor, Workers):
            return self.executor
        from phusion.execution.dask import dask_workers

        return dask_workers(self.executor, self.n_threads)

    @property
    def simple(self) -> bool:
        """Whether nothing is asked for that a small graph could care about."""
        return (
            self.memory is None and self.executor is None and self.strategy == "auto" and isinstance(self.accuracy, str)
        )

    @contextmanager
    def open_executor(self) -> Iterator[Executor]:
        """Who computes blocks, for as long as it takes."""
        if self.executor is None:
            yield Threads(self.n_threads)
            return
        if isinstance(self.executor, Workers):
            raise InputError(f"these workers are only planned with; to compute, {_EXECUTORS}")
        from phusion.execution.dask import dask_executor

        with dask_executor(self.executor, self.n_threads) as found:
            yield found

    def kind(self, entrywise: bool) -> Any:
        """The type of numbers, where small entries matter by their own size or do not."""
        return np.float32 if self.precision == "single" and not entrywise else np.float64
