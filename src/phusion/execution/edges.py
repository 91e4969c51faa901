"""Factorising a proximity that is as sparse as the graph: what it takes, and the work itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from phusion.execution.jobs import Done, Group, Job
from phusion.execution.resources import Resources
from phusion.execution.stripes import COLUMNS, StripedMatrix, striped
from phusion.execution.threads import Executor, Threads
from phusion.graph.ids import Array
from phusion.linalg.blas import blas_threads
from phusion.linalg.chebyshev_svd import chebyshev_width
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.krylov import krylov_columns
from phusion.linalg.reach import few_steps_bytes
from phusion.linalg.surroundings import Surroundings
from phusion.propagations.base import STRIPE

if TYPE_CHECKING:
    from phusion.execution.plan import GroupPlan

__all__ = [
    "edge_products",
    "edges_bytes",
    "edges_there",
    "factorised",
    "in_threads",
    "is_approximate",
    "is_edge_group",
    "propagated",
]

_FEW = 4  # a block this many times wider still fits into n: else exact vectors cost no more


def is_edge_group(group: Group) -> bool:
    """Whether σ(S) has no entries but those of S, which are few, and all that is asked for are singular vectors."""
    jobs = group.jobs
    fitting = all(job.spec.nonlinearity.name == "identity" and hasattr(job.spec.embedding, "of_edges") for job in jobs)
    return fitting and group.proximity.at_each_scale()[0].edge_entries(group.graph) is not None


def is_approximate(job: Job, n: int) -> bool:
    """Whether singular vectors are approximate: if they may be, and n is much more than the block has columns."""
    embedding = job.spec.embedding
    return embedding.applications is not None and _FEW * chebyshev_width(n, embedding.dim) <= n


def edges_bytes(group: Group, resources: Resources, room: int) -> tuple[int, int]:
    """(Bytes at most beside the results, bytes of them for a space in which exact vectors are sought)."""
    n, scales = group.n, group.proximity.at_each_scale()
    building = _building(group, resources.n_threads)
    peak = space = 0
    for job in group.jobs:
        embedding, own = job.spec.embedding, 8 * n * job.width(n)
        given = job.given_width(n)
        if is_approximate(job, n):
            kind: Any = np.float32
            blocks = 3 * 4 * n * chebyshev_width(n, embedding.dim)
            held = 4 * n * given if len(scales) > 1 else 0
        else:
            kind, wanted = resources.kind(entrywise=False), embedding.dim + 8
            size = n * np.dtype(kind).itemsize
            block, least = krylov_columns(n, wanted, 0)
            most = krylov_columns(n, wanted)[1]
            blocks = size * (2 * least + 5 * block) + 8 * n * 3 * wanted
            held = 8 * n * given
            left = room + own - _size(group, kind) - held
            space = max(space, 2 * size * min(most, least + max(0, left - blocks) // (2 * size)))
            blocks += max(0, space - 2 * size * least)
        first = held + max(_size(group, kind) + blocks, building)
        rows = np.dtype(kind).itemsize * n * given
        filtering = rows + 4 * np.dtype(kind).itemsize * n * STRIPE + Surroundings.size(n, group.entries, kind)
        peak = max(peak, first - own, (filtering if job.spec.propagate is not None else 0) - own, rows)
    return max(0, peak), space


def _size(group: Group, kind: Any) -> int:
    """Bytes of the largest matrix of all scales."""
    entries = max(group.edge_entries(one) or 0 for one in group.proximity.at_each_scale())
    written = _written(group)
    symmetric, plain = not (group.graph.directed or written), not (group.graph.weighted or written)
    return EdgeMatrix.size(group.n, entries, kind, symmetric=symmetric, plain=plain)


def _written(group: Group) -> bool:
    """Whether entries are written down: they are of several steps, or some are left out."""
    scales = group.proximity.at_each_scale()
    return any(getattr(one, "hops", 1) != 1 or getattr(one, "positive", False) for one in scales)


def _building(group: Group, threads: int) -> int:
    """Bytes at most while entries are written down."""
    if not _written(group):
        return 0
    scales = group.proximity.at_each_scale()
    return max(
        few_steps_bytes(group.n, group.edge_entries(one) or 0, getattr(one, "hops", 1), threads) for one in scales
    )


def edges_there(group: Group, resources: Resources, threads: int) -> int:
    """Bytes at most in a worker that multiplies and filters: what it holds, and some columns for each thread."""
    n = group.n
    kind = np.float32 if all(is_approximate(job, n) for job in group.jobs) else resources.kind(entrywise=False)
    filtering = Surroundings.size(n, group.entries, kind) if any(job.spec.propagate for job in group.jobs) else 0
    columns = STRIPE if filtering else COLUMNS
    return int(_size(group, kind) + filtering + 4 * np.dtype(kind).itemsize * n * columns * threads)


def edge_products(group: Group) -> int:
    """Products of the sparse matrix with a block, about."""
    n = group.n
    each = [2 * job.spec.embedding.applications + 4 if is_approximate(job, n) else 60 for job in group.jobs]
    return sum(each) * len(group.proximity.at_each_scale())


def in_threads(resources: Resources) -> Callable[[Callable[[int], Any], int], list[Any]]:
    """Who computes a function of 0 to count − 1."""
    threads = Threads(resources.n_threads)
    return lambda function, count: list(threads.map(function, [(i,) for i in range(count)]))


def factorised(part: GroupPlan, seed: int, workers: Executor | None) -> list[Done]:
    """Singular vectors of each job at each scale, from one sparse matrix for all jobs.

    Workers, if there are any, multiply; all else is done here.
    """
    group, n, each = part.group, len(part.group.graph), in_threads(part.resources)
    done = [Done(np.empty((0, 0)), [None] * len(group.proximity.at_each_scale())) for _ in group.jobs]
    blocks: list[list[Array]] = [[] for _ in group.jobs]
    with blas_threads(1):  # products have threads of their own, and sums must not depend on how many
        for one in group.proximity.at_each_scale():
            made: dict[Any, Any] = {}
            for place, job in enumerate(group.jobs):
                near = is_approximate(job, n)
                kind = np.float32 if near else part.kind
                if kind not in made:
                    made[kind] = one.edge_matrix(group.graph, kind, each)
                    made[kind] = made[kind].using(each) if workers is None else StripedMatrix(made[kind], each, workers)
                if near:
                    rows, fidelity = job.spec.embedding.of_edges(made[kind], seed)
                    done[place].fidelity.append(fidelity)
                else:
                    rows = job.spec.embedding.of_operator(made[kind], part.tolerance, part.space, write=part.may_write)
                blocks[place].append(rows)
    for result, found in zip(done, blocks, strict=True):
        result.values = found[0] if len(found) == 1 else np.hstack(found)
        found.clear()
    return done


def propagated(job: Job, graph: Any, values: Array, resources: Resources, workers: Executor | None) -> Array:
    """Y after π, as doubles; workers, if there are any, filter some columns at a time."""
    if job.spec.propagate is not None:
        with blas_threads(1):
            blocks = len(job.proximity.at_each_scale())
            there = None if workers is None else partial(striped, executor=workers)
            values = job.spec.propagate.applied(graph, values, blocks, in_threads(resources), there)
    return np.ascontiguousarray(values, dtype=np.float64)
