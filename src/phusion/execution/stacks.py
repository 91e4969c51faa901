"""Thousands of small graphs: stacks of like size, each computed by few calls, in threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phusion.cautions import overheard
from phusion.errors import InputError
from phusion.execution.jobs import Done, Job
from phusion.execution.planning import is_small
from phusion.execution.resources import Resources
from phusion.execution.threads import Threads
from phusion.execution.writing import finished
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.stack import Stack, stacked_places
from phusion.nonlinearities.base import Nonlinearity
from phusion.proximities.base import Proximity
from phusion.proximities.stacked import StackedMatrix

__all__ = ["compute_stacks"]


def compute_stacks(job: Job, graphs: Sequence[Graph], seed: int, resources: Resources) -> list[Done | None]:
    """The job on every graph that can be computed together with others; None for the others."""
    found: list[Done | None] = [None] * len(graphs)
    if type(job.proximity).stacked is Proximity.stacked or not job.spec.embedding.structural:
        return found
    small = [place for place, graph in enumerate(graphs) if is_small(graph, [job.proximity], resources)]
    groups = stacked_places(graphs, small)
    total = sum(len(graphs[place]) ** 2 for place in small)
    stacks = [Stack(tuple(graphs[i] for i in places), max(len(graphs[i]) for i in places), total) for places in groups]
    results = Threads(resources.n_threads).map(_of_stack, [(job, stack, seed) for stack in stacks])
    for places, result in zip(groups, results, strict=True):
        for place, done in zip(places, result or [None] * len(places), strict=True):
            found[place] = done
    return found


def _of_stack(job: Job, stack: Stack, seed: int) -> list[Done] | None:
    """The job on each graph of a stack; None where something is to be said, which is then said of each graph alone."""
    with overheard() as said:
        try:
            matrices = job.proximity.stacked(stack, entrywise=job.entrywise)
            if matrices is None:
                return None
            blocks, shared = [], []
            for k, matrix in enumerate(matrices):
                rows, known = _of_scale(job, matrix, None if job.shared is None else job.shared[k], seed)
                blocks.append(rows)
                shared.append(known)
            values = blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=2)
            finished(job.spec, values.reshape(-1, values.shape[2]))
        except (InputError, np.linalg.LinAlgError):
            return None
    if said:
        return None
    known_by_graph = zip(*shared, strict=True)
    return [
        Done(rows[:n], list(known)) for rows, n, known in zip(values, stack.sizes.tolist(), known_by_graph, strict=True)
    ]


def _of_scale(job: Job, matrix: StackedMatrix, shared: Any, seed: int) -> tuple[Array, list[Any]]:
    """Rows of all nodes, g × m × width, and what ζ learned of each graph."""
    embedding, stack = job.spec.embedding, matrix.stack
    if not _unchanged(job.spec.nonlinearity):
        matrix = _mapped(job.spec.nonlinearity, matrix)
    known = [shared] * len(stack)
    if shared is None and embedding.learns:
        known = [embedding.learn(matrix.matrix(i)) for i in range(len(stack))]
    rows = embedding.stacked(matrix, shared)
    if rows is None:
        rows = np.zeros((len(stack), stack.width, embedding.width(stack.width)))
        for i, n in enumerate(stack.sizes.tolist()):
            rows[i, :n] = embedding.embed(matrix.matrix(i), known[i], seed)
    return rows, known


def _unchanged(nonlinearity: Nonlinearity) -> bool:
    return nonlinearity.name == "identity"


def _mapped(nonlinearity: Nonlinearity, matrix: StackedMatrix) -> StackedMatrix:
    """σ(S) of each graph, whose statistics are those of its own entries."""
    values = np.zeros_like(matrix.values)
    noises = {}
    for i, graph in enumerate(matrix.stack.graphs):
        one = nonlinearity.apply(matrix.matrix(i))
        values[i, : one.n, : one.n] = one.toarray()
        noises[id(graph)] = one.noise
    return StackedMatrix(matrix.stack, values, symmetric=matrix.symmetric, noise=lambda graph, _: noises[id(graph)])
