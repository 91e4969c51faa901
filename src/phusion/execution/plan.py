"""`Plan`: how the embeddings of a graph will be computed within a memory budget, and what that will cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from phusion.execution.edges import edge_products
from phusion.execution.jobs import Group, Job
from phusion.execution.operators import StoredOperator
from phusion.execution.resources import Resources
from phusion.execution.shares import Share
from phusion.graph.graph import Graph
from phusion.linalg.streams.base import Stream
from phusion.linalg.walks import WalkSums
from phusion.nonlinearities.base import Map

__all__ = ["GroupPlan", "Plan", "result_bytes"]

_TOLERANCE = {"double": 1e-9, "single": 3e-3}
_WHOLE = 4 * 8  # bytes for each entry of a matrix that LAPACK decomposes


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

    @property
    def may_write(self) -> bool:
        """Whether there is room beside all that is planned for σ(S) as a whole and for decomposing it."""
        return self.resources.budget - self.peak >= _WHOLE * self.group.n**2

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
        return result_bytes(self.n, self.jobs) + max(part.peak for part in self.parts)

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


def result_bytes(n: int, jobs: Sequence[Job]) -> int:
    """What embeddings of n nodes that are held take."""
    return sum(8 * n * job.width(n) for job in jobs if job.held)
