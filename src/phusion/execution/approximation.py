"""What can be approximated, why the rest cannot, and what memory it takes."""

from __future__ import annotations

import numpy as np

from phusion.embeddings.characteristic import Characteristic
from phusion.execution.column_blocks import ColumnBlocks
from phusion.execution.exact_columns import exact_kind
from phusion.execution.jobs import Group, Job
from phusion.execution.push_pull import MOMENTS_SHARE, PROBES, moment_kind
from phusion.execution.sinks import PART
from phusion.linalg.streams.magnified import magnified_bytes
from phusion.linalg.walks import WalkSums
from phusion.proximities.base import No

__all__ = ["FEWEST", "SECONDS_MULTIPLIED", "approximation_bytes", "drawn_each", "walks_of"]

FEWEST = 256
"""Nodes of a graph below which the exact way is taken: there are too few to draw from, and it is no dearer."""
SECONDS_MULTIPLIED = 0.7e-9
"""For a stored entry in a product with a column, about."""
_LEAST, _MOST = 16, 64  # nodes of each kind in each sample
_QUICK, _PATIENCE = 0.1, 6.0  # seconds for exact columns: so short that they do not matter, and the longest
_SHARE = 800  # nodes of which one may be drawn, of each kind for each sample
_SCRATCH = 56  # bytes for each node, of a thread that follows columns


def walks_of(group: Group) -> WalkSums | No:
    """The sums over walks that all jobs of a group are approximated from; why there are none, if there are none."""
    for job in group.jobs:
        reason = _why_not(job)
        if reason is not None:
            return reason
    found = group.proximity.walks(group.graph)
    return found.by_rows() if group.turned and isinstance(found, WalkSums) else found


def _why_not(job: Job) -> No | None:
    """Why the nonlinearity or the embedding function of a job needs exact columns."""
    spec = job.spec
    if not isinstance(spec.embedding, Characteristic):
        return No(
            f"{spec.embedding.name} needs every entry of the matrix; only characteristic functions can do without "
            "small ones. Use embedding='characteristic'; svd of edge_pmi measures itself: applications=, fidelity"
        )
    if spec.nonlinearity.name != "identity":
        return No(
            f"{spec.nonlinearity.name} lifts small entries, or ranks them, so that all of them matter. "
            "Use nonlinearity='identity'"
        )
    if spec.embedding.learns and job.shared is None:
        return No("upper='auto' looks at every entry first. Give the largest landmark, such as upper=100")
    return None


def drawn_each(walks: WalkSums, n: int | None = None) -> int:
    """How many nodes of each kind are drawn into each of two samples: 16, and up to 64 where that costs little.

    With `n` for a graph of so many nodes, of which the walks are those of a smaller one.
    """
    n = n or walks.n
    entries = walks.entries * n / walks.n
    seconds = 4 * max(1.0, entries) * max(1, walks.degree()) * SECONDS_MULTIPLIED  # for one of each kind in each
    cheap = max(n // _SHARE, min(n // 64, int(_QUICK / seconds)))
    return int(np.clip(min(cheap, int(_PATIENCE / seconds)), _LEAST, _MOST))


def approximation_bytes(
    walks: WalkSums, target: float, threads: int, written: int, remote: bool = False, n: int | None = None
) -> int:
    """At most, without the results; `written` is the number of columns of rows that are written at once, or 0.

    With `n` for a graph of so many nodes, of which the walks are those of a smaller one.
    """
    times = 1.0 if n is None else n / walks.n
    n, count, entries = n or walks.n, walks.count, round(times * walks.entries)
    held = magnified_bytes(walks, walks.nbytes, entries, times)
    sketch = n * (25 + 4 * PROBES * count)
    few = ColumnBlocks.of(n, threads, PROBES, remote=remote, share=MOMENTS_SHARE)
    size = np.dtype(moment_kind(walks)).itemsize
    at_once = few.at_once + (few.width < PROBES)  # a result is kept while the next is made
    moments = size * n * (min(PROBES, few.width) * (2 + 2 * count) * at_once + PROBES) + size * entries
    blocks = ColumnBlocks.of(n, threads, 4 * drawn_each(walks, n), remote=remote)
    number = np.dtype(exact_kind(walks, target, n)).itemsize
    parts = 0 if walks.settled is None else 16 * round(times * (int(walks.settled.components.max()) + 1))
    exact = blocks.width * blocks.at_once * (n * (number * (2 + count) + 8) + parts) + number * entries
    rows = threads * (_SCRATCH * n + (6 * PART if written else 0))
    moments += parts * min(PROBES, few.width) * few.at_once
    return int(held + max(exact, sketch + max(moments, rows)))
