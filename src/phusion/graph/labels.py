"""Node labels: one class, several or none per node."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from phusion.errors import InputError, InputTypeError
from phusion.graph.frozen import FreshField, frozen, frozen_matrix
from phusion.graph.ids import Array, object_array

__all__ = ["Labels", "is_missing"]


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """Which node belongs to which class; single- and multi-label alike.

    Parameters
    ----------
    classes : the k class names, sorted where they can be.
    membership : n × k sparse boolean matrix; a row may have none, one or several.
    """

    classes: Array
    membership: Any = FreshField()  # noqa: RUF009 - a descriptor, not a default

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", frozen(self.classes))
        object.__setattr__(self, "membership", frozen_matrix(sparse.csr_array(self.membership, dtype=bool, copy=True)))

    @classmethod
    def from_pairs(cls, n_nodes: int, positions: Sequence[int] | Array, names: Iterable[Any]) -> Labels:
        """From (node position, class) pairs; a node may occur in none, one or several."""
        values = list(names)
        distinct = list(dict.fromkeys(values))
        with suppress(TypeError):  # classes of mixed type keep the order of their first appearance
            distinct.sort()
        column = {value: i for i, value in enumerate(distinct)}
        entries = np.ones(len(values), dtype=np.int64)
        columns = np.fromiter((column[v] for v in values), dtype=np.int64, count=len(values))
        matrix = sparse.coo_array(
            (entries, (np.asarray(positions, dtype=np.int64), columns)), shape=(n_nodes, len(distinct))
        ).tocsr()
        return cls(_native(distinct), matrix.astype(bool))

    @classmethod
    def from_values(cls, values: Iterable[Any]) -> Labels:
        """One entry per node: a class, None (or NaN) for unlabelled, or a list / set / tuple of classes.

        >>> Labels.from_values(["a", None, ["a", "b"]]).counts
        {'a': 2, 'b': 1}
        """
        positions: list[int] = []
        names: list[Any] = []
        n_nodes = 0
        for position, value in enumerate(values):
            n_nodes += 1
            for name in value if isinstance(value, (list, tuple, set, frozenset, np.ndarray)) else (value,):
                if is_missing(name):
                    continue
                if not isinstance(name, Hashable):
                    raise InputTypeError(f"a label is a number or a word; got {name!r}")
                positions.append(position)
                names.append(name.item() if isinstance(name, np.generic) else name)
        return cls.from_pairs(n_nodes, positions, names)

    def __len__(self) -> int:
        return int(self.membership.shape[0])

    def __repr__(self) -> str:
        kind = "multi-label" if self.multi else "one per node"
        missing = len(self) - self.n_labelled
        gap = f", {missing:,} nodes without" if missing else ""
        return f"Labels({len(self.classes)} classes, {kind}{gap})"

    @cached_property
    def per_node(self) -> Array:
        """How many classes each node has."""
        counts: Array = np.diff(self.membership.indptr)
        return counts

    @property
    def multi(self) -> bool:
        """Whether some node has more than one class."""
        return bool((self.per_node > 1).any())

    @property
    def n_labelled(self) -> int:
        """How many nodes have a class at all."""
        return int((self.per_node > 0).sum())

    @property
    def counts(self) -> dict[Any, int]:
        """Nodes per class."""
        sizes = np.bincount(self.membership.indices, minlength=len(self.classes))
        return dict(zip(self.classes.tolist(), sizes.tolist(), strict=True))

    @cached_property
    def values(self) -> Array:
        """The class of each node, None where it has none; only if no node has several."""
        if self.multi:
            raise InputError("some nodes have several labels; use labels.membership instead of labels.values")
        result = np.full(len(self), None, dtype=object)
        result[self.per_node == 1] = object_array(self.classes.tolist())[self.membership.indices]
        return result

    def take(self, positions: Array) -> Labels:
        """The labels of these nodes, in this order; classes stay."""
        return Labels(self.classes, self.membership[positions])


def is_missing(value: Any) -> bool:
    """None, NaN, and pandas' own nothings."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _native(values: list[Any]) -> Array:
    """Integers and strings as native arrays where all agree, anything else as objects."""
    array = np.array(values) if len({type(value) for value in values}) == 1 else None
    return array if array is not None and array.dtype.kind in "iuUb" else object_array(values)
