"""The graphs every peer embeds, and how its rows are judged: the same classifier and the same splits for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import baselines
import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, normalize

import phusion
from phusion.datasets.preferential import preferential
from phusion.evaluation.node_classification import NodeClassification

Array = np.ndarray
Scores = dict[str, float]
LADDER = (10_000, 30_000, 100_000, 300_000, 1_000_000)
LINKS = 5  # of each new node: the mean degree is 10


@dataclass(frozen=True)
class Task:
    """Matrices to embed, and what their rows are worth.

    kinds : of methods that take part.
    given : the matrices and a function that scores rows; loaded when the first method needs them.
    nodes : of a rung of the ladder; 0 for others.
    """

    name: str
    kinds: tuple[str, ...]
    given: Callable[[], tuple[Sequence[sp.csr_array], Callable[[Array], Scores]]]
    nodes: int = 0


def positional(name: str, load: Callable[[str], phusion.Graph] = phusion.datasets.load) -> Task:
    """Micro-F1 of nodes that have any number of labels, of rows as they are and of rows of length 1."""

    def given():
        graph = load(name)
        task = NodeClassification(splits=5)

        def scored(rows: Array) -> Scores:
            each = {"raw": rows, "l2": normalize(rows)}
            return {how: _mean(task.score(these, graph.labels, 0)["micro_f1"]) for how, these in each.items()}

        return [graph.adjacency], scored

    return Task(name, ("positional",), given)


def airports(name: str, load: Callable[[str], phusion.Graph] = phusion.datasets.load) -> Task:
    """Accuracy of the four classes of airports by their traffic, of standardised features."""

    def given():
        graph = load(name)
        task = NodeClassification(splits=5, scaled=True)
        return [graph.adjacency], lambda rows: {"accuracy": _mean(task.score(rows, graph.labels, 0)["micro_f1"])}

    return Task(name, ("structural", "positional"), given)


def classified(name: str, load: Callable[[], tuple[Sequence[sp.csr_array], Array]]) -> Task:
    """Accuracy of the classes of graphs: logistic regression of standardised features, 10 stratified folds."""

    def given():
        matrices, classes = load()
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        return matrices, lambda rows: {"accuracy": 100 * _mean(cross_val_score(model, rows, classes, cv=folds))}

    return Task(name, ("graphs",), given)


def _batch(name: str):
    def load():
        batch = phusion.datasets.load(name)
        return [graph.adjacency for graph in batch.graphs], np.asarray(batch.labels)

    return load


def _blocks(name: str) -> phusion.Graph:
    """For a quick run, without any download: 400 nodes in four groups, which a few of the edges leave."""
    random, groups = np.random.default_rng(0), np.repeat(np.arange(4), 100)
    joined = np.triu(random.random((400, 400)) < np.where(groups[:, None] == groups, 0.1, 0.01), 1)
    return phusion.as_graph(sp.csr_array((joined | joined.T).astype(float)), labels=dict(enumerate(groups.tolist())))


def _houses(name: str) -> phusion.Graph:
    """Likewise: houses on a ring; which part of a house is this node?"""
    return phusion.datasets.planted("house", 20, length=100, noise=10)


def _cycles_and_trees():
    """Likewise: rings, and trees that grow towards their hubs."""
    sizes = range(20, 40)
    graphs = [baselines.cycle(n) for n in sizes] + [baselines.barabasi_albert(n, 1, n) for n in sizes]
    return graphs, np.repeat([0, 1], len(sizes))


def rung(n: int) -> Task:
    """A Barabási–Albert graph of mean degree 10: nothing is scored but that it is done."""

    def given():
        return [preferential(n, LINKS * n).adjacency], lambda _: {}

    return Task(f"ba-{n}", ("positional", "structural"), given, nodes=n)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def tasks(quick: bool) -> list[Task]:
    """Small ones first."""
    if quick:
        graphs = classified("rings and trees", _cycles_and_trees)
        return [positional("blocks", _blocks), airports("houses", _houses), graphs, rung(1_000), rung(2_000)]
    names = {"brazil": airports, "europe": airports, "usa": airports, "ppi": positional, "wikipedia": positional}
    graphs = [classified(name, _batch(name)) for name in ("mutag", "proteins")]
    nodes = [make(name) for name, make in names.items()]
    return [*nodes, *graphs, positional("blogcatalog"), *(rung(n) for n in LADDER)]
