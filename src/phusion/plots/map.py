"""A graph under two lenses, as a picture: its positional and its structural map side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from phusion.drawing.canvas import canvas, need_matplotlib, plain, styled
from phusion.drawing.maps import TITLES, kind_for, plane, stretched
from phusion.drawing.scatter import draw_map, key, name_points, settle
from phusion.drawing.values import Classes, Numbers, given_for, of_labels
from phusion.errors import InputError, suggest
from phusion.execution.resources import Resources
from phusion.explorer.designs import LARGE, LENSES, chosen
from phusion.explorer.sample import displayed
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.plots.given import check_seed, graph_given
from phusion.together import embed_together

__all__ = ["map"]

_NAMED = 30  # nodes up to which all are named without being asked for


def map(
    graph: Any,
    labels: Any = None,
    *,
    positional: Any = None,
    structural: Any = None,
    map: str = "auto",
    color: Any = None,
    annotate: Any = None,
    sample: int = 20_000,
    seed: int = 0,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
) -> Any:
    """Draw the positional and the structural map of a graph side by side.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    labels : of the nodes, as `phusion.as_graph` takes them; those of the graph otherwise.
    positional, structural : the method of either map: a preset's name, a spec, a file. By default such as suit the
        graph, as in `phusion.explore`; of more than 20,000 nodes the structural one is approximate where exact takes
        more than about a minute.
    map : ``"pca"``, ``"tsne"``, ``"umap"``; ``"auto"`` is t-SNE for 50 to 5,000 nodes, else PCA.
    color : ``"label"``, ``"degree"``, ``"component"``, the name of an attribute, or values as `phusion.Embedding.plot`
        takes them; labels, if there are some, else degrees.
    annotate : ids to write beside their points. By default those of graphs of up to 30 nodes, where there is room.
    sample : most nodes that are shown; of larger graphs so many, whose degrees are spread as those of all.
    seed : of maps and the sample.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    a figure of matplotlib.
    """
    need_matplotlib()
    check_seed(seed)
    resources = Resources(memory, threads, precision, executor)  # type: ignore[arg-type]
    if type(sample) is not int or sample < 1:
        raise InputError(f"sample is a whole number ≥ 1; got {sample!r}")
    found = graph_given(graph, labels)
    shown = displayed(found, sample, seed)
    kind = kind_for(len(shown), map)
    colours, title = _coloured(found, color)
    named = _named(found, shown, annotate)
    designs = [chosen(found, lens, method)[0] for lens, method in zip(LENSES, (positional, structural), strict=True)]
    large = replace(resources, accuracy="auto") if len(found) > LARGE else resources
    ways = {"positional": resources, "structural": large}
    made = [embed_together(found, [design.spec], ways[design.lens])[0] for design in designs]
    with styled():
        figure, axes = canvas(7.2, 3.5, 1, 2)
        beside = [str(node) for node in found.nodes[shown[named]].tolist()]
        rows = []
        for one, design, embedding in zip(axes[0], designs, made, strict=True):
            points = plane(embedding.values[shown], kind, seed)
            rows.append(points[named])
            stretch = stretched(points) if kind == "pca" else 1.0
            bar = draw_map(one, points, _taken(colours, shown), stretch=stretch)
            one.set_title(plain(f"{design.lens}: {design.name}", 40))
            one.set_xlabel(TITLES[kind] + (f", second axis × {stretch:.2g}" if stretch > 1.05 else ""))
        key(axes[0].tolist(), bar, title)
        settle(axes[0].tolist())
        for one, places in zip(axes[0], rows, strict=True):
            name_points(one, places, beside, all_of_them=annotate is not None)
        return figure


def _coloured(graph: Graph, color: Any) -> tuple[Classes | Numbers, str]:
    """What colours the points, and what it is called."""
    if color is None:
        color = "degree" if graph.labels is None else "label"
    if not isinstance(color, str):
        return given_for(graph.nodes, color), str(getattr(color, "name", "") or "")
    if color in graph.attributes:
        return given_for(graph.nodes, graph.attributes[color]), color
    if color == "degree":
        return Numbers(np.diff(graph.arrays[0]).astype(float)), "out-degree" if graph.directed else "degree"
    if color == "component":
        return Classes(graph.components, tuple(str(i + 1) for i in range(graph.n_components))), "component"
    if color == "label":
        if graph.labels is None:
            raise InputError("the graph has no labels to colour by; give some: labels=… (--labels FILE)")
        return of_labels(graph.labels), "label"
    known = [*graph.attributes, "degree", "component", "label"]
    raise InputError(f"color is 'label', 'degree', 'component' or an attribute; got {color!r}.{suggest(color, known)}")


def _taken(found: Classes | Numbers, shown: Array) -> Classes | Numbers:
    if isinstance(found, Numbers):
        return Numbers(found.values[shown])
    return Classes(found.codes[shown], found.names)


def _named(graph: Graph, shown: Array, annotate: Any) -> Array:
    """Places of these ids among the shown nodes; an unknown one is refused, one that is not shown is left out.

    None stands for all nodes of a small graph.
    """
    if annotate is None:
        return np.arange(len(shown) if len(graph) <= _NAMED else 0)
    ids = list(annotate) if isinstance(annotate, (list, tuple, set, np.ndarray)) else [annotate]
    wanted = graph.positions(ids) if ids else np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.isin(shown, wanted))
