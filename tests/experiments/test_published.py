"""The components of the published profile are the authors' formulas, and are offered to nobody."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import phusion
import phusion.experiments.study
from phusion.cli import main
from phusion.component import FAMILIES, known, resolve

NAMES = {
    "proximities": ["published_heat", "published_walk_power", "published_ppmi", "published_fabp"],
    "nonlinearities": ["published_log", "published_binarize"],
    "embeddings": ["row_statistics"],
}


def dense(name, graph, **parameters):
    return resolve("proximities", {"name": name, **parameters}).dense(graph)


@pytest.fixture(params=["loops", "weights", "karate", "pendant"])
def graph(request):
    if request.param == "karate":
        return phusion.datasets.load("karate")
    edges = {
        "loops": [(0, 0), (0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (3, 4), (4, 1)],
        "weights": [(0, 1, 2.0), (1, 2, 0.5), (2, 0, 3.0), (2, 3, 1.0), (3, 3, 4.0)],
        "pendant": [(0, 1), (1, 2), (2, 3), (3, 3)],
    }
    return phusion.as_graph(edges[request.param])


def parts(graph):
    A = graph.adjacency.toarray()
    return A, A.sum(axis=1), np.eye(len(A))


@pytest.mark.parametrize("scale", [0.1, 1.0, 100.0])
def test_heat_is_a_polynomial_of_order_30_without_small_entries(graph, scale):
    A, d, I = parts(graph)  # noqa: E741
    L = I - A / np.sqrt(np.outer(d, d))
    nodes = np.cos(np.pi * (np.arange(30) + 0.5) / 30)  # interpolation at 30 points, as PyGSP does for [0, 2]
    filter_ = np.polynomial.chebyshev.chebfit(nodes, np.exp(-scale * (nodes + 1)), 29)
    values, vectors = np.linalg.eigh(L)
    expected = (vectors * np.polynomial.chebyshev.chebval(values - 1, filter_)) @ vectors.T
    expected = np.where(expected <= 1e-4 / len(A), 0.0, expected)
    assert np.allclose(dense("published_heat", graph, scale=scale), expected, atol=1e-9)


def test_heat_is_wrong_at_scale_100():
    graph = phusion.datasets.load("karate")
    A, d, I = parts(graph)  # noqa: E741
    values, vectors = np.linalg.eigh(I - A / np.sqrt(np.outer(d, d)))
    exact = (vectors * np.exp(-100.0 * values)) @ vectors.T
    assert np.abs(dense("published_heat", graph, scale=100.0) - exact).max() > 1e-4


@pytest.mark.parametrize("order", [1, 2, 3])
def test_walks_multiply_with_the_root_of_the_degree(graph, order):
    A, d, _ = parts(graph)
    expected = np.linalg.matrix_power(np.sqrt(d)[:, None] * A, order)
    assert np.allclose(dense("published_walk_power", graph, order=order), expected)


def test_two_steps_are_a_step_and_half_of_two(graph):
    A, _, _ = parts(graph)
    assert np.allclose(dense("published_two_steps", graph), A + A @ A / 2)


@pytest.mark.parametrize("window", [1, 10])
def test_ppmi_drops_loops_but_not_from_the_volume(graph, window):
    A, _, _ = parts(graph)
    bare = A - np.diag(np.diag(A))
    inverse = np.diag(1 / bare.sum(axis=1))
    walks = sum(np.linalg.matrix_power(inverse @ bare, r) for r in range(1, window + 1))
    expected = A.sum() / (2.0 * window) * walks @ inverse
    assert np.allclose(dense("published_ppmi", graph, window=window, negative=2.0), expected)


@pytest.mark.parametrize(("a", "c"), [(1.0, 1.0), (1.0, 0.01), (0.5, 2.0)])
def test_fabp_is_seven_terms_with_multiples_of_the_heuristic(graph, a, c):
    A, d, _ = parts(graph)
    c1, c2 = 2 + d.sum(), (d**2).sum() - 1
    h = np.sqrt((-c1 + np.sqrt(c1**2 + 4 * c2)) / (8 * c2))
    step = c * 2 * h / (1 - 4 * h**2) * A - a * 4 * h**2 / (1 - 4 * h**2) * np.diag(d)
    expected = sum(np.linalg.matrix_power(step, k) for k in range(7))
    assert np.allclose(dense("published_fabp", graph, a=a, c=c), expected)


def rows(graph, proximity, nonlinearity):
    """Sums, variances and entropies of the rows of σ(S)."""
    spec = {"proximity": proximity, "nonlinearity": nonlinearity, "embedding": {"name": "row_statistics"}}
    return phusion.embed(graph, spec).values


@pytest.mark.parametrize("proximity", ["published_ppmi", {"name": "adjacency_power", "order": 2}])
def test_log_is_that_of_the_quotient_by_the_least_positive_entry(graph, proximity):
    S = resolve("proximities", proximity).dense(graph)
    S = S.toarray() if hasattr(S, "toarray") else S
    expected = np.log(np.where(S > 0, S / S[S > 0].min(), 1.0))
    found = rows(graph, proximity, "published_log")
    assert np.allclose(found[:, 0], expected.sum(axis=1)) and np.allclose(found[:, 1], expected.var(axis=1))


@pytest.mark.parametrize("percentile", [0, 5, 50, 95])
def test_binarising_is_strictly_above_the_entry_at_its_place(graph, percentile):
    S = dense("published_ppmi", graph)
    limit = np.sort(S, axis=None)[int(S.size * percentile / 100)]
    found = rows(graph, "published_ppmi", {"name": "published_binarize", "percentile": percentile})
    assert np.allclose(found[:, 0], (limit < S).sum(axis=1))


def test_row_statistics_by_hand():
    graph = phusion.as_graph([(0, 1), (1, 2)])
    found = rows(graph, {"name": "adjacency_power", "order": 1}, "identity")
    assert np.allclose(found, [[1, 2 / 9, 0], [2, 2 / 9, np.log(2)], [1, 2 / 9, 0]])


def test_they_are_offered_nowhere(capsys):
    for family, names in NAMES.items():
        assert not set(names) & set(known(family))
    assert set(NAMES) < set(FAMILIES)
    assert main(["components"]) == 0 and "published" not in capsys.readouterr().out
    assert main(["components", "--json"]) == 0
    assert not [one for one in json.loads(capsys.readouterr().out) if "published" in str(one).lower()]
    assert "Published" not in " ".join(dir(phusion.proximities) + dir(phusion.nonlinearities))


def test_they_are_not_suggested():
    with pytest.raises(phusion.errors.InputError) as error:
        resolve("proximities", "publishd_heat")
    assert "published" not in str(error.value)


def test_they_resolve_once_experiments_are_imported_and_not_before():
    program = """
import phusion
try:
    phusion.Spec("published_heat")
except ValueError:
    print("unknown")
import phusion.experiments.study
print(phusion.Spec("published_heat", "published_log").proximity.name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["unknown", "published_heat"]


def test_they_are_in_no_page_of_the_catalogue():
    docs = Path(__file__).parents[2] / "docs"
    for page in docs.glob("*.md"):
        assert "published_" not in page.read_text(encoding="utf-8"), page.name
