"""The plan of columns on the fly: how wide blocks are, how many threads work, and what is kept between passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phusion.execution.jobs import Group
from phusion.execution.operators import TILE, StoredOperator
from phusion.execution.plan import GroupPlan
from phusion.execution.resources import Resources
from phusion.execution.sinks import PART
from phusion.execution.sizes import Sizes
from phusion.linalg.krylov import krylov_columns
from phusion.proximities.matrix import Size

__all__ = ["COUNTS", "blocked_plan"]

COUNTS = 8 << 20
"""Bytes of one table of counts, for entries by rank."""
_WIDE = 128  # columns of a block, where there is room
_WIDE_IF_LARGE = 64  # of more nodes than this many times thousand: caches are small
_LARGE = 30_000


def blocked_plan(group: Group, resources: Resources, room: int) -> GroupPlan | None:
    """Columns on the fly, in as wide blocks and as many threads as fit; None if there is no such way."""
    if any(not hasattr(job.spec.embedding, "of_operator") for job in group.by_matrix):
        return None
    n = group.n
    kind = resources.kind(group.entrywise)
    stream = group.stream(kind, transposed=group.turned)
    if stream is None:
        return None
    other = None
    if group.by_matrix and not group.symmetric:
        other = group.stream(kind, transposed=not group.turned)
    sparse = bool(getattr(stream, "sparse", False))
    fixed = stream.held_bytes + (other.held_bytes if other is not None else 0)
    ranks = {job.spec.nonlinearity for job in group.jobs if hasattr(job.spec.nonlinearity, "place")}
    written = sum(job.width(n) for job in group.jobs if not job.held)
    column = stream.column_bytes + n * (8 if not group.entrywise else 32) + 3 * 8 * written
    column += 32 * n * stream.count if ranks else 0  # counts of blocks that wait, where no two entries are alike
    held, factor, least = fixed, 0, 1
    for job in group.by_matrix:
        wanted = job.spec.embedding.dim + 8
        block, space = krylov_columns(n, wanted, 0)
        size = n * np.dtype(resources.kind(entrywise=False)).itemsize
        sides = 1 if group.symmetric else 2
        fixed = max(fixed, stream.held_bytes + size * (sides * space + 5 * block) + 8 * n * 3 * wanted)
        factor, least = max(factor, size * block), TILE
    workers = resources.workers
    sizes = Sizes(
        held + factor,
        fixed,
        column,
        counts=COUNTS * stream.count if ranks else 0,
        other=3 * PART if written else 0,
        workers=workers,
        threads=resources.n_threads if workers is None else workers.threads,
        width=resources.width or min(_WIDE if n <= _LARGE else _WIDE_IF_LARGE, n),
    )
    sizes.shrink(room, least, narrower=resources.width is None)
    passes = _passes(group, resources)
    strategy = "sparse" if sparse else "blocked"
    plan = GroupPlan(group, resources, strategy, sizes.peak, stream, other, sizes.width, sizes.threads, passes)
    plan = replace(plan, there=sizes.there)
    left = room - plan.peak
    kept = stream.count * n * n * stream.entry_bytes
    if passes > 1 and not sparse and not resources.remote and kept <= left // 2:
        plan = replace(plan, keep=True, peak=plan.peak + kept)
        left -= kept
    if group.by_matrix:
        used = min(left, _wanted_room(group, resources, n))
        plan = replace(plan, room=max(0, used), peak=plan.peak + max(0, used))
    return plan


def _wanted_room(group: Group, resources: Resources, n: int) -> int:
    """What storing σ(S) and a large search space would take."""
    size = np.dtype(resources.kind(entrywise=False)).itemsize
    sides = 1 if group.symmetric else 2
    space = max(krylov_columns(n, job.spec.embedding.dim + 8)[1] for job in group.by_matrix)
    binary = all(hasattr(job.spec.nonlinearity, "place") for job in group.by_matrix)
    stored = StoredOperator.size(n, resources.kind(entrywise=False), bits=binary)
    return int(2 * max(stored, sides * space * n * size))


def _passes(group: Group, resources: Resources) -> int:
    """Before the maps are known, then one for all rows, then those of singular vectors (if σ(S) is not stored)."""
    before = max(job.spec.nonlinearity.passes for job in group.jobs)
    learning = [job.spec.embedding for job in group.jobs if job.spec.embedding.learns and job.shared is None]
    if not before and not all(embedding.weighs for embedding in learning):
        before = 1
    if not before and any(group.noise_matters.values()) and _noise_takes_a_look(group):
        before = 1
    before += any(embedding.weighs for embedding in learning)
    return int(before) + bool(group.by_node) + len(group.by_matrix) * len(group.proximity.at_each_scale())


def _noise_takes_a_look(group: Group) -> bool:
    """Whether the noise of S depends on how large its entries are."""
    looked: list[bool] = []

    def look() -> tuple[float, float]:
        looked.append(True)
        return 1.0, 1.0

    for one in group.proximity.at_each_scale():
        one.noise(group.graph, Size(look))
    return bool(looked)
