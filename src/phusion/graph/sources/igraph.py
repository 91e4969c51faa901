"""igraph: Graph, directed or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.graph.draft import Draft, Options
from phusion.graph.ids import as_id_array
from phusion.graph.origin import comes_from
from phusion.graph.records import gathered, weight_column

TITLE = "igraph Graph"


def matches(thing: Any) -> bool:
    """An igraph.Graph."""
    return comes_from(thing, "igraph") and hasattr(thing, "get_edgelist")


def read(thing: Any, options: Options) -> Draft:
    """Nodes are called by their ``name`` where all differ, else 0..n−1."""
    columns = {name: thing.vs[name] for name in thing.vs.attributes()}
    names = columns.get("name")
    notes: list[str] = []
    nodes = np.arange(thing.vcount(), dtype=np.int64)
    if names is not None and None not in names and len(set(map(str, names))) == len(names):
        nodes = as_id_array(columns.pop("name"))
    elif names is not None:
        notes.append("vertex names are missing or repeated, so nodes are called 0..n−1")
    edge_columns = {name: thing.es[name] for name in thing.es.attributes()}
    edge_data = [dict(zip(edge_columns, values, strict=True)) for values in zip(*edge_columns.values(), strict=True)]
    weights, weight_notes = weight_column(edge_data, options)
    ends = np.array(thing.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    node_data = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return Draft(
        ends[:, 0],
        ends[:, 1],
        nodes,
        weights,
        directed=thing.is_directed(),
        given="edges",
        attributes=gathered(node_data),
        notes=notes + weight_notes,
        source="igraph.Graph",
    )
