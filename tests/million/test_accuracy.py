"""`accuracy` as users meet it: plans, files, refusals, the command line and its exit code."""

from __future__ import annotations

import numpy as np
import pytest
from tests.execution.ways import preferential
from tests.million.large_graphs import graph_of, method_of

import phusion
from phusion.cli import main
from phusion.errors import InputError, MethodWarning
from phusion.execution import certify
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.results.certificate import Certificate, ScaleErrors

HEAT = {"name": "heat", "scale": [0.1, 1.0]}


@pytest.fixture
def too_lenient(monkeypatch):
    """Thresholds that are chosen carelessly, so that held-out nodes tell."""
    monkeypatch.setattr(certify, "_MARGIN", 1e6)


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "graph.csv"
    rows, cols, _ = graph_of("expander").edge_list()
    path.write_text("".join(f"{a},{b}\n" for a, b in zip(rows, cols, strict=True)))
    return path


def run(capsys, *words):
    code = main([str(word) for word in words])
    return code, *capsys.readouterr()


def test_the_plan_names_the_algorithm_its_cost_and_memory():
    model = phusion.PhUSION(HEAT, embedding="characteristic", accuracy=0.01)
    plan = model.plan(graph_of("expander"))
    assert plan.strategy == "push-pull" and 0 < plan.peak < 50e6
    said = plan.explain()
    assert "push-pull" in said and "0.01 of n(φ − 1)" in said and "peak memory" in said and "time" in said
    assert "push-pull" in plan._repr_html_()
    assert phusion.PhUSION(HEAT, embedding="characteristic").plan(graph_of("expander")).strategy == "dense"


def test_auto_is_exact_where_that_is_affordable(monkeypatch):
    from phusion.execution import planning as plan

    graph = graph_of("expander")
    found = phusion.embed(graph, method_of(HEAT), accuracy="auto")
    assert np.array_equal(found.values, phusion.embed(graph, method_of(HEAT)).values)
    assert found.certificate == Certificate(0.01, "exact") and "exact" in repr(found)
    monkeypatch.setattr(plan, "_AFFORDABLE", 0.0)
    monkeypatch.setattr(plan, "is_small", lambda *_: False)
    assert phusion.embed(graph, method_of(HEAT), accuracy="auto").certificate.method == "push-pull"
    log = {"proximity": "heat", "nonlinearity": "log", "embedding": "characteristic"}
    assert phusion.embed(graph, log, accuracy="auto").certificate.method == "exact"


def test_singular_vectors_of_edges_are_what_they_are_with_auto_and_refused_with_a_number():
    graph = preferential(1_100, 4)
    found = phusion.embed(graph, "edge-pmi", accuracy="auto")
    assert found.certificate is None and len(found.fidelity) == 1
    with pytest.raises(InputError, match="svd needs every entry"):
        phusion.embed(graph, "edge-pmi", accuracy=0.01)


def test_tiny_graphs_are_exact_whatever_is_asked():
    karate = phusion.datasets.load("karate")
    found = phusion.embed(karate, method_of(HEAT), accuracy=0.01)
    assert found.certificate == Certificate(0.01, "exact")
    assert np.allclose(found.values, phusion.embed(karate, method_of(HEAT)).values, atol=1e-9)


@pytest.mark.parametrize("suffix", ["npz", "parquet", "zarr", "h5ad"])
def test_the_certificate_is_saved_with_the_file(tmp_path, suffix):
    found = phusion.embed(graph_of("expander"), method_of(HEAT), accuracy=0.01)
    found.save(tmp_path / f"a.{suffix}")
    loaded = phusion.Embedding.load(tmp_path / f"a.{suffix}")
    assert loaded.certificate == found.certificate and loaded.certificate.met
    assert "certified: error" in repr(loaded) and "accuracy" in loaded._repr_html_()


def test_parts_are_written_as_rows_are_computed_and_each_tells_the_certificate(tmp_path):
    graph = graph_of("expander")
    parts = phusion.embed_to(tmp_path / "a.parquet", graph, method_of(HEAT), accuracy=0.01)
    whole = phusion.embed(graph, method_of(HEAT), accuracy=0.01)
    loaded = parts.load()
    assert np.array_equal(loaded.values, whole.values)
    assert loaded.certificate == whole.certificate == parts.certificate and "certified" in repr(parts)


