"""Approximate singular vectors: near the exact ones, the same for any threads, honest about their error."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import phusion
from phusion.cli import main
from phusion.embeddings import SVD
from phusion.errors import InputError
from phusion.execution.edges import in_threads
from phusion.execution.resources import Resources
from phusion.linalg.chebyshev_svd import chebyshev_svd
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.fidelity import measured
from phusion.proximities import EdgePmi
from phusion.spec import Spec

DIM = 16


def preferential(n, links, seed):
    """Every new node links to ends of edges, so that there are hubs."""
    random = np.random.default_rng(seed)
    ends = list(range(links + 1)) * 2
    pairs = []
    for new in range(links + 1, n):
        for old in {ends[k] for k in random.integers(len(ends), size=links)}:
            pairs.append((new, old))
            ends += [new, old]
    rows, columns = np.array(pairs).T
    A = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n)).tocsr()
    return phusion.as_graph(A + A.T)


GRAPH = preferential(600, 4, 0)
LARGE = preferential(1_200, 3, 1)


@pytest.fixture(scope="module")
def exact():
    return np.linalg.svd(EdgePmi().dense(GRAPH))


@pytest.mark.parametrize(("applications", "close"), [(4, 0.05), (8, 0.01), (20, 1e-4)])
def test_values_come_nearer_to_the_exact_ones_with_every_application(exact, applications, close):
    matrix = EdgePmi().edge_matrix(GRAPH, np.float32)
    found = chebyshev_svd(matrix, DIM, applications, seed=0)
    assert sum(found.degrees) == applications
    assert np.abs(found.values / exact[1][:DIM] - 1).max() < close
    assert np.allclose(found.left.T @ found.left, np.eye(DIM), atol=1e-5)


def test_the_space_is_the_exact_one_after_enough_applications(exact):
    U, s, Vt = exact
    found = chebyshev_svd(EdgePmi().edge_matrix(GRAPH, np.float32), DIM, 30, seed=3)
    assert np.allclose((found.left * found.values) @ found.left.T, (U[:, :DIM] * s[:DIM]) @ U[:, :DIM].T, atol=2e-3)
    assert np.allclose(found.left @ found.right.T, (U[:, :DIM] * s[:DIM]) @ Vt[:DIM], atol=2e-3)


def test_the_report_bounds_the_error_of_values_and_sees_what_was_missed(exact):
    matrix, s = EdgePmi().edge_matrix(GRAPH, np.float32), exact[1]
    for applications in (1, 2, 4, 8, 16):
        found = chebyshev_svd(matrix, DIM, applications, seed=0)
        report = measured(matrix, found, applications, 0)
        nearest = np.abs(found.values[:, None] - s).min(axis=1) / found.values
        some = np.unique(np.linspace(0, DIM - 1, 16).astype(int))
        assert nearest[some].max() <= report.residual_largest + 1e-5
        assert 0 <= report.rise <= report.residual_largest and report.missed < 1.2
    found.left, found.right, found.values = found.left[:, 4:], found.right[:, 4:], found.values[4:]
    assert measured(matrix, found, 16, 0).missed > 1.5  # the four largest are not there
    assert report.residual_largest < 1e-3 and "16 applications" in str(report)


def test_digits_do_not_depend_on_threads_and_follow_the_seed():
    found = [
        phusion.embed(LARGE, "edge-pmi", dim=DIM, applications=24, threads=threads, random_state=seed).values
        for threads, seed in ((1, 0), (3, 0), (1, 1))
    ]
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])
    assert np.abs(found[0] @ found[0].T - found[2] @ found[2].T).mean() < 0.02


@pytest.mark.parametrize(
    "edges",
    [
        [(0, leaf) for leaf in range(1, 1_500)],
        [(hub, leaf) for hub in range(3) for leaf in range(3 + 400 * hub, 3 + 400 * (hub + 1))],
        [(i, i + 1) for i in range(0, 1_400, 2)],
        [(i, (i + 1) % 1_200) for i in range(1_200)],
    ],
    ids=["star", "three stars", "matching", "ring"],
)
def test_hubs_and_repeated_values_give_finite_rows(edges):
    graph = phusion.as_graph(edges)
    for name in ("edge-pmi", "prone", "edge-pmi-2"):
        found = phusion.embed(graph, name, dim=DIM)
        assert np.isfinite(found.values).all() and found.values.any(), name


def test_a_matrix_of_zeros_has_values_zero():
    empty = EdgeMatrix.of(sparse.csr_array((300, 300)), *np.zeros((2, 300)), np.float32, symmetric=True, plain=True)
    found = chebyshev_svd(empty, 5, 4, seed=0)
    assert not found.values.any() and np.isfinite(found.left).all()
    assert measured(empty, found, 4, 0).checked == 0
    graph = phusion.as_graph(np.zeros((1_100, 1_100)))
    assert not phusion.embed(graph, "edge-pmi", dim=5).values.any()


def test_without_applications_vectors_are_exact_and_the_sparse_matrix_serves_too():
    spec = Spec("edge_pmi", "identity", SVD(DIM))
    rows = phusion.embed(LARGE, spec)
    U, s, _ = np.linalg.svd(EdgePmi().dense(LARGE))
    assert np.allclose(rows.values @ rows.values.T, (U[:, :DIM] * s[:DIM]) @ U[:, :DIM].T, atol=1e-6)
    assert rows.fidelity == () and "fidelity" not in rows.provenance


def test_both_sides_are_approximate_alike():
    one = phusion.embed(LARGE, Spec("edge_pmi", "identity", SVD(DIM, "both", applications=30))).values
    other = phusion.embed(LARGE, Spec("edge_pmi", "identity", SVD(DIM, "both"))).values
    assert np.allclose(one[:, :DIM] @ one[:, DIM:].T, other[:, :DIM] @ other[:, DIM:].T, atol=5e-3)


def test_small_graphs_get_exact_vectors_whatever_is_allowed():
    spec = Spec("edge_pmi", "identity", SVD(4, applications=1))
    assert np.allclose(
        phusion.embed("karate", spec).values, phusion.embed("karate", spec.replace(applications=None)).values
    )


def test_the_plan_says_what_will_run_and_keeps_the_budget():
    plan = phusion.preset("edge-pmi", dim=DIM).plan(LARGE)
    words = plan.explain()
    assert plan.strategy == "edges" and "4 applications of SSᵀ in single precision" in words and "LowPass()" in words
    assert phusion.preset("edge-pmi", dim=DIM).set_params(embedding__applications=None).plan(LARGE).strategy == "edges"
    exactly = phusion.PhUSION("edge_pmi", "identity", SVD(DIM)).plan(LARGE)
    assert "exact to 1e-09" in exactly.explain()
    with pytest.raises(InputError, match="The smallest that would do"):
        phusion.preset("edge-pmi", dim=DIM).set_params(memory="0.1MB").plan(LARGE)


def test_rows_are_written_in_parts_with_their_fidelity(tmp_path):
    held = phusion.embed(LARGE, "edge-pmi", dim=DIM)
    parts = phusion.embed_to(tmp_path / "rows.parquet", LARGE, "edge-pmi", dim=DIM)
    loaded = parts.load()
    assert np.array_equal(loaded.values, held.values) and loaded.features == held.features
    assert loaded.fidelity == held.fidelity and held.fidelity[0].applications == 4
    held.save(tmp_path / "rows.npz")
    assert phusion.Embedding.load(tmp_path / "rows.npz").fidelity == held.fidelity


def test_the_command_line_prints_the_fidelity(tmp_path, capsys):
    phusion.write_graph(LARGE, tmp_path / "graph.csv")
    words = ["embed", str(tmp_path / "graph.csv"), "-o", str(tmp_path / "rows.npy"), "--preset", "edge-pmi"]
    assert main([*words, "--set", "dim=8"]) == 0
    assert "fidelity: 8 singular vectors by 4 applications" in capsys.readouterr().out


def test_threads_are_ours():
    each = in_threads(Resources(threads=2))
    assert each(lambda i: i * i, 5) == [0, 1, 4, 9, 16]


@pytest.mark.parametrize("propagate", [None, 2, "prone"])
@pytest.mark.parametrize("applications", [4, None], ids=["approximate", "exact"])
def test_dask_workers_multiply_and_filter_to_the_same_rows(propagate, applications):
    distributed = pytest.importorskip("distributed")
    graph = preferential(1_500, 3, 0)
    embedding = {"name": "svd", "dim": 8, "applications": applications}
    method = {"proximity": "edge_pmi", "embedding": embedding, "propagate": propagate, "random_state": 0}
    method = {key: value for key, value in method.items() if value is not None}
    here = phusion.embed(graph, method)
    small = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**small) as cluster, distributed.Client(cluster) as client:
        model = phusion.PhUSION(**method, executor=client)
        assert "columns at a time on Dask workers" in model.plan(graph).explain()
        there = phusion.embed(graph, method, executor=client)
    assert np.abs(there.values - here.values).max() < 1e-3 * np.abs(here.values).max()
    assert len(there.fidelity) == len(here.fidelity) == (1 if applications else 0)
