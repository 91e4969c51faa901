"""`EmbeddingFunction` ζ: from σ(S) to one row for each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from phusion.component import Component
from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map
from phusion.proximities.matrix import Mass, ProximityMatrix
from phusion.proximities.stacked import StackedMatrix

__all__ = ["Axis", "Columns", "EmbeddingFunction"]

_ENTRIES = 2**22  # at a time

Axis = Literal["columns", "rows"]


class Columns:
    """Some columns of σ(S): those of a node and the nodes after it.

    Parameters
    ----------
    raw : columns of S, an array or a sparse one.
    start : number of the first node.
    noise : rounding noise of σ(S).
    mapping : σ; None if `raw` is σ(S) already.
    """

    def __init__(self, raw: Any, start: int, noise: float, mapping: Map | None = None) -> None:
        self.n, self.width = raw.shape
        self.start = start
        self.noise = noise
        self._raw = raw
        self._map = mapping

    def values(self) -> Array:
        """All entries, n × width."""
        raw = self._raw if isinstance(self._raw, np.ndarray) else self._raw.toarray()
        return raw if self._map is None else self._map(raw)

    def ones(self) -> Array | None:
        """How many ones each column has, where all other entries are 0 and that is known beforehand; else None."""
        if self._map is None or self._map.limit is None:
            return None
        limit = self._map.limit
        if isinstance(self._raw, np.ndarray):
            return np.asarray(np.count_nonzero(self._raw > limit, axis=0))
        above = np.concatenate([[0], np.cumsum(self._raw.data > limit)])[self._raw.indptr]
        zeros = self.n - np.diff(self._raw.indptr) if limit < 0 else 0
        return np.asarray(np.diff(above) + zeros)

    def stored(self) -> list[Array] | None:
        """The entries of each column that are not 0, where columns are sparse and zeros stay zeros; else None."""
        if isinstance(self._raw, np.ndarray) or (self._map is not None and self._map(np.zeros(1))[0] != 0):
            return None
        data = self._raw.data if self._map is None else self._map(self._raw.data)
        return np.split(data, self._raw.indptr[1:-1])

    def stored_together(self) -> tuple[Array, Array] | None:
        """The same, of all columns one after the other, and where each begins and ends."""
        if isinstance(self._raw, np.ndarray) or (self._map is not None and self._map(np.zeros(1))[0] != 0):
            return None
        return self._raw.data if self._map is None else self._map(self._raw.data), self._raw.indptr

    def masses(self) -> list[Mass]:
        """How large each column's entries are, beside each node's own."""
        if self.stored() is not None:
            return self._sparse_masses()
        found: list[Mass] = []
        step = max(1, _ENTRIES // 4 // max(1, self.n))
        values = self.values()
        for first in range(0, self.width, step):
            magnitudes = np.abs(values[:, first : first + step])
            places = np.arange(magnitudes.shape[1])
            magnitudes[self.start + first + places, places] = 0.0
            found += Mass.of_columns(magnitudes)
        return found

    def _sparse_masses(self) -> list[Mass]:
        places = np.repeat(np.arange(self.width), np.diff(self._raw.indptr))
        data = np.abs(self._raw.data if self._map is None else self._map(self._raw.data)).astype(np.float64)
        data[self._raw.indices == self.start + places] = 0.0
        largest = np.zeros(self.width)
        np.maximum.at(largest, places, data)
        data /= np.where(largest > 0, largest, 1.0)[places]
        sums = [np.bincount(places, each, self.width).tolist() for each in (data, data**2)]
        return [Mass(*each) for each in zip(largest.tolist(), *sums, strict=True)]

    def diagonal(self) -> Array:
        """Each node's entry in its own column."""
        own = np.arange(self.start, self.start + self.width), np.arange(self.width)
        raw = self._raw if isinstance(self._raw, np.ndarray) else self._raw.tocsr()
        found = np.asarray(raw[own]).ravel()
        return found if self._map is None else self._map(found)


class EmbeddingFunction(Component, family="embeddings"):
    """An embedding function ζ. It alone decides whether nodes that are near or nodes that are alike get near rows."""

    structural: ClassVar[bool]
    """True: rows depend on the role of a node only, and are comparable between graphs."""

    random: ClassVar[bool] = False
    """Whether the seed matters."""
    libraries: ClassVar[tuple[str, ...]] = ()
    """Further libraries whose version matters."""

    axis: Axis = "columns"
    diagonal_only: ClassVar[bool] = False
    """Whether nothing but the diagonal of σ(S) matters."""
    reads_noise: ClassVar[bool] = True
    """Whether it looks at how far rounding may move an entry, which may take a pass over the matrix to tell."""

    @property
    def by_node(self) -> bool:
        """Whether a node's own column of σ(S) is all its row depends on, so that `rows` can be asked."""
        return type(self).rows is not EmbeddingFunction.rows

    @property
    def entrywise(self) -> bool:
        """Whether small entries matter by their own size, beside large ones elsewhere."""
        return False

    @property
    def learns(self) -> bool:
        """Whether `learn` has something to say."""
        return False

    @property
    def weighs(self) -> bool:
        """Whether `learn` asks how large the entries of σ(S) are, which takes a pass of its own."""
        return False

    def check_size(self, n: int) -> None:
        """Refuse graphs of n nodes that are too small."""
        dim = getattr(self, "dim", None)
        if dim is not None and dim > n:
            raise InputError(
                f"{type(self).__name__} needs dim ≤ n; got dim={dim} for {n:,} nodes. "
                f"Use dim={n} or less (--set dim={n})"
            )

    def learn(self, matrix: ProximityMatrix) -> Any:
        """What other graphs must share with this one to be comparable, such as bin edges; None if nothing."""
        return None

    def combined(self, parts: Sequence[Any]) -> Any:
        """What was learned of several graphs one by one, as one."""
        return parts[0]

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, one row for each node. Here of a function that looks at one node at a time."""
        shared = self.learn(matrix) if shared is None else shared
        values = matrix.toarray().T if self.axis == "rows" else matrix.toarray()
        width = max(1, _ENTRIES // max(1, matrix.n))
        blocks = [
            self.rows(Columns(values[:, start : start + width], start, matrix.noise), shared)
            for start in range(0, matrix.n, width)
        ]
        return np.vstack(blocks)

    def stacked(self, matrix: StackedMatrix, shared: Any) -> Array | None:
        """Y of many small graphs at once, g × m × width; None if there is no such way.

        `shared` is what they all share; None where each graph has learned its own.
        """
        return None

    def rows(self, columns: Columns, shared: Any) -> Array:
        """The rows of some nodes from their columns of σ(S), where these are all it takes."""
        raise NotImplementedError

    def width(self, n: int) -> int:
        """How many columns Y has at one scale."""
        raise NotImplementedError

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """A name for each column of Y."""
        return [f"{self.name}_{i}" for i in range(n_columns)]
