"""`Plan`: how the embeddings of a graph will be computed within a memory budget, and what that will cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from phusion.errors import InputError
from phusion.execution.approximation import FEWEST, approximation_bytes, walks_of
from phusion.execution.edges import edge_products, edges_bytes, edges_there, is_edge_group
from phusion.execution.jobs import Group, Job, grouped
from phusion.execution.memory import as_bytes, at_least, in_words
from phusion.execution.operators import TILE, StoredOperator
from phusion.execution.resources import Resources
from phusion.execution.shares import Share
from phusion.execution.sinks import PART
from phusion.execution.sizes import Sizes
from phusion.graph.graph import Graph
from phusion.linalg.krylov import krylov_columns
from phusion.linalg.streams.base import Stream
from phusion.linalg.walks import WalkSums
from phusion.nonlinearities.base import Map
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import Size

__all__ = ["SMALL", "GroupPlan", "Plan", "TooLittleMemoryError", "is_small", "make_plan"]

SMALL = 1_000
"""Nodes up to which written-out matrices are the fastest way."""
_WIDE = 128  # columns of a block, where there is room
_WIDE_IF_LARGE = 64  # of more nodes than this many times thousand: caches are small
_LARGE = 30_000
_COUNTS = 8 << 20  # bytes of one table of counts, for entries by rank
_SPARE = 0.9  # of the budget: what is not foreseen has room too
_TOLERANCE = {"double": 1e-9, "single": 3e-3}
_AFFORDABLE = 60.0  # seconds, about, up to which accuracy="auto" is exact
_DENSE_SPEED, _SPARSE_SPEED, _TURN_SPEED = 3e10, 1.5e9, 5e7  # operations a second, for choices; times are measured


class TooLittleMemoryError(InputError):
    """The budget does not do; the smallest that would, in bytes of this process (`here`) or each worker (`there`)."""

    def __init__(self, message: str, here: int = 0, there: int = 0) -> None:
        super().__init__(message)
        self.here, self.there = here, there


@dataclass(frozen=True)
class GroupPlan:
    """The way for jobs that share one proximity.

    Attributes
    ----------
    strategy : ``"dense"`` (written out), ``"blocked"`` (columns on the fly), ``"sparse"`` (sparse columns) or
        ``"push-pull"`` (approximate), ``"edges"`` (a matrix as sparse as the graph, to multiply with).
    width : columns of a block.
    threads : blocks at a time.
    passes : how often all columns are computed, or read where they are kept; about, where singular vectors are sought.
    peak : bytes at most, without the results.
    keep : whether columns are kept between passes.
    there : bytes at most in each Dask worker, if they compute blocks.
    walks : what is approximated, or None.
    """

    group: Group
    resources: Resources
    strategy: str
    peak: int
    stream: Stream | None = None
    transposed: Stream | None = None
    width: int = 0
    threads: int = 1
    passes: int = 1
    keep: bool = False
    room: int = 0
    there: int = 0
    walks: WalkSums | None = None

    @property
    def kind(self) -> Any:
        """The numbers σ(S) is multiplied in."""
        return self.resources.kind(entrywise=False)

    @property
    def tolerance(self) -> float:
        """How exact singular vectors are."""
        return _TOLERANCE[self.resources.precision]

    @property
    def space(self) -> int:
        """Columns of the space in which singular vectors are sought."""
        return int(self.room // 2 // max(1, self.group.n * np.dtype(self.kind).itemsize))

    def store(self, mapping: Map) -> bool:
        """Whether σ(S) fits in what is left."""
        size = StoredOperator.size(self.group.n, self.kind, bits=mapping.limit is not None)
        return size <= self.room // 2 and not self.resources.remote

    @property
    def at_once(self) -> int:
        """Threads that work at a time, of all Dask workers together if there are any."""
        workers = self.resources.workers
        return self.threads if workers is None else workers.threads

    @property
    def products(self) -> int:
        """Sparse products with a block, over all passes; none where matrices are written out."""
        if self.strategy == "edges":
            return edge_products(self.group)
        return 0 if self.stream is None else self.stream.products * (1 if self.keep else self.passes)


@dataclass(frozen=True)
class Plan:
    """How embeddings of one graph will be computed. `explain` says it; nothing but a short probe is computed for that.

    Examples
    --------
    >>> import phusion
    >>> plan = phusion.preset("graphwave", scale=[0.1, 1]).plan(phusion.datasets.load("karate"))
    >>> plan.strategy, plan.passes
    ('dense', 1)
    """

    graph: Graph
    jobs: tuple[Job, ...]
    resources: Resources
    parts: tuple[GroupPlan, ...]

    @property
    def n(self) -> int:
        """Nodes."""
        return self.parts[0].group.n

    @property
    def strategy(self) -> str:
        """Of all parts, which mostly agree."""
        return " and ".join(dict.fromkeys(part.strategy for part in self.parts))

    @property
    def passes(self) -> int:
        """Of all parts."""
        return sum(part.passes for part in self.parts)

    @property
    def products(self) -> int:
        """Of all parts."""
        return sum(part.products for part in self.parts)

    @property
    def peak(self) -> int:
        """Bytes at most, beyond what Python and the graph hold now, the results included."""
        return _results(self.n, self.jobs) + max(part.peak for part in self.parts)

    @cached_property
    def shares(self) -> list[tuple[GroupPlan, list[Share]]]:
        """What each part's work consists of, from a short probe on this machine."""
        from phusion.execution.probe import shares_of

        return [(part, shares_of(part)) for part in self.parts]

    @property
    def cpu_seconds(self) -> float:
        """The work, of all threads together."""
        return sum(share.cpu_seconds for _, shares in self.shares for share in shares)

    @cached_property
    def seconds(self) -> float:
        """How long it will take on this machine, from a short probe."""
        return sum(share.seconds(part.at_once, part.threads) for part, shares in self.shares for share in shares)

    def explain(self) -> str:
        """All of that in words."""
        from phusion.execution.explain import explained

        return explained(self)

    def _repr_html_(self) -> str:
        from phusion.execution.explain import plan_card

        return plan_card(self)


