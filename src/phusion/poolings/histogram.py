"""Histograms of node features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.linalg.bins import bin_places
from phusion.parameter import Bounds
from phusion.poolings.base import Nodes, Pooling

__all__ = ["Histogram"]


class Histogram(Pooling, name="histogram"):
    r"""For each feature, the share of the nodes in each bin.

    .. math:: f_{jb} = \frac{1}{n} |\{u : e_{jb} \le y_{uj} < e_{j,b+1}\}|

    Bins go evenly from the smallest to the largest value of the feature in the fitted graphs; what is outside counts in
    the outermost ones.

    Parameters
    ----------
    bins : number of bins for each feature.

    References
    ----------
    After Heimann et al., *Distribution of Node Embeddings as Multiresolution Features for Graphs*
    (RGM), ICDM 2019, with one resolution and a grid that follows the features.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> shared = (np.array([0.0]), np.array([4.0]))
    >>> pooling = phusion.poolings.Histogram(bins=2)
    >>> pooling.reduce(pooling.lift(np.array([[0.0], [1.0], [4.0], [9.0]]), shared), None)
    array([0.5, 0.5])
    """

    bins: Annotated[int, Bounds(ge=1, le=1_000_000)] = 10

    def learn(self, parts: Sequence[Nodes], seed: int) -> tuple[Array, Array]:
        """The smallest and largest value of each feature."""
        lows, highs = [part.values.min(axis=0) for part in parts], [part.values.max(axis=0) for part in parts]
        return np.min(lows, axis=0), np.max(highs, axis=0)

    def lift(self, values: Array, shared: Any) -> Array:
        """1 for the bin of each feature, 0 for its other bins."""
        low, high = shared
        columns = range(values.shape[1])
        places = [bin_places(values[:, j], float(low[j]), float(high[j]), self.bins) for j in columns]
        return np.hstack([np.eye(self.bins)[place] for place in places])

    def lifted_labels(self, features: Sequence[Feature], shared: Any) -> list[str]:
        """Feature and bin."""
        return [f"{feature.name}_bin{b}" for feature in features for b in range(self.bins)]
