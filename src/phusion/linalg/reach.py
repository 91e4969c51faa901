"""Where a few random steps lead, each row cut to its likeliest ends so that the matrix stays sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.heap import give_back
from phusion.linalg.tall import Each, one_by_one

__all__ = ["few_steps", "few_steps_bytes", "most_entries", "stored_where"]

_ENTRIES = 500_000  # of a product of some rows, about: what is held before it is cut
_UNCUT = 100  # bytes an entry takes meanwhile: the product, two sums, and what cutting it needs
_MOVED = 34  # bytes an entry takes while the matrix is put together of parts, which leave holes, or loses entries
_SLACK = 1e-9  # entries that differ by less, relatively, are equal


def few_steps(transition: Any, hops: int, most: int, hub: int, each: Each = one_by_one) -> Any:
    """M = (R + R̃M')/h cut to about `most` entries of each row, as CSR; M' is h − 1 times that of one hop fewer.

    R̃ is R without steps to nodes of more than `hub` neighbours: walks do not go on from there. So 2 steps are the cut
    of (R + R̃R)/2.
    """
    sizes = np.diff(transition.indptr)
    onward = transition.copy()
    onward.data = np.where(sizes[transition.indices] <= hub, transition.data, 0.0)
    onward.eliminate_zeros()
    reached = transition
    for hop in range(2, hops + 1):
        ranges = _ranges(onward, reached)

        def rows(part: int, ranges: Any = ranges, reached: Any = reached, hop: int = hop) -> Any:
            some = slice(*ranges[part])
            return _cut((transition[some] + (onward[some] * (hop - 1)) @ reached) / hop, most)

        reached = sparse.csr_array(sparse.vstack(each(rows, len(ranges)), format="csr"))
        give_back()
    return reached


def most_entries(pattern: tuple[Any, Any], hops: int, most: int, hub: int) -> int:
    """How many entries `few_steps` has at most, from the row starts and columns of the steps."""
    indptr, indices = pattern
    if hops == 1:
        return len(indices)
    sizes = np.diff(indptr).astype(np.float64)
    onward = sparse.csr_array((sizes[indices] <= hub, indices, indptr), shape=(len(sizes), len(sizes)))
    rows = sizes
    for _ in range(1, hops):
        rows = np.minimum(sizes + onward @ rows, 2 * most)
    return int(rows.sum())


def few_steps_bytes(n: int, entries: int, hops: int, threads: int) -> int:
    """What `few_steps` takes at most while it makes so many entries, and `stored_where` while it leaves some out."""
    uncut = threads * _UNCUT * (_ENTRIES + n) if hops > 1 else 0  # a row is not shared out, and has n entries at most
    return uncut + entries * (_MOVED + (12 if hops > 2 else 0))


def _ranges(one: Any, other: Any) -> list[tuple[int, int]]:
    """Ranges of rows whose products take about as many operations."""
    pattern = sparse.csr_array((np.ones(one.nnz), one.indices, one.indptr), shape=one.shape)
    work = np.concatenate([[0], np.cumsum(pattern @ np.diff(other.indptr).astype(np.float64) + 1.0)])
    marks = np.searchsorted(work, np.arange(_ENTRIES, work[-1], _ENTRIES))
    bounds = np.unique(np.concatenate([[0], marks, [one.shape[0]]]))
    return list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))


def _cut(rows: Any, most: int) -> Any:
    from phusion.linalg.kernels.edges import keep_largest

    rows = sparse.csr_array(rows)
    rows.sort_indices()
    kept = np.zeros(rows.nnz, np.bool_)
    keep_largest(rows.indptr, rows.data, most, _SLACK, kept)
    return stored_where(rows, kept)


def stored_where(matrix: Any, kept: Any) -> Any:
    """A CSR matrix with some of its stored entries."""
    starts = np.zeros(len(matrix.indptr), np.int64)
    filled = np.diff(matrix.indptr) > 0
    starts[1:][filled] = np.add.reduceat(kept, matrix.indptr[:-1][filled], dtype=np.int64) if filled.any() else 0
    np.cumsum(starts, out=starts)
    return sparse.csr_array((matrix.data[kept], matrix.indices[kept], starts), shape=matrix.shape)