def make_plan(graph: Graph, jobs: Sequence[Job], resources: Resources, stands_for: int | None = None) -> Plan:
    """Choose a way for each group of jobs; refuse what does not fit, with the smallest budget that would do.

    With `stands_for`, for a graph of so many nodes with the mean degree of this one.
    """
    n = len(graph)
    groups = grouped(graph, jobs, stands_for)
    if stands_for is None and is_small(graph, [group.proximity for group in groups], resources):
        # thousands of small graphs need not read the system's files
        parts = [GroupPlan(group, resources, "dense", group.proximity.copies * 8 * n * n) for group in groups]
        return Plan(graph, tuple(jobs), resources, tuple(parts))
    results = _results(stands_for or n, jobs)
    found = [_chosen(group, resources, int(_SPARE * resources.budget) - results) for group in groups]
    missing = [(needed, group) for needed, group in zip(found, groups, strict=True) if isinstance(needed, int)]
    if missing:
        needed, group = max(missing, key=lambda each: each[0])
        raise _too_little(group, resources, needed + results)
    return Plan(graph, tuple(jobs), resources, tuple(part for part in found if isinstance(part, GroupPlan)))


def is_small(graph: Graph, proximities: Sequence[Proximity], resources: Resources) -> bool:
    """Whether matrices of this graph are written out without another thought."""
    n = len(graph)
    return n <= SMALL and resources.simple and all(each.copies * 8 * n * n <= _COUNTS * 8 for each in proximities)


def _results(n: int, jobs: Sequence[Job]) -> int:
    return sum(8 * n * job.width(n) for job in jobs if job.held)


def _chosen(group: Group, resources: Resources, room: int) -> GroupPlan | int:
    """The best way that fits and is as accurate as asked; the bytes that would be needed, if none does."""
    if resources.target is None:
        return _exact(group, resources, room)
    exact: GroupPlan | int | None = None
    if resources.accuracy == "auto":
        exact = _exact(group, resources, room)
        if isinstance(exact, GroupPlan) and (exact.strategy == "sparse" or _work(exact) <= _AFFORDABLE):
            return exact
    found = walks_of(group)
    if isinstance(found, WalkSums) and group.n >= FEWEST:
        approximate = _approximate(group, resources, room, found)
        if isinstance(approximate, GroupPlan) or not isinstance(exact, GroupPlan):
            return approximate
    exact = _exact(group, resources, room) if exact is None else exact
    by_sparse_rows = isinstance(exact, GroupPlan) and exact.strategy == "sparse"
    local = isinstance(found, WalkSums) or (by_sparse_rows and len(group.by_node) == len(group.jobs))
    if resources.accuracy != "auto" and not local:
        raise _not_local(group, resources, str(found), exact)
    return exact


def _approximate(group: Group, resources: Resources, room: int, walks: WalkSums) -> GroupPlan | int:
    """Push-pull in as many threads as fit."""
    workers = resources.workers
    threads = resources.n_threads if workers is None else workers.threads_each
    written = sum(job.width(group.n) for job in group.jobs if not job.held)
    needs = partial(approximation_bytes, walks, resources.target or 0.0, written=written, n=group.stands_for)
    while threads > 1 and workers is None and needs(threads) > room:
        threads -= 1
    needed = needs(threads)
    if needed > room or not (workers is None or workers.fits(needed)):
        return needed
    there = 0 if workers is None else needed
    return GroupPlan(group, resources, "push-pull", needed, threads=threads, there=there, walks=walks)


