"""`Projection`: what embedding a graph would take that is not there yet.

The plan is made by the same functions as that of any graph. They are given a smaller graph of the same mean degree, and
the number of nodes that it stands for. Bytes and products are those of the formulas; speeds are measured on the smaller
graph, and multiplied by what the strategy does more of on the larger one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from phusion.datasets.preferential import preferential
from phusion.errors import InputError
from phusion.execution.jobs import Job
from phusion.execution.plan import Plan
from phusion.execution.planning import TooLittleMemoryError, make_plan
from phusion.execution.resources import Resources
from phusion.execution.sinks import Nowhere
from phusion.execution.workers import Workers
from phusion.linalg.streams.magnified import magnified_bytes
from phusion.proximities.spectral import without_eigenvectors
from phusion.spec import Spec

__all__ = ["Projection", "project"]

_SAMPLE = 20_000  # nodes of the graph that is generated: blocks of it fill caches, and take seconds
_ENTRIES = 4_000_000  # it has at most, but where it would be nearly complete then
_MOST = 10**15  # nodes and edges
_TRIES = 6


@dataclass(frozen=True)
class Projection:
    """What a graph that is not there would take.

    Attributes
    ----------
    plan : by its formulas; `Plan.peak`, `Plan.products` and `Plan.strategy` are those of the graph that is not there.
    edges : of that graph.
    budget : bytes that were given for this process; the plan has more if these do not do.
    worker_budget : the same of each worker; None without workers.
    """

    plan: Plan
    edges: int
    budget: int
    worker_budget: int | None = None

    @property
    def n(self) -> int:
        """Nodes."""
        return self.plan.n

    @property
    def entries(self) -> int:
        """Stored entries of A: two for an edge, one for an arc."""
        return self.edges if self.plan.graph.directed else 2 * self.edges

    @property
    def fits(self) -> bool:
        """Whether the budgets do."""
        there = self.worker_budget is None or self.there <= self.worker_budget
        return there and self.plan.resources.budget <= self.budget

    @property
    def there(self) -> int:
        """Bytes at most in each worker; 0 without workers."""
        return max(part.there for part in self.plan.parts)

    @property
    def graph_bytes(self) -> int:
        """Bytes of the graph itself, its node ids included, which are 8 bytes each if they are numbers."""
        graph = self.plan.graph
        arrays, times = graph.arrays, self.n / len(graph)
        held = sum(array.nbytes for array in arrays) + 8 * len(graph)
        return magnified_bytes(arrays, held, self.entries, times)

    @property
    def held_bytes(self) -> int:
        """Bytes of the sparse matrix and what belongs to it, of which every worker has all; 0 where none is sent."""
        found = [0]
        for part in self.plan.parts:
            if part.walks is not None:
                entries = round(part.group.times * part.walks.entries)
                found.append(magnified_bytes(part.walks, part.walks.nbytes, entries, part.group.times))
            elif part.stream is not None:
                found.append(part.stream.held_bytes)
        return max(found)

    @cached_property
    def probed(self) -> float:
        """Seconds that the probe took."""
        begun = time.perf_counter()
        self.plan.shares  # noqa: B018 - measured when it is asked for
        return time.perf_counter() - begun

    def seconds(self, threads: int | None = None, here: int | None = None) -> float:
        """How long it would take; with so many threads of all machines, and so many of this one, if they are given."""
        if threads is None:
            return self.plan.seconds
        here = threads if here is None else here
        return sum(share.seconds(threads, here) for _, shares in self.plan.shares for share in shares)

    def explain(self) -> str:
        """All of that in words."""
        from phusion.execution.explain import explained_projection

        return explained_projection(self)


def project(
    spec: Spec,
    nodes: Any,
    edges: Any,
    resources: Resources | None = None,
    *,
    directed: bool = False,
    weighted: bool = False,
    partitioned: bool = False,
    sample: int = _SAMPLE,
) -> Projection:
    """What embedding a graph of so many nodes and edges would take, with a method.

    Parameters
    ----------
    spec : the method.
    nodes, edges : whole numbers, which may be written as ``1e9``; an edge counts once, in whichever direction.
    resources : as for a graph that is there. `executor` may be `Workers` that are not there. Where budgets do not do,
        the smallest are taken that would, and `Projection.fits` is False.
    directed, weighted : of the graph.
    partitioned : whether rows are written as they are computed, as by `phusion.embed_to`, and never held.
    sample : nodes, at most, of the graph that is generated to measure speeds; larger ones take longer, and tell more
        of memory that does not fit caches.

    Examples
    --------
    >>> import phusion
    >>> found = project(phusion.Spec.from_dict({"proximity": "edge_pmi", "embedding": "svd"}), 1e6, 1e7, sample=2_000)
    >>> found.plan.strategy, found.n, found.entries
    ('edges', 1000000, 20000000)
    """
    n, m = _whole("nodes", nodes, 2), _whole("edges", edges, 1)
    most = n * (n - 1) if directed else n * (n - 1) // 2
    if m > most:
        raise InputError(
            f"{n:,} nodes have at most {most:,} {'arcs' if directed else 'edges'} between them; got edges={m:,}"
        )
    resources = resources or Resources()
    resources = replace(resources, memory=resources.budget)  # what is free changes while the plan is made
    each = m / n if directed else 2 * m / n
    size = min(n, max(min(sample, int(_ENTRIES / each)), int(4 * each), 2))
    graph = preferential(size, max(1, round(m * size / n)), directed=directed, weighted=weighted)
    spec.proximity.check(graph)
    spec.embedding.check_size(n)
    job = Job(spec, spec.proximity.fitted([graph]), sink=Nowhere() if partitioned else None)
    if spec.propagate is not None:
        spec.propagate.check(graph, job.given_width(n))
    workers = resources.executor if isinstance(resources.executor, Workers) else None
    if size == n:
        plan = _fitting(lambda given: make_plan(graph, [job], given), resources)
    else:
        with without_eigenvectors():
            plan = _fitting(lambda given: make_plan(graph, [job], given, n), resources)
    return Projection(plan, m, resources.budget, None if workers is None else workers.memory)


def _fitting(planned: Any, resources: Resources) -> Plan:
    """The plan with these resources; with the smallest that would do, if they do not."""
    for _ in range(_TRIES):
        try:
            found: Plan = planned(resources)
            return found
        except TooLittleMemoryError as error:
            workers = resources.executor if isinstance(resources.executor, Workers) else None
            if error.here > resources.budget:
                resources = replace(resources, memory=error.here)
            elif workers is not None:  # who has no more than needed here has too little there
                resources = replace(resources, executor=replace(workers, memory=error.there or error.here))
            else:
                raise
    return planned(resources)  # type: ignore[no-any-return]


def _whole(name: str, given: Any, least: int) -> int:
    """A count that may be said as 1e9."""
    try:
        number = float(str(given).replace("_", "").replace(",", ""))
    except ValueError:
        number = float("nan")
    if not (least <= number <= _MOST and number == int(number)):
        raise InputError(f"{name} is a whole number from {least} to 1e15, such as 1000000 or 1e6; got {given!s}")
    return int(number)
