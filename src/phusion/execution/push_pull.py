"""`PushPull`: characteristic functions of sums over walks, each node's from the entries that matter and two moments.

A column of S is followed as far as its entries matter. The sum of all of it is known exactly from S1, and the size of
what was left out from S times a few columns of random signs; both together stand for the rest as if its entries were
equal. Small components are followed to the end.

Signs are noisy, so they only tell what is not known without them. What long walks spread over everything is nearly a
multiple of one vector, the leading eigenvector of M in the largest component (times `left`). How much of it the rest of
a column holds is known exactly, as S times that vector is; signs tell the size of what is left beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from phusion.embeddings.characteristic import Characteristic
from phusion.execution.column_blocks import ColumnBlocks
from phusion.execution.progress import report
from phusion.execution.threads import Executor
from phusion.graph.ids import Array
from phusion.linalg.streams.chebyshev import ChebyshevStream
from phusion.linalg.walks import WalkSums

__all__ = ["MOMENTS_SHARE", "PROBES", "PushPull", "moment_kind", "sketched", "small_components"]

PROBES = 16
"""Columns of the sketch: ones, the leading vector, and random signs."""
MOMENTS_SHARE = 2
"""Of the room for a block, as 1 / 2: all that is computed of the sketch is kept."""
_STEPS = 30  # of walks, for the leading vector
_TAIL = 1e-9  # of all weight: later walks are part of what is left out
_SMALL = 256  # stored entries of a component that is followed to the end
_FEW = 5  # neighbours; the more a node has above that, the smaller the entries it is followed to,
_HUBS = 2 / 3  # by this power: errors of hubs and of others are then about the same


@dataclass(frozen=True)
class PushPull:
    """What rows are computed from. Plain data, so that it can be sent to other processes.

    Attributes
    ----------
    walks : the matrices S_k.
    left, right : their scales in single precision, 1 where they have none.
    created, returned : what `linalg.kernels.diffusion` wants to know of each node.
    whole : the nodes whose columns are followed to the end.
    signs : a bit of each node for each column of random signs; the first two are never set.
    lead, along : the leading vector, and its products with the columns of the sketch.
    sketch : Sᵀ[1 | lead | ±1 …] for each matrix; count × n × PROBES.
    """

    walks: WalkSums
    left: Any
    right: Any
    created: Any
    returned: Any
    whole: Any
    signs: Any
    lead: Any
    along: Any = None
    sketch: Any = None

    @classmethod
    def of(cls, walks: WalkSums, components: Array, seed: int) -> PushPull:
        """Before the sketch is known."""
        from phusion.linalg.kernels.diffusion import created_entries

        n, left, right = walks.n, _single(walks.left, walks.n), _single(walks.right, walks.n)
        created, returned = np.empty(n, np.float32), np.empty(n, np.float32)
        created_entries(*walks.matrix.arrays, left, created, returned)
        signs = np.random.default_rng(seed).integers(0, 1 << PROBES, n, dtype=np.uint32) & ~np.uint32(3)
        lead = _leading(walks, components) * left
        found = cls(walks, left, right, created, returned, small_components(walks, components), signs, lead)
        return replace(found, along=lead.astype(np.float64) @ found.probes(0, PROBES))

    @property
    def n(self) -> int:
        """Nodes."""
        return self.walks.n

    def probes(self, start: int, stop: int) -> Array:
        """Columns of the sketch before S is applied."""
        bits = (self.signs[:, None] >> np.arange(start, stop, dtype=np.uint32)) & np.uint32(1)
        found: Array = np.float32(1.0) - np.float32(2.0) * bits.astype(np.float32)
        if start <= 1 < stop:
            found[:, 1 - start] = self.lead
        return found

    def scratch(self) -> tuple[Any, ...]:
        """Room to follow columns in, one at a time: it takes a while to clear, and serves all scales and nodes."""
        n = self.n
        places, numbers = np.empty((4, n), np.int32), np.empty((5, n), np.float32)
        return np.zeros((n, 4), np.float32), places, numbers, np.zeros(n, np.uint8)

    def sums(
        self, k: int, nodes: Array, threshold: float, points: Array, scratch: tuple[Any, ...] | None = None
    ) -> tuple[Array, Array, Array]:
        """Σ_v (1 − cos t S_vu) and Σ_v sin t S_vu at scale k, for some nodes u, and the stored entries read for each.

        Nothing of a node's result depends on which others are computed with it.
        """
        from phusion.linalg.kernels.diffusion import characteristic_sums

        weights = self.walks.weights[k]
        rest = np.cumsum(weights[::-1])[::-1]
        kept = int((rest > _TAIL * rest[0]).sum())
        nodes = np.asarray(nodes, np.int64)
        neighbours = self.walks.matrix.indptr[nodes + 1] - self.walks.matrix.indptr[nodes]
        least = threshold * np.minimum(1.0, _FEW / np.maximum(neighbours, 1)) ** _HUBS
        least[self.whole[nodes]] = 0.0
        below, sines = np.empty((2, len(nodes), len(points)))
        worked = np.zeros(len(nodes), np.int64)
        room: Any = scratch or self.scratch()
        compute: Any = characteristic_sums
        compute(
            *self.walks.matrix.arrays,
            self.left,
            self.right,
            self.created,
            self.returned,
            weights[:kept].astype(np.float32),
            rest[:kept].astype(np.float32),
            nodes,
            least.astype(np.float32),
            self.sketch[k],
            self.signs,
            self.lead,
            self.along,
            points,
            _are_even(points),
            *room,
            below,
            sines,
            worked,
        )
        return below, sines, worked

    def rows(
        self, embedding: Characteristic, shared: Sequence[Any], thresholds: Sequence[float], nodes: Array
    ) -> Array:
        """Rows of some nodes, the scales side by side."""
        found, scratch = [], self.scratch()
        for k, threshold in enumerate(thresholds):
            below, sines, _ = self.sums(k, nodes, threshold, embedding.points(shared[k]), scratch)
            found.append(embedding.of_sums(below, sines, self.n))
        return np.hstack(found)

    @property
    def nbytes(self) -> int:
        """Memory."""
        return self.walks.nbytes + self.n * (4 + 4 + 4 + 4 + 1 + 4 + 4) + self.walks.count * self.n * 4 * PROBES


def small_components(walks: WalkSums, components: Array) -> Array:
    """Which nodes are in components so small that they are followed to the end."""
    found: Array = np.bincount(components, weights=np.diff(walks.matrix.indptr))[components] <= _SMALL
    return found


def moment_kind(walks: WalkSums) -> Any:
    """The precision in which moments are computed; they are kept in single precision."""
    return np.float64 if walks.faint else np.float32


def _leading(walks: WalkSums, components: Array) -> Array:
    """The leading eigenvector of M in the largest component, about: a few lazy steps from √degree."""
    indptr, indices, data = walks.matrix.arrays
    matrix = sparse.csr_array((data, indices, indptr), shape=(walks.n, walks.n))
    x = np.sqrt(np.diff(indptr).astype(np.float64))
    x[components != np.bincount(components, weights=np.diff(indptr)).argmax()] = 0.0
    if not x.any():
        return np.zeros(walks.n, np.float32)
    x /= np.linalg.norm(x)
    for _ in range(_STEPS):
        step = (x + matrix @ x) / 2.0
        step /= np.linalg.norm(step)
        x, before = step, x
        if np.abs(x - before).max() <= 1e-7 * np.abs(x).max():
            break
    return x.astype(np.float32)  # type: ignore[no-any-return]


def sketched(push: PushPull, executor: Executor) -> PushPull:
    """With the sketch: one application of S, for all scales at once, to few columns."""
    kind = moment_kind(push.walks)
    stream = push.walks.by_rows().polynomials(kind)
    sketch = np.empty((push.walks.count, push.n, PROBES), np.float32)
    blocks = ColumnBlocks.by(executor, push.n, PROBES, share=MOMENTS_SHARE)
    ranges = [(start, min(start + blocks.width, PROBES)) for start in range(0, PROBES, blocks.width)]
    tasks = [(push.probes(*each).astype(kind, copy=False), blocks.threads) for each in ranges]
    for (start, stop), found in zip(ranges, blocks.executor(executor).map(_applied, tasks, 10.0, stream), strict=True):
        sketch[:, :, start:stop] = found
        report("moments of all columns", stop, PROBES)
    return replace(push, sketch=sketch)


def _applied(stream: ChebyshevStream, block: Array, threads: int) -> Array:
    found: Array = stream.applied(block, threads)
    return found


def _single(scale: Any, n: int) -> Array:
    return np.ones(n, np.float32) if scale is None else scale.astype(np.float32)


def _are_even(points: Array) -> bool:
    """Whether landmarks are h, 2h and so on, from 0 or h on."""
    step = points[1] if points[0] == 0 and len(points) > 1 else points[0]
    first = 0.0 if points[0] == 0 else step
    return bool(step > 0 and np.allclose(points, first + step * np.arange(len(points)), rtol=1e-12, atol=0.0))
