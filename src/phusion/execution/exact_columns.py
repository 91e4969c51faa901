"""Exact columns of a few nodes, beside which approximate rows are put."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polyval

from phusion.embeddings.base import Columns
from phusion.embeddings.characteristic import Characteristic
from phusion.execution.column_blocks import ColumnBlocks
from phusion.execution.progress import report
from phusion.execution.push_pull import small_components
from phusion.execution.threads import Executor, Threads
from phusion.graph.ids import Array
from phusion.linalg.streams.chebyshev import ChebyshevStream
from phusion.linalg.walks import WalkSums

__all__ = ["exact_kind", "exact_sums"]

_LARGE = 200_000  # nodes of which columns in double precision would take too much room
_FINE = 0.005  # errors next to which single precision, right to 2e-5, does not count


def exact_kind(walks: WalkSums, target: float, n: int | None = None) -> Any:
    """The precision in which columns are exact enough to measure errors of about `target` by.

    Single precision is right to 1e-7 of the largest eigenvalue, which is little of a column that is not faint.
    With `n` for a graph of so many nodes, of which the walks are those of a smaller one.
    """
    single = not walks.faint and (target >= _FINE or (n or walks.n) > _LARGE)
    return np.float32 if single else np.float64


def exact_sums(
    walks: WalkSums,
    components: Array,
    nodes: Array,
    embedding: Characteristic,
    shared: Sequence[Any],
    kind: Any,
    executor: Executor,
) -> Array:
    """n(φ − 1) of some nodes from their exact columns: scales × nodes × 2 landmarks, real parts first."""
    centered = embedding.replace(centered=True)
    found = np.empty((walks.count, len(nodes), centered.width(walks.n)))
    small = small_components(walks, components)[nodes]
    for place in np.flatnonzero(small):
        found[:, place] = _of_component(walks, components, nodes[place], centered, shared)
    others = np.flatnonzero(~small)
    blocks = ColumnBlocks.by(executor, walks.n, len(others))
    chunks = [others[start : start + blocks.width] for start in range(0, len(others), blocks.width)]
    function = _Exact(centered, tuple(shared))
    stream = walks.polynomials(kind)
    done = len(nodes) - len(others)
    tasks = [(nodes[chunk], blocks.threads) for chunk in chunks]
    for chunk, rows in zip(chunks, blocks.executor(executor).map(function, tasks, 10.0, stream), strict=True):
        found[:, chunk] = rows
        done += len(chunk)
        report("exact columns", done, len(nodes))
    return found


def _of_component(
    walks: WalkSums, components: Array, node: int, embedding: Characteristic, shared: Sequence[Any]
) -> Array:
    """Of one node in a small component, as the formula says.

    A polynomial good to a share of the largest eigenvalue of the whole graph would leave noise where a node without
    neighbours has nothing.
    """
    members = np.flatnonzero(components == components[node])
    eigenvalues, vectors = np.linalg.eigh(_block(walks, members))
    here = int(np.searchsorted(members, node))
    left = 1.0 if walks.left is None else walks.left[members].astype(np.float64)
    right = 1.0 if walks.right is None else float(walks.right[node])
    rows = []
    for weights, known in zip(walks.weights, shared, strict=True):
        column = left * (vectors @ (polyval(eigenvalues, weights) * vectors[here])) * right
        rows.append(embedding.rows(Columns(column[:, None], 0, 0.0), known)[0])
    return np.array(rows)


def _block(walks: WalkSums, members: Array) -> Array:
    """M of a component; all its entries are in the rows of its nodes."""
    indptr, indices, data = walks.matrix.arrays
    block = np.zeros((len(members), len(members)))
    for row, node in enumerate(members):
        there = slice(indptr[node], indptr[node + 1])
        block[row, np.searchsorted(members, indices[there])] = data[there]
    return block


@dataclass(frozen=True)
class _Exact:
    """One task: rows of a few nodes by the functions that embed exactly."""

    embedding: Characteristic
    shared: tuple[Any, ...]

    def __call__(self, stream: ChebyshevStream, nodes: Array, threads: int) -> Array:
        found = stream.applied(_units(stream, nodes), threads)  # which nobody else holds: it is gone once it is copied
        tasks = list(zip(found, self.shared, strict=True))
        return np.array(list(Threads(min(threads, len(tasks))).map(self._rows, tasks)))

    def _rows(self, column: Array, known: Any) -> Array:
        return self.embedding.rows(Columns(column, 0, 0.0), known)


def _units(stream: ChebyshevStream, nodes: Array) -> Array:
    """Columns of the identity."""
    block = np.zeros((stream.n, len(nodes)), stream.matrix.data.dtype)
    block[nodes, np.arange(len(nodes))] = 1.0
    return block
