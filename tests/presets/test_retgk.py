"""RetGK against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from tests.presets.matrices import (
    apart,
    walk,
)

import phusion
from phusion.datasets import load


def returns(A: np.ndarray, steps: int = 50) -> np.ndarray:
    """Return probabilities of 1 to 50 steps on A + I."""
    R = walk(A + np.eye(len(A)))
    power, columns = np.eye(len(A)), []
    for _ in range(steps):
        power = power @ R
        columns.append(np.diag(power))
    return np.array(columns).T


def retgk(
    clouds: list[np.ndarray], attributes: list[np.ndarray], gamma: float, outer: float, fitted: int | None = None
) -> np.ndarray:
    """Zhang et al., RetGK I: exp(−γ ‖μ_G − μ_H‖) of the mean embeddings of nodes."""

    def inner(i: int, j: int) -> float:
        return float((rbf_kernel(clouds[i], clouds[j], gamma=gamma) * (attributes[i] @ attributes[j].T)).mean())

    product = np.array([[inner(i, j) for j in range(len(clouds))] for i in range(len(clouds))])
    squared = np.diag(product)[:, None] + np.diag(product) - 2 * product
    return np.exp(-outer * np.sqrt(np.maximum(squared, 0)))[:, :fitted]


KINDS = "abc"


def molecules(count: int = 8) -> list[phusion.Graph]:
    """Small graphs whose nodes have a kind (as label and as attribute) and a size."""
    made = []
    for i in range(count):
        graph = nx.gnp_random_graph(6 + i, 0.4, seed=i)
        nx.set_node_attributes(graph, {v: KINDS[(v * v + i) % 3] for v in graph}, "kind")
        nx.set_node_attributes(graph, {v: 1.0 + (7 * v + i) % 5 for v in graph}, "size")
        made.append(phusion.as_graph(graph, labels="kind"))
    return made


def clouds_of(graphs: Any) -> list[np.ndarray]:
    return [returns(graph.adjacency.toarray().astype(float)) for graph in graphs]


def vectors_of(graphs: Any, attributes: str | tuple[str, ...]) -> list[np.ndarray]:
    """What enters by Kronecker product: 1, an indicator of the label, or the number itself."""
    if attributes == ():
        return [np.ones((len(graph.nodes), 1)) for graph in graphs]
    if attributes == "size":
        return [np.asarray(graph.attributes["size"])[:, None] for graph in graphs]
    return [np.equal.outer(np.asarray(graph.attributes["kind"]), list(KINDS)).astype(float) for graph in graphs]


@pytest.mark.parametrize("attributes", [(), "labels", "kind", "size"])
def test_retgk_1_is_the_laplace_kernel_of_mean_embeddings(attributes: Any) -> None:
    graphs = molecules()
    expected = retgk(clouds_of(graphs), vectors_of(graphs, attributes), gamma=3.0, outer=2.0)
    model = phusion.preset("retgk-1", attributes=attributes, gamma=3.0, outer_gamma=2.0)
    K = model.fit_transform(graphs)
    np.testing.assert_allclose(K, expected, atol=1e-7)  # √ of a difference near 0 halves the digits
    away = ~np.eye(len(graphs), dtype=bool)
    np.testing.assert_allclose(K[away], expected[away], atol=1e-9)
    np.testing.assert_allclose(np.diag(K), 1, atol=1e-7)


def test_retgk_1_takes_inverse_medians_as_bandwidths() -> None:
    graphs = molecules()
    clouds = clouds_of(graphs)
    gamma = 1 / np.median(pdist(np.vstack(clouds))) ** 2
    raw = -np.log(retgk(clouds, vectors_of(graphs, ()), gamma, outer=1.0))
    expected = np.exp(-raw / np.median(raw[np.triu_indices(len(raw), 1)]))
    away = ~np.eye(len(graphs), dtype=bool)
    np.testing.assert_allclose(phusion.preset("retgk-1").fit_transform(graphs)[away], expected[away], atol=1e-8)


def test_retgk_1_compares_new_graphs_with_the_fitted_ones() -> None:
    graphs = molecules()
    model = phusion.preset("retgk-1", attributes="labels", gamma=3.0, outer_gamma=2.0).fit(graphs[:5])
    expected = retgk(clouds_of(graphs), vectors_of(graphs, "labels"), 3.0, 2.0, fitted=5)
    np.testing.assert_allclose(model.transform(graphs[5:]), expected[5:], atol=1e-9)


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")  # whether it says so is not the matter here
def test_retgk_1_counts_equal_labels_that_were_not_fitted_as_equal() -> None:
    graphs = molecules()
    strange = phusion.as_graph(nx.cycle_graph(5), labels=["z", "z", "a", "z", "b"])
    model = phusion.preset("retgk-1", attributes="labels", gamma=3.0, outer_gamma=2.0).fit(graphs)
    indicator = [np.pad(x, ((0, 0), (0, 1))) for x in vectors_of(graphs, "labels")]
    indicator.append(np.array([[0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]], float))
    expected = retgk(clouds_of([*graphs, strange]), indicator, 3.0, 2.0, fitted=len(graphs))
    np.testing.assert_allclose(model.transform([strange]), expected[-1:], atol=1e-9)


def test_retgk_1_gives_a_positive_semidefinite_kernel(data: Path) -> None:
    K = phusion.preset("retgk-1", attributes="labels").fit_transform(load("mutag")[:60])
    np.testing.assert_allclose(K, K.T, atol=1e-12)
    assert np.linalg.eigvalsh(K).min() > -1e-8


@pytest.mark.parametrize("attributes", [(), "labels"])
@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")  # a fold without one of the rare atoms
def test_retgk_1_lets_a_support_vector_machine_tell_mutagens(data: Path, attributes: Any) -> None:
    mutag = load("mutag")
    machine = make_pipeline(phusion.preset("retgk-1", attributes=attributes), SVC(kernel="precomputed", C=100))
    chance = np.unique(mutag.labels, return_counts=True)[1].max() / len(mutag)
    assert cross_val_score(machine, mutag, mutag.labels, cv=3).mean() > chance + 0.12


@pytest.mark.parametrize("attributes", [(), "labels", "size"])
def test_retgk_2_approaches_the_mean_gaussian_kernel(attributes: Any) -> None:
    graphs, gamma = molecules(), 3.0
    clouds, vectors = clouds_of(graphs), vectors_of(graphs, attributes)
    K = np.array(
        [
            [(rbf_kernel(x, y, gamma=gamma) * (a @ b.T)).mean() for y, b in zip(clouds, vectors, strict=True)]
            for x, a in zip(clouds, vectors, strict=True)
        ]
    )
    F = phusion.preset("retgk-2", attributes=attributes, features=20_000, gamma=gamma).fit_transform(graphs)
    sampler = RBFSampler(gamma=gamma, n_components=20_000, random_state=1).fit(clouds[0])
    theirs = np.array([(sampler.transform(x).T @ a / len(x)).ravel() for x, a in zip(clouds, vectors, strict=True)])
    ours, oracle = (np.abs(f @ f.T - K).max() / K.max() for f in (F, theirs))
    assert F.shape == theirs.shape
    assert oracle < 0.03
    assert ours < 0.03
    assert np.abs(K - K.mean()).max() / K.max() > 0.03  # otherwise a constant would pass


def test_retgk_2_takes_the_inverse_square_of_the_median_distance() -> None:
    graphs = molecules()
    gamma = float(1 / np.median(pdist(np.vstack(clouds_of(graphs)))) ** 2)
    automatic_gamma = phusion.preset("retgk-2").fit_transform(graphs)
    np.testing.assert_allclose(automatic_gamma, phusion.preset("retgk-2", gamma=gamma).fit_transform(graphs), atol=1e-9)


def test_retgk_2_is_a_mean_over_nodes() -> None:
    one, other = molecules()[5:7]
    union = phusion.as_graph(apart(one.adjacency.toarray(), other.adjacency.toarray()))
    model = phusion.preset("retgk-2").fit([one, other])
    f, g, both = model.transform([one, other, union])
    sizes = len(one.nodes), len(other.nodes)
    np.testing.assert_allclose(both, np.average([f, g], axis=0, weights=sizes), atol=1e-12)
    assert np.abs(f - g).max() > 1e-3


def test_retgk_2_shares_its_random_features_among_labels() -> None:
    graphs = molecules()
    plain = phusion.preset("retgk-2").fit_transform(graphs)
    labelled = phusion.preset("retgk-2", attributes="labels").fit_transform(graphs)
    assert plain.shape == (8, 200)
    assert labelled.shape == (8, 600)
    np.testing.assert_allclose(labelled.reshape(8, 200, 3).sum(axis=2), plain, atol=1e-12)


def test_retgk_2_is_decided_by_its_seed() -> None:
    graphs = molecules()
    one = phusion.preset("retgk-2").fit_transform(graphs)
    np.testing.assert_array_equal(phusion.preset("retgk-2").fit_transform(graphs), one)
    assert np.abs(phusion.preset("retgk-2", random_state=1).fit_transform(graphs) - one).max() > 1e-3
