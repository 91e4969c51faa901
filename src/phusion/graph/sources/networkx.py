"""networkx: Graph, DiGraph, MultiGraph, MultiDiGraph."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.graph.draft import Draft, Options
from phusion.graph.ids import as_id_array
from phusion.graph.origin import comes_from
from phusion.graph.records import gathered, weight_column

TITLE = "networkx Graph, DiGraph, MultiGraph, MultiDiGraph"


def matches(thing: Any) -> bool:
    """Anything that subclasses networkx.Graph."""
    return comes_from(thing, "networkx") and hasattr(thing, "is_multigraph")


def read(thing: Any, options: Options) -> Draft:
    """Nodes in networkx's order; the edge attribute ``weight`` is the weight, 1 where it is missing."""
    nodes = as_id_array(thing.nodes)
    position = {node: i for i, node in enumerate(nodes)}
    ends = np.array([(position[u], position[v]) for u, v in thing.edges()], dtype=np.int64).reshape(-1, 2)
    weights, notes = weight_column([data for _, _, data in thing.edges(data=True)], options)
    return Draft(
        ends[:, 0],
        ends[:, 1],
        nodes,
        weights,
        directed=thing.is_directed(),
        given="edges",
        attributes=gathered([data for _, data in thing.nodes(data=True)]),
        notes=notes,
        name=str(thing.name or ""),
        source=f"networkx.{type(thing).__name__}",
    )
