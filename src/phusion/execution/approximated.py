"""A group of jobs by push-pull: moments of all columns, thresholds, rows, certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.embeddings.characteristic import Characteristic
from phusion.execution.approximation import drawn_each
from phusion.execution.certify import Drawn, chosen_thresholds, draw, measured, mention
from phusion.execution.exact_columns import exact_kind, exact_sums
from phusion.execution.jobs import Done, Job
from phusion.execution.plan import GroupPlan
from phusion.execution.progress import report
from phusion.execution.push_pull import PushPull, sketched
from phusion.execution.sinks import PART, Writer
from phusion.execution.threads import Executor
from phusion.execution.writing import finished, write_part
from phusion.features import scale_names
from phusion.graph.ids import Array
from phusion.results.certificate import Certificate
from phusion.spec import Spec

__all__ = ["approximate"]

_ROWS = 4_096  # at a time


def approximate(part: GroupPlan, executor: Executor, seed: int) -> list[Done]:
    """Every job of the group; all share the moments."""
    group = part.group
    walks = part.walks
    if walks is None:
        raise ValueError("this group is not approximated")
    samples = draw(np.diff(group.graph.arrays[0]), drawn_each(walks), seed)
    both = np.concatenate([sample.nodes for sample in samples])
    kind = exact_kind(walks, part.resources.target or 0.0)
    # before there is a sketch, as both take room
    exact = [
        exact_sums(walks, group.graph.components, both, job.spec.embedding, _shared(job, walks.count), kind, executor)
        for job in group.jobs
    ]
    push = sketched(PushPull.of(walks, group.graph.components, seed), executor)
    return [_one(part, job, push, samples, known, executor) for job, known in zip(group.jobs, exact, strict=True)]


def _shared(job: Job, count: int) -> list[Any]:
    """What ζ learned of each scale."""
    return [None] * count if job.shared is None else list(job.shared)


def _one(
    part: GroupPlan, job: Job, push: PushPull, samples: tuple[Drawn, Drawn], exact: Array, executor: Executor
) -> Done:
    """Thresholds, rows, and how far they are from exact ones."""
    embedding, target = job.spec.embedding, part.resources.target or 0.0
    shared, names = _shared(job, push.walks.count), scale_names(part.group.proximity.at_each_scale())
    chosen, held_out = samples
    of_chosen, of_held_out = exact[:, : len(chosen.nodes)], exact[:, len(chosen.nodes) :]
    thresholds = chosen_thresholds(push, embedding, shared, chosen, of_chosen, names, target, executor)
    rows = _Rows(job.spec, tuple(shared), tuple(thresholds))
    certificate = _certified(push, rows(push, held_out.nodes), rows, of_held_out, held_out, names, target)
    if job.held:
        values = np.empty((push.n, job.width(push.n)))
        for start, stop, found in _passed(push, rows, executor):
            values[start:stop] = found
        # what is certified is what is stored
        certificate = _certified(push, values[held_out.nodes], rows, of_held_out, held_out, names, target)
        mention(certificate)
        return Done(values, shared, certificate)
    mention(certificate)  # before parts are written, as each of them says so
    _write(push, rows, job, certificate, part.group.graph.nodes, executor)
    return Done(np.empty((0, job.width(push.n))), shared, certificate)


def _certified(
    push: PushPull, values: Array, rows: _Rows, exact: Array, sample: Drawn, names: Sequence[str], target: float
) -> Certificate:
    found = _centered(values, rows.spec.embedding, push.walks.count, push.n)
    return measured(found, exact, sample, names, rows.thresholds, target)


def _centered(values: Array, embedding: Characteristic, count: int, n: int) -> Array:
    """n(φ − 1) from rows as they are stored, scales × nodes × 2 landmarks."""
    blocks = np.array(np.split(values, count, axis=1))
    if embedding.centered:
        return blocks
    if embedding.normalize:
        blocks = n * blocks
    blocks[:, :, : blocks.shape[2] // 2] -= n
    return blocks


@dataclass(frozen=True)
class _Rows:
    """Rows of some nodes. Pure, so that they can be computed anywhere and again."""

    spec: Spec
    shared: tuple[Any, ...]
    thresholds: tuple[float, ...]

    def __call__(self, push: PushPull, nodes: Array) -> Array:
        return push.rows(self.spec.embedding, self.shared, self.thresholds, nodes)


@dataclass(frozen=True)
class _Between:
    """One task: the rows of the nodes from one to another."""

    rows: _Rows

    def __call__(self, push: PushPull, start: int, stop: int) -> Array:
        return self.rows(push, np.arange(start, stop))


@dataclass(frozen=True)
class _WriteBetween:
    """One task: the same, written. Done again, it does the same."""

    rows: _Rows
    writer: Writer

    def __call__(self, push: PushPull, start: int, stop: int, part: int, nodes: Array) -> int:
        found = self.rows(push, np.arange(start, stop))
        finished(self.rows.spec, found)
        write_part(self.writer, part, start, nodes, found)
        return stop - start


def _passed(push: PushPull, rows: _Rows, executor: Executor) -> Any:
    size = min(_ROWS, max(1, -(-push.n // (4 * executor.workers))))
    ranges = [(start, min(start + size, push.n)) for start in range(0, push.n, size)]
    for (start, stop), found in zip(ranges, executor.map(_Between(rows), ranges, 5.0, push), strict=True):
        report("rows", stop, push.n)
        yield start, stop, found


def _write(push: PushPull, rows: _Rows, job: Job, certificate: Certificate, nodes: Array, executor: Executor) -> None:
    size = max(1, min(push.n, _ROWS, 2 * PART // (8 * job.width(push.n))))
    writer = job.sink.open(rows.shared, size, certificate, ())  # type: ignore[union-attr]
    tasks = [
        (start, min(start + size, push.n), number, nodes[start : start + size])
        for number, start in enumerate(range(0, push.n, size))
    ]
    for task, _ in zip(tasks, executor.map(_WriteBetween(rows, writer), tasks, 5.0, push), strict=True):
        report("rows, written", task[1], push.n)
