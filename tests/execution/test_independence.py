"""Results do not depend on how the work is cut, who does it, what is kept, or what else is computed beside it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.contracts.graphs import examples
from tests.execution.ways import blocked, error, graphs, preferential, takes

import phusion
from phusion.embeddings import SVD, Characteristic, Diagonal, Histogram
from phusion.execution import planning
from phusion.execution.blocks import Passes, StoredStream
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.linalg.streams.series import SeriesStream
from phusion.nonlinearities import Binarize, Identity, Log, LogRamp
from phusion.proximities import AdjacencyPower, Grarep, Heat, Katz, LaplacianPinv, Pagerank, Ppmi, Surfing, WalkPower
from phusion.spec import Spec

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")

GRAPHS = graphs()
SIGMAS = (Identity(), Log(), Log("one"), Binarize(90))
ZETAS = (SVD(5, "both"), Characteristic(6), Diagonal(), Histogram(9))
PROXIMITIES = [
    Heat((0.5, 4.0)), Heat(2.0, "combinatorial"), Katz(), Katz("0.5/λmax"), Ppmi(5), Ppmi(3, rank=4), Pagerank(),
    LaplacianPinv(), WalkPower((1, 3)), AdjacencyPower(3),
]  # fmt: skip


def methods(proximity, sigmas=SIGMAS, zetas=ZETAS):
    return [Spec(proximity, sigma, zeta) for sigma in sigmas for zeta in zetas]


def same(found, expected, tolerance=1e-12):
    for one, other in zip(found, expected, strict=True):
        assert error(one, other) <= tolerance


@pytest.mark.parametrize("proximity", PROXIMITIES, ids=repr)
def test_neither_the_width_of_blocks_nor_threads_matter(proximity):
    for name in ("preferential", "directed"):
        graph = GRAPHS[name]
        if not takes(proximity, graph):
            continue
        specs = methods(proximity, (Identity(), Log(), Binarize(90)), (SVD(5, "both"), Characteristic(6), Histogram(9)))
        expected = blocked(graph, specs, width=32, threads=1)
        for width, threads in ((1, 1), (7, 2), (64, 3), (len(graph), 1)):
            same(blocked(graph, specs, width=width, threads=threads), expected, 2e-12)


@pytest.mark.parametrize("proximity", examples("proximities"), ids=repr)
def test_the_same_blocks_give_the_same_bits_on_any_number_of_threads(proximity):
    graph = next(graph for graph in GRAPHS.values() if takes(proximity, graph))
    specs = methods(proximity, sigmas=(Log(0.01), Binarize(60)), zetas=(SVD(3), Characteristic(3), Histogram(4)))
    one, two, three = (blocked(graph, specs, width=16, threads=threads) for threads in (1, 2, 3))
    for a, b, c in zip(one, two, three, strict=True):
        assert np.array_equal(a, b) and np.array_equal(a, c)


@pytest.mark.parametrize("proximity", PROXIMITIES, ids=repr)
def test_kept_columns_are_as_good_as_those_computed_again(proximity, monkeypatch):
    graph, specs = GRAPHS["apart"], methods(proximity)
    kept = []
    made = StoredStream.columns
    monkeypatch.setattr(StoredStream, "columns", lambda self, *block: kept.append(block) or made(self, *block))
    with_memory = blocked(graph, specs)
    assert kept
    kept.clear()
    plan = _plan(graph, specs, Resources(strategy="blocked", width=16, threads=1))
    assert all(part.keep for part in plan.parts if part.stream is not None and part.strategy == "blocked")
    without = [_forgetful(part) for part in plan.parts]
    found = [done.values for done in compute(_with_parts(plan, without), 0)]
    assert not kept
    same(found, with_memory)


def _plan(graph, specs, resources):
    return make_plan(graph, [Job(spec, spec.proximity.fitted([graph])) for spec in specs], resources)


def _forgetful(part):
    """The same without keeping columns and without storing σ(S)."""
    from dataclasses import replace

    return replace(part, keep=False, room=0)


def _with_parts(plan, parts):
    from dataclasses import replace

    return replace(plan, parts=tuple(parts))


@pytest.mark.parametrize("name", ["directed", "signed", "apart"])
def test_other_methods_in_the_same_call_change_nothing(name):
    graph = GRAPHS[name]
    specs = [spec for proximity in PROXIMITIES if takes(proximity, graph) for spec in methods(proximity)]
    together = blocked(graph, specs)
    for place in range(0, len(specs), 8):
        same([together[place]], blocked(graph, [specs[place]]), 1e-10 if name == "signed" else 1e-11)
    backwards = blocked(graph, specs[::-1])[::-1]
    for one, other in zip(together, backwards, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("memory", [None, "80MB"], ids=["free", "80MB"])
def test_run_gives_what_separate_fits_give(memory):
    graph = preferential(1050 if memory else 150)  # below 1,000 nodes matrices are written out
    specs = [
        Spec(Heat((0.5, 2.0)), "identity", "characteristic"), Spec(Heat((0.5, 2.0)), "log", Histogram(8)),
        Spec(Ppmi(4), "log", SVD(8)), Spec(Ppmi(4), Binarize(95), Diagonal()), Spec(Katz(), "identity", SVD(8, "both")),
    ]  # fmt: skip
    found = phusion.run(graph, specs, memory=memory, threads=1)
    for spec, one in zip(specs, found, strict=True):
        alone = phusion.embed(graph, spec, memory=memory, threads=1)
        assert error(one.values, alone.values) <= 1e-11, spec
        assert one.features == alone.features and one.nodes.tolist() == alone.nodes.tolist()
        assert one.spec.replace(random_state=None) == alone.spec.replace(random_state=None)


# how often columns are computed


@pytest.fixture
def counted(monkeypatch):
    """Every block of columns that a series computes, and every pass."""
    blocks, passes = [], []
    columns, read = SeriesStream.columns, Passes.read
    monkeypatch.setattr(SeriesStream, "columns", lambda self, a, b: blocks.append((a, b)) or columns(self, a, b))
    monkeypatch.setattr(Passes, "read", lambda self, reader, what: passes.append(what) or read(self, reader, what))
    return blocks, passes


def once(blocks, n, width=16):
    return sorted(blocks) == [(start, min(start + width, n)) for start in range(0, n, width)]


def test_all_methods_of_one_proximity_cost_one_pass_where_no_statistics_are_needed(counted):
    blocks, passes = counted
    graph = GRAPHS["preferential"]
    zetas = (Characteristic(4), Characteristic(9, centered=True), Histogram(5, edges="own"))
    blocked(graph, methods(Ppmi((2, 5)), (Identity(), LogRamp(), Log("one")), zetas))
    assert passes == ["rows"] and once(blocks, len(graph))


def test_statistics_cost_one_pass_more_for_all_that_need_them(counted):
    blocks, passes = counted
    graph = GRAPHS["preferential"]
    specs = methods(Ppmi((2, 5)), (Identity(), Log(), Log(0.01)), (Characteristic(4), Histogram(5)))
    blocked(graph, specs)
    assert passes == ["extremes", "rows"] and once(blocks, len(graph))  # columns are kept between them


def test_percentiles_of_all_scales_cost_two_passes(counted):
    blocks, passes = counted
    graph = GRAPHS["preferential"]
    specs = methods(Ppmi((2, 5)), (Binarize(10), Binarize(50), Binarize(97), Log()), (Characteristic(4), Histogram(5)))
    blocked(graph, specs)
    assert passes == ["counting entries", "looking closer", "rows"] and once(blocks, len(graph))


def test_without_room_to_keep_columns_each_pass_computes_them(counted, monkeypatch):
    blocks, passes = counted
    graph = GRAPHS["preferential"]
    plan = _plan(graph, methods(Ppmi(5), (Log(),), (Characteristic(4),)), Resources(strategy="blocked", width=16))
    blocks.clear()
    compute(_with_parts(plan, [_forgetful(part) for part in plan.parts]), 0)
    assert passes == ["extremes", "rows"] and len(blocks) == 2 * len(set(blocks))


def test_the_plan_foretells_the_passes(counted):
    _, passes = counted
    graph = GRAPHS["preferential"]
    for sigmas in ((Identity(),), (Log(),), (Binarize(50),), (Log("one"), LogRamp())):
        for zetas in ((Characteristic(4),), (Histogram(5),), (Diagonal(),), (Characteristic(4), Diagonal())):
            passes.clear()
            plan = _plan(graph, methods(Ppmi(5), sigmas, zetas), Resources(strategy="blocked", width=16))
            compute(plan, 0)
            assert plan.passes == len(passes), (sigmas, zetas, passes)


@pytest.mark.parametrize("proximity", [LaplacianPinv(), Katz("2/λmax"), Surfing(), Grarep()], ids=repr)
def test_no_pass_is_made_for_noise_that_nobody_looks_at(counted, proximity):
    _, passes = counted
    graph = GRAPHS["preferential"]
    for zetas, expected in (((Characteristic(4), Diagonal()), 1), ((Histogram(5, edges="own"), Characteristic(4)), 2)):
        passes.clear()
        plan = _plan(graph, methods(proximity, (Identity(), LogRamp()), zetas), Resources(strategy="blocked", width=16))
        compute(plan, 0)
        assert plan.passes == len(passes) == expected, (zetas, passes)


def test_the_diagonal_alone_does_without_columns(monkeypatch):
    from phusion.linalg.streams.chebyshev import ChebyshevStream

    monkeypatch.setattr(ChebyshevStream, "columns", lambda *_: pytest.fail("columns were computed"))
    graph = GRAPHS["preferential"]
    (found,) = blocked(graph, [Spec(Heat((0.5, 2.0)), "identity", "diagonal")])
    assert error(found, np.array([Heat(s).dense(graph).diagonal() for s in (0.5, 2.0)]).T) < 1e-12


def test_small_graphs_are_written_out_unless_asked_otherwise():
    assert _plan(GRAPHS["grid"], methods(Heat()), Resources()).strategy == "dense"
    assert planning.SMALL >= 1000


CROSSING = {  # plans of these are dense or blocked, by what one more thread takes
    "heat": (Heat((0.5, 2.0)), "log", Characteristic(5), 1e-10),
    "katz": (Katz("0.5/λmax"), Binarize(90), Histogram(8), 0.0),
    "pagerank": (Pagerank(), "log", SVD(4, "both"), 1e-8),
    "ppmi": (Ppmi(4), "log", SVD(4), 1e-8),
}


@pytest.mark.parametrize("name", CROSSING)
def test_threads_and_budgets_of_the_estimator_do_not_matter_on_weighted_graphs(name):
    proximity, nonlinearity, embedding, tolerance = CROSSING[name]
    random = np.random.default_rng(0)
    dense = np.triu(random.random((200, 200)) < 0.05, 1) * random.pareto(2.0, (200, 200))
    ways = [{"memory": memory, "threads": threads} for memory in (None, "5MB") for threads in (1, 2, 4)]
    found = [phusion.PhUSION(proximity, nonlinearity, embedding, **way).fit_transform(dense + dense.T) for way in ways]
    for one in found[1:]:
        assert error(one, found[0]) <= tolerance
