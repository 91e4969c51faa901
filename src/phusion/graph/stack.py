"""`Stack`: small graphs of like size side by side, so that one call of numpy serves them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from phusion.graph.combine import entry_rows
from phusion.graph.graph import Graph
from phusion.graph.ids import Array

__all__ = ["Stack", "stacked_places"]

_ENTRIES = 2**18  # of one stack's matrix: 2 MB, so that all of its scales stay in a processor's cache
_ROWS = 2**13  # of one stack: hundreds of scales of it take some 10 MB
_SPREAD = 1.1  # the largest graph of a stack to its smallest: padding costs at most a third more


@dataclass(frozen=True, eq=False)
class Stack:
    """Graphs of one direction and sign, each padded with isolated nodes to the same number of nodes.

    Parameters
    ----------
    graphs : the graphs, of at most `width` nodes.
    width : nodes of each after padding.
    total : entries of all matrices of all stacks that are computed together, which tells whether loading machine code
        pays.
    """

    graphs: tuple[Graph, ...]
    width: int
    total: int = 0

    def __len__(self) -> int:
        return len(self.graphs)

    @cached_property
    def sizes(self) -> Array:
        """Nodes of each graph, without the padding."""
        return np.array([len(graph) for graph in self.graphs])

    @cached_property
    def union(self) -> Graph:
        """All of them as one graph, whose degrees, components and matrices are those of each."""
        m = self.width
        indptr, indices, data = zip(*(graph.arrays for graph in self.graphs), strict=True)
        degrees = np.zeros((len(self), m), dtype=np.int64)
        for i, each in enumerate(indptr):
            degrees[i, : len(each) - 1] = np.diff(each)
        shifts = np.repeat(m * np.arange(len(self)), [len(each) for each in indices])
        starts = np.concatenate([[0], np.cumsum(degrees.ravel())])
        n = len(self) * m
        matrix = sparse.csr_array((np.concatenate(data), np.concatenate(indices) + shifts, starts), shape=(n, n))
        return Graph(matrix, np.arange(n), directed=self.graphs[0].directed)

    def blocks(self, matrix: Any) -> Array:
        """The diagonal blocks of a sparse matrix over the nodes of the union, written out."""
        values = np.zeros((len(self) * self.width, self.width))
        values[entry_rows(matrix), matrix.indices % self.width] = matrix.data
        return values.reshape(len(self), self.width, self.width)

    def by_node(self, numbers: Array) -> Array:
        """One number for each node of the union, as one row for each graph."""
        return numbers.reshape(len(self), self.width)

    @cached_property
    def n_components(self) -> Array:
        """Components of each graph, every node of the padding counting as one."""
        numbers = self.by_node(self.union.components)  # in order of appearance, so each graph has a range of them
        found: Array = numbers.max(axis=1) - numbers.min(axis=1) + 1
        return found

    @cached_property
    def apart(self) -> Array | None:
        """Where two nodes are of different components, or one is padding; None if that is nowhere."""
        if (self.n_components == 1).all():
            return None
        numbers = self.by_node(self.union.components)
        different: Array = numbers[:, :, None] != numbers[:, None, :]
        return different


def stacked_places(graphs: Sequence[Graph], places: Sequence[int]) -> list[list[int]]:
    """Which of the graphs at these places are stacked together: those of like size, direction and sign."""
    kinds: dict[tuple[bool, bool], list[int]] = {}
    for place in places:
        kinds.setdefault((graphs[place].directed, graphs[place].signed), []).append(place)
    found: list[list[int]] = []
    for kind in kinds.values():
        width = 0
        for place in sorted(kind, key=lambda place: -len(graphs[place])):
            size = len(graphs[place])
            full = width and len(found[-1]) >= min(_ENTRIES // (width * width), _ROWS // width)
            if full or not width or width > _SPREAD * size + 1:
                found.append([])
                width = size
            found[-1].append(place)
    return found
