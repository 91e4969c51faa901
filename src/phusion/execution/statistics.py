"""What nonlinearities want to know of all n² entries: extremes, ranks, sums, in few passes and little memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phusion.embeddings.base import Columns
from phusion.errors import InputError
from phusion.execution.blocks import Passes
from phusion.proximities.base import Proximity
from phusion.proximities.matrix import Mass

__all__ = ["Entries", "Statistics"]

_BITS = 20  # by which numbers are counted in one pass
_FEW = 1_000_000  # numbers that are kept to be sorted, for each matrix: no more memory than counting takes
_SIGN = 1 << 63


@dataclass(frozen=True)
class Entries:
    """Extremes of the entries of one matrix, or of some of its columns."""

    smallest: float = np.inf
    largest: float = -np.inf
    smallest_above: float = np.inf
    column_sum: float = 0.0

    @classmethod
    def of(cls, block: Any, floor: float) -> Entries:
        """Of some columns; `smallest_above` is the smallest entry above the floor."""
        from phusion.linalg.kernels.extremes import block_extremes

        if isinstance(block, np.ndarray):
            sums = np.zeros(block.shape[1])
            low, high, above, numbers = block_extremes(block, floor, sums)
            return cls(low, high if numbers else np.inf, above, float(sums.max()))
        ends = cls() if block.nnz == 0 else cls.of(block.data[:, None], floor)
        sums = np.asarray(abs(block).sum(axis=0))
        if block.nnz < block.shape[0] * block.shape[1]:
            ends = ends.joined(cls(0.0, 0.0, 0.0 if floor < 0 else np.inf))
        return replace(ends, column_sum=float(sums.max()))

    def joined(self, other: Entries) -> Entries:
        """Of both; what is not a number stays so."""
        return Entries(
            float(np.minimum(self.smallest, other.smallest)),
            float(np.maximum(self.largest, other.largest)),
            min(self.smallest_above, other.smallest_above),
            max(self.column_sum, other.column_sum),
        )


class Statistics:
    """Extremes, ranks and sizes of the entries of every matrix of a stream; each pass serves all matrices."""

    def __init__(self, passes: Passes, each: Sequence[Proximity]) -> None:
        self._passes = passes
        self._each = each
        self._entries: list[Entries] | None = None
        self._above: dict[tuple[float, ...], list[Entries]] = {}
        self._ranked: dict[tuple[int, int], float] = {}
        self._masses: dict[tuple[int, Any], Mass] = {}

    def entries(self, k: int) -> Entries:
        """Extremes of matrix k."""
        if self._entries is None:
            self._set_entries(self._read_entries((0.0,) * self._passes.stream.count))
        return self._entries[k]  # type: ignore[index]

    def smallest_above(self, k: int, floors: Sequence[float]) -> float | None:
        """The smallest entry of matrix k above its floor; None if there is none."""
        found = self.entries(k)
        if not 0.0 <= floors[k] < found.smallest_above:
            key = tuple(floors)
            if key not in self._above:
                self._above[key] = self._read_entries(key)
            found = self._above[key][k]
        return found.smallest_above if np.isfinite(found.smallest_above) else None

    def ranked(self, k: int, place: int) -> float:
        """The entry of matrix k with this place in order."""
        if (k, place) not in self._ranked:
            self.find_ranked([place])
        return self._ranked[k, place]

    def find_ranked(self, places: Iterable[int]) -> None:
        """Look for entries at these places of every matrix at once.

        Doubles are in order when they are read as integers (and turned round below 0): a first pass counts them by
        their leading bits, the next one looks only at those that share them with an entry that is looked for.
        """
        count = self._passes.stream.count
        searches = [_Search(k, place) for k in range(count) for place in sorted(set(places))]
        first = _CountLeading(tuple((k, 0) for k in range(count)), 64)
        counts = np.zeros((count, 1 << _BITS), np.int64)
        entries = [Entries() for _ in range(count)]
        for _, _, (extremes, counted) in self._passes.read(first, "counting entries"):
            entries = [one.joined(other) for one, other in zip(entries, extremes, strict=True)]
            for total, (places_here, numbers, _) in zip(counts, counted, strict=True):
                total[places_here] += numbers
        self._set_entries(entries)
        for search in searches:
            search.narrow(counts[search.matrix])
        del counts  # the next steps have its memory
        while crowded := [search for search in searches if search.within > _FEW and not search.settled]:
            self._look_closer(crowded)
        for some in _batches([search for search in searches if not search.settled], _FEW * count):
            self._gather(some)
        for search in searches:
            self._ranked[search.matrix, search.place] = search.value

    def _look_closer(self, searches: list[_Search]) -> None:
        """Count those that agree so far by their next bits, of searches that have come equally far.

        No more than there are matrices at a time, as for each there is a table.
        """
        span = max(search.span for search in searches)
        searches = [search for search in searches if search.span == span][: self._passes.stream.count]
        closer = _CountLeading(tuple((search.matrix, search.low) for search in searches), span)
        counts = np.zeros((len(searches), 1 << min(_BITS, span)), np.int64)
        ends = np.array([(np.inf, -np.inf)] * len(searches))
        for _, _, (_, counted) in self._passes.read(closer, "counting closer"):
            for total, end, (places, numbers, (low, high)) in zip(counts, ends, counted, strict=True):
                total[places] += numbers
                end[:] = min(end[0], low), max(end[1], high)
        for search, total, (low, high) in zip(searches, counts, ends, strict=True):
            search.narrow(total)
            if low == high:  # a tie of very many
                search.value = float(low)

    def _gather(self, searches: list[_Search]) -> None:
        """Sort the few numbers that are left."""
        gathered = [np.full(search.within, np.inf) for search in searches]
        filled = [0] * len(searches)
        ranges = tuple((search.matrix, *search.bounds, search.within) for search in searches)
        for _, _, found in self._passes.read(_Gather(ranges), "looking closer"):
            for i, values in enumerate(found):
                room = gathered[i][filled[i] :]
                room[: len(values)] = values[: len(room)]
                filled[i] += len(values)
        for search, values in zip(searches, gathered, strict=True):
            here = search.place - search.before
            values.partition(here)
            search.value = float(values[here])

    def weigh(self, asked: Iterable[tuple[int, Any]]) -> None:
        """Look in one pass how large the entries of these matrices are after these nonlinearities."""
        asked = tuple(asked)
        columns: list[list[Mass]] = [[] for _ in asked]
        if asked:
            for _, _, found in self._passes.read(_Weigh(asked), "how large entries are"):
                for total, some in zip(columns, found, strict=True):
                    total += some
        self._masses |= {key: Mass.of_all(found) for key, found in zip(asked, columns, strict=True)}

    def mass(self, k: int, mapping: Any) -> Mass:
        """How large the entries of matrix k are after a nonlinearity."""
        if (k, mapping) not in self._masses:
            self.weigh([(k, mapping)])
        return self._masses[k, mapping]

    def _read_entries(self, floors: Sequence[float]) -> list[Entries]:
        found = [Entries() for _ in floors]
        for _, _, block in self._passes.read(_Extremes(tuple(floors)), "extremes"):
            found = [one.joined(other) for one, other in zip(found, block, strict=True)]
        return found

    def _set_entries(self, entries: list[Entries]) -> None:
        for one, proximity in zip(entries, self._each, strict=True):
            if not (np.isfinite(one.smallest) and np.isfinite(one.largest)):
                raise InputError(
                    f"{proximity!r} overflows on this graph: some entries are beyond 1e308. "
                    "Use a smaller scale, or divide the weights by their maximum"
                )
        self._entries = entries


@dataclass(frozen=True)
class _Extremes:
    """Reads extremes of each matrix."""

    floors: tuple[float, ...]

    def __call__(self, blocks: list[Any], start: int, stop: int) -> list[Entries]:
        return [Entries.of(block, floor) for block, floor in zip(blocks, self.floors, strict=True)]


@dataclass(frozen=True)
class _Weigh:
    """Reads how large the entries of some matrices are after some nonlinearities, column by column."""

    asked: tuple[tuple[int, Any], ...]

    def __call__(self, blocks: list[Any], start: int, stop: int) -> list[list[Mass]]:
        return [Columns(blocks[k], start, 0.0, mapping).masses() for k, mapping in self.asked]


@dataclass(frozen=True)
class _CountLeading:
    """Counts the entries of some matrices whose keys are `low` but for the last `span` bits, by the first of these."""

    searches: tuple[tuple[int, int], ...]
    span: int

    def __call__(self, blocks: list[Any], start: int, stop: int) -> tuple[list[Entries], list[Any]]:
        from phusion.linalg.kernels.ranks import count_keys, range_between

        counted = []
        for k, low in self.searches:
            values, zeros = _plain(blocks[k])
            counts = np.zeros(1 << min(_BITS, self.span), np.int64)
            high, shift = low + (1 << self.span) - 1, max(0, self.span - _BITS)
            first, last = count_keys(values.view(np.uint64), np.uint64(low), np.uint64(high), shift, counts)
            ends = (0.0, 0.0) if self.span == 64 else range_between(values, _double(low), _double(high))
            if zeros and low <= _SIGN <= high:
                place = (_SIGN - low) >> shift
                counts[place] += zeros
                first, last = min(first, place), max(last, place + 1)
                ends = min(ends[0], 0.0), max(ends[1], 0.0)
            places = (first + np.flatnonzero(counts[first:last])).astype(np.int32)  # narrow, as blocks wait for others
            counted.append((places, counts[places].astype(np.int32), ends))
        return [Entries.of(block, 0.0) for block in blocks] if self.span == 64 else [], counted


@dataclass(frozen=True)
class _Gather:
    """Brings the entries of some matrices that are in some range, which are few."""

    ranges: tuple[tuple[int, float, float, int], ...]

    def __call__(self, blocks: list[Any], start: int, stop: int) -> list[Any]:
        from phusion.linalg.kernels.ranks import values_between

        found = []
        for k, low, high, most in self.ranges:
            values, _ = _plain(blocks[k])
            room = np.empty(min(most, values.size))
            found.append(room[: values_between(values, low, high, room)].copy())
        return found


def _plain(block: Any) -> tuple[Any, int]:
    """Stored entries as doubles, and how many zeros are not stored."""
    if isinstance(block, np.ndarray):
        return np.ascontiguousarray(block, np.float64), 0
    return np.ascontiguousarray(block.data[None, :], np.float64), block.shape[0] * block.shape[1] - block.nnz


def _batches(searches: list[_Search], most: int) -> Iterator[list[_Search]]:
    """Some searches at a time that keep no more numbers than that in all."""
    batch: list[_Search] = []
    for search in searches:
        if batch and sum(each.within for each in batch) + search.within > most:
            yield batch
            batch = []
        batch.append(search)
    if batch:
        yield batch


class _Search:
    """An entry looked for by its place in order: the range of keys it is in, and how many entries are before that."""

    def __init__(self, matrix: int, place: int) -> None:
        self.matrix, self.place = matrix, place
        self.low, self.span = 0, 64
        self.before, self.within = 0, 0
        self.value = np.nan

    def narrow(self, counts: Any) -> None:
        """To the one bin that holds the place."""
        ends = np.cumsum(counts)
        key = int(np.searchsorted(ends, self.place - self.before, side="right"))
        self.span = max(0, self.span - _BITS)
        self.low += key << self.span
        self.before, self.within = self.before + int(ends[key] - counts[key]), int(counts[key])
        low, high = self.bounds
        if low == 0.0 or low == high:  # beside 0, only what is too small to matter has these leading bits
            self.value = low

    @property
    def settled(self) -> bool:
        """Whether the value is known."""
        return not np.isnan(self.value)

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest double of the range."""
        return _double(self.low), _double(self.low + (1 << self.span) - 1)


def _double(key: int) -> float:
    """The double that has this key: keys are in the order of the numbers."""
    bits = key ^ _SIGN if key & _SIGN else ~key & ((1 << 64) - 1)
    return float(np.array([bits], np.uint64).view(np.float64)[0])
