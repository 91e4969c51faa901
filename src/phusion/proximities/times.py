"""How long heat and waves run, where nobody says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phusion.errors import InputError
from phusion.graph.graph import Graph
from phusion.proximities.spectral import LaplacianName

__all__ = ["automatic_times", "graphwave_times"]

_FIRST = 0.1  # by then a node has lost a tenth of its heat
_LAST = 10.0  # and by then nearly all of it, where the spectral gap is not known
_GAPS = (0.02, 2.0)  # for last times from 100 to 1
_SMALL = 5_000  # nodes up to which λ₂ is searched for until it is found


def automatic_times(graphs: Sequence[Graph], laplacian: LaplacianName) -> tuple[float, float, float]:
    """From when a node still keeps most of its heat to when the slowest difference has all but gone, and between.

    Heat leaves every node at rate 1 (with L = D − A, at the mean degree), and the slowest difference within the largest
    component fades at rate λ₂: times 0.1 and 2/λ₂, at least 1 and at most 100, and their geometric mean. Where λ₂ is
    not known, as in signed graphs and some large ones, the last time is 10. Of several graphs medians count.
    """
    found = [graph.spectral_gap(patient=len(graph) <= _SMALL) for graph in graphs]
    gaps = [gap for gap in found if gap is not None]
    last = 2.0 / float(np.clip(np.median(gaps), *_GAPS)) if gaps else _LAST
    rates = [1.0]
    if laplacian == "combinatorial":
        rates = [float(np.median(graph.degrees[graph.degrees > 0])) for graph in graphs if graph.volume] or [1.0]
    rate = float(np.median(rates))
    return _FIRST / rate, float(np.sqrt(_FIRST * last)) / rate, last / rate


def graphwave_times(graphs: Sequence[Graph]) -> tuple[float, float]:
    """GraphWave's two, −ln 0.95 · √(0.5/λ₂) and −ln 0.80 · √(0.5/λ₂), of the median gap."""
    found = [graph.spectral_gap(patient=True) for graph in graphs]
    gaps = [gap for gap in found if gap]
    if not gaps:
        if any(graph.signed for graph in graphs):
            raise InputError(
                'the graph has negative weights, for which scale="graphwave" has no formula; give scales, such as '
                "scale=[0.1, 1, 10], or take their absolute values"
            )
        if not any(graph.n_edges > graph.n_self_loops for graph in graphs):
            raise InputError(
                'the graph has no edges between nodes, so no spectral gap λ₂, which scale="graphwave" needs; give '
                "scales, such as scale=[0.1, 1, 10]"
            )
        if 0.0 in found:
            raise InputError(
                'scale="graphwave" needs the spectral gap λ₂, which doubles cannot tell from 0 here: parts of this '
                "graph hang together by weights 1e15 times smaller than others. Remove these edges, or give scales, "
                "such as scale=[0.1, 1, 10]"
            )
        raise InputError(
            'scale="graphwave" needs the spectral gap λ₂, which undirected, unsigned graphs with edges between nodes '
            "have, and which was not found within a minute (as in long paths and rings of many thousand nodes); use "
            'scale="auto", or give scales, such as scale=[0.1, 1, 10]'
        )
    root = np.sqrt(0.5 / float(np.median(gaps)))
    return float(-np.log(0.95) * root), float(-np.log(0.80) * root)
