"""How the rows of each σ(S) are spread: a small histogram for each of the 35 designs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from phusion.drawing.canvas import canvas, need_matplotlib, plain, styled
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.experiments.own import LIMIT, Grid, row_distributions
from phusion.experiments.tasks import RowDistributions
from phusion.plots.given import graph_given, tell

__all__ = ["draw_rows", "rows"]

_TITLES = {"sum": "row sums", "variance": "variances of rows", "entropy": "entropies of rows"}
_SHAPES = {"bell": "#0072B2", "heavy tail": "#E69F00", "all alike": "#9aa0a8"}


def rows(
    graph: Any,
    *,
    statistic: str = "sum",
    bins: int = 40,
    limit: int = LIMIT,
    ledger: str | Path | None = None,
    memory: Any = None,
    precision: str = "double",
    threads: int | None = None,
    executor: Any = None,
) -> Any:
    """Draw how sums, variances or entropies of the rows of σ(S) are distributed, for seven Ψ by five σ.

    The paper found row sums that are spread like a bell behind some of the best positional embeddings.

    Parameters
    ----------
    graph : anything `phusion.as_graph` accepts, or a data set's name.
    statistic : ``"sum"``, ``"variance"`` or ``"entropy"``.
    bins : of each histogram.
    limit : most nodes; more take long.
    ledger : a file in which results are kept, so that the same call goes on where it ended; None keeps none.
    memory, precision, threads, executor : what computing may use, as in `phusion.PhUSION`.

    Returns
    -------
    a figure of matplotlib.
    """
    need_matplotlib()
    resources = Resources(memory, threads, precision, executor)  # type: ignore[arg-type]
    check_statistic(statistic)
    grid = row_distributions(graph_given(graph), bins=bins, limit=limit, ledger=ledger, resources=resources)
    tell(grid)
    return draw_rows(grid, statistic)


def check_statistic(statistic: str) -> None:
    """Refuse what is not computed."""
    if statistic not in RowDistributions.metrics:
        raise InputError(f"statistic is 'sum', 'variance' or 'entropy'; got {statistic!r}")


def draw_rows(grid: Grid, statistic: str = "sum") -> Any:
    """The figure of what is computed."""
    with styled():
        figure, axes = canvas(7.2, 7.4, len(grid.proximities), len(grid.nonlinearities))
        for i, psi in enumerate(grid.proximities):
            for j, sigma in enumerate(grid.nonlinearities):
                score = grid.scores.get((psi, sigma))
                _draw(axes[i, j], score.raw[0][statistic] if score is not None and score.raw else None)
            axes[i, 0].set_ylabel(psi, rotation=0, ha="right", va="center", labelpad=8)
        for j, sigma in enumerate(grid.nonlinearities):
            axes[0, j].set_title(sigma)
        name = plain(grid.graph.name or "graph", 40)
        figure.suptitle(f"{name}: {_TITLES[statistic]} of σ(S), {len(grid.graph):,} nodes", fontsize=9)
        _key(figure)
        return figure


def _draw(axes: Any, found: dict[str, Any] | None) -> None:
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="x", length=2, pad=1, labelsize=6)
    if found is None:
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        axes.text(0.5, 0.5, "not defined", transform=axes.transAxes, ha="center", va="center", color="#7b818a")
        return
    edges = np.array(found["edges"])
    axes.stairs(found["counts"], edges, fill=True, color=_SHAPES[_shape(found["bell_over_tail"])])
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(bottom=0)
    axes.set_xticks([edges[0], edges[-1]], [_short(edges[0]), _short(edges[-1])])
    low, high = axes.get_xticklabels()
    low.set_horizontalalignment("left")
    high.set_horizontalalignment("right")


def _shape(bell_over_tail: float) -> str:
    return "bell" if bell_over_tail > 0 else "heavy tail" if bell_over_tail < 0 else "all alike"


def _short(number: float) -> str:
    """Three digits, without needless powers.

    >>> _short(1234.5), _short(-0.00012), _short(2.5e7)
    ('1,234', '−0.00012', '2.5e7')
    """
    text = f"{number:,.0f}" if 1e3 <= abs(number) < 1e6 else f"{0.0 if abs(number) < 1e-12 else number:.3g}"
    return text.replace("e+0", "e").replace("e-0", "e-").replace("-", "−")


def _key(figure: Any) -> None:
    from matplotlib.patches import Patch

    marks = [Patch(color=colour, label=name) for name, colour in _SHAPES.items()]
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks))
