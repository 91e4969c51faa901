"""How well labels are predicted from each of the 35 designs: a bar for each, Ψ side by side, σ in colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phusion.drawing.canvas import canvas, need_matplotlib, plain, styled
from phusion.execution.resources import Resources
from phusion.experiments.own import LIMIT, Grid, classified
from phusion.graph.graph import Graph
from phusion.plots.given import graph_given, tell

__all__ = ["bars", "draw_bars"]

# dark, bright, and three shades of one colour for three thresholds; they differ without colours too
_FILLS = ("#27476e", "#E69F00", "#bfe3d6", "#5fb795", "#0b6e4f")
_GUESS = "largest class"  # what is right if every node is guessed to be of it
_ROOM = 0.84  # of a group's place, filled with bars


def bars(
    graph: Any,
    labels: Any = None,
    *,
    kind: str = "structural",
    splits: int = 3,
    dim: int | None = None,
    limit: int = LIMIT,
    ledger: str | Path | None = None,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
) -> Any:
    """Draw how well labels are predicted from the paper's 35 designs, seven Ψ by five σ.

    The protocol is the paper's: one-vs-rest logistic regression, 80 % of the nodes to train on; micro-F1.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    labels : of the nodes, as `phusion.as_graph` takes them; those of the graph otherwise.
    kind : ``"structural"`` (characteristic functions) or ``"positional"`` (SVD).
    splits : random splits into nodes to train on and to test.
    dim : columns of positional embeddings; 128, or the number of nodes where there are fewer.
    limit : most nodes; more take long.
    ledger : a file in which results are kept, so that the same call goes on where it ended; None keeps none.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    a figure of matplotlib.
    """
    need_matplotlib()
    resources = Resources(memory, threads, precision, executor)  # type: ignore[arg-type]
    grid = classified(
        graph_given(graph, labels), kind, splits=splits, dim=dim, limit=limit, ledger=ledger, resources=resources
    )
    tell(grid)
    return draw_bars(grid)


def draw_bars(grid: Grid) -> Any:
    """The figure of what is computed."""
    with styled():
        figure, axes = canvas(7.2, 2.9)
        _draw(axes[0, 0], grid)
        return figure


def _draw(axes: Any, grid: Grid) -> None:
    wide = _ROOM / len(grid.nonlinearities)
    known: list[tuple[float, float]] = []
    for number, sigma in enumerate(grid.nonlinearities):
        values = [grid.mean(psi, sigma) for psi in grid.proximities]
        at = np.arange(len(values)) - _ROOM / 2 + (number + 0.5) * wide
        heights = [np.nan if value is None else value for value in values]
        fill = _FILLS[number % len(_FILLS)]
        axes.bar(at, heights, wide * 0.92, color=fill, edgecolor="#33383f", linewidth=0.3, label=sigma, zorder=2)
        known += [(value, place) for value, place in zip(values, at.tolist(), strict=True) if value is not None]
        gaps = [place for place, value in zip(at.tolist(), values, strict=True) if value is None]
        axes.plot(gaps, [1.5] * len(gaps), "x", color="#7b818a", markersize=3, markeredgewidth=0.7)
    axes.set_xticks(range(len(grid.proximities)), grid.proximities)
    axes.tick_params(axis="x", length=0)
    axes.set_ylabel("micro-F1 (%)")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color="#e3e6ea", linewidth=0.6)
    best = max((value for value, _ in known), default=0.0)
    places = [place for value, place in known if value == best]
    if len(places) == 1:  # of several that are equal none is marked
        beside = {"textcoords": "offset points", "ha": "center", "va": "bottom", "fontsize": "small"}
        axes.annotate(f"{best:.1f}", (places[0], best), (0, 2), **beside)
    share = _largest_share(grid.graph)
    if share is not None:
        axes.axhline(share, color="#33383f", linewidth=0.8, linestyle=(0, (4, 3)), label=_GUESS, zorder=3)
    axes.set_xlim(-0.55, len(grid.proximities) - 0.45)
    axes.set_ylim(0, 1.12 * max(best, share or 0.0, 20.0))
    axes.set_title(_title(grid), loc="left")
    handles, names = axes.get_legend_handles_labels()
    order = sorted(range(len(names)), key=lambda i: names[i] == _GUESS)  # the line after the bars
    place = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "alignment": "left"}
    axes.legend([handles[i] for i in order], [names[i] for i in order], title="nonlinearity", **place)


def _largest_share(graph: Graph) -> float | None:
    """Percent that are right if every node is guessed to be of the largest class; None where nodes have several."""
    labels = graph.labels
    if labels is None or labels.multi:
        return None
    return 100.0 * max(labels.counts.values()) / labels.n_labelled


def _title(grid: Grid) -> str:
    embedding = grid.study.given["embedding"]["name"]
    kind = "positional (SVD)" if embedding == "svd" else "structural (characteristic functions)"
    name = grid.graph.name or "graph"
    return f"{plain(name, 24)}: {len(grid.graph):,} nodes, {kind}"
