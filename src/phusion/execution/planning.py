"""Choosing a plan: for each group of jobs the best way that fits in the memory budget and is as accurate as asked."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

from phusion.errors import InputError, MethodWarning, MissingLibraryError, callers_level
from phusion.execution.approximation import FEWEST, approximation_bytes, walks_of
from phusion.execution.blocked import COUNTS, blocked_plan
from phusion.execution.edges import edges_bytes, edges_there, is_edge_group
from phusion.execution.jobs import Group, Job, grouped
from phusion.execution.memory import as_bytes, at_least, in_words
from phusion.execution.plan import GroupPlan, Plan, result_bytes
from phusion.execution.resources import Resources
from phusion.graph.graph import Graph
from phusion.linalg.kernels.compiled import compiler
from phusion.linalg.walks import WalkSums
from phusion.proximities.base import Proximity

__all__ = ["SMALL", "TooLittleMemoryError", "is_small", "make_plan"]

SMALL = 1_000
"""Nodes up to which written-out matrices are the fastest way."""
_SPARE = 0.9  # of the budget: what is not foreseen has room too
_AFFORDABLE = 60.0  # seconds, about, up to which accuracy="auto" is exact
_DENSE_SPEED, _SPARSE_SPEED, _TURN_SPEED = 3e10, 1.5e9, 5e7  # operations a second, for choices; times are measured


class TooLittleMemoryError(InputError):
    """The budget does not do; the smallest that would, in bytes of this process (`here`) or each worker (`there`)."""

    def __init__(self, message: str, here: int = 0, there: int = 0) -> None:
        super().__init__(message)
        self.here, self.there = here, there


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
    results = result_bytes(stands_for or n, jobs)
    found = [_chosen(group, resources, int(_SPARE * resources.budget) - results) for group in groups]
    missing = [(needed, group) for needed, group in zip(found, groups, strict=True) if isinstance(needed, int)]
    if missing:
        needed, group = max(missing, key=lambda each: each[0])
        raise _too_little(group, resources, needed + results)
    return Plan(graph, tuple(jobs), resources, tuple(part for part in found if isinstance(part, GroupPlan)))


def is_small(graph: Graph, proximities: Sequence[Proximity], resources: Resources) -> bool:
    """Whether matrices of this graph are written out without another thought."""
    n = len(graph)
    return n <= SMALL and resources.simple and all(each.copies * 8 * n * n <= COUNTS * 8 for each in proximities)


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
        if compiler() is None:
            return _uncompiled(resources, exact)
        approximate = _approximate(group, resources, room, found)
        if isinstance(approximate, GroupPlan) or not isinstance(exact, GroupPlan):
            return approximate
    exact = _exact(group, resources, room) if exact is None else exact
    few = group.proximity.by_few_steps or (isinstance(exact, GroupPlan) and exact.strategy == "sparse")
    local = isinstance(found, WalkSums) or (few and len(group.by_node) == len(group.jobs))
    if resources.accuracy != "auto" and not local:
        raise _not_local(group, resources, str(found), exact)
    return exact


def _uncompiled(resources: Resources, exact: GroupPlan | int | None) -> GroupPlan | int:
    """The exact way, if any will do: walks are followed node by node, which nothing but compiled code does in time."""
    if exact is None:
        raise MissingLibraryError(
            f"accuracy={resources.accuracy!r} follows walks by compiled code, which",
            "numba",
            "fast",
            instead="accuracy='exact', which needs nothing",
        )
    warnings.warn(  # at once, as it is said for those who would rather not wait
        "accuracy='auto' is exact on this graph, which may take long: the faster way needs numba, which is not "
        "installed: pip install numba, or 'phusion-embed[fast]'",
        MethodWarning,
        stacklevel=callers_level(),
    )
    return exact


def _approximate(group: Group, resources: Resources, room: int, walks: WalkSums) -> GroupPlan | int:
    """Push-pull in as many threads as fit."""
    workers = resources.workers
    threads = resources.n_threads if workers is None else workers.threads_each
    written = sum(job.width(group.n) for job in group.jobs if not job.held)
    target, remote = resources.target or 0.0, workers is not None
    needs = partial(approximation_bytes, walks, target, written=written, remote=remote, n=group.stands_for)
    while threads > 1 and workers is None and needs(threads) > room:
        threads -= 1
    there = 0 if workers is None else needs(threads)
    peak = needs(threads) + (workers.count * there if workers is not None and workers.local else 0)
    if peak > room or not (workers is None or workers.fits(there)):
        return peak
    return GroupPlan(group, resources, "push-pull", peak, threads=threads, there=there, walks=walks)


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
    blocked = None if resources.strategy == "dense" else blocked_plan(group, resources, room)
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
    local = workers is not None and workers.local
    fits = workers is not None and workers.fits(there) and (not local or peak + workers.count * there <= room)
    there = there if fits else 0
    peak += workers.count * there if workers is not None and local else 0
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
