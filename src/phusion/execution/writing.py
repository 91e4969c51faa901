"""Rows that are written by whoever computes them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from errno import ENOENT
from typing import Any

import numpy as np

from phusion.embeddings.base import Columns
from phusion.errors import InputError, OutputError
from phusion.execution.blocks import Passes
from phusion.execution.jobs import Done, Job
from phusion.execution.sinks import PART, Writer
from phusion.graph.ids import Array
from phusion.linalg.streams.base import Stream
from phusion.nonlinearities.base import Map
from phusion.results.certificate import Certificate
from phusion.spec import Spec

__all__ = ["finished", "write_part", "write_rows", "write_values"]

_CHUNK = 65_536  # rows that are normalised at a time
_SECONDS = 10.0  # for one part, about, unless there were too many
_MANY = 1_000  # parts


def finished(spec: Spec, values: Array) -> None:
    """Check that values are finite, and give rows length 1 if that is asked for; in place."""
    for start in range(0, len(values), _CHUNK):
        rows = values[start : start + _CHUNK]
        if not np.isfinite(rows).all():
            raise InputError(
                f"{spec.embedding!r} of {spec.proximity!r} is not finite on this graph: numbers beyond 1e308. "
                "Divide the weights by their maximum, or use smaller scales and landmarks"
            )
        if spec.normalize == "l2":
            largest = np.abs(rows).max(axis=1, keepdims=True)
            np.divide(rows, largest, out=rows, where=largest > 0)  # squares stay in range
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            np.divide(rows, lengths, out=rows, where=lengths > 0)


def write_rows(
    job: Job,
    maps: Sequence[Map],
    shared: Sequence[Any],
    nodes: Array,
    passes: Passes,
    certificate: Certificate | None = None,
) -> None:
    """One pass in which each task writes the rows of its nodes, and says no more than that it did."""
    n, dim = len(nodes), job.width(len(nodes))
    blocks = _blocks(n, dim, passes)
    rows = blocks * passes.width
    writer = job.sink.open(shared, rows, certificate, ())  # type: ignore[union-attr]
    tasks = [
        (start, min(start + rows, n), part, nodes[start : start + rows]) for part, start in enumerate(range(0, n, rows))
    ]
    function = _WritePart(job.spec, tuple(maps), tuple(shared), passes.width, dim, writer)
    for _ in passes.each(function, tasks, blocks * passes.seconds, "rows, written"):
        pass


def write_values(job: Job, done: Done, nodes: Array) -> None:
    """Write what was computed as a whole, and hold it no longer."""
    values, done.values = done.values, done.values[:0].copy()
    n, dim = values.shape
    rows = max(1, min(n, PART // max(1, 8 * dim)))
    writer = job.sink.open(done.shared, rows, done.certificate, done.fidelity)  # type: ignore[union-attr]
    for part, start in enumerate(range(0, n, rows)):
        write_part(writer, part, start, nodes[start : start + rows], values[start : start + rows])


def _blocks(n: int, dim: int, passes: Passes) -> int:
    """How many blocks make a part: enough for few files, not so many that one takes long or some have nothing to do."""
    all_blocks = -(-n // passes.width)
    by_size = PART // (8 * dim * passes.width)
    by_turns = -(-all_blocks // (4 * passes.executor.workers))
    by_time = max(int(_SECONDS / passes.seconds), all_blocks // _MANY)
    return max(1, min(by_size, by_turns, by_time))


@dataclass(frozen=True)
class _WritePart:
    """One task: rows of some nodes, a block after another, into one part. Done again, it does the same."""

    spec: Spec
    maps: tuple[Map, ...]
    shared: tuple[Any, ...]
    width: int
    dim: int
    writer: Writer

    def __call__(self, stream: Stream, start: int, stop: int, part: int, nodes: Array) -> int:
        rows = np.empty((stop - start, self.dim))
        for first in range(start, stop, self.width):
            last = min(first + self.width, stop)
            with np.errstate(over="ignore", invalid="ignore"):
                np.concatenate(self._rows(stream, first, last), axis=1, out=rows[first - start : last - start])
        finished(self.spec, rows)
        write_part(self.writer, part, start, nodes, rows)
        return stop - start

    def _rows(self, stream: Stream, start: int, stop: int) -> list[Array]:
        if self.spec.embedding.diagonal_only:
            found = stream.diagonals(start, stop)
            return [
                mapping(np.asarray(one, dtype=np.float64))[:, None]
                for one, mapping in zip(found, self.maps, strict=True)
            ]
        return [
            self.spec.embedding.rows(Columns(block, start, mapping.noise, mapping), known)
            for block, mapping, known in zip(stream.columns(start, stop), self.maps, self.shared, strict=True)
        ]


def write_part(writer: Writer, part: int, start: int, nodes: Array, rows: Array) -> None:
    """Have rows written; an error says where."""
    try:
        writer.write(part, start, nodes, rows)
    except OSError as error:
        shared = "; Dask workers must share the file system of the result" if error.errno == ENOENT else ""
        raise OutputError(f"{platform.node()} cannot write part {part}: {error}{shared}") from error
