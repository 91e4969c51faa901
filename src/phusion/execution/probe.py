"""A short look at how fast this machine is, with the very functions that will do the work."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from phusion.embeddings.base import Columns
from phusion.execution.approximation import drawn_each
from phusion.execution.plan import GroupPlan
from phusion.execution.push_pull import PROBES, WIDTH, PushPull
from phusion.execution.threads import Threads
from phusion.linalg.chebyshev_svd import chebyshev_width
from phusion.linalg.krylov import krylov_columns
from phusion.linalg.walks import WalkSums
from phusion.nonlinearities.base import Map

__all__ = ["seconds_of"]

_MATRIX = 384  # rows of a small dense product
_NODES = 32  # that are followed
_ENTRIES = 200_000  # of a small map
_NARROW = 16  # columns of a block
_APPLICATIONS = {"double": 30, "single": 12}


def seconds_of(part: GroupPlan) -> float:
    """About how long this part takes."""
    n = len(part.group.graph)
    scales = len(part.group.proximity.at_each_scale())
    if part.walks is not None:
        return _push_pull(part.walks, part.threads)
    dense = _dense_speed(part.kind)
    if part.strategy == "edges":
        return _edges(part, n, dense)
    if part.strategy == "dense":
        work = part.group.proximity.dense_work or 2.0
        shared = 1 if work > 10 and not part.group.entrywise else scales
        seconds = work * n**3 * shared / dense + _entries(part, n) / max(1, part.resources.n_threads)
        return seconds + len(part.group.by_matrix) * scales * 4.0 * n * n * 400 / dense
    seconds = _columns(part, n)
    for job in part.group.by_matrix:
        block, space = krylov_columns(n, job.spec.embedding.dim + 8)
        applications = _APPLICATIONS[part.resources.precision] * (1 if part.group.symmetric else 2)
        flops = applications * (2.0 * n * n * block + 8.0 * n * space * block)
        seconds += scales * flops / dense / part.threads
    return seconds


def _push_pull(walks: WalkSums, threads: int) -> float:
    """Moments and exact columns from one product, and rows from a few nodes at a threshold that is often enough."""
    stream = walks.polynomials(np.float32)
    push = PushPull.of(walks, np.zeros(walks.n, np.int64), 0)
    push = replace(push, sketch=np.zeros((walks.count, walks.n, PROBES), np.float32))
    first = replace(stream, coefficients=tuple(found[:3] for found in stream.coefficients))
    block, points = push.probes(0, WIDTH), np.linspace(0.0, 100.0, 25)
    nodes = np.unique(np.linspace(0, walks.n - 1, _NODES).astype(np.int64))
    once, each = [], []
    for _ in range(2):
        begun = time.perf_counter()
        first.applied(block)
        middle = time.perf_counter()
        for k in range(walks.count):
            push.sums(k, nodes, 1e-4, points)
        once.append((middle - begun) / max(1, first.products))
        each.append((time.perf_counter() - middle) / len(nodes))
    columns = (PROBES + 4 * drawn_each(walks) * (1 if walks.n > 200_000 else 2)) / WIDTH
    return (min(once) * stream.products * columns + min(each) * walks.n) / threads


def _edges(part: GroupPlan, n: int, dense: float) -> float:
    """From a product of some rows with a narrow block; then what is done with the tall blocks themselves."""
    from phusion.linalg.kernels.recurrences import multiply

    indptr, indices, _ = part.group.graph.arrays
    stop = int(np.searchsorted(indptr, _ENTRIES))
    entries = max(1, int(indptr[stop - 1]))
    x = np.ones((n, _NARROW), np.float32)
    arrays = (indptr, indices, np.ones(entries + 1, np.float32), x, np.empty((n, _NARROW), np.float32))
    took = []
    for _ in range(2):  # the first time compiled code is loaded, too
        begun = time.perf_counter()
        multiply(*arrays, 0, stop - 1)
        took.append(time.perf_counter() - begun)
    each, seconds = min(took) / entries / _NARROW, 0.0
    scales = part.group.proximity.at_each_scale()
    for job in part.group.jobs:
        width = chebyshev_width(n, job.spec.embedding.dim)
        stored = sum(one.edge_entries(part.group.graph) or 0 for one in scales) / len(scales)
        seconds += part.products / len(part.group.jobs) * (each * stored * width + 2.0 * n * width**2 / dense)
        filtering = 0 if job.spec.propagate is None else job.spec.propagate.products
        seconds += filtering * each * len(indices) * job.given_width(n)
    return seconds / part.threads


def _columns(part: GroupPlan, n: int) -> float:
    """All passes over the columns, from a few of them; compiled code is loaded before the clock starts."""
    threads = min(part.threads, part.resources.n_threads)  # of this machine: workers are taken for alike
    width = min(part.width, max(1, n // threads))
    first = (n - width * threads) // 2  # in the middle: the first nodes are often the largest
    blocks = [(part, start, start + width) for start in range(first, first + width * threads, width)]
    took = []
    for _ in range(2):  # the first time compiled code is loaded, too
        begun = time.perf_counter()
        list(Threads(threads).map(_read, blocks))  # all at a time, as threads get in each other's way
        took.append(time.perf_counter() - begun)
    seconds = min(took) * n / (width * part.threads)
    return seconds if part.keep else seconds * part.passes


def _read(part: GroupPlan, start: int, stop: int) -> None:
    stream: Any = part.stream
    blocks = stream.columns(start, stop)
    for job in part.group.by_node:
        shared = (0.0, 1.0) if job.spec.embedding.learns else None
        for block in blocks:
            job.spec.embedding.rows(Columns(block, start, 0.0, Map(_like(job), 0.0)), shared)


def _like(job: Any) -> Any:
    """A map that takes as long as the real one, of which nothing is known yet."""
    return np.log1p if job.spec.nonlinearity.name in ("log", "log_ramp") else np.positive


def _entries(part: GroupPlan, n: int) -> float:
    """ζ on a written-out matrix, from a small one."""
    size = int(np.sqrt(_ENTRIES))
    values = np.random.default_rng(0).random((size, size))
    begun = time.perf_counter()
    for job in part.group.by_node:
        shared = (0.0, 1.0) if job.spec.embedding.learns else None
        job.spec.embedding.rows(Columns(values, 0, 0.0, Map(_like(job), 0.0)), shared)
    scales = len(part.group.proximity.at_each_scale())
    return (time.perf_counter() - begun) * scales * n * n / values.size


def _dense_speed(kind: Any) -> float:
    """Floating-point operations a second, of matrix products."""
    factor = np.random.default_rng(0).random((_MATRIX, _MATRIX)).astype(kind)
    factor @ factor
    begun = time.perf_counter()
    for _ in range(3):
        factor @ factor
    return 3 * 2.0 * _MATRIX**3 / (time.perf_counter() - begun)
