"""The formula at work on one graph: every group of jobs as its plan says, written out or a block at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np

from phusion.embeddings.base import Columns
from phusion.execution.approximated import approximate
from phusion.execution.blocks import Passes, StoredStream
from phusion.execution.edges import factorised, propagated
from phusion.execution.jobs import Done, Group, Job
from phusion.execution.operators import StoredOperator, StreamedOperator
from phusion.execution.plan import GroupPlan, Plan
from phusion.execution.statistics import Statistics
from phusion.execution.streamed import streamed_matrices
from phusion.execution.threads import Executor, Threads
from phusion.execution.writing import finished, write_rows, write_values
from phusion.graph.ids import Array
from phusion.linalg.blas import blas_threads
from phusion.linalg.eigenpairs import worth_iterating
from phusion.linalg.streams.base import Stream
from phusion.linalg.svd import WRITTEN
from phusion.nonlinearities.base import Map
from phusion.proximities.matrix import DenseMatrix, ProximityMatrix
from phusion.results.certificate import Certificate

__all__ = ["compute"]


def compute(plan: Plan, seed: int) -> list[Done]:
    """Every job of the plan, in order. Of those with a sink, rows are written and none are left."""
    done: dict[int, Done] = {}
    here = all(part.strategy == "dense" or (part.strategy == "edges" and not part.there) for part in plan.parts)
    with nullcontext() if here else plan.resources.open_executor() as executor:
        for part in plan.parts:
            if executor is not None and part.walks is not None:
                with blas_threads(1):
                    found = approximate(part, executor if executor.remote else Threads(part.threads), seed)
            elif executor is not None and part.stream is not None:
                with blas_threads(1):  # blocks have threads of their own, and sums must not depend on how many
                    found = _blocked(part, executor)
            elif part.strategy == "edges":
                found = factorised(part, seed, executor if part.there else None)
            else:
                with nullcontext() if plan.resources.threads is None else blas_threads(plan.resources.n_threads):
                    found = _dense(part, seed)
            target = plan.resources.target
            if target is not None and part.walks is None:
                exact = Certificate(target, "exact")
                found = [each if each.fidelity else replace(each, certificate=exact) for each in found]
            for place, job, each in zip(part.group.places, part.group.jobs, found, strict=True):
                workers = executor if part.there and part.strategy == "edges" else None
                each.values = propagated(job, plan.graph, each.values, plan.resources, workers)
                done[place] = each
    for place, job in enumerate(plan.jobs):
        finished(job.spec, done[place].values)
        if job.sink is not None and len(done[place].values):
            write_values(job, done[place], plan.graph.nodes)
    return [done[place] for place in range(len(plan.jobs))]


# written out


def _dense(part: GroupPlan, seed: int) -> list[Done]:
    """One scale after another; each σ once for all ζ that follow it."""
    group = part.group
    blocks: list[list[Array]] = [[] for _ in group.jobs]
    shared: list[list[Any]] = [[] for _ in group.jobs]
    by_nonlinearity: dict[Any, list[int]] = {}
    for place, job in enumerate(group.jobs):
        by_nonlinearity.setdefault(job.spec.nonlinearity, []).append(place)
    for k, matrix in enumerate(group.proximity.matrices(group.graph, entrywise=group.entrywise)):
        if len(group.jobs) > 1 and not isinstance(matrix, DenseMatrix):
            matrix = DenseMatrix(matrix.toarray(), symmetric=matrix.symmetric, noise=matrix.noise)
        for nonlinearity, places in by_nonlinearity.items():
            filtered: ProximityMatrix = nonlinearity.apply(matrix)
            for place in places:
                job = group.jobs[place]
                known = job.spec.embedding.learn(filtered) if job.shared is None else job.shared[k]
                shared[place].append(known)
                blocks[place].append(_embedded(part, job.spec.embedding, filtered, known, seed))
    return [Done(_side_by_side(found), known) for found, known in zip(blocks, shared, strict=True)]


def _embedded(part: GroupPlan, embedding: Any, matrix: ProximityMatrix, shared: Any, seed: int) -> Array:
    """Y of a matrix that is written out: singular vectors by iteration where few of many are wanted."""
    if not hasattr(embedding, "of_operator") or not worth_iterating(matrix.n, embedding.dim):
        return embedding.embed(matrix, shared, seed)  # type: ignore[no-any-return]
    try:
        return _iterated(part, embedding, matrix)
    except _UnsettledError:
        return embedding.embed(matrix, shared, seed)  # type: ignore[no-any-return]


class _UnsettledError(Exception):
    """Iteration did not find all singular vectors."""


def _iterated(part: GroupPlan, embedding: Any, matrix: ProximityMatrix) -> Array:
    values = matrix.toarray()
    rows = np.ascontiguousarray(values if matrix.symmetric else values.T, part.kind)
    operator = StoredOperator(rows, part.kind, Threads(part.resources.n_threads), symmetric=matrix.symmetric)

    def unsettled(_: float) -> None:
        raise _UnsettledError

    with blas_threads(1):
        # a space of n/2 columns, two if σ(S) is not symmetric, is one of the n × n arrays that the plan foresees
        told = unsettled if matrix.n <= WRITTEN else None  # LAPACK would take hours of larger ones: the user is told
        return embedding.of_operator(operator, part.tolerance, matrix.n // 2, unsettled=told)  # type: ignore[no-any-return]


def _side_by_side(blocks: Sequence[Array]) -> Array:
    return blocks[0] if len(blocks) == 1 else np.hstack(blocks)


# a block at a time


def _blocked(part: GroupPlan, executor: Executor) -> list[Done]:
    """With passes that end at once when the work is interrupted."""
    stream: Any = StoredStream(cast(Stream, part.stream)) if part.keep else part.stream
    here = executor if executor.remote else Threads(part.threads)
    with ExitStack() as ends:
        passes, turned = (
            ends.enter_context(closing(Passes(each, here, part.width, total=str(part.passes)))) if each else None
            for each in (stream, part.transposed)
        )
        return _read(part, cast(Passes, passes), turned)


def _read(part: GroupPlan, passes: Passes, turned: Passes | None) -> list[Done]:
    """What the nonlinearities ask for, then rows, then singular vectors; `turned` are passes over the transpose."""
    group, n = part.group, len(part.group.graph)
    each = group.proximity.at_each_scale()
    statistics = Statistics(passes, each)
    matrices = streamed_matrices(each, group.graph, passes.stream, statistics)
    places = {job.spec.nonlinearity.place(n) for job in group.jobs if hasattr(job.spec.nonlinearity, "place")}
    if places:
        statistics.find_ranked(places)
    maps = {
        nonlinearity: [nonlinearity.prepare(matrix if noise else matrix.without_noise()) for matrix in matrices]
        for nonlinearity, noise in group.noise_matters.items()
    }
    weighing = {job.spec.nonlinearity for job in group.jobs if job.spec.embedding.weighs and job.shared is None}
    statistics.weigh((k, mapping) for each in weighing for k, mapping in enumerate(maps[each]))
    done = []
    for job in group.jobs:
        found = maps[job.spec.nonlinearity]
        filtered = [matrix.mapped(mapping, mapping.noise) for matrix, mapping in zip(matrices, found, strict=True)]
        shared = [job.spec.embedding.learn(one) for one in filtered] if job.shared is None else list(job.shared)
        done.append(Done(np.empty((n if job.held else 0, job.given_width(n))), shared))
    for job, result in zip(group.jobs, done, strict=True):
        if not job.held:
            target = part.resources.target
            known = None if target is None else Certificate(target, "exact")
            write_rows(job, maps[job.spec.nonlinearity], result.shared, group.graph.nodes, passes, known)
    held = [job for job in group.by_node if job.held]
    if any(not job.spec.embedding.diagonal_only for job in held):
        _read_rows(group, maps, done, passes)
    elif held:
        _read_diagonals(group, maps, done, passes)
    for job, result in zip(group.jobs, done, strict=True):
        if not job.spec.embedding.by_node:
            _factorise(part, job, maps[job.spec.nonlinearity], result.values, passes, turned)
    return done


@dataclass(frozen=True)
class _Task:
    """Rows of one job at one scale."""

    matrix: int
    mapping: Map
    embedding: Any
    shared: Any

    def rows(self, blocks: list[Any], start: int) -> Array:
        columns = Columns(blocks[self.matrix], start, self.mapping.noise, self.mapping)
        return self.embedding.rows(columns, self.shared)  # type: ignore[no-any-return]


def _rows_of(tasks: tuple[_Task, ...], blocks: list[Any], start: int, stop: int) -> list[Array]:
    """What is read of a block: the rows of its nodes, for every job and scale."""
    return [task.rows(blocks, start) for task in tasks]


def _read_rows(group: Group, maps: dict[Any, list[Map]], done: list[Done], passes: Passes) -> None:
    """One pass for all jobs that take a node's column each, at all scales."""
    tasks, targets = [], []
    for job, result in zip(group.jobs, done, strict=True):
        if job.held and job.spec.embedding.by_node:
            width = job.spec.embedding.width(len(group.graph))
            for k, mapping in enumerate(maps[job.spec.nonlinearity]):
                tasks.append(_Task(k, mapping, job.spec.embedding, result.shared[k]))
                targets.append(result.values[:, k * width : (k + 1) * width])
    for start, stop, found in passes.read(partial(_rows_of, tuple(tasks)), "rows"):
        for target, rows in zip(targets, found, strict=True):
            target[start:stop] = rows


