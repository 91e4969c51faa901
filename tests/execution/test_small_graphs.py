"""Many small graphs at once give what each gives alone."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import phusion
from phusion.component import known
from phusion.errors import InputError, MethodWarning
from phusion.execution.engine import compute
from phusion.execution.jobs import Done, Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.execution.stacks import compute_stacks
from phusion.graph.batch import GraphBatch
from phusion.graph.graph import Graph
from phusion.graph.stack import Stack, stacked_places
from phusion.spec import Spec

STRUCTURAL = (
    {"name": "diagonal"},
    {"name": "characteristic", "landmarks": 5, "upper": 10.0},
    {"name": "characteristic", "landmarks": [0.3, 1.0], "axis": "rows", "normalize": False},
    {"name": "histogram", "bins": 7},
)
MANY_SCALES = {"heat": (0.01, 1.0, 30.0), "wave": (0.0, 2.0), "walk_power": (3, 1), "ppmi": (4, 2)}
STACKED = {
    "adamic_adar",
    "adjacency_power",
    "common_neighbors",
    "fabp",
    "heat",
    "katz",
    "pagerank",
    "ppmi",
    "walk_power",
    "wave",
}


def random_graphs(count: int = 40, seed: int = 0) -> list[Graph]:
    """Weighted and not, with self-loops, isolated nodes and several components, of 1 to 24 nodes."""
    generator = np.random.default_rng(seed)
    found = []
    for i in range(count):
        n = (1, 2)[i] if i < 2 else int(generator.integers(3, 25))
        upper = np.triu(generator.random((n, n)) < generator.uniform(0.05, 0.5), 0 if i % 3 == 0 else 1)
        weights = upper * (generator.uniform(0.5, 2.0, (n, n)) if i % 2 else 1.0)
        if i == 1:
            weights[0, 1] = 1.0
        found.append(phusion.as_graph(weights + np.triu(weights, 1).T))
    return found


def one_by_one(job: Job, graphs: Sequence[Graph]) -> list[Done]:
    return [compute(make_plan(graph, [job], Resources(threads=1)), 0)[0] for graph in graphs]


def agree(batched: np.ndarray, alone: np.ndarray) -> None:
    assert batched.shape == alone.shape
    np.testing.assert_allclose(batched, alone, rtol=0, atol=1e-12 * max(1.0, np.abs(alone).max()))


def job_of(proximity: Any, nonlinearity: Any, embedding: Any, graphs: Sequence[Graph]) -> Job:
    spec = Spec(proximity, nonlinearity, embedding)
    if spec.proximity.name in MANY_SCALES and spec.proximity.scale_value == type(spec.proximity)().scale_value:
        spec = spec.replace(
            proximity=spec.proximity.replace(**{spec.proximity.scale_parameter: MANY_SCALES[spec.proximity.name]})
        )
    shared = [(0.0, 2.0)] * len(spec.proximity.at_each_scale()) if spec.embedding.learns else None
    return Job(spec, spec.proximity.fitted(graphs), shared)


@pytest.mark.parametrize("embedding", STRUCTURAL, ids=lambda given: "_".join(map(str, given.values())))
@pytest.mark.parametrize("nonlinearity", sorted(known("nonlinearities")))
@pytest.mark.parametrize("proximity", sorted(known("proximities")))
@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
def test_stacks_agree_with_graphs_one_by_one(proximity: str, nonlinearity: str, embedding: Any) -> None:
    graphs = random_graphs()
    job = job_of(proximity, nonlinearity, embedding, graphs)
    found = compute_stacks(job, graphs, 0, Resources(threads=2))
    if proximity in STACKED and nonlinearity == "identity":
        assert sum(done is not None for done in found) > len(graphs) // 2
    alone = one_by_one(job, graphs)
    for batched, single in zip(found, alone, strict=True):
        if batched is not None:
            agree(batched.values, single.values)


@pytest.mark.parametrize("proximity", ["heat", "wave", "adjacency_power", "katz", "common_neighbors"])
def test_signed_and_directed_graphs_have_stacks_of_their_own(proximity: str) -> None:
    generator = np.random.default_rng(3)
    graphs = random_graphs(10)
    for i in range(12):
        matrix = np.triu(generator.random((9, 9)) < 0.4, 1) * generator.choice([-1.0, 1.0], (9, 9))
        if i % 2 == 0:
            graphs.append(phusion.as_graph(matrix + matrix.T))
        elif proximity not in ("heat", "wave"):
            graphs.append(phusion.as_graph(matrix, directed=True))
    places = stacked_places(graphs, range(len(graphs)))
    assert sorted(place for group in places for place in group) == list(range(len(graphs)))
    assert all(len({(graphs[i].directed, graphs[i].signed) for i in group}) == 1 for group in places)
    job = job_of(proximity, "identity", "characteristic", graphs)
    for batched, single in zip(compute_stacks(job, graphs, 0, Resources()), one_by_one(job, graphs), strict=True):
        assert batched is not None
        agree(batched.values, single.values)


def test_components_stay_exactly_apart_and_matrices_exactly_symmetric() -> None:
    graphs = tuple(random_graphs())
    stack = Stack(graphs, max(map(len, graphs)))
    for name in ("heat", "wave", "fabp", "ppmi"):
        for entrywise in (False, True)[: 1 if name == "wave" else 2]:
            (matrix,) = known("proximities")[name]().stacked(stack, entrywise=entrywise)
            for i, graph in enumerate(graphs):
                values = matrix.matrix(i).toarray()
                assert (values == values.T).all()
                assert not values[graph.components[:, None] != graph.components].any()
                assert not matrix.values[i, : len(graph), len(graph) :].any()


def model(**how: Any) -> Any:
    node = phusion.PhUSION({"name": "heat", "scale": [0.1, 10.0]}, "identity", "characteristic")
    return phusion.GraphPhUSION(node, "mean", **how)


def test_permuting_the_batch_permutes_the_rows() -> None:
    graphs = random_graphs()
    order = np.random.default_rng(1).permutation(len(graphs))
    agree(model().fit_transform([graphs[i] for i in order]), model().fit_transform(graphs)[order])


def test_the_number_of_threads_changes_nothing() -> None:
    graphs = random_graphs()
    assert (model(threads=1).fit_transform(graphs) == model(threads=3).fit_transform(graphs)).all()


def test_other_graphs_are_embedded_as_the_fitted_ones() -> None:
    graphs = random_graphs()
    fitted = model().fit(graphs)
    agree(fitted.transform(GraphBatch(tuple(graphs[::-1]))), fitted.embedding_[::-1])


def test_eigendecompositions_are_far_fewer_than_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda matrix: calls.append(matrix.shape) or eigh(matrix))
    graphs = random_graphs(400)
    model().fit(graphs)
    assert sum(shape[0] for shape in calls) == len(graphs)
    assert len(calls) <= 20


def test_stacks_are_small_and_of_like_sizes() -> None:
    graphs = random_graphs(500)
    for group in stacked_places(graphs, range(len(graphs))):
        sizes = [len(graphs[i]) for i in group]
        assert max(sizes) <= 1.1 * min(sizes) + 1
        assert 8 * len(sizes) * max(sizes) ** 2 <= 64e6


def test_the_same_is_said_and_refused_as_one_by_one() -> None:
    graphs = random_graphs(12)
    katz = phusion.PhUSION({"name": "katz", "beta": 0.7}, "identity", "diagonal")
    with warnings.catch_warnings(record=True) as together:
        warnings.simplefilter("always", MethodWarning)
        said = katz.fit(graphs).provenance_["warnings"]
    expected: list[str] = []
    for graph in graphs:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected += [word for word in katz.fit(graph).provenance_["warnings"] if word not in expected]
    assert said == expected
    assert together
    directed = phusion.as_graph(np.triu(np.ones((4, 4)), 1), directed=True)
    with pytest.raises(InputError, match="does not take directed graphs"):
        model().fit([*graphs, directed])
    big = phusion.as_graph(1e200 * np.ones((3, 3)))
    with pytest.raises(InputError, match="overflows"):
        phusion.PhUSION({"name": "adjacency_power", "order": 3}, "identity", "diagonal").fit([*graphs, big])
