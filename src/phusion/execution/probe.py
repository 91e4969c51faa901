"""A short look at how fast this machine is, with the very functions that will do the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from phusion.cautions import caution
from phusion.embeddings.base import Columns
from phusion.errors import InputError
from phusion.execution.approximation import SECONDS_MULTIPLIED, drawn_each
from phusion.execution.column_blocks import ColumnBlocks
from phusion.execution.exact_columns import exact_kind, exact_sums
from phusion.execution.plan import GroupPlan
from phusion.execution.push_pull import MOMENTS_SHARE, PROBES, PushPull, sketched
from phusion.execution.shares import Share
from phusion.execution.threads import Threads, processors
from phusion.features import scale_names
from phusion.linalg.chebyshev_svd import chebyshev_width
from phusion.linalg.krylov import krylov_columns
from phusion.linalg.walks import WalkSums
from phusion.nonlinearities.base import Map

__all__ = ["shares_of"]

Clock = Callable[[], float]
_MATRIX = 384  # rows of a small dense product
_NODES = 32  # that are followed
_DRAWN = 16  # of each kind, to choose thresholds by
_PILOT = 3.0  # CPU-seconds that choosing may take
_ENTRIES = 200_000  # of a small map
_ROOM = 12  # bytes for each row, of a column that is met sparsely
_CLEARED = 128 << 20
_USUAL = 2e-3  # the smallest entry that is followed, often: from 1e-2 to 3e-4, with landmarks up to 100
_LONG = 1.0  # seconds, beside which loading compiled code does not count
_NARROW = 16  # columns of a block
_APPLICATIONS = {"double": 30, "single": 12}


def shares_of(part: GroupPlan) -> list[Share]:
    """About what this part takes. Of a graph that is not there: as much more than on the one that is, as it grows."""
    n = part.group.n
    scales = len(part.group.proximity.at_each_scale())
    if part.walks is not None:
        double = exact_kind(part.walks, part.resources.target or 0.0, n) is np.float64
        return _push_pull(part, part.walks, n, _thresholds(part, part.walks), 2 if double else 1)
    dense = _dense_speed(part.kind, _clock(part))
    if part.strategy == "edges":
        return [Share("products", _edges(part, n, dense), n, here=True)]
    if part.strategy == "dense":
        work = part.group.proximity.dense_work or 2.0
        shared = 1 if work > 10 and not part.group.entrywise else scales
        seconds = work * n**3 * shared / dense + len(part.group.by_matrix) * scales * 4.0 * n * n * 400 / dense
        threads = part.resources.n_threads
        return [Share("matrix", seconds, 1), Share("entries", _entries(part, n) / threads, 1)]
    found = [Share("columns", _columns(part, n), -(-n // part.width))]
    for job in part.group.by_matrix:
        block, space = krylov_columns(n, job.spec.embedding.dim + 8)
        applications = _APPLICATIONS[part.resources.precision] * (1 if part.group.symmetric else 2)
        flops = applications * (2.0 * n * n * block + 8.0 * n * space * block)
        found.append(Share("vectors", scales * flops / dense, -(-n // part.width)))
    return found


def _clock(part: GroupPlan) -> Clock:
    """Of this machine as it is now; for a graph that is not there, of what the work takes, whoever else works here."""
    return time.perf_counter if part.group.stands_for is None else time.process_time


def _thresholds(part: GroupPlan, walks: WalkSums) -> Sequence[float]:
    """How far nodes are followed: what a small sample chooses, or the usual where even that takes long."""
    usual = [_USUAL] * walks.count
    if (PROBES + 2 * _DRAWN) * walks.entries * walks.degree() * SECONDS_MULTIPLIED > _PILOT:
        return usual
    from phusion.execution.certify import chosen_thresholds, draw

    graph, job, there = part.group.graph, part.group.jobs[0], part.group.stands_for is None
    executor = Threads(part.threads if there else processors())
    shared: list[Any] = [None] * walks.count if job.shared is None else list(job.shared)
    drawn = draw(np.diff(graph.arrays[0]), _DRAWN, 0)[0]
    names, target = scale_names(part.group.proximity.at_each_scale()), part.resources.target or 0.0
    kind = exact_kind(walks, target)
    exact = exact_sums(walks, graph.components, drawn.nodes, job.spec.embedding, shared, kind, executor)
    push = sketched(PushPull.of(walks, graph.components, 0), executor)
    try:
        return chosen_thresholds(push, job.spec.embedding, shared, drawn, exact, names, target, executor)
    except InputError as error:
        if there:  # of a small graph that stands for a large one, all columns may well be cheaper
            caution(f"by a few nodes: {error}")
        return usual


def _push_pull(part: GroupPlan, walks: WalkSums, n: int, thresholds: Sequence[float], times: int) -> list[Share]:
    """Moments and exact columns, which take so many times as long, from one product; rows from a few nodes."""
    stream, clock = walks.polynomials(np.float32), _clock(part)
    push = PushPull.of(walks, np.zeros(walks.n, np.int64), 0)
    push = replace(push, sketch=np.zeros((walks.count, walks.n, PROBES), np.float32))
    first = replace(stream, coefficients=tuple(found[:3] for found in stream.coefficients))
    block, points = push.probes(0, PROBES), np.linspace(0.0, 100.0, 25)
    spread = (np.arange(_NODES) + 0.5) * walks.n / _NODES  # not the first one, which is often the largest
    nodes = np.unique(spread.astype(np.int64))
    once, each, scratch = [], [], push.scratch()
    for _ in range(2):
        begun = clock()
        first.applied(block)
        middle = clock()
        for k in range(walks.count):
            push.sums(k, nodes, thresholds[k], points, scratch)
        once.append((middle - begun) / max(1, first.products))
        each.append((clock() - middle) / len(nodes))
    block_seconds = min(once) * stream.products * n / walks.n
    columns = 4 * drawn_each(walks, n)
    return [
        _share_of_columns(part, n, "moments", block_seconds, PROBES, MOMENTS_SHARE),
        _share_of_columns(part, n, "exact columns", block_seconds * times * columns / PROBES, columns, 1),
        Share("rows", min(each) * n, n),
    ]


def _share_of_columns(part: GroupPlan, n: int, what: str, seconds: float, columns: int, share: int) -> Share:
    """Some columns, in blocks; threads that share a block share its rows."""
    blocks = ColumnBlocks.of(n, part.resources.n_threads, columns, remote=part.resources.remote, share=share)
    if blocks.threads > 1:
        return Share(what, seconds, n, here=True)
    return Share(what, seconds, -(-columns // blocks.width))


def _edges(part: GroupPlan, n: int, dense: float) -> float:
    """From a product of some rows with a narrow block; then what is done with the tall blocks themselves."""
    there, clock = len(part.group.graph), _clock(part)
    from phusion.linalg.kernels.recurrences import multiply

    indptr, indices, _ = part.group.graph.arrays
    stop = int(np.searchsorted(indptr, _ENTRIES))
    entries = max(1, int(indptr[stop - 1]))
    x = np.ones((there, _NARROW), np.float32)
    arrays = (indptr, indices, np.ones(entries + 1, np.float32), x, np.empty((there, _NARROW), np.float32))
    took = []
    for _ in range(4):  # the first time compiled code is loaded, too
        begun = clock()
        multiply(*arrays, 0, stop - 1)
        took.append(clock() - begun)
    each, seconds = min(took) / entries / _NARROW, 0.0
    scales = part.group.proximity.at_each_scale()
    for job in part.group.jobs:
        width = chebyshev_width(n, job.spec.embedding.dim)
        stored = sum(part.group.edge_entries(one) or 0 for one in scales) / len(scales)
        seconds += part.products / len(part.group.jobs) * (each * stored * width + 2.0 * n * width**2 / dense)
        filtering = 0 if job.spec.propagate is None else job.spec.propagate.products
        seconds += filtering * each * part.group.entries * job.given_width(n)
    return seconds


def _columns(part: GroupPlan, n: int) -> float:
    """All passes over the columns, from a few of them; compiled code is loaded before the clock starts."""
    there, clock = len(part.group.graph), _clock(part)
    # of this machine: others are taken for alike
    threads = min(part.threads, part.resources.n_threads, processors(), there)
    width = min(part.width, max(1, there // threads))
    first = (there - width * threads) // 2  # in the middle: the first nodes are often the largest
    blocks = [(part, start, start + width) for start in range(first, first + width * threads, width)]
    took = []
    if part.group.stands_for is not None:
        _read(part, first, first + 1)
    for _ in range(2):  # the first time compiled code is loaded, too
        begun = clock()
        list(Threads(threads).map(_read, blocks))  # all at a time, as threads get in each other's way
        took.append((clock() - begun) / (threads if clock is time.process_time else 1))
        if part.group.stands_for is not None and took[-1] > _LONG:
            break
    seconds = min(took) * part.group.times * n / width
    if part.strategy == "sparse" and part.group.times > 1:
        # columns have no more entries there, but each block clears room for a whole one
        clearing = part.products / part.passes * _ROOM / _clearing_speed()
        seconds = (min(took) + clearing * (n - there)) * n / width
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


def _clearing_speed() -> float:
    """Bytes a second that the system finds anew and that are then set, as they are for every block."""
    took = []
    for _ in range(3):
        begun = time.process_time()
        np.full(_CLEARED, 1, np.uint8)
        took.append(time.process_time() - begun)
    return _CLEARED / min(took)


def _dense_speed(kind: Any, clock: Clock) -> float:
    """Floating-point operations a second, of matrix products."""
    factor = np.random.default_rng(0).random((_MATRIX, _MATRIX)).astype(kind)
    factor @ factor
    begun = clock()
    for _ in range(3):
        factor @ factor
    return 3 * 2.0 * _MATRIX**3 / (clock() - begun)
