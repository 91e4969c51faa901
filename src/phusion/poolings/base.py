"""`Pooling` ρ: from the rows of a graph's nodes to one vector for the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar

import numpy as np

from phusion.cautions import caution
from phusion.component import Component
from phusion.errors import InputError
from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.graph.words import count

__all__ = ["Nodes", "Pooling", "median_distance", "unit_of"]

_SQUARED = 1e150  # the squares of larger numbers overflow


@dataclass(frozen=True)
class Nodes:
    """The nodes of one graph: rows Y of their embedding and, if asked for, rows X of their attributes."""

    values: Array
    attributes: Array | None = None
    unseen: Array | None = None
    """Further columns of attributes, for classes that no fitted graph has."""


class Pooling(Component, family="poolings"):
    """A pooling ρ: `lift` each row, take the Kronecker product with the node's attributes, `reduce` over nodes."""

    random: ClassVar[bool] = False
    """Whether the seed matters."""

    def __init_subclass__(cls, **facts: Any) -> None:
        for name in ("fit", "pool"):
            if name in vars(cls):
                setattr(cls, name, _checked(vars(cls)[name]))
        super().__init_subclass__(**facts)

    def learn(self, parts: Sequence[Nodes], seed: int) -> Any:
        """What graphs must share to be comparable, such as bandwidths; None if nothing."""
        return None

    def fit(self, parts: Sequence[Nodes], features: Sequence[Feature], seed: int) -> tuple[Any, Array]:
        """What is shared, and one vector for each of these graphs."""
        return _fit(self, parts, features, seed)  # type: ignore[no-any-return]

    def pool(self, part: Nodes, features: Sequence[Feature], shared: Any) -> Array:
        """One vector for the graph."""
        found: Array = _pool(self, part, features, shared)
        return found

    def mention_unseen(self, part: Nodes) -> None:
        """Say that some classes have no column."""
        if part.unseen is not None:
            caution(
                f"{count(part.unseen.shape[1], 'class')} of nodes did not occur in the fitted graphs: no column, so "
                "that such nodes count as having none"
            )

    def lift(self, values: Array, shared: Any) -> Array:
        """Another row for each node, from its own alone."""
        return values

    def reduce(self, lifted: Array, attributes: Array | None) -> Array:
        """One vector from all rows y_u ⊗ x_u; here their mean."""
        n = len(lifted)
        if attributes is None:
            return np.asarray(lifted.mean(axis=0))
        # the mean of y ⊗ x is the matrix YᵀX/n, row by row; the products need not be written out
        return np.asarray(lifted.T @ attributes / n).ravel()

    def lifted_labels(self, features: Sequence[Feature], shared: Any) -> list[str]:
        """A name for each column that `lift` makes."""
        return [feature.name for feature in features]

    def labels(self, features: Sequence[Feature], attributes: Sequence[str] | None, shared: Any) -> list[str]:
        """A name for each entry of the graph's vector."""
        names = [f"{self.name}_{label}" for label in self.lifted_labels(features, shared)]
        return names if attributes is None else [f"{name}_{attribute}" for name in names for attribute in attributes]


def _checked(function: Any) -> Any:
    """A way to pool whose numbers are finite: what overflows on the way is named, not warned."""

    @wraps(function)
    def checked(self: Pooling, *given: Any) -> Any:
        try:
            with np.errstate(over="ignore", invalid="raise"):  # ∞ is seen below; ∞ − ∞ may vanish in a comparison
                found = function(self, *given)
            rows = found[1] if isinstance(found, tuple) else found
            if np.isfinite(rows).all():
                return found
        except FloatingPointError:
            pass
        raise InputError(
            f"{self!r} overflows: rows of nodes are as large as {_largest(given[0]):.3g}. "
            "Divide the weights by their maximum, use smaller scales, or normalize='l2'"
        )

    return checked


def _largest(parts: Any) -> float:
    rows = [part.values for part in (parts if isinstance(parts, Sequence) else [parts])]
    return max((float(np.abs(each).max(initial=0.0)) for each in rows), default=0.0)


@_checked
def _fit(pooling: Pooling, parts: Sequence[Nodes], features: Sequence[Feature], seed: int) -> Any:
    shared = pooling.learn(parts, seed)
    return shared, np.array([pooling.pool(part, features, shared) for part in parts])


@_checked
def _pool(pooling: Pooling, part: Nodes, features: Sequence[Feature], shared: Any) -> Any:
    pooling.mention_unseen(part)
    return pooling.reduce(pooling.lift(part.values, shared), part.attributes)


def median_distance(parts: Sequence[Array]) -> float:
    """The median Euclidean distance between rows, of at most 2,000 of them; 1 if it is 0.

    The rows are chosen by their rank, not by their place, so that the order of nodes does not matter.
    """
    from scipy.spatial.distance import pdist

    rows = np.vstack(parts)
    if len(rows) > 2_000:
        rows = rows[np.lexsort(np.round(rows, 9).T)][np.linspace(0, len(rows) - 1, 2_000).astype(np.int64)]
    unit = unit_of(rows)
    distances = pdist(rows / unit)
    middle = unit * float(np.median(distances)) if distances.size else 0.0
    return middle if middle > 1e-12 else 1.0


def unit_of(*rows: Array) -> float:
    """What to divide rows by so that squares of them are numbers: 1 as a rule, else a power of 2."""
    largest = max(float(np.abs(each).max(initial=0.0)) for each in rows)
    return 1.0 if largest < _SQUARED else 2.0 ** (np.frexp(largest)[1] - 1)
