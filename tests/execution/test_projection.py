"""Projections: that they say of a graph that is not there what its plan says once it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

import phusion
from phusion.cli import main
from phusion.datasets.preferential import preferential
from phusion.errors import InputError
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.projection import project
from phusion.execution.resources import Resources
from phusion.execution.workers import Workers
from phusion.linalg.streams.base import Sparse
from phusion.linalg.streams.magnified import magnified_bytes

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")

HEAT = {"proximity": {"name": "heat", "scale": [0.5, 2.0]}, "embedding": "characteristic"}
METHODS = {
    "blocked": (HEAT, {"strategy": "blocked"}),
    "push-pull": (HEAT, {"accuracy": 0.01}),
    "sparse": ({"proximity": "common_neighbors", "embedding": "characteristic"}, {"strategy": "blocked"}),
    "edges": (
        {"proximity": "edge_pmi", "embedding": {"name": "svd", "dim": 16, "applications": 4}, "propagate": 2},
        {},
    ),
    "logarithms": ({"proximity": "ppmi", "nonlinearity": "log", "embedding": {"name": "svd", "dim": 16}}, {}),
    "chosen": (HEAT, {}),
}


def real(spec, graph, resources):
    return make_plan(graph, [Job(spec, spec.proximity.fitted([graph]))], resources)


@pytest.mark.parametrize(("n", "sample"), [(3_000, 1_500), (20_000, 5_000)])
@pytest.mark.parametrize("method", METHODS)
def test_a_projection_agrees_with_the_plan_of_a_graph_of_that_size(method, n, sample):
    described, given = METHODS[method]
    spec, resources = phusion.Spec.from_dict(described), Resources(memory="2GB", threads=2, **given)
    found = project(spec, n, 4 * n, resources, sample=sample).plan
    plan = real(spec, preferential(n, 4 * n, seed=1), resources)
    assert len(found.graph) == sample and found.n == n
    assert (found.strategy, found.products, found.passes) == (plan.strategy, plan.products, plan.passes)
    assert found.peak == pytest.approx(plan.peak, rel=0.1)
    assert [part.width for part in found.parts] == [part.width for part in plan.parts]


@pytest.mark.parametrize("kind", [{"directed": True}, {"weighted": True}, {"directed": True, "weighted": True}])
def test_directed_and_weighted_graphs_are_projected_as_such(kind):
    spec, resources = phusion.Spec.from_dict(METHODS["edges"][0]), Resources(memory="2GB", threads=2)
    found = project(spec, 6_000, 30_000, resources, sample=2_000, **kind)
    plan = real(spec, preferential(6_000, 30_000, seed=1, **kind), resources)
    assert found.plan.peak == pytest.approx(plan.peak, rel=0.02) and found.entries == len(plan.graph.arrays[1])


def test_a_graph_no_larger_than_the_sample_is_planned_as_it_is():
    spec = phusion.Spec.from_dict(HEAT)
    found = project(spec, 500, 2_000, Resources(memory="2GB"))
    plan = real(spec, preferential(500, 2_000), Resources(memory="2GB"))
    assert found.plan.peak == plan.peak and found.plan.strategy == "dense" and "scaled" not in found.explain()


def test_workers_that_are_not_there_are_planned_with_and_compute_nothing():
    spec, workers = phusion.Spec.from_dict(HEAT), Workers.imagined(100, 2, 10**9)
    found = project(spec, 20_000, 80_000, Resources(memory="1GB", threads=2, executor=workers), sample=2_000)
    assert found.fits and 0 < found.there <= workers.memory == 6 * 10**8 and found.plan.parts[0].at_once == 200
    assert "100 workers" in found.explain() and "in every worker" in found.explain()
    with pytest.raises(InputError, match="only planned with"), Resources(executor=workers).open_executor():
        pass


# what does not fit


@pytest.mark.parametrize("method", ["blocked", "push-pull", "sparse", "edges"])
@pytest.mark.parametrize("workers", [None, Workers.imagined(100, 2, 64 * 10**9)])
def test_a_billion_nodes_do_not_fit_and_the_projection_says_what_would(method, workers):
    described, given = METHODS[method]
    resources = Resources(memory="64GB", threads=2, executor=workers, **given)
    found = project(
        phusion.Spec.from_dict(described), 1e9, 1e10, resources, sample=20_000 if method == "sparse" else 2_000
    )
    assert not found.fits and found.plan.strategy == method
    assert "does not fit" in found.explain() and "not sharded" in found.explain()
    if workers is not None and method != "edges":
        assert found.there > found.held_bytes > 1e10 * 2 * 12  # places of 8 bytes, and values


def test_rows_that_are_written_as_they_are_computed_are_not_held():
    spec, given = phusion.Spec.from_dict(HEAT), Resources(memory="64GB", accuracy=0.01)
    held, written = (project(spec, 1e7, 1e8, given, partitioned=each, sample=2_000).plan.peak for each in (False, True))
    assert held - written == pytest.approx(8 * 1e7 * 100, rel=0.1)  # two scales of 50 numbers each


def test_columns_that_fill_the_generated_graph_are_said_to_be_the_worst_case():
    spec = phusion.Spec.from_dict({"proximity": {"name": "adjacency_power", "order": 4}, "embedding": "characteristic"})
    found = project(spec, 1e6, 1e7, Resources(memory="64GB"), sample=2_000)
    assert found.plan.strategy == "blocked" and "may stay sparse" in found.explain()


def test_places_take_eight_bytes_where_there_are_very_many_entries():
    matrix = Sparse.of(preferential(1_000, 5_000).adjacency, np.float32)
    assert magnified_bytes(matrix, matrix.nbytes, 10**9, 1e5) == round(1e5 * matrix.nbytes)
    wider = 4 * (1_001 + 10_000)
    assert magnified_bytes(matrix, matrix.nbytes, 2**31, 3e5) == round(3e5 * (matrix.nbytes + wider))


# time


@pytest.mark.parametrize("method", ["blocked", "push-pull", "edges"])
def test_time_grows_with_the_exponent_that_is_stated(method):
    described, given = METHODS[method]
    spec, resources = phusion.Spec.from_dict(described), Resources(memory="100TB", threads=2, **given)
    small, large = (project(spec, n, 4 * n, resources, sample=2_000) for n in (10**6, 10**9))
    stated = 2 if "so as n² at the same degree" in large.explain() else 1
    assert stated == 2 or "so as n at the same degree" in large.explain()
    grown = large.plan.cpu_seconds / small.plan.cpu_seconds
    assert math.log10(grown) / 3 == pytest.approx(stated, abs=0.25)


def test_more_threads_share_only_what_has_pieces_for_them():
    resources = Resources(memory="64GB", accuracy=0.01, threads=1)
    found = project(phusion.Spec.from_dict(HEAT), 4e5, 2e6, resources, sample=2_000)
    assert found.seconds(1, 1) == pytest.approx(found.plan.cpu_seconds)
    assert found.seconds(1_000_000) > found.plan.cpu_seconds / 1_000_000
    shares = {share.what: share for _, each in found.plan.shares for share in each}
    assert shares["moments"].most == 1 and 2 <= shares["exact columns"].most <= 8


def test_threads_share_the_rows_of_wide_blocks_in_one_process_alone():
    resources = Resources(memory="64GB", accuracy=0.01, threads=2)
    found = project(phusion.Spec.from_dict(HEAT), 1e6, 4e6, resources, sample=2_000)
    shares = {share.what: share for _, each in found.plan.shares for share in each}
    for what in ("moments", "exact columns"):
        assert shares[what].here and shares[what].seconds(1_000, 64) == shares[what].cpu_seconds / 64


# what is refused


@pytest.mark.parametrize(
    ("nodes", "edges", "match"),
    [
        (-5, 3, "nodes is a whole number"),
        (10, -1, "edges is a whole number"),
        (10, 46, "at most 45 edges"),
        (10, 101, "at most 45 edges"),
        ("many", 3, "got many"),
        (10.5, 3, "nodes is a whole number"),
        (1e16, 3, "nodes is a whole number"),
        (float("nan"), 3, "nodes is a whole number"),
        (1, 1, "nodes is a whole number from 2"),
    ],
)
def test_numbers_of_no_graph_are_refused(nodes, edges, match):
    with pytest.raises(InputError, match=match):
        project(phusion.Spec.from_dict(HEAT), nodes, edges)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nodes", "1e9"], "--nodes and --edges as numbers"),
        (["--edges", "1e9"], "--nodes and --edges as numbers"),
        ([], "give a GRAPH"),
        (["karate", "--nodes", "1e9", "--edges", "1e9"], "not both"),
        (["karate", "--workers", "3"], "not both"),
        (["--nodes=-5", "--edges", "3"], "nodes is a whole number"),
        (["--nodes", "10", "--edges", "101"], "at most 45 edges"),
        (["--nodes", "many", "--edges", "101"], "got many"),
        (["--nodes", "100", "--edges", "101", "--workers", "0"], "workers is a whole number"),
        (["--nodes", "100", "--edges", "101", "--dask", "local"], "say --workers"),
    ],
)
def test_the_command_refuses_what_does_not_fit_together(words, said, capsys):
    assert main(["plan", *words, "--preset", "graphwave", "--set", "scale=1"]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_the_command_says_that_it_is_a_projection_and_what_was_measured(capsys):
    words = "plan --nodes 1e8 --edges 1e9 --proximity heat --embedding characteristic --accuracy 0.01 --workers 10"
    assert main([*words.split(), "--memory", "512GB"]) == 0
    said = capsys.readouterr().out
    assert "100,000,000 nodes, 2,000,000,000 stored entries" in said
    for name in ("projection", "strategy", "peak memory", "workers", "work", "time", "measured", "scaled"):
        assert f"\n{name} " in f"\n{said}", name


def test_the_command_ends_with_3_where_it_does_not_fit(capsys):
    words = "plan --nodes 1e8 --edges 1e9 --proximity heat --embedding characteristic --accuracy 0.01 --memory 200MB"
    assert main(words.split()) == 3
    assert "which does not fit: the budget is 200 MB" in " ".join(capsys.readouterr().out.split())


# the graph that is generated


@pytest.mark.parametrize(("n", "edges"), [(2, 1), (5, 10), (50, 40), (1_000, 10_000), (400, 60_000)])
def test_generated_graphs_have_as_many_edges_as_asked_for(n, edges):
    graph = preferential(n, edges)
    assert len(graph) == n and graph.n_edges == edges and graph.n_self_loops == 0 and not graph.weighted


def test_generated_graphs_have_few_nodes_with_very_many_neighbours():
    degrees = preferential(20_000, 200_000).degrees
    assert degrees.min() > 0 and np.median(degrees) < 20 < 500 < degrees.max()


def test_a_budget_is_read_once_however_much_is_free_a_moment_later(monkeypatch):
    free = iter(range(10**10, 0, -(10**9)))
    monkeypatch.setattr("phusion.execution.resources.free_memory", lambda: next(free))
    found = project(phusion.Spec.from_dict(HEAT), 3_000, 15_000, sample=500)
    assert found.fits and found.budget == found.plan.resources.budget == 7 * 10**9
