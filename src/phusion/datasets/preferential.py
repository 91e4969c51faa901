"""Graphs grown by preferential attachment, with any number of edges: a few nodes have very many neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from phusion.graph.accept import as_graph
from phusion.graph.graph import Graph

__all__ = ["preferential"]

_FILLED = 0.1  # of all pairs: with more of them joined, any pairs are


def preferential(n: int, edges: int, *, directed: bool = False, weighted: bool = False, seed: int = 0) -> Graph:
    """Nodes come one after another, and join earlier ones by how many neighbours these have.

    Parameters
    ----------
    n : nodes, 2 at least.
    edges : how many, exactly; there are no loops and no edge is there twice.
    directed : half of the arcs lead back in time.
    weighted : weights are drawn between 0.5 and 1.5, in place of 1.
    seed : of all that is drawn.

    References
    ----------
    Barabási and Albert, *Emergence of scaling in random networks*, Science 1999; drawn as Batagelj and Brandes,
    *Efficient generation of large random networks*, Phys. Rev. E 2005.

    Examples
    --------
    >>> preferential(100, 250)
    Graph(100 nodes, 250 edges, undirected, unweighted)
    """
    rng = np.random.default_rng(seed)
    pairs = n * (n - 1) // 2
    within = min(edges, pairs)  # arcs of a dense directed graph lead both ways
    places = _grown(n, within, rng) if within <= _FILLED * pairs else None
    if places is None:
        places = np.sort(rng.choice(pairs, within, replace=False))
    # the pair v > u stands at v(v − 1)/2 + u
    v = ((1 + np.sqrt(1 + 8.0 * places)) / 2).astype(np.int64)
    u = places - v * (v - 1) // 2
    both = rng.permutation(within)[: edges - within]
    turned = rng.random(within) < 0.5 if directed else np.zeros(within, bool)
    rows = np.concatenate([np.where(turned, u, v), np.where(turned, v, u)[both]])
    columns = np.concatenate([np.where(turned, v, u), np.where(turned, u, v)[both]])
    weights = rng.uniform(0.5, 1.5, edges) if weighted else np.ones(edges)
    matrix = sparse.coo_array((weights, (rows, columns)), shape=(n, n)).tocsr()
    return as_graph(matrix if directed else matrix + matrix.T, directed=directed)


def _grown(n: int, edges: int, rng: np.random.Generator) -> Any:
    """The places of so many pairs; None if too many are drawn twice."""
    for more in (1.1, 1.5, 3.0):
        drawn = int(more * edges) + 8
        k = np.arange(drawn)
        source = k * n // drawn
        # an end of an earlier edge: 2j is the node that came with edge j, 2j + 1 whom it joined
        end = rng.integers(0, np.maximum(2 * k, 1))
        late = np.flatnonzero(end % 2)
        while len(late):
            end[late] = end[end[late] // 2]
            late = late[end[late] % 2 == 1]
        target = source[end // 2]
        v, u = np.maximum(source, target), np.minimum(source, target)
        places = np.unique((v * (v - 1) // 2 + u)[v > u])
        if len(places) >= edges:
            return np.sort(rng.choice(places, edges, replace=False))
    return None
