"""Passes over a stream: a block of columns at a time, each read by a function, somewhere."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from phusion.execution.progress import report
from phusion.execution.threads import Executor
from phusion.linalg.streams.base import Stream, StreamOver

__all__ = ["Passes", "StoredStream"]

_SPARSE_SPEED, _ENTRY_SPEED = 1.5e9, 5e7  # a second, about

Reader = Callable[[list[Any], int, int], Any]


@dataclass(frozen=True)
class _ReadBlock:
    """One task: compute some columns, and read them. Pure, so that it can be done anywhere and again."""

    reader: Reader | None

    def __call__(self, stream: Stream, start: int, stop: int) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused, in words
            if self.reader is None:
                return stream.diagonals(start, stop)
            return self.reader(stream.columns(start, stop), start, stop)


@dataclass
class Passes:
    """The way over all columns of a stream, block by block.

    Attributes
    ----------
    done : how many passes were made.
    """

    stream: Stream
    executor: Executor
    width: int
    total: str = "?"
    done: int = field(default=0, init=False)
    _running: Generator[Any] | None = field(default=None, init=False)

    def read(self, reader: Reader | None, what: str) -> Iterator[tuple[int, int, Any]]:
        """What the reader makes of each block, in order: (start, stop, result). Without a reader, the diagonals."""
        n = self.stream.n
        ranges = [(start, min(start + self.width, n)) for start in range(0, n, self.width)]
        for task, found in self.each(_ReadBlock(reader), ranges, self.seconds, what):
            yield (*task, found)

    def each(
        self, function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], seconds: float, what: str
    ) -> Iterator[tuple[Any, Any]]:
        """One pass: (task, function of the stream and the task); tasks begin with their first column and their end."""
        self.done += 1
        label = f"pass {self.done} of {self.total}: {what}"
        report(label, 0, self.stream.n)
        self._running = results = self.executor.map(function, tasks, seconds, self.stream)
        try:
            for task, found in zip(tasks, results, strict=True):
                report(label, task[1], self.stream.n)
                yield task, found
        finally:
            self.close()

    def close(self) -> None:
        """End a pass that was not read to its end, at once: whoever holds a traceback holds its threads too."""
        if self._running is not None:
            self._running.close()

    @property
    def seconds(self) -> float:
        """That a block takes, about."""
        work = self.stream.products * self.stream.entries / _SPARSE_SPEED
        return self.width * (work + self.stream.count * self.stream.n / _ENTRY_SPEED)


@dataclass(frozen=True)
class StoredStream(StreamOver):
    """A stream whose blocks are kept once they were computed, for several passes with the same blocks."""

    kept: dict[tuple[int, int], list[Any]] = field(default_factory=dict)

    def columns(self, start: int, stop: int) -> list[Any]:
        """From memory, if they were computed before; whoever reads them must not change them."""
        found = self.kept.get((start, stop))
        if found is None:
            found = self.kept[start, stop] = self.stream.columns(start, stop)
        return found

    def diagonals(self, start: int, stop: int) -> list[Any]:
        """Those of columns that are kept, or else the shorter way."""
        kept = (start, stop) in self.kept
        return super().diagonals(start, stop) if kept else self.stream.diagonals(start, stop)

    @property
    def held_bytes(self) -> int:
        """With all columns."""
        return self.stream.held_bytes + self.stream.entry_bytes * self.n**2 * self.count