def _read_diagonals(group: Group, maps: dict[Any, list[Map]], done: list[Done], passes: Passes) -> None:
    """One pass for jobs of which all want only the diagonal, which may do without columns."""
    for start, stop, found in passes.read(None, "diagonal"):
        for job, result in zip(group.jobs, done, strict=True):
            if job.held and job.spec.embedding.diagonal_only:
                for k, mapping in enumerate(maps[job.spec.nonlinearity]):
                    result.values[start:stop, k] = mapping(np.asarray(found[k], dtype=np.float64))


def _factorise(
    part: GroupPlan, job: Job, maps: list[Map], values: Array, passes: Passes, turned: Passes | None
) -> None:
    """Products with σ(S) for each scale, stored or read anew each time."""
    embedding, n = job.spec.embedding, len(part.group.graph)
    width = embedding.width(n)
    for k, mapping in enumerate(maps):
        operator: Any
        if part.store(mapping):
            operator = StoredOperator.read(passes, k, mapping, part.kind, symmetric=part.group.symmetric)
        else:
            operator = StreamedOperator(passes, turned, k, mapping, part.kind)
        # products have threads of their own; in narrow decompositions BLAS threads mostly wait for each other, and
        # for very long where processors are shared
        with blas_threads(1):
            values[:, k * width : (k + 1) * width] = embedding.of_operator(
                operator, part.tolerance, part.space, write=part.may_write
            )
