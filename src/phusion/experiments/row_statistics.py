"""Sum, variance and entropy of each row of σ(S): what the paper's appendix looks at before any embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.embeddings.base import Axis, Columns, EmbeddingFunction
from phusion.graph.ids import Array

__all__ = ["RowStatistics"]


class RowStatistics(EmbeddingFunction, name="row_statistics", offered=False):
    r"""How much proximity a node has in all, how unevenly it is spread, and over how many others.

    .. math:: \sum_v S_{uv}, \quad \mathrm{Var}_v S_{uv}, \quad
       -\sum_v p_v \log p_v, \; p_v = |S_{uv}| / \sum_w |S_{uw}|

    References
    ----------
    PhUSION, appendix E.
    """

    axis: Axis = "rows"

    structural = True
    reads_noise = False

    def rows(self, columns: Columns, shared: Any) -> Array:
        """Three numbers for each node."""
        values = columns.values()
        sizes = np.abs(values)
        totals = sizes.sum(axis=0)
        shares = np.divide(sizes, totals, out=np.zeros_like(sizes), where=totals > 0)
        logarithms = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
        return np.column_stack([values.sum(axis=0), values.var(axis=0), -(shares * logarithms).sum(axis=0)])

    def width(self, n: int) -> int:
        """Three."""
        return 3

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Their names."""
        return ["sum", "variance", "entropy"]
