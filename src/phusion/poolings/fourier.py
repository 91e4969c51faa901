"""Random Fourier features, then the mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.parameter import Count, Positive
from phusion.poolings.base import Nodes, Pooling, median_distance

__all__ = ["Fourier"]


class Fourier(Pooling, name="fourier"):
    r"""The mean of a random map whose inner products approach a Gaussian kernel between nodes.

    .. math:: f = \frac{1}{n} \sum_u \phi(y_u), \quad \phi(y) = \sqrt{2/D}\, \cos(W y + b), \quad
       \phi(y)^\top \phi(y') \approx e^{-\gamma \lVert y - y' \rVert^2}

    W is drawn from a normal distribution of variance 2γ, b evenly from [0, 2π].

    Parameters
    ----------
    features : number D of random features.
    gamma : γ > 0, or ``"auto"`` for 1 / (median distance between nodes of the fitted graphs)².

    References
    ----------
    Rahimi and Recht (2008); Zhang et al., RetGK, NeurIPS 2018 (RetGK II).

    Examples
    --------
    >>> import phusion
    >>> phusion.poolings.Fourier(features=50).features
    50
    """

    features: Count = 200
    gamma: Positive | Literal["auto"] = "auto"

    random = True

    def learn(self, parts: Sequence[Nodes], seed: int) -> tuple[Array, Array]:
        """W and b."""
        root = np.sqrt(self.gamma) if self.gamma != "auto" else 1.0 / median_distance([p.values for p in parts])
        return random_map(parts[0].values.shape[1], self.features, float(root), seed)

    def lift(self, values: Array, shared: Any) -> Array:
        """φ(y) of each row."""
        return fourier_features(values, shared)

    def lifted_labels(self, features: Sequence[Feature], shared: Any) -> list[str]:
        """Numbers from 0."""
        return [str(i) for i in range(self.features)]


def random_map(n_inputs: int, n_features: int, root: float, seed: int) -> tuple[Array, Array]:
    """W and b for a Gaussian kernel; of its γ the root is given, as γ of large rows is no number."""
    random = np.random.default_rng(seed)
    weights = random.normal(scale=np.sqrt(2.0) * root, size=(n_features, n_inputs))
    return weights, random.uniform(0.0, 2.0 * np.pi, n_features)


def fourier_features(values: Array, drawn: tuple[Array, Array]) -> Array:
    """√(2/D) cos(Wy + b) for each row y."""
    weights, offsets = drawn
    lifted: Array = np.sqrt(2.0 / len(offsets)) * np.cos(values @ weights.T + offsets)
    return lifted
