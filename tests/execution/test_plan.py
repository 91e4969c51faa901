"""Plans: what they say, what they refuse, and that what they name works."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.execution.ways import cycle, error, preferential

import phusion
from phusion.cli import main
from phusion.embeddings import SVD, Characteristic, Histogram
from phusion.errors import InputError, PhusionError
from phusion.execution.jobs import Job
from phusion.execution.memory import as_bytes, at_least, in_words
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.nonlinearities import Binarize, Identity, Log
from phusion.proximities import Heat, Katz, LaplacianPinv, Pagerank, Ppmi, WalkPower

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")

GRAPH = preferential(1300)  # above the size up to which matrices are always written out
METHODS = {
    "heat": (Heat((0.5, 2.0)), Identity(), Characteristic()),
    "ppmi": (Ppmi(), Log("one"), SVD(32)),
    "katz": (Katz(), Binarize(95), SVD(16)),
    "walk_power": (WalkPower(3), Binarize(90), Characteristic(5)),
    "laplacian_pinv": (LaplacianPinv(), Log(0.01), Histogram(16)),
    "pagerank": (Pagerank(), Log(), SVD(16, "both")),
}


def named_budget(refusal) -> str:
    """The budget that an error says would do."""
    found = re.search(r"smallest that would do is memory='([^']+)'", str(refusal.value))
    assert found, refusal.value
    return found[1]


# what a plan says


@pytest.mark.parametrize("method", METHODS)
def test_a_plan_names_strategy_passes_products_memory_and_time(method):
    model = phusion.PhUSION(*METHODS[method], memory="60MB", threads=2)
    plan = model.plan(GRAPH)
    said = plan.explain()
    for name in ("graph", "method", "strategy", "blocks", "passes", "products", "precision", "peak memory", "time"):
        assert re.search(rf"^{name} +\S", said, re.MULTILINE), name
    assert "1,300 nodes" in said and "of a budget of 60 MB" in said and repr(plan.jobs[0].proximity) in said
    assert plan.strategy in ("blocked", "sparse") and plan.passes >= 1 and plan.products >= 1
    assert 0 < plan.peak <= 60e6 and plan.seconds > 0


def test_a_small_graph_is_written_out_and_the_plan_says_so():
    plan = phusion.PhUSION().plan(phusion.datasets.load("karate"))
    assert plan.strategy == "dense" and plan.products == 0 and "written out" in plan.explain()
    assert "passes" not in plan.explain()


def test_planning_computes_nothing_and_explaining_only_a_probe(monkeypatch):
    from phusion.execution.blocks import Passes

    monkeypatch.setattr(Passes, "read", lambda *_: pytest.fail("a pass was made"))
    phusion.PhUSION(*METHODS["pagerank"], memory="60MB").plan(GRAPH).explain()


def test_methods_that_share_a_proximity_are_one_part():
    from phusion.execution.jobs import Job
    from phusion.execution.planning import make_plan
    from phusion.spec import Spec

    specs = [Spec(Heat(), sigma, zeta) for sigma in ("identity", "log") for zeta in ("characteristic", "diagonal")]
    plan = make_plan(GRAPH, [Job(spec, spec.proximity) for spec in [*specs, Spec(Ppmi(), "log", SVD(4))]], Resources())
    assert len(plan.parts) == 2 and "and 1 more" in plan.explain()


def test_less_memory_means_smaller_peaks_and_at_last_a_refusal():
    peaks = []
    for memory in ("2GB", "200MB", "50MB", "40MB"):
        plan = phusion.PhUSION(*METHODS["ppmi"], memory=memory, threads=2).plan(GRAPH)
        assert plan.peak <= as_bytes(memory)
        peaks.append(plan.peak)
    assert peaks == sorted(peaks, reverse=True)
    with pytest.raises(InputError, match="The smallest that would do"):
        phusion.PhUSION(*METHODS["ppmi"], memory="1MB").plan(GRAPH)


# budgets that are too small


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", METHODS)
def test_a_budget_that_is_too_small_is_refused_with_one_that_works(method, threads):
    for memory in (1, "100KB", "300KB"):
        with pytest.raises(InputError, match="needs about") as refusal:
            phusion.PhUSION(*METHODS[method], memory=memory, threads=threads).plan(GRAPH)
        named = named_budget(refusal)
        plan = phusion.PhUSION(*METHODS[method], memory=named, threads=threads).plan(GRAPH)
        assert plan.peak <= as_bytes(named)


@pytest.mark.parametrize("method", ["heat", "walk_power"])
def test_the_named_budget_computes_the_same(method):
    with pytest.raises(InputError) as refusal:
        phusion.PhUSION(*METHODS[method], memory="100KB").fit(GRAPH)
    found = phusion.PhUSION(*METHODS[method], memory=named_budget(refusal)).fit_transform(GRAPH)
    assert error(found, phusion.PhUSION(*METHODS[method], memory="1GB").fit_transform(GRAPH)) < 1e-10


def test_the_budget_named_for_many_methods_counts_all_their_results():
    specs = [phusion.Spec(Heat(scale), "identity", Characteristic()) for scale in (1.0, 2.0, 3.0, 4.0, 5.0)]
    specs.append(phusion.Spec(Ppmi(), "log", SVD(16)))
    with pytest.raises(InputError) as refusal:
        phusion.run(GRAPH, specs, memory="1MB", threads=1)
    found = phusion.run(GRAPH, specs, memory=named_budget(refusal), threads=1)
    assert len(found) == 6


def test_large_graphs_are_refused_with_a_budget_that_works():
    graph = cycle(60_000)
    with pytest.raises(InputError) as refusal:
        phusion.PhUSION(*METHODS["ppmi"], memory="20MB").plan(graph)
    assert phusion.PhUSION(*METHODS["ppmi"], memory=named_budget(refusal)).plan(graph).strategy == "blocked"


# words


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2GB", 2 * 10**9), ("2 GB", 2 * 10**9), ("2g", 2 * 10**9), ("1.5 GiB", 3 * 2**29), ("500MB", 5 * 10**8),
        ("512MiB", 2**29), ("64kb", 64_000), ("1TB", 10**12), ("1000", 1000), ("10B", 10), (" 1 MB ", 10**6),
        (".5GB", 5 * 10**8), (12345, 12345), (1e9, 10**9), (np.int64(7), 7), (np.float32(8.0), 8),
    ],
)  # fmt: skip
def test_memory_is_said_in_bytes_or_words(given, expected):
    assert as_bytes(given) == expected
    assert Resources(memory=given).budget == expected


def test_processes_that_share_resources_keep_to_them_together():
    given = Resources(memory="1GB", threads=5, precision="single")
    share = given.shared(2)
    assert (share.budget, share.n_threads, share.precision) == (500_000_000, 2, "single")
    assert Resources(threads=1).shared(4).n_threads == 1


@pytest.mark.parametrize("n_bytes", [1, 99_999, 949_999, 9_990_001, 22_400_000, 999_999_999, 1.04e9, 1.95e9, 3.2e15])
def test_budgets_in_words_are_read_back_as_enough_and_little_more(n_bytes):
    read = as_bytes(at_least(n_bytes))
    assert n_bytes <= read <= max(1.11 * n_bytes, n_bytes + 1e5)
    number, unit = in_words(n_bytes).replace(",", "").split()
    told = float(number) * {"bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
    assert told == pytest.approx(n_bytes, rel=0.06)


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ({"memory": "lots"}, "'2GB'"), ({"memory": 0}, "got 0"), ({"memory": -1}, "got -1"), ({"memory": True}, "True"),
        ({"memory": "2 parsecs"}, "parsecs"), ({"memory": float("nan")}, "nan"), ({"memory": [1]}, "memory is"),
        ({"memory": float("inf")}, "inf"), ({"memory": ""}, "memory is"), ({"memory": "-2GB"}, "-2GB"),
        ({"threads": 0}, "whole number ≥ 1"), ({"threads": -2}, "-2"), ({"threads": 1.5}, "1.5"),
        ({"threads": "two"}, "'two'"), ({"threads": True}, "True"),
        ({"precision": "half"}, "'double' or 'single'"), ({"precision": None}, "None"), ({"precision": 64}, "64"),
        ({"executor": 5}, "got int"), ({"executor": "cluster"}, "'cluster'"), ({"executor": ""}, "address"),
        ({"executor": True}, "got bool"),
    ],
)  # fmt: skip
def test_bad_resources_are_refused_at_any_size_with_what_would_be_right(resources, words):
    karate = phusion.datasets.load("karate")
    for use in (
        lambda: phusion.PhUSION(**resources).fit(karate),
        lambda: phusion.PhUSION(**resources).plan(karate),
        lambda: phusion.embed(karate, "graphwave", **resources),
        lambda: phusion.run(karate, ["graphwave"], **resources),
        lambda: phusion.preset("netlsd").set_params(**resources).fit([karate]),
    ):
        with pytest.raises(PhusionError, match=re.escape(words)):
            use()


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named():
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        phusion.PhUSION(executor="tcp://127.0.0.1:9", memory="60MB").fit(GRAPH)


def test_single_precision_plans_less_memory_and_gives_five_digits():
    methods = (Heat(0.5), Identity(), SVD(8))
    plans = [phusion.PhUSION(*methods, memory="1GB", precision=p).plan(GRAPH) for p in ("double", "single")]
    assert plans[1].peak < plans[0].peak and "single" in plans[1].explain()
    characteristic = (Heat(0.5), Identity(), Characteristic(5, upper=5.0))
    found, expected = (
        phusion.PhUSION(*characteristic, memory="60MB", precision=p).fit_transform(GRAPH) for p in ("single", "double")
    )
    assert error(found, expected) < 1e-5


# the command line


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "graph.txt"
    rows, columns = GRAPH.adjacency.tocoo().coords
    path.write_text("".join(f"n{i} n{j}\n" for i, j in zip(rows, columns, strict=True) if i < j))
    return path


def test_plan_on_the_command_line_says_what_the_model_says(capsys, edges):
    words = ["--proximity", "heat", "--set", "scale=0.5,2", "--memory", "60MB", "--threads", "2"]
    code, out, _ = run(capsys, "plan", edges, *words)
    assert code == 0
    for name in ("graph", "method", "strategy", "blocks", "passes", "products", "precision", "peak memory", "time"):
        assert re.search(rf"^{name} +\S", out, re.MULTILINE), name
    assert "Heat(scale=(0.5, 2.0))" in out and "2 at a time" in out and "60 MB" in out
    assert not list(edges.parent.glob("*.npz"))


def test_plan_takes_presets_data_sets_and_precision(capsys):
    code, out, _ = run(capsys, "plan", "karate", "--preset", "graphwave", "--precision", "single")
    assert code == 0 and "34 nodes" in out and "dense" in out and re.search(r"^precision +single$", out, re.MULTILINE)


def test_embed_within_a_budget_writes_the_same_rows(capsys, tmp_path, edges):
    words = ["--proximity", "ppmi", "--nonlinearity", "log", "--embedding", "svd", "--set", "dim=4"]
    for name, more in (("a", ["--memory", "60MB", "--threads", "2"]), ("b", []), ("c", ["--precision", "single"])):
        code, _, err = run(capsys, "embed", edges, "-o", tmp_path / f"{name}.npy", *words, *more)
        assert code == 0, err
    small, free, single = (np.load(tmp_path / f"{name}.npy") for name in "abc")
    assert error(small, free) < 1e-8 and 0 < error(single, free) < 1e-2


@pytest.mark.parametrize("command", ["plan", "embed"])
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--memory", "lots"], 2, "'2GB'"),
        (["--memory", "-5"], 2, "memory"),
        (["--threads", "0"], 2, "whole number"),
        (["--threads", "two"], 2, "threads"),
        (["--precision", "half"], 2, "precision"),
        (["--dask", "nowhere"], 2, "address"),
        (["--memory", "1KB"], 3, "The smallest that would do is memory="),
        (["--proximity", "heta"], 2, "Did you mean 'heat'"),
    ],
)
def test_mistakes_have_their_exit_codes_and_write_nothing(capsys, tmp_path, command, words, code, message):
    words = [*words, *([] if "--proximity" in words else ["--preset", "graphwave", "--set", "scale=1"])]
    words += ["-o", tmp_path / "x.npy"] if command == "embed" else []
    found, out, err = run(capsys, command, "karate", *words)
    assert found == code and message in err and "Traceback" not in err and not out
    assert not list(tmp_path.iterdir())


def test_a_graph_that_is_not_there_is_bad_input(capsys):
    code, _, err = run(capsys, "plan", "no-such-graph.txt", "--preset", "graphwave")
    assert code == 3 and "no-such-graph" in err


def test_plan_refuses_methods_for_whole_graphs(capsys):
    code, _, err = run(capsys, "plan", "karate", "--preset", "netlsd")
    assert code == 2 and "use phusion graphs" in err


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_time_of_graphs_with_fewer_nodes_than_threads_is_measured(monkeypatch, n):
    monkeypatch.setattr("phusion.execution.probe.processors", lambda: 8)
    model = phusion.PhUSION("adjacency_power", "identity", "characteristic", threads=8)
    resources = Resources(threads=8, strategy="blocked")
    graph = phusion.as_graph([(k, k) for k in range(n)])
    job = Job(model.spec, model.spec.proximity.fitted([graph]))
    assert make_plan(graph, [job], resources).seconds >= 0
