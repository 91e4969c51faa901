"""Node labels and attributes as numbers: the x in the Kronecker product y ⊗ x."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from phusion.errors import InputError, suggest
from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["AttributeColumns"]

LABELS = "labels"


@dataclass(frozen=True)
class AttributeColumns:
    """Which columns stand for which attribute: classes one column each, numbers as they are.

    Made from the graphs that are fitted, so that other graphs get the same columns.
    """

    classes: dict[str, tuple[Any, ...] | None]
    widths: dict[str, int]

    @classmethod
    def learn(cls, graphs: Sequence[Graph], names: Sequence[str]) -> AttributeColumns:
        """The columns of these attributes on these graphs."""
        classes: dict[str, tuple[Any, ...] | None] = {}
        widths: dict[str, int] = {}
        for name in names:
            found = [_values(graph, name) for graph in graphs]
            if all(_is_numeric(values) for values in found):
                sizes = {1 if values.ndim == 1 else values.shape[1] for values in found}
                if len(sizes) > 1:
                    raise InputError(f"attribute {name!r} has {sorted(sizes)} numbers per node in different graphs")
                classes[name], widths[name] = None, sizes.pop()
            else:
                seen = {item for values in found for entry in values.tolist() for item in _items(entry)}
                classes[name] = tuple(sorted(seen, key=lambda item: (type(item).__name__, item)))
                widths[name] = len(seen)
        return cls(classes, widths)

    @property
    def names(self) -> list[str]:
        """One for each column: ``label=3``, ``mass``, ``position0``."""
        result = []
        for name, classes in self.classes.items():
            if classes is not None:
                short = "label" if name == LABELS else name
                result += [f"{short}={item}" for item in classes]
            elif self.widths[name] == 1:
                result.append(name)
            else:
                result += [f"{name}{i}" for i in range(self.widths[name])]
        return result

    def encode(self, graph: Graph) -> tuple[Array, Array | None]:
        """One row for each node; apart, columns for classes that no fitted graph has, if there are any."""
        blocks = [self._block(graph, name) for name in self.classes]
        further = [extra for _, extra in blocks if extra is not None]
        return np.hstack([block for block, _ in blocks]), np.hstack(further) if further else None

    def _block(self, graph: Graph, name: str) -> tuple[Array, Array | None]:
        values, classes = _values(graph, name), self.classes[name]
        if classes is None:
            if not _is_numeric(values):
                raise InputError(f"attribute {name!r} was numbers when fitted; here it is {values.dtype}")
            return values.astype(np.float64).reshape(len(graph), -1), None
        entries = [_items(entry) for entry in values.tolist()]
        unseen = dict.fromkeys(item for items in entries for item in items if item not in classes)
        place = {item: i for i, item in enumerate((*classes, *unseen))}
        block = np.zeros((len(graph), len(place)))
        for row, items in enumerate(entries):
            block[row, [place[item] for item in items]] = 1.0
        return block[:, : len(classes)], block[:, len(classes) :] if unseen else None


def _values(graph: Graph, name: str) -> Array:
    """One entry per node: a number, a row of numbers, a class, or a tuple of classes."""
    if name == LABELS and graph.labels is not None:
        membership, classes = graph.labels.membership, graph.labels.classes.tolist()
        result = np.empty(len(graph), dtype=object)
        for row, entries in enumerate(np.split(membership.indices, membership.indptr[1:-1])):
            result[row] = tuple(classes[j] for j in entries)
        return result
    if name not in graph.attributes:
        known = [*graph.attributes, *([LABELS] if graph.labels is not None else [])]
        raise InputError(
            f"{_called(graph)} has no node attribute {name!r}."
            + (suggest(name, known) if known else " It has none, and no labels.")
        )
    values = _as_numbers(np.asarray(graph.attributes[name]))
    if values.dtype == object and any(not isinstance(entry, (str, int, bool)) for entry in values.tolist()):
        odd = next(entry for entry in values.tolist() if not isinstance(entry, (str, int, bool)))
        raise InputError(
            f"attribute {name!r} holds {odd!r}; every node needs a number, a list of numbers (all of one length) or a "
            "word. Fill missing values first"
        )
    if _is_numeric(values) and not np.isfinite(values.astype(np.float64)).all():
        raise InputError(f"attribute {name!r} has missing or infinite values; fill them first")
    return values


def _called(graph: Graph) -> str:
    return f"graph {graph.name!r}" if graph.name else f"a graph of {len(graph):,} nodes"


def _as_numbers(values: Array) -> Array:
    """Lists of numbers, all of one length, as rows; anything else as it is."""
    entries = values.tolist() if values.dtype == object else []
    if entries and all(isinstance(entry, (list, tuple, np.ndarray)) for entry in entries):
        with suppress(ValueError, TypeError):
            return np.array([list(entry) for entry in entries], dtype=np.float64)
    if entries and all(type(entry) in (int, float) for entry in entries):
        return np.array(entries, dtype=np.float64)
    return values


def _is_numeric(values: Array) -> bool:
    return values.dtype.kind in "iufb"


def _items(entry: Any) -> tuple[Any, ...]:
    return entry if isinstance(entry, tuple) else (entry,)
