"""What can be measured of a design on a graph without labels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phusion.advice.candidates import Candidate
from phusion.advice.noise import noisy, thinned
from phusion.advice.roles import roles_of
from phusion.advice.surroundings import places_of
from phusion.errors import InputError, MethodWarning, PhusionError
from phusion.evaluation.node_classification import NodeClassification
from phusion.evaluation.top_labels import measured_by, most_frequent
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.experiments.row_statistics import RowStatistics
from phusion.experiments.tasks import RowDistributions
from phusion.graph.graph import Graph
from phusion.graph.ids import Array
from phusion.graph.labels import Labels

__all__ = ["Measures", "measured"]

_SHARE = 0.1  # of the edges, that go or are added, for stability
_FEW = 10  # nodes
_TASK = NodeClassification(splits=5)
_SHAPES = RowDistributions()


@dataclass(frozen=True)
class Measures:
    """Of one design.

    Attributes
    ----------
    told : what the embedding tells of the graph, in percent: roles that can be counted (structural), or places that can
        be made up (positional), found for some nodes by a linear model that was shown those of others.
    parts : the same for each sort of role or place.
    guessed : what naming the most frequent class for every node would find, in percent.
    stability : 1 if rows stay where they are when a tenth of the edges goes, 0 if what is left is noise.
    under_noise : the same when as many edges are added between random pairs.
    rank : effective number of dimensions, (Σσ²)² / Σσ⁴ of the centred embedding's singular values σ.
    bells : for row sums, variances and entropies of σ(S), how much likelier a bell shape is than a heavy tail, as
        log-likelihood per node; mean over scales.
    """

    told: float
    parts: dict[str, float]
    guessed: float
    stability: float
    under_noise: float
    rank: float
    bells: dict[str, float]


def measured(
    graph: Graph, candidates: Sequence[Candidate], resources: Resources, seed: int = 0
) -> list[Measures | str]:
    """Measures of each candidate, or in words why there are none. Candidates with one proximity share work."""
    if len(graph) < _FEW:
        raise InputError(f"advice needs {_FEW} nodes at least, to show some and ask for others; got {len(graph)}")
    if not graph.volume:
        raise InputError("the graph has no edges: all designs are the same")
    others = thinned(graph, _SHARE, seed), noisy(graph, _SHARE, seed)
    groups: dict[object, list[int]] = {}
    for place, candidate in enumerate(candidates):
        groups.setdefault(candidate.spec.proximity, []).append(place)
    found: list[Measures | str] = [""] * len(candidates)
    known = {
        "structural": {name: Labels.from_values(each.tolist()) for name, each in roles_of(graph).items()},
        "positional": {name: Labels(np.arange(each.shape[1]), each) for name, each in places_of(graph, seed).items()},
    }
    for places in groups.values():
        some = [candidates[place] for place in places]
        for place, result in zip(places, _of_group(graph, others, some, known, resources, seed), strict=True):
            found[place] = result
    return found


def _of_group(
    graph: Graph,
    others: tuple[Graph, Graph],
    candidates: list[Candidate],
    known: dict[str, dict[str, Labels]],
    resources: Resources,
    seed: int,
) -> list[Measures | str]:
    specs = [candidate.spec for candidate in candidates]
    scales = specs[0].proximity.fitted([graph])  # these, and landmarks, are the same for all graphs
    shapes = [spec.replace(embedding=RowStatistics()) for spec in specs]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MethodWarning)
            whole = compute(make_plan(graph, [Job(spec, scales) for spec in specs + shapes], resources), seed)
            same = [Job(spec, scales, done.shared) for spec, done in zip(specs, whole, strict=False)]
            changed = [compute(make_plan(other, same, resources), seed) for other in others]
    except PhusionError as error:
        if len(candidates) == 1:
            return [str(error)]
        return [_of_group(graph, others, [one], known, resources, seed)[0] for one in candidates]
    found: list[Measures | str] = []
    for k, candidate in enumerate(candidates):
        rows, statistics = whole[k].values, whole[len(specs) + k].values
        classes = known[candidate.kind]
        parts = {name: _told(rows, labels, seed) for name, labels in classes.items()}
        kept = _stays if candidate.kind == "structural" else _shared
        stability, under_noise = (kept(rows, other[k].values) for other in changed)
        told = float(np.mean(list(parts.values()))) if parts else 0.0
        guessed = float(np.mean([_guessed(labels) for labels in classes.values()])) if classes else 0.0
        found.append(Measures(told, parts, guessed, stability, under_noise, _effective_rank(rows), _bells(statistics)))
    return found


def _guessed(labels: Labels) -> float:
    """What naming the most frequent classes finds, as many for each node as it has, in percent."""
    truth = labels.membership.toarray()
    return measured_by("micro_f1", truth, most_frequent(truth, truth.sum(axis=1)))


def _told(rows: Array, labels: Labels, seed: int) -> float:
    """How many of the nodes' classes a linear model finds that has seen those of other nodes, in percent."""
    return float(np.mean(_TASK.score(rows, labels, seed)["micro_f1"]))


def _stays(rows: Array, other: Array) -> float:
    """1 − (how far a row moves) / (how far it is from the mean), both squared and summed."""
    spread = float(((rows - rows.mean(axis=0)) ** 2).sum())
    return float(np.clip(1.0 - ((rows - other) ** 2).sum() / spread, 0.0, 1.0)) if spread else 0.0


def _shared(rows: Array, other: Array) -> float:
    """How much of the space of columns both have, 0 to 1; it may be rotated."""
    mine, its = (np.linalg.qr(each)[0] for each in (rows, other))
    return float(np.linalg.norm(mine.T @ its) ** 2 / mine.shape[1])


def _effective_rank(rows: Array) -> float:
    squares = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    return float(squares.sum() ** 2 / (squares**2).sum()) if squares.any() else 0.0


def _bells(statistics: Array) -> dict[str, float]:
    """Means over scales, each of which has three columns."""
    each = [_SHAPES.score(statistics[:, k : k + 3], None, 0) for k in range(0, statistics.shape[1], 3)]
    return {name: float(np.mean([one[name]["bell_over_tail"] for one in each])) for name in _SHAPES.metrics}