def _not_local(group: Group, resources: Resources, reason: str, exact: GroupPlan | int) -> InputError:
    from phusion.execution.explain import time_in_words

    cost = "does not fit in the budget" if isinstance(exact, int) else f"takes about {time_in_words(_work(exact))} here"
    return InputError(
        f"accuracy={resources.accuracy!r}: {group.proximity!r} cannot be approximated: {reason}. "
        f"The exact way, accuracy='exact', {cost}; heat, katz (βλmax < 1), fabp and pagerank can be approximated, "
        "with identity and characteristic"
    )


def _exact(group: Group, resources: Resources, room: int) -> GroupPlan | int:
    """The best exact way that fits; the bytes that would be needed, if none does."""
    n = group.n
    unheld = sum(8 * n * job.width(n) for job in group.jobs if not job.held)  # but here
    dense = GroupPlan(group, resources, "dense", group.proximity.copies * 8 * n * n + unheld)
    dense_fits = dense.peak <= room
    if dense_fits and (resources.strategy == "dense" or (resources.strategy == "auto" and n <= SMALL)):
        return dense
    edges = None if resources.strategy == "dense" or not is_edge_group(group) else _edges(group, resources, room)
    if edges is not None and edges.peak <= room:
        return edges
    if edges is not None:
        return dense if dense_fits and resources.strategy == "auto" else min(edges.peak, dense.peak)
    blocked = None if resources.strategy == "dense" else _blocked(group, resources, room)
    if blocked is None or (dense_fits and resources.strategy == "auto" and _work(dense, blocked) < _work(blocked)):
        return dense if dense_fits else dense.peak
    workers = resources.workers
    crowded = workers is not None and not workers.fits(blocked.there)
    if blocked.peak > room or crowded:
        if dense_fits and resources.strategy == "auto":
            return dense
        if workers is not None and crowded:
            raise TooLittleMemoryError(
                f"{group.proximity!r} on {n:,} nodes needs about {in_words(blocked.there)} in each Dask worker, which "
                f"has {in_words(workers.memory or 0)} free. Give workers more memory, or fewer threads each",
                there=blocked.there,
            )
        return min(blocked.peak, dense.peak)
    return blocked


def _edges(group: Group, resources: Resources, room: int) -> GroupPlan:
    """The sparse matrix itself; exact vectors are sought in as large a space as there is room for.

    Workers with room for it multiply, some columns at a time; where there are none with room, this process does.
    """
    peak, space = edges_bytes(group, resources, room)
    workers = resources.workers
    there = 0 if workers is None else edges_there(group, resources, workers.threads_each)
    there = there if workers is not None and workers.fits(there) else 0
    passes = len(group.proximity.at_each_scale())
    return GroupPlan(
        group, resources, "edges", peak, threads=resources.n_threads, passes=passes, room=space, there=there
    )


def _too_little(group: Group, resources: Resources, needed: int) -> TooLittleMemoryError:
    n = group.n
    enough = at_least(needed / _SPARE * 1.01)
    return TooLittleMemoryError(
        f"{group.proximity!r} on {n:,} nodes needs about {enough} of memory; the budget is "
        f"{in_words(resources.budget)}. The smallest that would do is memory={enough!r}; "
        "or embed a part of the graph, such as its largest component",
        here=as_bytes(enough),
    )


