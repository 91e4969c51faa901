"""From listed pairs to a canonical sparse matrix: duplicates, both directions, symmetry.

All of it runs in time linear in the entries (but for one sort of integers) and without Python loops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy import sparse

from phusion.graph.ids import Array, index_type

__all__ = ["Meeting", "collect", "entry_rows", "mutual", "resolve", "resolve_tellings", "settle"]

Rule = Literal["once", "sum", "max", "min"]
_ROUNDING = 1e-12


def collect(rows: Array, cols: Array, weights: Array | None, n_nodes: int, rule: Rule) -> Any:
    """The n × n matrix of the listed arcs, entries of the same arc combined by `rule`.

    Without weights the entries are 1 (``"once"``) or how often the arc is listed (``"sum"``).
    """
    if weights is None:
        keys = rows.astype(np.int64)
        keys *= n_nodes
        keys += cols
        keys.sort()
        new = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        data: Array
        if rule == "sum":
            data = np.diff(np.flatnonzero(new), append=len(keys)).astype(np.float64)
        else:
            data = np.ones(np.count_nonzero(new), dtype=np.int8)
        return _from_sorted_keys(keys if new.all() else keys[new], data, n_nodes)
    order = _stable_order(cols, n_nodes)
    order = order[_stable_order(rows[order], n_nodes)]
    rows, cols, weights = rows[order], cols[order], weights[order]
    starts = _group_starts((rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1]), len(rows))
    if len(starts) < len(rows):
        combine = {"sum": np.add, "max": np.maximum, "min": np.minimum}[rule]
        weights = combine.reduceat(_in_fixed_order(weights, starts), starts)
        rows, cols = rows[starts], cols[starts]
    return _canonical(rows, cols, weights, n_nodes)


def _group_starts(changes: Array, size: int) -> Array:
    starts: Array = np.flatnonzero(changes) + 1
    return np.concatenate([[0], starts]) if size else starts


def _in_fixed_order(values: Array, starts: Array) -> Array:
    """Sort the values inside groups of three or more, so that no sum depends on the order of the list."""
    sizes = np.diff(starts, append=len(values))
    group = np.repeat(np.arange(len(starts)), sizes)
    inside = np.flatnonzero(sizes[group] > 2)
    values = values.copy()
    values[inside] = values[inside][np.lexsort((values[inside], group[inside]))]
    return values


def _stable_order(keys: Array, n_keys: int) -> Array:
    """A stable argsort of integers below `n_keys` in linear time: scipy's transpose is a counting sort."""
    places = np.arange(len(keys) + 1, dtype=index_type(len(keys), n_keys))
    listing = sparse.csr_array(
        (np.ones(len(keys), dtype=np.int8), keys.astype(places.dtype, copy=False), places), shape=(len(keys), n_keys)
    )
    order: Array = listing.tocsc().indices
    return order


def _canonical(rows: Array, cols: Array, data: Array, n_nodes: int) -> Any:
    """A CSR matrix from arcs that are sorted and distinct."""
    index = index_type(len(rows), n_nodes)
    indptr = np.zeros(n_nodes + 1, dtype=index)
    np.cumsum(np.bincount(rows, minlength=n_nodes), out=indptr[1:])
    return sparse.csr_array((data, cols.astype(index, copy=False), indptr), shape=(n_nodes, n_nodes))


def _from_sorted_keys(keys: Array, data: Array, n_nodes: int) -> Any:
    """A CSR matrix from distinct keys row · n + col in order; `keys` is used up."""
    index = index_type(len(keys), n_nodes)
    indptr = np.searchsorted(keys, np.arange(n_nodes + 1, dtype=np.int64) * n_nodes).astype(index)
    np.remainder(keys, max(n_nodes, 1), out=keys)
    return sparse.csr_array((data, keys.astype(index), indptr), shape=(n_nodes, n_nodes))


@dataclass(frozen=True)
class Meeting:
    """A canonical matrix laid over its transpose: what the two directions of each pair say."""

    arcs: Any
    weights: Array | None = None  # if given, entries of `arcs` are places (from 1) of weights to compare

    @cached_property
    def transposed(self) -> Any:
        """The arcs in the other direction."""
        return self.arcs.T.tocsr()

    @property
    def all_ones(self) -> bool:
        """Whether arcs have no values, so that directions always agree and counting is enough."""
        return bool(self.arcs.dtype == np.int8)

    @cached_property
    def union(self) -> Any:
        """Pairs given in any direction (of arcs without values)."""
        return self.arcs.maximum(self.transposed)

    @cached_property
    def both(self) -> Any:
        """The pattern of pairs given in both directions, self-loops included."""
        return _pattern(self.arcs).multiply(_pattern(self.transposed)).tocsr()

    @cached_property
    def there(self) -> Array:
        """Values of (i, j), in the order of `both`."""
        return self._values(self.arcs)

    @cached_property
    def back(self) -> Array:
        """Values of (j, i), in the order of `both`."""
        return self._values(self.transposed)

    def _values(self, side: Any) -> Array:
        values: Array = side.data[_places(side, self.both)]
        return values

    @cached_property
    def disagree(self) -> Array:
        """Whether the two directions say different things, in the order of `both`."""
        there, back = self._compared
        different: Array = there != back
        return different

    @property
    def _compared(self) -> tuple[Array, Array]:
        """`there` and `back` as weights, where they are places of weights."""
        if self.weights is None:
            return self.there, self.back
        return self.weights[self.there.astype(np.int64) - 1], self.weights[self.back.astype(np.int64) - 1]

    @property
    def n_both(self) -> int:
        """Entries of `both`."""
        return int(2 * self.arcs.nnz - self.union.nnz) if self.all_ones else int(self.both.nnz)

    @property
    def n_either(self) -> int:
        """Entries given in any direction."""
        return 2 * int(self.arcs.nnz) - self.n_both

    @cached_property
    def n_pairs(self) -> int:
        """Pairs of different nodes given both ways."""
        if self.all_ones:
            n_loops = int(self.arcs.diagonal().sum(dtype=np.int64))
        else:
            n_loops = int((entry_rows(self.both) == self.both.indices).sum())
        return (self.n_both - n_loops) // 2

    @cached_property
    def n_conflicts(self) -> int:
        """Pairs given both ways with different values."""
        return 0 if self.all_ones else int(self.disagree.sum()) // 2

    def disputed(self) -> Array:
        """Where the two directions say different things, as row · n + col."""
        places = np.flatnonzero(self.disagree)
        found: Array = entry_rows(self.both)[places].astype(np.int64) * self.both.shape[0] + self.both.indices[places]
        return found

    @property
    def complete(self) -> bool:
        """Whether every arc has its reverse."""
        return bool(self.n_both == self.arcs.nnz)

    def differs_by_rounding(self) -> bool:
        """Whether every arc has its reverse, with the same value but for the last digits."""
        if not self.complete or self.all_ones or not len(self.there):
            return self.complete
        there, back = self._compared
        size = np.maximum(np.abs(there), np.abs(back))
        return bool((np.abs(there - back) <= _ROUNDING * size).all())


