"""`EmbeddingFunction` ζ: from σ(S) to one row for each node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from phusion.component import Component
from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Axis", "EmbeddingFunction", "oriented"]

Axis = Literal["columns", "rows"]


class EmbeddingFunction(Component, family="embeddings"):
    """An embedding function ζ. It alone decides whether nodes that are near or nodes that are alike get near rows."""

    structural: ClassVar[bool]
    """True: rows depend on the role of a node only, and are comparable between graphs."""

    random: ClassVar[bool] = False
    """Whether the seed matters."""
    libraries: ClassVar[tuple[str, ...]] = ()
    """Further libraries whose version matters."""

    @property
    def learns(self) -> bool:
        """Whether `learn` has something to say."""
        return False

    def check_size(self, n: int) -> None:
        """Refuse graphs of n nodes that are too small."""
        dim = getattr(self, "dim", None)
        if dim is not None and dim > n:
            raise InputError(f"{type(self).__name__} needs dim ≤ n; got dim={dim} for {n:,} nodes. Use dim={n} or less")

    def learn(self, matrix: ProximityMatrix) -> Any:
        """What other graphs must share with this one to be comparable, such as bin edges; None if nothing."""
        return None

    def combined(self, parts: Sequence[Any]) -> Any:
        """What was learned of several graphs one by one, as one."""
        return parts[0]

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, one row for each node."""
        raise NotImplementedError

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """A name for each column of Y."""
        return [f"{self.name}_{i}" for i in range(n_columns)]


def oriented(matrix: ProximityMatrix, axis: Axis) -> Array:
    """The entries with what belongs to a node in its column."""
    values = matrix.toarray()
    return np.ascontiguousarray(values.T) if axis == "rows" else values
