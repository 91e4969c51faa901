"""`StreamedMatrix`: S at one scale, never written out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from phusion.execution.statistics import Statistics
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.streams.base import Stream
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import Extremes, Mass, ProximityMatrix, Size, nothing

__all__ = ["StreamedMatrix", "streamed_matrices"]


class StreamedMatrix(ProximityMatrix):
    """One matrix of a stream. What a nonlinearity asks of it takes passes, which serve all scales at once."""

    def __init__(self, statistics: Statistics, k: int, noises: Sequence[Callable[[], float]], n: int) -> None:
        self.n = n
        self.symmetric = False
        self._statistics = statistics
        self._k = k
        self._noises = noises

    @property
    def noise(self) -> float:  # type: ignore[override]
        """How far rounding may move an entry."""
        return self._noises[self._k]()

    def extremes(self) -> Extremes:
        """The smallest and the largest entry."""
        found = self._statistics.entries(self._k)
        return Extremes(found.smallest, found.largest)

    def smallest_above(self, floor: float) -> float | None:
        """The smallest entry above a number, which is 0 or what counts as nothing; None if there is none."""
        known = self._statistics.entries
        each = [nothing(noise(), known(k).largest) for k, noise in enumerate(self._noises)] if floor else []
        floors = each or [0.0] * len(self._noises)
        return self._statistics.smallest_above(self._k, floors)

    def ranked(self, place: int) -> float:
        """The entry at this place in order."""
        return self._statistics.ranked(self._k, place)

    def mass_of(self, function: Callable[[Array], Array]) -> Mass:
        """How large the entries of σ(S) beside the diagonal are."""
        return self._statistics.mass(self._k, function)

    def mapped(self, function: Callable[[Array], Array], noise: float) -> ProximityMatrix:  # type: ignore[override]
        """σ(S), of which only the extremes are known."""
        return _Mapped(self, function, noise)

    def without_noise(self) -> StreamedMatrix:
        """The same, said to be exact, for those who do not look at its noise."""
        return StreamedMatrix(self._statistics, self._k, [lambda: 0.0] * len(self._noises), self.n)

    def toarray(self) -> Array:
        """Not here."""
        raise NotImplementedError("a streamed matrix is never written out")

    diagonal = toarray


class _Mapped(ProximityMatrix):
    """σ(S) of a streamed S."""

    def __init__(self, matrix: StreamedMatrix, function: Callable[[Array], Array], noise: float) -> None:
        self.n, self.symmetric, self.noise = matrix.n, matrix.symmetric, noise
        self._matrix, self._function = matrix, function

    def extremes(self) -> Extremes:
        """From those of S, as σ never decreases."""
        found = self._matrix.extremes()
        low, high = self._function(np.array([found.smallest, found.largest]))
        return Extremes(float(low), float(high))

    def mass(self) -> Mass:
        """In a pass that serves all scales and nonlinearities for which it is asked."""
        return self._matrix.mass_of(self._function)

    def toarray(self) -> Array:
        """Not here."""
        raise NotImplementedError("a streamed matrix is never written out")

    diagonal = toarray


def streamed_matrices(
    each: Sequence[Proximity], graph: Graph, stream: Stream, statistics: Statistics
) -> list[StreamedMatrix]:
    """The matrix of each scale."""

    def noise_of(k: int) -> Callable[[], float]:
        def look() -> tuple[float, float]:
            found = statistics.entries(k)
            return float(max(-found.smallest, found.largest, 0.0)), found.column_sum

        size = Size(look)
        return lambda: max(each[k].noise(graph, size), stream.noise(k))

    noises = [noise_of(k) for k in range(len(each))]
    return [StreamedMatrix(statistics, k, noises, len(graph)) for k in range(len(each))]
