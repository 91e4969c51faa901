"""What is to be computed of one graph: embeddings that share proximities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from phusion.execution.sinks import Sink
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.fidelity import Fidelity
from phusion.linalg.streams.base import Stream
from phusion.linalg.streams.magnified import Magnified
from phusion.proximities.base import Proximity
from phusion.results.certificate import Certificate
from phusion.spec import Spec

__all__ = ["Done", "Group", "Job", "grouped"]


@dataclass(frozen=True)
class Job:
    """One embedding of the graph.

    Attributes
    ----------
    spec : the method.
    proximity : its Ψ with ``"auto"`` settled.
    shared : what ζ learned elsewhere, for each scale; None to learn it here.
    sink : where the rows go; None to hold them.
    """

    spec: Spec
    proximity: Proximity
    shared: Sequence[Any] | None = None
    sink: Sink | None = None

    @property
    def entrywise(self) -> bool:
        """Whether small entries matter by their own size."""
        return bool(self.spec.nonlinearity.entrywise or self.spec.embedding.entrywise)

    @property
    def held(self) -> bool:
        """Whether all rows are in memory at once, unless matrices are written out."""
        return self.sink is None or not self.spec.embedding.by_node

    def width(self, n: int) -> int:
        """Columns of Y."""
        given = self.given_width(n)
        return (
            given
            if self.spec.propagate is None
            else int(self.spec.propagate.width(given, len(self.proximity.at_each_scale())))
        )

    def given_width(self, n: int) -> int:
        """Columns that ζ gives, before π."""
        return int(self.spec.embedding.width(n)) * len(self.proximity.at_each_scale())

    def turned(self, graph: Graph) -> bool:
        """Whether rows of S are needed in place of columns, and differ from them."""
        symmetric = self.proximity.symmetric and not graph.directed
        return bool(self.spec.embedding.by_node and self.spec.embedding.axis == "rows" and not symmetric)


@dataclass
class Done:
    """A computed embedding, what its ζ learned at each scale, and how accurate it is, where it is approximate."""

    values: Array
    shared: list[Any]
    certificate: Certificate | None = None
    fidelity: list[Fidelity] = field(default_factory=list)


@dataclass(frozen=True)
class Group:
    """Jobs whose proximities are the same, so that one computation of Ψ serves them all.

    Of a graph that is not there, `graph` is a smaller one with the same mean degree, and `stands_for` the nodes of the
    other: sizes are those of the other, and what must be measured is measured on the one that is there.
    """

    graph: Graph
    proximity: Proximity
    turned: bool
    jobs: tuple[Job, ...]
    places: tuple[int, ...] = field(default=())
    stands_for: int | None = None

    @property
    def n(self) -> int:
        """Nodes."""
        return len(self.graph) if self.stands_for is None else self.stands_for

    @property
    def times(self) -> float:
        """How many times larger the graph is than the one that is there; mostly 1."""
        return self.n / len(self.graph) if self.stands_for is not None else 1.0

    @property
    def entries(self) -> int:
        """Stored entries of A."""
        return round(self.times * len(self.graph.arrays[1]))

    def edge_entries(self, one: Proximity) -> int | None:
        """Stored entries of S at one scale, where it is as sparse as the graph."""
        found = one.edge_entries(self.graph)
        return None if found is None else round(self.times * found)

    def stream(self, kind: Any, *, transposed: bool) -> Stream | None:
        """Columns of S for all scales."""
        found = self.proximity.stream(self.graph, entrywise=self.entrywise, kind=kind, transposed=transposed)
        return found if found is None or self.stands_for is None else Magnified(found, self.n)

    @property
    def symmetric(self) -> bool:
        """Whether S is its own transpose."""
        return self.proximity.symmetric and not self.graph.directed

    @property
    def entrywise(self) -> bool:
        """Whether small entries matter by their own size to some job."""
        return any(job.entrywise for job in self.jobs)

    @property
    def noise_matters(self) -> dict[Any, bool]:
        """For each σ, whether it or some ζ after it asks how far rounding may move an entry."""
        found: dict[Any, bool] = {}
        for job in self.jobs:
            sigma = job.spec.nonlinearity
            found[sigma] = found.get(sigma, bool(sigma.passes)) or job.spec.embedding.reads_noise
        return found

    @property
    def by_node(self) -> tuple[Job, ...]:
        """Those whose rows come from a column each."""
        return tuple(job for job in self.jobs if job.spec.embedding.by_node)

    @property
    def by_matrix(self) -> tuple[Job, ...]:
        """Those that factorise the whole matrix."""
        return tuple(job for job in self.jobs if not job.spec.embedding.by_node)


def grouped(graph: Graph, jobs: Sequence[Job], stands_for: int | None = None) -> list[Group]:
    """Jobs by proximity, each group with the places of its jobs in the list."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for place, job in enumerate(jobs):
        found.setdefault((job.proximity, job.turned(graph)), []).append(place)
    return [
        Group(graph, proximity, turned, tuple(jobs[place] for place in places), tuple(places), stands_for)
        for (proximity, turned), places in found.items()
    ]
