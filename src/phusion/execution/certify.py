"""Exact columns of a few nodes: some choose how far the others are followed, and others measure what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.cautions import caution
from phusion.embeddings.characteristic import Characteristic
from phusion.errors import InputError
from phusion.execution.approximation import SECONDS_MULTIPLIED
from phusion.execution.explain import time_in_words
from phusion.execution.push_pull import PushPull
from phusion.execution.threads import Executor
from phusion.graph.ids import Array
from phusion.results.certificate import Certificate, ScaleErrors

__all__ = ["Drawn", "chosen_thresholds", "draw", "measured", "mention"]

_NONE = 1e30  # no entry is so large: none is followed, and moments tell everything
_ANGLES = (_NONE, *(1.2 * 10.0 ** (-0.25 * np.arange(27))))  # of the smallest entry followed, at the largest landmark
_MARGIN = 0.6  # of the target: others than those who chose must meet it
_WIDE = 0.5  # from this angle on, entries that are left out are not all small, and nodes differ more: half the margin
_SECONDS_READ = 8e-9  # for a stored entry read on the way, about
_PATIENCE = 60.0  # seconds that may be spent even where the exact way takes less


@dataclass(frozen=True)
class Drawn:
    """Nodes, the first half drawn evenly and the other by their degree."""

    nodes: Array

    @property
    def each(self) -> int:
        """How many of each kind."""
        return len(self.nodes) // 2

    def by_kind(self, values: Array) -> tuple[Array, Array]:
        """Values of the nodes drawn evenly, and of those drawn by degree."""
        return values[: self.each], values[self.each :]

    def worst(self, errors: Array) -> float:
        """The larger 95th percentile of the two kinds."""
        return float(max(np.percentile(each, 95) for each in self.by_kind(errors)))


def draw(degrees: Array, each: int, seed: int) -> tuple[Drawn, Drawn]:
    """Two samples without a node in common: one to choose by, one to measure with; `each` nodes of each kind.

    Where few nodes have neighbours, `each` is half of these, and they are drawn before the others.
    """
    random = np.random.default_rng((seed, 0xCE27))
    n, weights = len(degrees), np.asarray(degrees, np.float64)
    linked, each = int(np.count_nonzero(weights)), max(1, min(each, n // 4))
    each = min(each, max(1, linked // 2)) if linked else each
    even = random.choice(n, 2 * each, replace=False)
    if linked - np.count_nonzero(weights[even]) >= 2 * each:
        by_degree = _others(random, even, weights, 2 * each)
    else:
        by_degree = random.choice(n, 2 * each, replace=False, p=weights / weights.sum() if linked >= 2 * each else None)
        even = _others(random, by_degree, np.ones(n), 2 * each)
    return tuple(  # type: ignore[return-value]
        Drawn(np.concatenate([even[half::2], by_degree[half::2]])) for half in (0, 1)
    )


def _others(random: np.random.Generator, taken: Array, weights: Array, count: int) -> Array:
    """So many nodes but those taken, by weight."""
    left = np.setdiff1d(np.arange(len(weights)), taken)
    chosen: Array = random.choice(left, count, replace=False, p=weights[left] / weights[left].sum())
    return chosen


def errors_of(found: Array, exact: Array) -> Array:
    """‖n(φ̂ − 1) − n(φ − 1)‖ / ‖n(φ − 1)‖ for each row; 0 where both are 0."""
    size = np.linalg.norm(exact, axis=-1)
    away = np.linalg.norm(found - exact, axis=-1)
    relative: Array = np.divide(away, size, out=np.where(away > 0, np.inf, 0.0), where=size > 0)
    return relative


@dataclass(frozen=True)
class _Search:
    """One task: the largest threshold with which a scale is accurate enough on a sample."""

    sample: Drawn
    points: tuple[Array, ...]
    target: float
    most: float
    """Stored entries that may be read for a node."""

    def __call__(self, push: PushPull, k: int, exact: Array) -> tuple[float, float, float]:
        """Threshold, its error, and stored entries read for each node; the threshold is −1 if none will do."""
        points = self.points[k]
        error, work, scratch = np.inf, 0.0, push.scratch()
        for angle in (*_ANGLES, 0.0):
            if work > self.most or (angle == 0.0 and push.n > 10_000):
                break
            threshold = float(angle / np.abs(points).max())
            below, sines, worked = push.sums(k, self.sample.nodes, threshold, points, scratch)
            error = self.sample.worst(errors_of(np.hstack([-below, sines]), exact))
            work = float(self.sample.by_kind(worked)[0].mean())
            margin = _MARGIN / 2 if angle > _WIDE else _MARGIN
            if error <= margin * self.target and work <= self.most:
                return threshold, error, work
        return -1.0, error, work


def chosen_thresholds(
    push: PushPull,
    embedding: Characteristic,
    shared: Sequence[Any],
    sample: Drawn,
    exact: Array,
    names: Sequence[str],
    target: float,
    executor: Executor,
) -> list[float]:
    """A threshold for each scale; refused where none is accurate enough at a cost that makes sense."""
    points = tuple(embedding.points(known) for known in shared)
    walks = push.walks
    at_all = walks.entries * walks.degree() * SECONDS_MULTIPLIED + push.n * walks.count * 2e-8
    most = max(at_all, _PATIENCE / push.n) / _SECONDS_READ
    search = _Search(sample, points, target, most)
    tasks = [(k, exact[k]) for k in range(walks.count)]
    found = list(executor.map(search, tasks, 1.0, push))
    for name, (threshold, error, work) in zip(names, found, strict=True):
        if threshold < 0:
            raise InputError(
                f"{name} cannot be approximated to {target:g} on this graph: its entries spread so evenly over so many "
                f"nodes that following them to an error of {error:.2g} takes {work * push.n * _SECONDS_READ:,.0f} "
                f"CPU-seconds, and all columns exactly take about {time_in_words(at_all * push.n)} of them. "
                "Leave this scale out or take a smaller one, ask for less accuracy, or use accuracy='exact'"
            )
    return [threshold for threshold, _, _ in found]


def measured(
    found: Array, exact: Array, sample: Drawn, names: Sequence[str], thresholds: Sequence[float], target: float
) -> Certificate:
    """The certificate of n(φ − 1) as stored, scales × nodes × 2 landmarks, against exact columns of the same nodes."""
    scales = tuple(
        ScaleErrors.of(name, *sample.by_kind(errors), threshold, target)
        for name, errors, threshold in zip(names, errors_of(found, exact), thresholds, strict=True)
    )
    return Certificate(target, "push-pull", scales, sample.each, sample.each, 2 * sample.each)


def mention(certificate: Certificate) -> None:
    """Say which scales miss the target."""
    for each in certificate.missed:
        caution(
            f"{each.scale} misses the accuracy asked for: 95 of 100 held-out nodes have an error of n(φ − 1) up to"
            f" {each.worst:.2%}, and {certificate.target:.2%} was asked for. Ask for a smaller accuracy, such as "
            f"{certificate.target / 2:.1g}, leave this scale out, or use accuracy='exact'"
        )