def _pattern(matrix: Any) -> Any:
    return sparse.csr_array((np.ones(matrix.nnz, dtype=np.int8), matrix.indices, matrix.indptr), shape=matrix.shape)


def resolve(meeting: Meeting, rule: Literal["sum", "max", "min", "mean"]) -> Array:
    """One value for every pair given both ways, by `rule`; a self-loop has but one way."""
    there, back = meeting.there, meeting.back
    combine: Any = {"sum": np.add, "max": np.maximum, "min": np.minimum, "mean": _mean}[rule]
    loops = entry_rows(meeting.both) == meeting.both.indices
    resolved: Array = np.where(loops, there, combine(there, back))
    return resolved


def resolve_tellings(meeting: Meeting, rows: Array, cols: Array, weights: Array) -> Array:
    """The sum of a pair's entries, of which one told in both directions counts once.

    The two directions are two tellings of one list: of the entries of a pair with the same weight,
    the direction that has more of them is believed.
    """
    resolved = meeting.there.copy()
    n_nodes = meeting.both.shape[0]
    disputed = np.flatnonzero(meeting.disagree)
    places = entry_rows(meeting.both)[disputed].astype(np.int64), meeting.both.indices[disputed]
    pair_of_place = np.minimum(*places) * n_nodes + np.maximum(*places)
    pairs = np.unique(pair_of_place)
    pair_of_entry = np.minimum(rows, cols).astype(np.int64) * n_nodes + np.maximum(rows, cols)
    chosen = np.flatnonzero(np.isin(pair_of_entry, pairs))
    pair, weight, forward = pair_of_entry[chosen], weights[chosen], (rows < cols)[chosen]
    order = np.lexsort((weight, pair))
    pair, weight, forward = pair[order], weight[order], forward[order]
    starts = _group_starts((pair[1:] != pair[:-1]) | (weight[1:] != weight[:-1]), len(pair))
    n_forward = np.add.reduceat(forward.astype(np.int64), starts)
    n_backward = np.diff(starts, append=len(pair)) - n_forward
    share = weight[starts] * np.maximum(n_forward, n_backward)
    group_starts = _group_starts(pair[starts][1:] != pair[starts][:-1], len(starts))
    total = np.add.reduceat(share, group_starts)
    resolved[disputed] = total[np.searchsorted(pairs, pair_of_place)]
    return resolved


def settle(meeting: Meeting, resolved: Callable[[], Array]) -> Any:
    """The symmetric matrix: a pair given one way counts as it is, one given both ways as `resolved`."""
    if meeting.all_ones:
        return meeting.union
    values = resolved()
    if meeting.complete:
        return mutual(meeting, values)
    matrix = (meeting.arcs + meeting.transposed).tocsr()
    if matrix.nnz == meeting.n_either:
        if meeting.n_both:
            matrix.data[_places(matrix, meeting.both)] = values
        return matrix
    # scipy has dropped sums that are zero, so places are not what they were: put the parts together instead
    one_way = meeting.arcs - meeting.arcs.multiply(meeting.both)
    other_way = meeting.transposed - meeting.transposed.multiply(meeting.both)
    return (one_way + other_way + mutual(meeting, values)).tocsr()


def _places(matrix: Any, pattern: Any) -> Array:
    """Where the entries of `pattern` stand among those of a canonical `matrix` that has them all."""
    # scipy drops products that are zero, so places are counted from 1
    places = np.arange(1, matrix.nnz + 1, dtype=index_type(matrix.nnz + 1))
    numbered = sparse.csr_array((places, matrix.indices, matrix.indptr), shape=matrix.shape)
    found: Array = numbered.multiply(pattern).tocsr().data
    return found - 1


def mutual(meeting: Meeting, resolved: Array) -> Any:
    """Only the pairs given both ways."""
    met = meeting.both.astype(np.float64)
    met.data = resolved.astype(np.float64)
    return met


def _mean(a: Array, b: Array) -> Array:
    mean: Array = a / 2 + b / 2
    return mean


def entry_rows(matrix: Any) -> Array:
    """The row of every stored entry of a CSR matrix."""
    rows: Array = np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    return rows
