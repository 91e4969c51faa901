"""What a page shows of a graph: everything is computed here, and packed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phusion import __version__
from phusion.drawing.maps import kind_for, plane, share_held, stretched
from phusion.errors import InputError
from phusion.explorer.accuracy import accuracy_of
from phusion.explorer.computed import PROFILED
from phusion.explorer.designs import LENSES, Design, told_large
from phusion.explorer.edges import edges_of
from phusion.explorer.fields import classes_field, graph_fields
from phusion.explorer.neighbours import clusters, nearest_among
from phusion.explorer.payload import Pack, quantised
from phusion.explorer.profiles import n_largest, ranks
from phusion.explorer.rows import Rows
from phusion.features import scale_names
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.spec import Spec

__all__ = ["Content", "Look", "content_of"]

_CLUSTERS = 8


@dataclass(frozen=True)
class Look:
    """How a graph is shown.

    Parameters
    ----------
    map : ``"auto"``, ``"pca"``, ``"tsne"`` or ``"umap"``.
    sample : most nodes that are shown.
    neighbours : how many nearest nodes are listed; None is 10, and fewer where a graph has fewer than 40 nodes.
    seed : of maps, clusters and the sample.
    """

    map: str = "auto"
    sample: int = 50_000
    neighbours: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("sample", 1), ("neighbours", 1), ("seed", 0)):
            value = getattr(self, name)
            if name == "neighbours" and value is None:
                continue
            if type(value) is not int or value < least:
                raise InputError(f"{name} is a whole number ≥ {least}; got {value!r}")
        kind_for(1, self.map)


@dataclass(frozen=True)
class Content:
    """Words as plain values, numbers as base64."""

    words: dict[str, Any]
    numbers: str


def content_of(
    graph: Graph,
    designs: Sequence[Design],
    shown: Array,
    made: Mapping[str, Rows],
    profiles: Mapping[str, Rows],
    look: Look,
) -> Content:
    """Map and pack: the rows of each design and its profiles, by name, of the nodes at the positions `shown`."""
    kind = kind_for(len(shown), look.map)
    pack = Pack()
    fields = list(graph_fields(graph, shown, pack))
    edges = edges_of(graph, shown, pack)
    labels = graph.labels
    n_clusters = len(labels.classes) if labels is not None and len(labels.classes) > 1 else _CLUSTERS
    names = _Names(graph, shown)
    everybody, joined = np.ones(len(shown), dtype=bool), ~graph.isolated[shown]
    lenses: dict[str, list[dict[str, Any]]] = {lens: [] for lens in LENSES}
    for design in designs:
        rows = made[design.name]
        values = rows.values
        # without edges to others a node is near none, wherever its row lies
        found = _map_of(values, kind, look, pack, joined if design.lens == "positional" else everybody)
        profile = profiles.get(design.name)
        about = {
            "name": design.name,
            "words": design.words,
            "spec": _settings(rows.spec),
            "dim": rows.dim,
            "given": design.given is not None,
            "named": design.named,
            "accuracy": accuracy_of(rows),
            "profile": None if profile is None else _profile(len(graph), profile, names, pack),
        }
        lenses[design.lens].append({**about, **found})
        groups = clusters(values, n_clusters, look.seed)
        numbered = [str(number + 1) for number in range(int(groups.max(initial=0)) + 1)]
        fields.append(classes_field(f"cluster: {design.name}", groups, numbered, pack))
    words = {
        "graph": repr(replace(graph, name=""))[len("Graph(") : -1],
        "name": graph.name or "graph",
        "nodes": len(shown),
        "total": len(graph),
        "directed": graph.directed,
        "notes": _notes(graph, len(shown), designs),
        "ids": names.texts(),
        "fields": fields,
        "edges": edges,
        "lenses": [{"name": lens, "designs": some} for lens, some in lenses.items() if some],
        "version": __version__,
    }
    return Content(words, pack.base64())


class _Names:
    """Ids of the shown nodes, and after them of others that are mentioned."""

    def __init__(self, graph: Graph, shown: Array) -> None:
        self._ids = graph.nodes.tolist()
        self._order = shown.tolist()
        self._place = np.full(len(graph), -1, dtype=np.int64)
        self._place[shown] = np.arange(len(shown))

    def places(self, positions: Array) -> Array:
        """Where these nodes of the graph stand among the ids of the page."""
        new = np.unique(positions[self._place[positions] < 0])
        self._place[new] = len(self._order) + np.arange(len(new))
        self._order += new.tolist()
        found: Array = self._place[positions]
        return found

    def texts(self) -> list[str]:
        return [str(self._ids[position]) for position in self._order]


def _map_of(values: Array, kind: str, look: Look, pack: Pack, able: Array) -> dict[str, Any]:
    places, distances = nearest_among(values, look.neighbours or min(10, max(3, len(values) // 4)), able)
    points = plane(values, kind, look.seed)
    stretch = stretched(points) if kind == "pca" else 1.0
    return {
        "map": kind,
        "points": pack.whole(quantised(points * [1.0, stretch])),
        "stretch": stretch,
        "held": share_held(values, points) if kind == "pca" else None,
        "near": {"k": places.shape[1], "index": pack.whole(places), "distance": pack.numbers(distances)},
    }


def _profile(n: int, made: Rows, names: _Names, pack: Pack) -> dict[str, Any]:
    """Of one scale: of several, the middle one."""
    few = n_largest(n)
    assert made.spec is not None
    each = made.spec.proximity.at_each_scale()
    width = made.dim // len(each)
    middle = len(each) // 2
    rows = made.values[:, middle * width : (middle + 1) * width]
    places = names.places(rows[:, :few].astype(np.int64))
    return {
        "of": scale_names(each)[middle].replace("_", " "),
        "k": few,
        "index": pack.whole(places),
        "largest": pack.numbers(rows[:, few : 2 * few]),
        "ranks": ranks(n).tolist(),
        "curve": pack.rough(rows[:, 2 * few :]),
    }


def _settings(spec: Spec | None) -> str:
    if spec is None:
        return ""
    parts = (spec.proximity, spec.nonlinearity, spec.embedding, spec.propagate)
    return " · ".join(repr(part) for part in parts if part is not None)


def _notes(graph: Graph, n_shown: int, designs: Sequence[Design]) -> list[str]:
    notes = list(graph.reading.notes) if graph.reading else []
    if n_shown < len(graph):
        notes.append(
            f"{n_shown:,} of {len(graph):,} nodes are shown: a sample whose degrees are spread as those of all. "
            "Nearest nodes and neighbours are those among them; embeddings are of the whole graph."
        )
    large = told_large(designs)
    if large:
        notes.append(large)
    before = [design.name for design in designs if design.given is not None]
    if before:
        notes.append(f"Computed before, and shown without proximity profiles: {', '.join(before)}.")
    if len(graph) > PROFILED:
        notes.append(f"Proximity profiles are computed for graphs of up to {PROFILED:,} nodes.")
    left = [name for name, values in graph.attributes.items() if values.ndim != 1]
    if left:
        notes.append(f"Attributes with several numbers for each node are left out: {', '.join(left)}.")
    return notes
