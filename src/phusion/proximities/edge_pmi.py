"""Pointwise mutual information of neighbours: the positional proximity of large graphs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from scipy import sparse

from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.reach import few_steps, most_entries, stored_where
from phusion.linalg.streams.base import Stream
from phusion.linalg.streams.joined import joined
from phusion.linalg.streams.products import ProductsStream
from phusion.linalg.tall import Each, one_by_one
from phusion.parameter import Bounds, Count, Positive
from phusion.proximities.base import Kinds, No, Proximity

__all__ = ["EdgePmi"]

Hops = Annotated[int, Bounds(ge=1, le=3)]


class EdgePmi(Proximity, name="edge_pmi", scale="hops", symbol="h"):
    r"""How much likelier a step leads to a neighbour than chance does; nothing is said of other nodes.

    .. math:: S_{ij} = \log w_{ij} - \log d_i - \log(b\,q_j) \text{ on edges, else } 0, \quad
       q_j = \frac{r_j^\alpha}{\sum_t r_t^\alpha}, \quad r_j = \sum_i \frac{w_{ij}}{d_i}

    There are as many entries as edges, and they may be negative. With more hops, the step R = D⁻¹A is replaced by the
    mean (R + R²)/2 of one step and two (and three), its rows cut to their largest entries.

    Parameters
    ----------
    hops : steps, 1 to 3; several give one block of features each. ``"auto"``: 1 and 2.
    smoothing : exponent α of chance; below 1, rare nodes count for more than they are met.
    negative : factor b of chance.
    kept : with several hops, how many of its largest entries a row keeps. Those that equal the last are kept with it,
        or, where the row would have more than twice as many, dropped with it.
    hub : with several hops, walks do not go on from nodes with more neighbours.
    positive : whether entries below 0, of nodes that are met less often than by chance, are left out.

    References
    ----------
    Zhang, Dong, Wang, Tang, Ding, *ProNE: Fast and Scalable Network Representation Learning*, IJCAI 2019, equation 4
    (one hop; λ is `negative` here). More hops are our own.

    Examples
    --------
    >>> import phusion
    >>> phusion.proximities.EdgePmi().dense(phusion.as_graph([("a", "b"), ("b", "c")])).round(4)
    array([[0.    , 0.5348, 0.    ],
           [0.8814, 0.    , 0.8814],
           [0.    , 0.5348, 0.    ]])
    """

    hops: Hops | tuple[Hops, ...] | Literal["auto"] = 1
    smoothing: Annotated[float, Bounds(ge=0, le=1)] = 0.75
    negative: Positive = 1.0
    kept: Count = 32
    hub: Count = 256
    positive: bool = False

    usual = (1, 2)
    cancels = True
    operands = 1.0
    dense_work = 0.0
    kinds = Kinds(
        directed="on arcs, from their sources; nodes without an arc out have zero rows",
        signed=No("logarithms of weights need them positive"),
        weighted="weights enter through A; a common factor changes nothing",
    )

    def dense(self, graph: Graph) -> Array:
        """S at one number of hops."""
        step: Array = graph.transition.toarray()
        reached = step
        if self.hops != 1:
            onward = step * ((step > 0).sum(axis=1) <= self.hub)
            for hop in range(2, int(self.hops) + 1):  # type: ignore[arg-type]
                reached = _cut((step + onward @ reached * (hop - 1)) / hop, self.kept)
        chance = self._chance(reached.sum(axis=0))
        with np.errstate(divide="ignore"):
            found = np.where(reached > 0, np.log(reached) - np.log(chance), 0.0)
        return np.maximum(found, 0.0) if self.positive else found

    def _chance(self, received: Array) -> Array:
        """The product b q, and 1 where nothing arrives, as there is no entry."""
        powers = np.where(received > 0, received, 0.0) ** self.smoothing * (received > 0)
        total = powers.sum()
        return np.where(received > 0, self.negative * powers / (total or 1.0), 1.0)

    def edge_entries(self, graph: Graph) -> int:
        """As many as edges; of more hops, what rows may keep."""
        return most_entries(graph.arrays[:2], int(self.hops), self.kept, self.hub)  # type: ignore[arg-type]

    def edge_matrix(self, graph: Graph, kind: Any, each: Each = one_by_one) -> EdgeMatrix:
        """On the pattern of the edges, with two vectors, and logarithms of weights where these differ."""
        if self.hops == 1 and not self.positive:
            return self._on_edges(graph, kind)
        reached = few_steps(graph.transition, int(self.hops), self.kept, self.hub, each)  # type: ignore[arg-type]
        chance = self._chance(reached.sum(axis=0))
        if self.positive:
            reached = stored_where(reached, reached.data > chance[reached.indices])
        logarithms = np.log(reached.data).astype(kind, copy=False)
        reached = sparse.csr_array((logarithms, reached.indices, reached.indptr), reached.shape)
        return EdgeMatrix.of(reached, np.zeros(len(graph)), -np.log(chance), kind, symmetric=False, plain=False)

    def _on_edges(self, graph: Graph, kind: Any) -> EdgeMatrix:
        adjacency, degrees = graph.adjacency, np.where(graph.degrees > 0, graph.degrees, 1.0)
        chance = self._chance(adjacency.T @ (1.0 / degrees))
        rows, weights = -np.log(degrees), adjacency.data
        plain = not len(weights) or weights.min() == weights.max()
        if plain:
            rows += np.log(weights[0]) if len(weights) else 0.0
        else:
            adjacency = sparse.csr_array((np.log(weights), adjacency.indices, adjacency.indptr), adjacency.shape)
        return EdgeMatrix.of(adjacency, rows, -np.log(chance), kind, symmetric=not graph.directed, plain=bool(plain))

    def stream(self, graph: Graph, *, entrywise: bool, kind: Any, transposed: bool) -> Stream | None:
        """The sparse columns."""
        found: list[tuple[Stream, list[int]]] = []
        for place, one in enumerate(self.at_each_scale()):
            matrix = one.edge_matrix(graph, np.float64).tosparse()
            step = sparse.csr_array(matrix.T) if transposed else matrix
            found.append((ProductsStream.of((step,), (1,), kind), [place]))
        return joined(found)


def _cut(values: Array, most: int) -> Array:
    """Rows with their largest entries, as the parameter `kept` says."""
    if values.shape[1] <= most:
        return values
    last = -np.sort(-values, axis=1)[:, most - 1 : most]
    near = np.where(last > 0, last * 1e-9, 0.0)
    kept = values >= last - near
    crowded = (kept & (values > 0)).sum(axis=1, keepdims=True) > 2 * most
    return np.where(np.where(crowded, values > last + near, kept), values, 0.0)
