"""PyTorch Geometric: Data (by its attributes; torch is only ever imported by the caller)."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.draft import Draft, Options
from phusion.graph.given_labels import add_labels
from phusion.graph.ids import Array
from phusion.graph.labels import Labels
from phusion.graph.origin import comes_from

TITLE = "PyTorch Geometric Data"


def matches(thing: Any) -> bool:
    """Data and its kin: what has an ``edge_index``, and the heterogeneous kind to refuse it in words."""
    names = {cls.__name__ for cls in type(thing).__mro__}
    if comes_from(thing, "torch_geometric"):
        return bool(names & {"Data", "HeteroData"})
    return hasattr(thing, "edge_index") and hasattr(thing, "num_nodes")


def read(thing: Any, options: Options) -> Draft:
    """Every column of ``edge_index`` is an arc; symmetric arcs make an undirected graph."""
    if any(cls.__name__ == "HeteroData" for cls in type(thing).__mro__):
        raise InputTypeError("HeteroData has several kinds of nodes; pass data.to_homogeneous()")
    if getattr(thing, "edge_index", None) is None:
        raise InputError("this Data has no edge_index; phusion needs it (from adj_t, use data.edge_index)")
    arcs = as_array(thing.edge_index)
    if arcs.ndim != 2 or arcs.shape[0] != 2 or arcs.dtype.kind not in "iu":
        raise InputError(f"edge_index must be 2 × m integers; got {arcs.dtype} of shape {arcs.shape}")
    given = thing.num_nodes
    n_nodes = int(arcs.max(initial=-1)) + 1 if given is None else int(given)
    odd = arcs[(arcs < 0) | (arcs >= n_nodes)]
    if len(odd):
        raise InputError(f"edge_index names node {odd[0]}, but the nodes are 0..{n_nodes - 1}")
    draft = Draft(
        arcs[0].astype(np.int64),
        arcs[1].astype(np.int64),
        np.arange(n_nodes, dtype=np.int64),
        given="arcs",
        positional=True,
        source="torch_geometric Data",
    )
    name = "edge_weight" if options.weight == "auto" else options.weight
    column = None if name is None else getattr(thing, str(name), None)
    if column is not None:
        draft.weights = one_per_arc(as_array(column), arcs.shape[1], str(name))
    elif options.weight not in ("auto", None):
        raise InputError(f"this Data has no {name!r}, which weight= asks for")
    features = getattr(thing, "edge_attr", None)
    if features is not None and name != "edge_attr":
        draft.edge_attributes["edge_attr"] = as_array(features)
        draft.notes.append('edge_attr is kept as an edge attribute, not taken as weight (weight="edge_attr" does)')
    if getattr(thing, "x", None) is not None:
        draft.attributes["x"] = as_array(thing.x)
    _add_node_labels(draft, getattr(thing, "y", None))
    return draft


def _add_node_labels(draft: Draft, y: Any) -> None:
    """``y`` labels nodes if it has one row each; a single ``y`` labels the graph (see `graph_label`)."""
    if y is None:
        return
    values = as_array(y)
    if values.ndim and len(values) == len(draft.nodes) and len(values) > 1:
        if values.ndim == 2 and values.shape[1] > 1:
            add_labels(draft, values, Options())
        else:
            draft.labels = Labels.from_values(values.ravel().tolist())


def graph_label(thing: Any) -> Any:
    """The label of the whole graph: ``y``, if it is a single value."""
    y = getattr(thing, "y", None)
    if y is None:
        return None
    values = as_array(y)
    return values.ravel()[0].item() if values.size == 1 else None


def one_per_arc(weights: Array, n_arcs: int, name: str) -> Array:
    """Weights of shape (m,) or (m, 1)."""
    if weights.shape not in ((n_arcs,), (n_arcs, 1)):
        raise InputError(f"{name} must have one number per arc; got shape {weights.shape} for {n_arcs} arcs")
    return weights.ravel()


def as_array(tensor: Any) -> Array:
    """A torch tensor (or anything array-like) as numpy, without asking torch for more than it has."""
    for step in ("detach", "cpu"):
        tensor = getattr(tensor, step)() if hasattr(tensor, step) else tensor
    if "bfloat16" in str(getattr(tensor, "dtype", "")):  # which numpy does not have
        tensor = tensor.float()
    return np.asarray(tensor).copy()  # the caller may go on using his own