def test_run_shares_moments_between_methods():
    methods = [method_of(HEAT), method_of(HEAT, landmarks=9)]
    first, second = phusion.run(graph_of("expander"), methods, accuracy=0.01)
    assert first.certificate.met and second.certificate.met and second.dim == 36
    alone = phusion.embed(graph_of("expander"), methods[0], accuracy=0.01)
    assert np.array_equal(first.values, alone.values)


def test_fitted_models_embed_other_graphs_as_accurately():
    model = phusion.PhUSION(HEAT, embedding="characteristic", accuracy=0.01).fit(graph_of("expander"))
    rows = model.transform(graph_of("clustered"))
    exact = phusion.PhUSION(HEAT, embedding="characteristic").fit_transform(graph_of("clustered"))
    assert np.abs(rows - exact).max() < 1e-3 and model.result_.certificate.met


def test_dask_workers_give_the_same_bits():
    distributed = pytest.importorskip("distributed")
    graph = graph_of("expander")
    here = phusion.embed(graph, method_of(HEAT), accuracy=0.01)
    small = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**small) as cluster, distributed.Client(cluster) as client:
        there = phusion.embed(graph, method_of(HEAT), accuracy=0.01, executor=client)
    assert np.array_equal(here.values, there.values) and here.certificate == there.certificate


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ({"proximity": "ppmi", "nonlinearity": "log", "embedding": "characteristic"}, "log lifts small entries"),
        ({"proximity": "ppmi", "embedding": "characteristic"}, "ppmi is not a sum over walks"),
        ({"proximity": "laplacian_pinv", "embedding": "characteristic"}, "laplacian_pinv is not a sum over walks"),
        ({"proximity": "heat", "nonlinearity": "binarize", "embedding": "characteristic"}, "binarize lifts"),
        ({"proximity": "heat", "embedding": "svd"}, "svd needs every entry"),
        ({"proximity": "heat", "embedding": "histogram"}, "histogram needs every entry"),
        ({"proximity": {"name": "katz", "beta": "1.5/λmax"}, "embedding": "characteristic"}, "0.5/λmax"),
        ({"proximity": {"name": "heat", "laplacian": "combinatorial"}, "embedding": "characteristic"}, "combinatorial"),
        (method_of("heat", upper="auto", centered=False), "upper=100"),
    ],
)
def test_what_is_not_local_is_refused_with_what_can_be_done_instead(method, says):
    with pytest.raises(InputError, match="cannot be approximated") as refused:
        phusion.embed(graph_of("expander"), method, accuracy=0.01)
    assert says in str(refused.value) and "accuracy='exact'" in str(refused.value)


@pytest.mark.parametrize(
    "proximity",
    ["adjacency_power", "walk_power", "common_neighbors", "adamic_adar", {"name": "ppmi", "window": 2}],
    ids=str,
)
@pytest.mark.parametrize("kind", ["expander", "star"])
def test_a_few_steps_are_exact_though_they_lead_nearly_everywhere(kind, proximity):
    found = phusion.embed(graph_of(kind), method_of(proximity), accuracy=0.01)
    assert found.certificate == Certificate(0.01, "exact")
    assert np.allclose(found.values, phusion.embed(graph_of(kind), method_of(proximity)).values, rtol=1e-9, atol=1e-9)


def test_signed_directed_and_several_graphs_are_refused():
    signed = phusion.as_graph([(0, 1, -1.0), (1, 2, 1.0)])
    with pytest.raises(InputError, match="signed"):
        phusion.embed(signed, method_of("heat"), accuracy=0.01)
    with pytest.raises(InputError, match="undirected"):
        phusion.embed(phusion.as_graph([(0, 1)], directed=True), method_of("pagerank"), accuracy=0.01)
    model = phusion.PhUSION(HEAT, embedding="characteristic", accuracy=0.01)
    with pytest.raises(InputError, match="several graphs"):
        model.fit([graph_of("expander"), graph_of("grid")])
    with pytest.raises(InputError, match="whole graphs"):
        phusion.embed([graph_of("expander")], "netlsd", accuracy=0.01)


