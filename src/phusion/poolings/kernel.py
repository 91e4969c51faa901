"""Kernels between graphs, as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist

from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.parameter import Positive
from phusion.poolings.base import Nodes, Pooling, median_distance

__all__ = ["Kernel"]


@dataclass(frozen=True)
class _Fitted:
    """The nodes of all fitted graphs, one below the other, and the bandwidths."""

    values: Array
    attributes: Array | None
    starts: Array
    sizes: Array
    norms: Array
    gamma: float
    outer_gamma: float


class Kernel(Pooling, name="kernel"):
    r"""The similarity of a graph to each fitted graph: a kernel matrix for ``SVC(kernel="precomputed")``.

    .. math:: \langle \mu_G, \mu_H \rangle = \frac{1}{n_G n_H} \sum_{u \in G} \sum_{v \in H} k(y_u, y_v)\,
       \langle x_u, x_v \rangle, \quad f_H(G) = \kappa(\lVert \mu_G - \mu_H \rVert)

    Graphs are compared by their whole distribution of nodes (maximum mean discrepancy). Without attributes ⟨x, x⟩ is 1;
    with labels it is 1 for equal labels, else 0.

    Parameters
    ----------
    inner : k between nodes: ``"gaussian"`` e^{−γd²}, ``"laplace"`` e^{−γd}, or ``"linear"``.
    outer : κ between graphs: the same three, of their distance; ``"linear"`` gives ⟨μ_G, μ_H⟩ itself.
    gamma : γ of the inner kernel; ``"auto"`` takes the median distance m between fitted nodes: 1/m² or 1/m.
    outer_gamma : γ of the outer kernel; ``"auto"`` takes the median distance between fitted graphs.

    References
    ----------
    Zhang et al., RetGK, NeurIPS 2018, section 4.1 (RetGK I).

    Examples
    --------
    >>> import phusion
    >>> phusion.poolings.Kernel(outer="laplace")
    Kernel(outer='laplace')
    """

    inner: Literal["gaussian", "laplace", "linear"] = "gaussian"
    outer: Literal["gaussian", "laplace", "linear"] = "gaussian"
    gamma: Positive | Literal["auto"] = "auto"
    outer_gamma: Positive | Literal["auto"] = "auto"

    def learn(self, parts: Sequence[Nodes], seed: int) -> _Fitted:
        """Keep all nodes, and find the bandwidths."""
        sizes = np.array([len(part.values) for part in parts])
        values = np.vstack([part.values for part in parts])
        attributes = None if parts[0].attributes is None else np.vstack([part.attributes for part in parts])  # type: ignore[misc]
        gamma = self._gamma([part.values for part in parts])
        fitted = _Fitted(values, attributes, np.cumsum(sizes) - sizes, sizes, np.empty(0), gamma, 1.0)
        products = np.array([self._products(part, fitted) for part in parts])
        norms = products.diagonal().copy()
        return _Fitted(values, attributes, fitted.starts, sizes, norms, gamma, self._outer_gamma(products, norms))

    def pool(self, part: Nodes, features: Sequence[Feature], shared: Any) -> Array:
        """The kernel with each fitted graph."""
        products = self._products(part, shared)
        if self.outer == "linear":
            return products
        own = Nodes(part.values, part.attributes)
        alone = _Fitted(part.values, part.attributes, np.array([0]), np.array([len(part.values)]), shared.norms,
                        shared.gamma, 1.0)  # fmt: skip
        squared = self._products(own, alone)[0] + shared.norms - 2.0 * products
        return _kernel(np.sqrt(np.maximum(squared, 0.0)), self.outer, shared.outer_gamma)

    def labels(self, features: Sequence[Feature], attributes: Sequence[str] | None, shared: Any) -> list[str]:
        """One name for each fitted graph."""
        return [f"kernel_graph{i}" for i in range(len(shared.sizes))]

    def _products(self, part: Nodes, fitted: _Fitted) -> Array:
        """⟨μ_G, μ_H⟩ with every fitted graph H."""
        if self.inner == "linear":
            similar = part.values @ fitted.values.T
        else:
            similar = _kernel(cdist(part.values, fitted.values), self.inner, fitted.gamma)
        if part.attributes is not None and fitted.attributes is not None:
            similar = similar * (part.attributes @ fitted.attributes.T)
        sums = np.add.reduceat(similar.sum(axis=0), fitted.starts)
        return np.asarray(sums / (len(part.values) * fitted.sizes))

    def _gamma(self, values: Sequence[Array]) -> float:
        if self.gamma != "auto":
            return float(self.gamma)
        return median_distance(values) ** (-2 if self.inner == "gaussian" else -1)

    def _outer_gamma(self, products: Array, norms: Array) -> float:
        if self.outer_gamma != "auto":
            return float(self.outer_gamma)
        squared = np.maximum(norms[:, None] + norms - 2.0 * products, 0.0)[np.triu_indices(len(norms), 1)]
        middle = float(np.median(np.sqrt(squared))) if squared.size else 0.0
        middle = middle if middle > 1e-12 else 1.0
        return middle ** (-2 if self.outer == "gaussian" else -1)


def _kernel(distances: Array, name: str, gamma: float) -> Array:
    values: Array = np.exp(-gamma * (distances**2 if name == "gaussian" else distances))
    return values
