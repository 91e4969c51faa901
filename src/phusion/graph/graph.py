"""`Graph`: a frozen sparse adjacency with the user's node ids, and what embedding needs of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal
from warnings import warn

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from phusion.errors import GraphNotice, InputError, InputTypeError, callers_level
from phusion.graph.combine import Meeting, entry_rows, mutual, resolve, settle
from phusion.graph.frozen import FreshField, cached_matrix, divided, frozen
from phusion.graph.ids import Array, as_id_array, find
from phusion.graph.labels import Labels
from phusion.graph.words import count
from phusion.linalg.reach import stored_where
from phusion.linalg.spectrum import spectral_gap, spectral_radius

__all__ = ["Graph", "Reading"]


@dataclass(frozen=True)
class Reading:
    """How a graph came in: where from, and everything that was combined, guessed or ignored."""

    source: str = ""
    notes: tuple[str, ...] = ()
    n_duplicates: int = 0
    n_both_ways: int = 0
    n_zero_weights: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A graph as phusion sees it. Made by `phusion.as_graph`; never changed afterwards.

    Parameters
    ----------
    adjacency : n × n CSR array A of float64, sorted, without explicit zeros. A[i, j] is the weight of the
        edge from node i to node j; symmetric unless `directed`. A self-loop stands once, on the diagonal.
    nodes : the n ids, in the user's order and type.
    directed : whether A[i, j] and A[j, i] are different arcs.
    attributes : name → one value per node.
    labels : classes of the nodes, if known.
    edge_attributes : name → one value per stored entry of `adjacency`, in its order.
    name : for messages and tables.
    reading : what the door combined, guessed or ignored; None for graphs derived from others.

    Notes
    -----
    Degrees and everything made of them use absolute weights, so that they are never negative on
    signed graphs; on all other graphs that changes nothing. Rows of isolated nodes are zero in every matrix.

    Examples
    --------
    >>> import phusion
    >>> graph = phusion.as_graph([("ada", "bob"), ("bob", "cleo"), ("cleo", "cleo")])
    >>> graph
    Graph(3 nodes, 2 edges + 1 self-loop, undirected, unweighted)
    >>> graph.degrees
    array([1., 2., 2.])
    """

    adjacency: FreshField = FreshField()  # noqa: RUF009 - a descriptor, not a default
    nodes: Array  # type: ignore[misc]
    directed: bool = False
    attributes: Mapping[str, Array] = field(default_factory=dict)
    labels: Labels | None = None
    edge_attributes: Mapping[str, Array] = field(default_factory=dict)
    name: str = ""
    reading: Reading | None = None

    def __post_init__(self) -> None:
        matrix = sparse.csr_array(self.adjacency)
        n = len(self.nodes)
        if matrix.shape != (n, n):
            raise InputError(f"{n:,} node ids need an {n:,} × {n:,} adjacency; got {matrix.shape}")
        if matrix.dtype != np.float64 or not matrix.has_canonical_format:
            raise InputError("adjacency must be a canonical float64 CSR array; use phusion.as_graph")
        lengths = [(f"attribute {key!r}", len(values), n) for key, values in self.attributes.items()]
        lengths += [(f"edge attribute {key!r}", len(v), matrix.nnz) for key, v in self.edge_attributes.items()]
        lengths += [("labels", len(self.labels), n)] if self.labels is not None else []
        for what, given, due in lengths:
            if given != due:
                raise InputError(f"{what}: {given:,} values where {due:,} are needed")
        parts = (frozen(matrix.data), frozen(matrix.indices), frozen(matrix.indptr))
        matrix = sparse.csr_array(parts, shape=(n, n))
        object.__setattr__(self, "adjacency", matrix)
        object.__setattr__(self, "nodes", frozen(np.asarray(self.nodes)))
        for name in ("attributes", "edge_attributes"):
            values = {key: frozen(np.asarray(value)) for key, value in getattr(self, name).items()}
            object.__setattr__(self, name, MappingProxyType(values))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("attributes", "edge_attributes"):
            values[name] = dict(values[name])
        return _rebuild, (values,)

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        edges = count(self.n_edges - self.n_self_loops, "arc" if self.directed else "edge")
        if self.n_self_loops:
            edges += f" + {count(self.n_self_loops, 'self-loop')}"
        parts = [count(len(self), "node"), edges, "directed" if self.directed else "undirected"]
        parts.append("weighted" if self.weighted else "unweighted")
        if self.signed:
            parts.append("signed")
        if self.labels is not None:
            parts.append(count(len(self.labels.classes), "class"))
        if self.attributes:
            parts.append(count(len(self.attributes), "attribute"))
        name = f"{self.name!r}: " if self.name else ""
        return f"Graph({name}{', '.join(parts)})"

    def _repr_html_(self) -> str:
        from phusion.graph.card import graph_card

        return graph_card(self)

    # what it is

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """The read-only arrays indptr, indices and data of A, without the cost of another sparse array around them."""
        matrix = self.__dict__["_adjacency"]
        return matrix.indptr, matrix.indices, matrix.data

    @cached_property
    def weighted(self) -> bool:
        """Whether some weight is neither 1 nor −1."""
        return bool((np.abs(self.arrays[2]) != 1).any())

    @cached_property
    def signed(self) -> bool:
        """Whether some weight is negative."""
        return bool((self.arrays[2] < 0).any())

    @cached_property
    def n_self_loops(self) -> int:
        """Nodes with an edge to themselves."""
        indptr, indices, _ = self.arrays
        return int((np.repeat(np.arange(len(self)), np.diff(indptr)) == indices).sum())

    @property
    def n_edges(self) -> int:
        """Edges (arcs, if directed), self-loops included; an undirected edge counts once."""
        stored = len(self.arrays[1])
        return stored if self.directed else (stored + self.n_self_loops) // 2

    @cached_property
    def isolated(self) -> Array:
        """True for nodes without any edge to or from another node; a self-loop does not count."""
        rows, cols = entry_rows(self.adjacency), self.adjacency.indices
        other = rows != cols
        alone = np.ones(len(self), dtype=bool)
        alone[rows[other]] = False
        alone[cols[other]] = False
        return frozen(alone)

    def edge_list(self) -> tuple[Array, Array, Array]:
        """Positions (rows, cols) and weights; an undirected edge once, from the earlier to the later node."""
        rows, cols, data = entry_rows(self.adjacency), self.adjacency.indices, self.adjacency.data
        if self.directed:
            return rows, cols, data
        once = rows <= cols
        return rows[once], cols[once], data[once]

    def positions(self, ids: Iterable[Any]) -> Array:
        """Row numbers of these ids; an error names those that are not in the graph."""
        wanted = as_id_array(ids)
        found = find(self.nodes, wanted)
        if (found < 0).any():
            missing = wanted[found < 0]
            raise InputError(
                f"{len(missing):,} of {len(wanted):,} ids are not in the graph, such as "
                f"{missing[:1].tolist()[0]!r}; its ids look like {self.nodes[:1].tolist()[0]!r}"
                if len(self)
                else "the graph has no nodes"
            )
        return found

    # matrices of the formulas

    @cached_property
    def degrees(self) -> Array:
        """Weighted degrees d: row sums of A, of absolute weights; out-degrees of a directed graph."""
        return frozen(np.asarray(np.abs(self.adjacency).sum(axis=1)).ravel())

    @cached_property
    def in_degrees(self) -> Array:
        """Weighted in-degrees: column sums of A, of absolute weights; the degrees, if undirected."""
        return frozen(np.asarray(np.abs(self.adjacency).sum(axis=0)).ravel())

    @cached_property
    def volume(self) -> float:
        """Vol = Σ|A|: twice the weight of all edges, self-loops counting once."""
        return float(np.abs(self.adjacency.data).sum())

    @cached_matrix
    def transition(self) -> Any:
        """R = D⁻¹A, one random-walk step; rows of nodes without (out-going) edges are zero."""
        return divided(self.adjacency, rows=self.degrees)

    @cached_matrix
    def normalized_adjacency(self) -> Any:
        """N = D^-½ A D^-½ (undirected graphs only)."""
        self._require_undirected("the normalised adjacency")
        root = np.sqrt(self.degrees)
        return divided(self.adjacency, rows=root, cols=root)

    @cached_matrix
    def laplacian(self) -> Any:
        """L = D − A (undirected graphs only)."""
        self._require_undirected("the Laplacian")
        return sparse.diags_array(self.degrees).tocsr() - self.adjacency

    @cached_matrix
    def normalized_laplacian(self) -> Any:
        """𝓛 = D^-½ L D^-½ = I − N; zero in the rows of nodes without edges (undirected graphs only)."""
        self._require_undirected("the normalised Laplacian")
        identity = sparse.diags_array((self.degrees > 0).astype(np.float64)).tocsr()
        return identity - self.normalized_adjacency

    @cached_property
    def components(self) -> Array:
        """The number of the (weakly) connected component of each node, in order of first appearance."""
        _, found = csgraph.connected_components(self.adjacency, directed=self.directed, connection="weak")
        _, first, number = np.unique(found, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return frozen(rank[number])

    @property
    def n_components(self) -> int:
        """How many (weakly) connected components there are."""
        return int(self.components.max()) + 1 if len(self) else 0

    @cached_property
    def weight_range(self) -> tuple[float, float]:
        """The smallest and the largest absolute weight; (1, 1) without edges."""
        sizes = np.abs(self.adjacency.data)
        return (float(sizes.min()), float(sizes.max())) if len(sizes) else (1.0, 1.0)

    @cached_property
    def lambda_max(self) -> float:
        """λmax: the largest absolute eigenvalue of A."""
        return spectral_radius(self.adjacency, symmetric=not self.directed)

    def spectral_gap(self, *, patient: bool = False) -> float | None:
        """λ₂, the second smallest eigenvalue of 𝓛, of the largest component.

        None where there is none (one node, directed, signed) or where it is not found within a second or two; with
        `patient` within a minute, as in large graphs that are all but a long path. 0.0 where doubles cannot tell it
        from 0, as parts of the component hang together by next to nothing.
        """
        if self.directed or self.signed:
            return None
        largest = self.largest_component()
        return spectral_gap(largest.normalized_adjacency, largest.degrees, patient=patient)

    def _require_undirected(self, what: str) -> None:
        if self.directed:
            raise InputError(
                f"{what} is defined for undirected graphs; this one is directed. Make it undirected "
                'first, for example graph.undirected(how="max")'
            )

    # new graphs from this one

    def permuted(self, order: Iterable[int]) -> Graph:
        """The same graph with its nodes in another order: new row i is old row ``order[i]``."""
        positions = np.asarray(order if isinstance(order, np.ndarray) else list(order))
        positions = positions if len(positions) else positions.astype(np.int64)
        if positions.dtype.kind not in "iu" or not np.array_equal(np.sort(positions), np.arange(len(self))):
            raise InputError(
                f"permuted needs each of the positions 0..{len(self) - 1} exactly once; got {len(positions):,} values"
            )
        return self._taken(positions)

    def subgraph(self, ids: Iterable[Any]) -> Graph:
        """The nodes with these ids, in this order, and the edges between them."""
        return self._taken(self.positions(ids))

    def largest_component(self) -> Graph:
        """The (weakly) connected component with most nodes; of equal ones, the one of the earliest node."""
        if self.n_components <= 1:
            return self
        biggest = np.argmax(np.bincount(self.components))
        return self._taken(np.flatnonzero(self.components == biggest))

    def without_self_loops(self) -> Graph:
        """The same nodes without the edges from a node to itself."""
        keep = entry_rows(self.adjacency) != self.adjacency.indices
        return self._kept(keep)

    def undirected(self, how: Literal["sum", "max", "mean", "mutual"] = "max") -> Graph:
        """An undirected graph on the same nodes. Itself, if it is undirected already.

        Parameters
        ----------
        how : what becomes of two arcs between the same nodes: their ``"sum"``, ``"max"`` or ``"mean"``.
            An arc without a reverse keeps its weight (halved for ``"mean"``);
            ``"mutual"`` keeps only pairs with both arcs, at the smaller weight.
        """
        if how not in ("sum", "max", "mean", "mutual"):
            raise InputError(f"how is 'sum', 'max', 'mean' or 'mutual'; got {how!r}")
        if not self.directed:
            return self
        loops = sparse.diags_array(self.adjacency.diagonal()).tocsr()
        arcs = self.adjacency - loops  # scipy drops the zeros this leaves
        meeting = Meeting(arcs)
        if how == "mutual":
            matrix, due = mutual(meeting, resolve(meeting, "min")), meeting.n_both
        elif how == "max":
            matrix, due = settle(meeting, lambda: resolve(meeting, "max")), meeting.n_either
        else:
            matrix, due = (arcs + arcs.T) * (0.5 if how == "mean" else 1.0), meeting.n_either
        gone = due - int(np.count_nonzero(matrix.data))
        if gone:
            warn(
                f"undirected(how={how!r}): {count(gone // 2, 'pair')} of arcs cancel: no edge there",
                GraphNotice,
                stacklevel=callers_level(),
            )
        matrix = (matrix + loops).tocsr()
        matrix.eliminate_zeros()
        if self.edge_attributes:
            warn("undirected() does not carry edge attributes over", GraphNotice, stacklevel=callers_level())
        return replace(self, adjacency=matrix, directed=False, edge_attributes={}, reading=None)

    def equals(self, other: Graph) -> bool:
        """Same ids in the same order, same weights, same direction."""
        if not isinstance(other, Graph):
            raise InputTypeError(f"equals compares with a Graph; got {type(other).__name__}")
        if self.directed != other.directed or self.nodes.tolist() != other.nodes.tolist():
            return False
        return all(
            np.array_equal(getattr(self.adjacency, part), getattr(other.adjacency, part))
            for part in ("indptr", "indices", "data")
        )

    def _taken(self, positions: Array) -> Graph:
        """Rows and columns `positions`, with everything that belongs to them."""
        origin = sparse.csr_array(
            (
                np.arange(1, self.adjacency.nnz + 1, dtype=np.int64),
                self.adjacency.indices,
                self.adjacency.indptr,
            ),
            shape=self.adjacency.shape,
        )[positions][:, positions]
        origin.sort_indices()
        entries = origin.data - 1
        matrix = sparse.csr_array((self.adjacency.data[entries], origin.indices, origin.indptr), shape=origin.shape)
        return replace(
            self,
            adjacency=matrix,
            nodes=self.nodes[positions],
            attributes={key: value[positions] for key, value in self.attributes.items()},
            labels=None if self.labels is None else self.labels.take(positions),
            edge_attributes={key: value[entries] for key, value in self.edge_attributes.items()},
            reading=None,
        )

    def _kept(self, keep: Array) -> Graph:
        """Only the stored entries where `keep` is true."""
        matrix = stored_where(self.adjacency, keep)
        attributes = {key: value[keep] for key, value in self.edge_attributes.items()}
        return replace(self, adjacency=matrix, edge_attributes=attributes, reading=None)


def _rebuild(values: dict[str, Any]) -> Graph:
    return Graph(**values)
