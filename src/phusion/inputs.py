"""What estimators are given, and why they refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.accept import as_batch, as_graph
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.graph.ids import Array, object_array
from phusion.graph.labels import Labels
from phusion.spec import Spec

__all__ = ["are_graphs", "finite", "ids_given", "ids_of", "many_graphs", "one_graph", "why_not"]


def one_graph(X: Any) -> Graph:
    """The graph to embed; labels and ids in its place are named."""
    if isinstance(X, Labels):
        raise InputTypeError("these are labels; fit takes the graph first: fit(graph, labels)")
    _refuse_flat(X, "a graph is expected, such as a square matrix")
    return as_graph(X)


def _refuse_flat(X: Any, expected: str) -> None:
    listed = isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(x, (str, int, float)) for x in X)
    flat = not isinstance(X, (list, tuple)) and getattr(X, "ndim", 2) == 1
    if listed or flat or type(X).__name__ == "Series":
        raise InputError(
            f"{expected}; got a one-dimensional list of {len(X):,} values. Are these labels, or node ids? "
            "Ids need PhUSION(graph=…). Reshape your data if it is a matrix"
        )


def ids_given(X: Any) -> list[Any]:
    """Node ids, for a model that has its graph already."""
    if isinstance(X, Graph):
        raise InputTypeError("with PhUSION(graph=…) fit and transform take node ids, such as graph.nodes; got a Graph")
    shape: tuple[int, ...] = tuple(getattr(X, "shape", ()))
    if len(shape) == 2 and shape[1] == 1:  # a column, as pipelines pass on
        X = np.asarray(X)[:, 0]
    try:
        return [node.item() if isinstance(node, np.generic) else node for node in X]
    except TypeError as error:
        raise InputTypeError(f"with PhUSION(graph=…) a list of node ids is needed; got {X!r}") from error


def many_graphs(X: Any) -> Sequence[Graph]:
    """The graphs to embed."""
    if isinstance(X, GraphBatch):
        return X
    if isinstance(X, Graph):
        raise InputTypeError("one graph is given where many are expected; give a list, as [graph]")
    if isinstance(X, np.ndarray) and X.dtype == object:
        X = X.tolist()  # what numpy makes of a list of graphs that was split
    if not (isinstance(X, (list, tuple)) and all(isinstance(x, str) for x in X)):  # a list of files is fine
        _refuse_flat(X, "graphs are expected, such as a list of networkx graphs")
    return as_batch(X)


def are_graphs(X: Any) -> bool:
    """Whether this is several graphs, and not the edges of one."""
    if isinstance(X, GraphBatch):
        return True
    edges = (tuple, list, str, bytes, int, float, np.generic, np.ndarray)
    listed = isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 1)
    return listed and len(X) > 0 and X[0] is not None and not isinstance(X[0], edges)


def ids_of(graphs: Sequence[Graph]) -> Array:
    """The ids of one graph; of several, pairs of the graph's number and the id."""
    if len(graphs) == 1:
        return graphs[0].nodes
    return object_array([(i, node) for i, graph in enumerate(graphs) for node in graph.nodes.tolist()])


def finite(rows: Array) -> Array:
    """The rows, unless numbers left the range of doubles."""
    if not np.isfinite(rows).all():
        raise InputError("the pooled features are not finite: numbers beyond 1e308. Divide attributes by their maximum")
    return rows


def why_not(spec: Spec, what: str) -> str:
    """Why a positional model cannot embed this, and what can."""
    return (
        f"{spec.embedding.name} is positional: its coordinates belong to the graph they were computed from, so it "
        f"cannot embed {what}. Fit a model for each graph, or use a structural embedding function, whose rows "
        "compare between graphs: characteristic, histogram or diagonal"
    )
