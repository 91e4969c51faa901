"""The components as the paper's authors computed them, mistakes included, for the published profile alone.

The printed numbers come from these and not from the paper's formulas. They resolve by name, so that studies can ask for
them, but are offered nowhere. What each does differently stands in its docstring; docs/paper says what it changes.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map, Nonlinearity
from phusion.nonlinearities.log import Log
from phusion.parameter import Bounds, Count, Counts, Positive, Positives
from phusion.proximities.base import Kinds, No, Proximity
from phusion.proximities.fabp import Fabp
from phusion.proximities.matrix import ProximityMatrix, Size

__all__ = [
    "PublishedBinarize",
    "PublishedFabp",
    "PublishedHeat",
    "PublishedLog",
    "PublishedPpmi",
    "PublishedTwoSteps",
    "PublishedWalkPower",
]

_NOTHING = 1e-18  # terms of a polynomial that no entry could show
_UNDIRECTED = Kinds(directed=No("the published code symmetrises"), signed=No("the published code takes no signs"))


class PublishedHeat(Proximity, name="published_heat", scale="scale", symbol="s", offered=False):
    r"""Heat by a polynomial of order 30 at every scale, and small entries set to 0.

    .. math:: S = \sum_{k=0}^{30} c_k T_k(\mathcal{L} - I), \quad S_{ij} = 0 \text{ where } S_{ij} \le 10^{-4}/n

    At s = 100 the polynomial is off by 5.6e-3.

    Parameters
    ----------
    scale : how long heat flows.
    order : of the polynomial.

    References
    ----------
    The code of GraphWave, which the paper's uses.
    """

    scale: Positive | Positives = 1.0
    order: Count = 30

    symmetric = True
    kinds = _UNDIRECTED

    def dense(self, graph: Graph) -> Array:
        """The polynomial, by its recurrence."""
        n = len(graph)
        step = -graph.normalized_adjacency  # 𝓛 − I
        before, now = np.eye(n), step.toarray()
        weights = _interpolated(float(self.scale), self.order)  # type: ignore[arg-type]
        total = weights[0] * before + weights[1] * now
        left = np.cumsum(np.abs(weights[::-1]))[::-1]
        for weight in weights[2:][left[2:] > _NOTHING]:
            before, now = now, 2.0 * (step @ now) - before
            total += weight * now
        total[total <= 1e-4 / n] = 0.0
        return np.asarray(total)

    def noise(self, graph: Graph, size: Size) -> float:
        """The published code knows of none."""
        return 0.0


def _interpolated(scale: float, order: int) -> Array:
    """Coefficients of e^{−s(x+1)} from its values at `order` Chebyshev points."""
    angles = (2.0 * np.arange(1, order + 1) - 1.0) / (2.0 * order) * np.pi
    values = np.exp(-scale * (np.cos(angles) + 1.0))
    found: Array = 2.0 / order * (np.cos(np.outer(np.arange(order + 1), angles)) @ values)
    found[0] /= 2.0
    return found


class PublishedWalkPower(Proximity, name="published_walk_power", scale="order", symbol="k", offered=False):
    r"""Powers of D^{+½} A, which is not a random walk: the square root of the degrees has the wrong sign.

    .. math:: S = (D^{\frac12} A)^k

    Parameters
    ----------
    order : the power k.

    References
    ----------
    The paper's code.
    """

    order: Count | Counts = 2

    kinds = _UNDIRECTED

    def dense(self, graph: Graph) -> Array:
        """The power."""
        step = sparse.diags_array(np.sqrt(graph.degrees)) @ graph.adjacency
        values: Array = step.toarray()
        for _ in range(int(self.order) - 1):  # type: ignore[arg-type]
            values = step @ values
        return values


class PublishedTwoSteps(Proximity, name="published_two_steps", offered=False):
    r"""One step and half of two, which stands for A² in the table of positional embeddings.

    .. math:: S = A + \frac12 A^2

    References
    ----------
    The paper's code, where it is one of two functions for A²; only this one gives the printed numbers.
    """

    symmetric = True
    kinds = _UNDIRECTED

    def dense(self, graph: Graph) -> Array:
        """The sum."""
        step = graph.adjacency
        values: Array = (step + 0.5 * (step @ step)).toarray()
        return values


class PublishedPpmi(Proximity, name="published_ppmi", offered=False):
    r"""PPMI without self-loops in A and D, which vol counts all the same.

    .. math:: S = \frac{\mathrm{vol}}{bT} \Big(\sum_{r=1}^{T} R^r\Big) D^{-1}

    Parameters
    ----------
    window : length T of the window.
    negative : number b of negative samples.

    References
    ----------
    The paper's code.
    """

    window: Count = 10
    negative: Positive = 1.0

    symmetric = True
    against_chance = True
    kinds = _UNDIRECTED

    def dense(self, graph: Graph) -> Array:
        """The sum of powers."""
        loops = graph.adjacency.diagonal()
        bare = sparse.csr_array(graph.adjacency - sparse.diags_array(loops))
        degrees = bare.sum(axis=1)
        inverse = np.divide(1.0, degrees, out=np.zeros(len(graph)), where=degrees > 0)
        step = sparse.csr_array(sparse.diags_array(inverse) @ bare)
        power: Array = step.toarray()
        total = power.copy()
        for _ in range(self.window - 1):
            power = step @ power
            total += power
        return graph.adjacency.sum() / (self.negative * self.window) * total * inverse  # type: ignore[no-any-return]


class PublishedFabp(Proximity, name="published_fabp", offered=False):
    r"""FaBP by seven terms of its series, which need not converge; a and c are multiples of the heuristic.

    .. math:: S = \sum_{k=0}^{6} (cA - aD)^k

    Parameters
    ----------
    a, c : multiples of the heuristic.
    terms : of the series.

    References
    ----------
    The paper's code.
    """

    a: Positive = 1.0
    c: Positive = 1.0
    terms: Count = 7

    symmetric = True
    kinds = _UNDIRECTED

    def dense(self, graph: Graph) -> Array:
        """The terms, summed."""
        a, c = Fabp().coefficients(graph)
        step = sparse.csr_array(self.c * c * graph.adjacency - self.a * a * sparse.diags_array(graph.degrees))
        power: Array = np.eye(len(graph))
        total = power.copy()
        for _ in range(self.terms - 1):
            power = step @ power
            total += power
        return total


class PublishedLog(Nonlinearity, name="published_log", offered=False):
    r"""Log of S over its smallest positive entry, rounding noise included.

    .. math:: \sigma(S)_{ij} = \log (S_{ij} / \min S^+) \text{ where } S_{ij} > 0, \text{ else } 0

    References
    ----------
    The paper's code.
    """

    @property
    def passes(self) -> int:
        """One to find the smallest entry."""
        return 1

    def suited(self, proximity: Any, embedding: Any) -> Nonlinearity:
        """NetMF's logarithm, log max(S, 1), for PPMI with SVD."""
        return Log(floor="one") if proximity.against_chance and embedding.name == "svd" else self

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Find the smallest positive entry."""
        smallest = matrix.smallest_above(0.0)
        return Map(_PublishedLogarithm(smallest or 1.0), 0.0)


class _PublishedLogarithm:
    def __init__(self, smallest: float) -> None:
        self.smallest = smallest

    def __call__(self, values: Array) -> Array:
        return np.log(values / self.smallest, out=np.zeros(values.shape), where=values > 0)


class PublishedBinarize(Nonlinearity, name="published_binarize", offered=False):
    r"""Strictly above the entry at place ⌊n²p⌋, rounding noise included.

    .. math:: \sigma(S)_{ij} = [S_{ij} > s_{\lfloor n^2 p \rfloor}]

    Parameters
    ----------
    percentile : 100 p.

    References
    ----------
    The paper's code.
    """

    percentile: Annotated[float, Bounds(ge=0, lt=100)] = 50.0

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Find the threshold."""
        limit = matrix.ranked(self.place(matrix.n))
        return Map(_Above(limit), 0.0, limit)

    def place(self, n: int) -> int:
        """Where the threshold stands among all entries in order; the product is rounded, as published."""
        return int(n * n * (self.percentile / 100.0))

    @property
    def passes(self) -> int:
        """One to count, one to look closer."""
        return 2


class _Above:
    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, values: Array) -> Array:
        return (values > self.limit).astype(np.float64)