@pytest.mark.parametrize("given", ["exakt", 0, -1, 0.9, 1e-6, True, None])
def test_an_accuracy_that_makes_no_sense_is_named(given):
    with pytest.raises(InputError, match="accuracy is 'exact', 'auto'"):
        Resources(accuracy=given)


def test_what_takes_longer_than_the_exact_way_is_refused_with_its_cost(monkeypatch):
    monkeypatch.setattr(certify, "_PATIENCE", 0.0)
    monkeypatch.setattr(certify, "_SECONDS_READ", 1e-3)
    with pytest.raises(InputError, match=r"heat_s10 cannot be approximated.*exactly take about"):
        phusion.embed(graph_of("grid"), method_of({"name": "heat", "scale": 10.0}), accuracy=0.01)


def test_a_target_that_is_missed_is_said_and_kept(too_lenient, tmp_path):
    with pytest.warns(MethodWarning, match="heat_s1 misses the accuracy"):
        found = phusion.embed(graph_of("expander"), method_of({"name": "heat", "scale": 1.0}), accuracy=0.001)
    assert not found.certificate.met and "misses its target" in repr(found) and "MISSED" in str(found.certificate)
    found.save(tmp_path / "a.npz")
    assert not phusion.Embedding.load(tmp_path / "a.npz").certificate.met


def test_the_command_prints_the_certificate(capsys, tmp_path, edges):
    words = ["--preset", "graphwave", "--set", "scale=0.1,1", "--accuracy", "0.01"]
    code, said, _ = run(capsys, "embed", edges, "-o", tmp_path / "a.parquet", *words)
    assert code == 0 and "certificate: met" in said and "heat_s0.1" in said
    code, said, _ = run(capsys, "plan", edges, *words)
    assert code == 0 and "push-pull" in said


def test_a_missed_target_has_an_exit_code_of_its_own(too_lenient, capsys, tmp_path, edges):
    words = ["--proximity", "heat", "--embedding", "characteristic", "--accuracy", "0.001"]
    for more in ([], ["--partitioned"]):
        out = tmp_path / f"a{len(more)}.parquet"
        code, said, noted = run(capsys, "embed", edges, "-o", out, *words, *more)
        assert code == 6 and "certificate: MISSED" in said and "misses the accuracy" in noted and out.exists()


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--preset", "netmf", "--accuracy", "0.01"], 3, "svd needs every entry"),
        (["--preset", "graphwave", "--accuracy", "fine"], 2, "accuracy is 'exact'"),
    ],
)
def test_mistakes_on_the_command_line_have_their_codes(capsys, tmp_path, edges, words, code, says):
    found, _, noted = run(capsys, "embed", edges, "-o", tmp_path / "a.npz", *words)
    assert found == code and says in noted and not (tmp_path / "a.npz").exists()


def test_certificates_are_plain_values_and_back():
    errors = ScaleErrors.of("heat_s1", np.full(16, 0.001), np.full(16, 0.02), 1e-4, 0.01)
    found = Certificate(0.01, "push-pull", (errors,), 16, 16, 32)
    assert Certificate.from_dict(found.as_dict()) == found and not found.met and found.missed == (errors,)
    assert "missed" in str(found)


@pytest.mark.parametrize("proximity", ["adjacency_power", "walk_power", {"name": "ppmi", "window": [1, 2]}])
def test_short_walks_on_sparse_graphs_are_exact_by_sparse_columns(proximity):
    graph = preferential(3_200, 2)
    model = phusion.PhUSION(proximity, embedding="characteristic", accuracy=0.01)
    assert model.plan(graph).strategy == "sparse"
    found = model.fit(graph).result_
    job = Job(model.spec, model.spec.proximity)
    written_out = compute(make_plan(graph, [job], Resources(strategy="dense")), 0)[0].values
    assert found.certificate.method == "exact" and np.abs(found.values - written_out).max() < 1e-12
