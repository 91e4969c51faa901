"""Histograms of proximities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from phusion.embeddings.base import Axis, Columns, EmbeddingFunction
from phusion.graph.ids import Array
from phusion.linalg.bins import bin_counts, bin_range
from phusion.parameter import Bounds
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["Histogram"]


class Histogram(EmbeddingFunction, name="histogram"):
    r"""How many of a node's proximities fall into each bin.

    .. math:: Y_{ub} = |\{v : e_b \le S_{vu} < e_{b+1}\}|, \quad e_0, \ldots, e_B \text{ evenly spaced}

    The last bin includes its upper edge. Values as near below an edge as rounding may move them count as on it, and
    values that are all equal but for rounding fall into one bin, so that rounding does not decide. Values outside the
    edges, as another graph may have, count in the outermost bins.

    Parameters
    ----------
    bins : number B of bins.
    edges : ``"common"`` bins from the smallest to the largest proximity of the graphs that were fitted, or ``"own"``
        bins of each node from its own smallest to its own largest, as sRDE.
    normalize : divide by n, so that graphs of different size compare; False counts.
    axis : ``"columns"`` S_vu, or ``"rows"`` S_uv as sRDE; the same for symmetric proximities.

    References
    ----------
    Heimann et al., *Structural Node Embedding in Signed Social Networks* (sRDE), Complex Networks 2020.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> phusion.embeddings.Histogram(bins=2).embed(DenseMatrix(np.array([[4.0, 0.0], [4.0, 3.0]]), symmetric=False))
    array([[0., 2.],
           [1., 1.]])
    """

    bins: Annotated[int, Bounds(ge=1, le=1_000_000)] = 128
    edges: Literal["common", "own"] = "common"
    normalize: bool = False
    axis: Axis = "columns"

    structural = True

    @property
    def entrywise(self) -> bool:
        """Within edges of its own a column is measured by its own entries, however small."""
        return self.edges == "own"

    @property
    def learns(self) -> bool:
        """Common edges are learned, own ones are not."""
        return self.edges == "common"

    def learn(self, matrix: ProximityMatrix) -> tuple[float, float] | None:
        """The smallest and largest proximity."""
        if not self.learns:
            return None
        found = matrix.extremes()
        return found.smallest, found.largest

    def combined(self, parts: Sequence[Any]) -> Any:
        """The smallest and largest of all."""
        return min(low for low, _ in parts), max(high for _, high in parts)

    def rows(self, columns: Columns, shared: Any) -> Array:
        """Counts, one for each bin."""
        values = columns.values()
        if self.edges == "own":
            low, high = values.min(axis=0), values.max(axis=0)
        else:
            low, high = (np.full(columns.width, end) for end in shared)
        counts: Array = bin_counts(values, low, high, self.bins, columns.noise)
        return counts / columns.n if self.normalize else counts

    def width(self, n: int) -> int:
        """One column per bin."""
        return self.bins

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Numbers from 0, with the lower edge where all nodes share it."""
        if shared is None:
            return [f"bin{b}" for b in range(self.bins)]
        low, high = bin_range(*shared)
        return [f"bin{b}_from{low + b * (high - low) / self.bins:.3g}" for b in range(self.bins)]
