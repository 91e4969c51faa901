"""`GraphBatch`: many graphs and one label for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from phusion.errors import InputError
from phusion.graph.frozen import frozen
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.words import count

__all__ = ["GraphBatch"]


@dataclass(frozen=True, eq=False, repr=False)
class GraphBatch(Sequence[Graph]):
    """A frozen sequence of graphs. Made by `phusion.as_batch`.

    Parameters
    ----------
    graphs : the graphs, in the user's order; a slice of a batch is a batch.
    labels : one class per graph, or None.
    name : for messages and tables.
    notes : what was combined, guessed or ignored while reading, over all graphs.

    Examples
    --------
    >>> import phusion
    >>> batch = phusion.as_batch([[(0, 1)], [(0, 1), (1, 2)]], labels=["edge", "path"])
    >>> batch
    GraphBatch(2 graphs, 2.5 nodes and 1.5 edges on average, 2 classes)
    """

    graphs: tuple[Graph, ...]
    labels: Array | None = None
    name: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.graphs:
            raise InputError("a batch needs at least one graph; got none")
        if self.labels is not None and len(self.labels) != len(self.graphs):
            raise InputError(f"{len(self.graphs):,} graphs need as many labels; got {len(self.labels):,}")
        if self.labels is not None:
            object.__setattr__(self, "labels", frozen(np.asarray(self.labels)))

    def __len__(self) -> int:
        return len(self.graphs)

    @overload
    def __getitem__(self, index: int) -> Graph: ...
    @overload
    def __getitem__(self, index: slice) -> GraphBatch: ...
    def __getitem__(self, index: int | slice) -> Graph | GraphBatch:
        if isinstance(index, slice):
            labels = None if self.labels is None else self.labels[index]
            return GraphBatch(self.graphs[index], labels, self.name)
        return self.graphs[index]

    def __iter__(self) -> Iterator[Graph]:
        return iter(self.graphs)

    def __repr__(self) -> str:
        n = len(self)
        nodes, edges = self.n_nodes / n, self.n_edges / n
        parts = [
            count(n, "graph"),
            f"{nodes:.4g} nodes and {edges:.4g} edges on average",
        ]
        if self.labels is not None:
            parts.append(count(self.n_classes, "class"))
        name = f"{self.name!r}: " if self.name else ""
        return f"GraphBatch({name}{', '.join(parts)})"

    @property
    def n_classes(self) -> int:
        """Different labels among the graphs; 0 without labels."""
        return 0 if self.labels is None else len(np.unique(self.labels.astype(str), axis=0))

    @property
    def n_nodes(self) -> int:
        """Nodes of all graphs together."""
        return sum(len(graph) for graph in self.graphs)

    @property
    def n_edges(self) -> int:
        """Edges of all graphs together, self-loops included."""
        return sum(graph.n_edges for graph in self.graphs)
