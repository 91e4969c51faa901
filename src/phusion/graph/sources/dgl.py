"""DGL graphs, by the methods they have: ``edges()``, ``num_nodes()``, ``ndata``, ``edata``."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.errors import InputError, InputTypeError
from phusion.graph.draft import Draft, Options
from phusion.graph.labels import Labels
from phusion.graph.sources.pyg import as_array, one_per_arc

TITLE = "DGL graph"
_WEIGHTS = ("weight", "w")
_LABELS = ("label", "labels")


def matches(thing: Any) -> bool:
    """What has DGL's methods."""
    return all(hasattr(thing, name) for name in ("ndata", "edata", "edges", "num_nodes"))


def read(thing: Any, options: Options) -> Draft:
    """Every edge is an arc; symmetric arcs make an undirected graph."""
    if len(getattr(thing, "etypes", ["one"])) > 1:
        raise InputTypeError("this DGL graph has several kinds of edges; pass dgl.to_homogeneous(graph)")
    source, target = (as_array(ends).astype(np.int64) for ends in thing.edges())
    n_nodes = int(thing.num_nodes())
    draft = Draft(source, target, np.arange(n_nodes, dtype=np.int64), given="arcs", positional=True, source="DGL graph")
    data = {name: as_array(values) for name, values in thing.edata.items()}
    if options.weight == "auto":
        name = next((name for name in _WEIGHTS if name in data), None)
    elif options.weight is None or options.weight in data:
        name = None if options.weight is None else str(options.weight)
    else:
        raise InputError(f"edata has no {options.weight!r}; it has {', '.join(data) or 'nothing'}")
    if name is not None:
        draft.weights = one_per_arc(data.pop(name), len(source), name)
    draft.edge_attributes.update(data)
    for key, values in thing.ndata.items():
        array = as_array(values)
        if key in _LABELS and array.ndim == 1:
            draft.labels = Labels.from_values(array.tolist())
        else:
            draft.attributes[key] = array
    return draft