def _blocked(group: Group, resources: Resources, room: int) -> GroupPlan | None:
    """Columns on the fly, in as wide blocks and as many threads as fit; None if there is no such way."""
    if any(not hasattr(job.spec.embedding, "of_operator") for job in group.by_matrix):
        return None
    n = group.n
    kind = resources.kind(group.entrywise)
    stream = group.stream(kind, transposed=group.turned)
    if stream is None:
        return None
    other = None
    if group.by_matrix and not group.symmetric:
        other = group.stream(kind, transposed=not group.turned)
    sparse = bool(getattr(stream, "sparse", False))
    fixed = stream.held_bytes + (other.held_bytes if other is not None else 0)
    ranks = {job.spec.nonlinearity for job in group.jobs if hasattr(job.spec.nonlinearity, "place")}
    written = sum(job.width(n) for job in group.jobs if not job.held)
    column = stream.column_bytes + n * (8 if not group.entrywise else 32) + 3 * 8 * written
    column += 32 * n * stream.count if ranks else 0  # counts of blocks that wait, where no two entries are alike
    held, factor, least = fixed, 0, 1
    for job in group.by_matrix:
        wanted = job.spec.embedding.dim + 8
        block, space = krylov_columns(n, wanted, 0)
        size = n * np.dtype(resources.kind(entrywise=False)).itemsize
        sides = 1 if group.symmetric else 2
        fixed = max(fixed, stream.held_bytes + size * (sides * space + 5 * block) + 8 * n * 3 * wanted)
        factor, least = max(factor, size * block), TILE
    workers = resources.workers
    sizes = Sizes(
        held + factor,
        fixed,
        column,
        counts=_COUNTS * stream.count if ranks else 0,
        other=3 * PART if written else 0,
        workers=workers,
        threads=resources.n_threads if workers is None else workers.threads,
        width=resources.width or min(_WIDE if n <= _LARGE else _WIDE_IF_LARGE, n),
    )
    sizes.shrink(room, least, narrower=resources.width is None)
    passes = _passes(group, resources)
    strategy = "sparse" if sparse else "blocked"
    plan = GroupPlan(group, resources, strategy, sizes.peak, stream, other, sizes.width, sizes.threads, passes)
    plan = replace(plan, there=sizes.there)
    left = room - plan.peak
    kept = stream.count * n * n * np.dtype(kind).itemsize
    if passes > 1 and not sparse and not resources.remote and kept <= left // 2:
        plan = replace(plan, keep=True, peak=plan.peak + kept)
        left -= kept
    if group.by_matrix:
        used = min(left, _wanted_room(group, resources, n))
        plan = replace(plan, room=max(0, used), peak=plan.peak + max(0, used))
    return plan


def _wanted_room(group: Group, resources: Resources, n: int) -> int:
    """What storing σ(S) and a large search space would take."""
    size = np.dtype(resources.kind(entrywise=False)).itemsize
    sides = 1 if group.symmetric else 2
    space = max(krylov_columns(n, job.spec.embedding.dim + 8)[1] for job in group.by_matrix)
    binary = all(hasattr(job.spec.nonlinearity, "place") for job in group.by_matrix)
    stored = StoredOperator.size(n, resources.kind(entrywise=False), bits=binary)
    return int(2 * max(stored, sides * space * n * size))


def _passes(group: Group, resources: Resources) -> int:
    """Before the maps are known, then one for all rows, then those of singular vectors (if σ(S) is not stored)."""
    before = max(job.spec.nonlinearity.passes for job in group.jobs)
    learning = [job.spec.embedding for job in group.jobs if job.spec.embedding.learns and job.shared is None]
    if not before and not all(embedding.weighs for embedding in learning):
        before = 1
    if not before and any(group.noise_matters.values()) and _noise_takes_a_look(group):
        before = 1
    before += any(embedding.weighs for embedding in learning)
    return int(before) + bool(group.by_node) + len(group.by_matrix) * len(group.proximity.at_each_scale())


def _noise_takes_a_look(group: Group) -> bool:
    """Whether the noise of S depends on how large its entries are."""
    looked: list[bool] = []

    def look() -> tuple[float, float]:
        looked.append(True)
        return 1.0, 1.0

    for one in group.proximity.at_each_scale():
        one.noise(group.graph, Size(look))
    return bool(looked)


def _work(plan: GroupPlan, beside: GroupPlan | None = None) -> float:
    """Seconds on some machine, only to compare."""
    n, group = plan.group.n, plan.group
    if plan.strategy == "edges":
        columns = max(job.given_width(n) for job in group.jobs)
        return float(plan.products * group.entries * columns / _SPARSE_SPEED / plan.threads)
    scales = len(group.proximity.at_each_scale())
    turned = sum(not job.spec.embedding.diagonal_only for job in group.by_node)
    entries = n * n * scales * (turned / _TURN_SPEED + 4.0 / _DENSE_SPEED)
    if plan.strategy == "dense":
        sparse = 2.0 * _work(beside) if beside is not None and not group.proximity.dense_work else 0.0
        shared = 1.0 if group.proximity.dense_work > 10 and not group.entrywise else scales
        return float(group.proximity.dense_work * n**3 * shared / _DENSE_SPEED + entries + sparse)
    stream: Any = plan.stream
    only_diagonal = all(job.spec.embedding.diagonal_only for job in group.jobs)
    sums = 0 if only_diagonal else stream.updates * n
    once = (stream.products * stream.entries + sums) * n / _SPARSE_SPEED / plan.threads
    return float(once * (1 if plan.keep else plan.passes) + entries / plan.threads)
