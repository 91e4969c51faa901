"""Roles in a graph: the graph itself, coloured by role, beside its structural map."""

from __future__ import annotations

from typing import Any

import numpy as np

from phusion.datasets.generated import planted
from phusion.drawing.canvas import canvas, need_matplotlib, plain, styled
from phusion.drawing.layout import places
from phusion.drawing.maps import TITLES, kind_for, plane, stretched
from phusion.drawing.scatter import draw_map, key, name_points, scatter
from phusion.drawing.slices import heaps
from phusion.drawing.values import Classes, of_labels
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.explorer.designs import chosen
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.plots.given import check_seed, graph_given
from phusion.together import embed_together

__all__ = ["DRAWN", "roles"]

DRAWN = 2_000
"""Nodes up to which a graph is drawn; of more, edges only hide each other."""


def roles(
    graph: Any = None,
    labels: Any = None,
    *,
    structural: Any = None,
    map: str = "pca",
    seed: int = 0,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
) -> Any:
    """Draw a graph coloured by the roles of its nodes, beside its structural map.

    Nodes of one role have one colour; where the embedding finds the roles, they have one place in the map too. A place
    where nodes of several roles lie is a circle of slices, each as large as its share of them.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name; None for houses on a cycle, as
        `phusion.datasets.planted` makes them.
    labels : the roles, as `phusion.as_graph` takes them; those of the graph otherwise.
    structural : the method: a preset's name, a spec, a file. By default one that suits the graph, as in
        `phusion.explore`.
    map : ``"pca"``, in which nodes that are alike fall together; ``"tsne"``, ``"umap"``, ``"auto"``.
    seed : of the map.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    a figure of matplotlib.
    """
    need_matplotlib()
    check_seed(seed)
    resources = Resources(memory, threads, precision, executor)  # type: ignore[arg-type]
    found = planted() if graph is None and labels is None else graph_given(graph, labels)
    if found.labels is None:
        raise InputError("the graph has no labels, which are its roles; give some: labels=… (--labels FILE)")
    if len(found) > DRAWN:
        raise InputError(
            f"a graph is drawn up to {DRAWN:,} nodes; this one has {len(found):,}. Its maps alone: phusion.plots.map "
            "(phusion plot map), or take a part of it, such as graph.subgraph(ids)"
        )
    kind = kind_for(len(found), map)
    design = chosen(found, "structural", structural)[0]
    made = embed_together(found, [design.spec], resources)[0]
    points = plane(made.values, kind, seed)
    colours = of_labels(found.labels)
    with styled():
        figure, axes = canvas(7.2, 3.5, 1, 2)
        left, right = axes[0]
        _draw_graph(left, found, colours)
        stretch = stretched(points) if kind == "pca" else 1.0
        draw_map(right, points, colours, stretch=stretch)
        name = f"{plain(found.name, 20)}: " if found.name else ""
        left.set_title(f"{name}{len(found):,} nodes, {found.n_edges:,} edges")
        right.set_title(plain(f"structural: {design.name}", 40))
        right.set_xlabel(TITLES[kind] + (f", second axis × {stretch:.2g}" if stretch > 1.05 else ""))
        key([left, right], None, "label")
        _count_alike(right, points)
        return figure


def _draw_graph(axes: Any, graph: Graph, colours: Classes) -> None:
    from matplotlib.collections import LineCollection

    points = places(graph)
    starts, ends, _ = graph.edge_list()
    thin = float(np.clip(60 / np.sqrt(max(1, len(starts))), 0.15, 0.9))
    drawn = list(np.stack([points[starts], points[ends]], axis=1))
    lines = LineCollection(drawn, colors="#9aa0a8", linewidths=thin, zorder=0)
    lines.set_rasterized(len(starts) > 5_000)
    axes.add_collection(lines)
    scatter(axes, points, colours)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    axes.set_axis_off()


def _count_alike(axes: Any, points: Array) -> None:
    """Beside each place where several nodes fall together, how many they are."""
    if len(points) > 200:
        return
    found = heaps(points)
    if found:
        name_points(axes, points[[heap[0] for heap in found]], [f"× {len(heap)}" for heap in found])
