"""Kernels between graphs, as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist

from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.parameter import Positive
from phusion.poolings.base import Nodes, Pooling, median_distance, unit_of

__all__ = ["Kernel"]


@dataclass(frozen=True)
class _Fitted:
    """The nodes of all fitted graphs, one below the other, and by what distances are multiplied in the kernels."""

    values: Array
    attributes: Array | None
    starts: Array
    sizes: Array
    norms: Array
    root: float
    outer_root: float


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
    Zhang et al., RetGK, NeurIPS 2018 (RetGK I).

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

    def fit(self, parts: Sequence[Nodes], features: Sequence[Feature], seed: int) -> tuple[Any, Array]:
        """The fitted graphs and their own kernel matrix, each pair of graphs compared once."""
        sizes = np.array([len(part.values) for part in parts])
        values = np.vstack([part.values for part in parts])
        attributes = None if parts[0].attributes is None else np.vstack([part.attributes for part in parts])  # type: ignore[misc]
        root = self._root([part.values for part in parts])
        fitted = _Fitted(values, attributes, np.cumsum(sizes) - sizes, sizes, np.empty(0), root, 1.0)
        products = np.array([self._products(part, fitted) for part in parts])
        products = (products + products.T) / 2
        norms = products.diagonal().copy()
        fitted = replace(fitted, norms=norms, outer_root=self._outer_root(products, norms))
        return fitted, self._compared(products, norms[:, None], fitted)

    def pool(self, part: Nodes, features: Sequence[Feature], shared: Any) -> Array:
        """The kernel with each fitted graph."""
        columns = [block for block in (part.attributes, part.unseen) if block is not None]
        own = np.hstack(columns) if columns else None
        alone = replace(
            shared, values=part.values, attributes=own, starts=np.array([0]), sizes=np.array([len(part.values)])
        )
        norm = self._products(Nodes(part.values, own), alone)[0]
        return self._compared(self._products(part, shared), norm, shared)

    def _compared(self, products: Array, norm: Any, fitted: _Fitted) -> Array:
        """κ of the distances, from inner products and squared lengths."""
        if self.outer == "linear":
            return products
        squared = _squared(norm, fitted.norms, products)
        return _kernel(squared, self.outer, fitted.outer_root)

    def labels(self, features: Sequence[Feature], attributes: Sequence[str] | None, shared: Any) -> list[str]:
        """One name for each fitted graph."""
        return [f"kernel_graph{i}" for i in range(len(shared.sizes))]

    def _products(self, part: Nodes, fitted: _Fitted) -> Array:
        """⟨μ_G, μ_H⟩ with every fitted graph H."""
        if self.inner == "linear":
            similar = part.values @ fitted.values.T
        else:
            unit = unit_of(part.values, fitted.values)
            squared = cdist(part.values / unit, fitted.values / unit, "sqeuclidean")
            similar = _kernel(squared, self.inner, fitted.root * unit)
        if part.attributes is not None and fitted.attributes is not None:
            similar = similar * (part.attributes @ fitted.attributes.T)
        sums = np.add.reduceat(similar.sum(axis=0), fitted.starts)
        return np.asarray(sums / (len(part.values) * fitted.sizes))

    def _root(self, values: Sequence[Array]) -> float:
        if self.inner == "linear":
            return 1.0
        return 1.0 / median_distance(values) if self.gamma == "auto" else _root_of(self.gamma, self.inner)

    def _outer_root(self, products: Array, norms: Array) -> float:
        if self.outer_gamma != "auto":
            return _root_of(self.outer_gamma, self.outer)
        squared = _squared(norms[:, None], norms, products)[np.triu_indices(len(norms), 1)]
        middle = float(np.median(np.sqrt(squared))) if squared.size else 0.0
        return 1.0 / middle if middle > 1e-12 else 1.0


def _root_of(gamma: Any, name: str) -> float:
    """What distances are multiplied by; γ of large ones would be no number, its root is."""
    return float(np.sqrt(gamma) if name == "gaussian" else gamma)


def _kernel(squared: Array, name: str, root: float) -> Array:
    """The kernel of squared distances."""
    values: Array = np.exp(-(root**2 * squared if name == "gaussian" else root * np.sqrt(squared)))
    return values


def _squared(norm: Any, norms: Array, products: Array) -> Array:
    """Squared distances; those that are rounding are 0, as a square root would make them large."""
    sizes = norm + norms
    squared = sizes - 2.0 * products
    return np.where(squared <= 1e-13 * sizes, 0.0, squared)  # what is no number stays none
