"""Sparse matrices by their columns: products, and sums of sines over the entries of each column."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.plain.angles import first_turn

__all__ = ["column_angle_sums", "multiply_columns"]

_ENTRIES = 1 << 14  # of some columns, about, that are turned at a time
_WHOLE = 1 << 14  # whole numbers below this are counted, and each that occurs is turned once


def multiply_columns(
    indptr: Any,
    indices: Any,
    data: Any,
    block_starts: Any,
    block_rows: Any,
    block_values: Any,
    sums: Any,
    starts: Any,
    rows: Any,
    values: Any,
) -> None:
    """M times a block of sparse columns, M by columns too. Rows of a column are in order; `sums` are not needed."""
    n, width = len(sums), len(block_starts) - 1
    matrix = sparse.csc_array((data, indices, indptr), shape=(n, len(indptr) - 1))
    found = matrix @ sparse.csc_array((block_values, block_rows, block_starts), shape=(len(indptr) - 1, width))
    found.sort_indices()
    starts[:] = found.indptr
    rows[: found.nnz] = found.indices
    values[: found.nnz] = found.data


def column_angle_sums(data: Any, indptr: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """As `angles.half_angle_sums` for sparse columns; equal whole numbers, as of paths, are turned together."""
    marks = np.searchsorted(indptr, np.arange(indptr[0] + _ENTRIES, indptr[-1], _ENTRIES))
    bounds = np.unique(np.concatenate([[0], marks, [len(indptr) - 1]]))
    for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        entries = data[indptr[first] : indptr[last]]
        owners = np.repeat(np.arange(first, last), np.diff(indptr[first : last + 1]))
        whole = (entries >= 0) & (entries < _WHOLE) & (entries == np.floor(entries))
        _add_whole(entries[whole], owners[whole], half, count, squares, products)
        _add_others(entries[~whole], owners[~whole], half, count, squares, products)


def _add_whole(entries: Any, owners: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """Each number once, and then how often each column has it."""
    if not len(entries):
        return
    first = int(owners[0])
    keys, times = np.unique((owners - first) * _WHOLE + entries.astype(np.int64), return_counts=True)
    numbers, places = np.unique(keys % _WHOLE, return_inverse=True)
    columns = np.arange(int(owners[-1]) - first + 2)
    starts = np.searchsorted(keys, columns * _WHOLE)
    tallies = sparse.csr_array((times.astype(np.float64), places, starts), shape=(len(columns) - 1, len(numbers)))
    angles = np.multiply.outer(half * numbers, np.arange(1, count + 1))
    sine = np.sin(angles)
    own = slice(first, first + len(columns) - 1)
    squares[own] += tallies @ sine**2
    products[own] += tallies @ (sine * np.cos(angles))


def _add_others(entries: Any, owners: Any, half: float, count: int, squares: Any, products: Any) -> None:
    """By rotation: w_k = e^{2ikx} − 1 from the one before, as in `plain.angles`."""
    if not len(entries):
        return
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    own = owners[starts]
    first = first_turn(half * entries)
    turn, turns = first + 1, np.zeros_like(first)
    for k in range(count):
        turns *= turn
        turns += first
        sums = np.add.reduceat(turns, starts)
        squares[own, k] -= 0.5 * sums.real
        products[own, k] += 0.5 * sums.imag
