"""`phusion.sweep` from end to end: results, ledger, refusals, many graphs."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
from tests.sweeps.few_designs import FEW, relabelled

import phusion
from phusion.errors import FileError, InputError, InputTypeError, MissingLibraryError, OutputError
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.sweeps.designs import default_designs, designs_of, fitted_to, label_of
from phusion.sweeps.nodes import NodeProblem
from phusion.sweeps.rule import Rule
from phusion.sweeps.sampling import sampled

SMALL = {"designs": FEW, "seeds": (0, 1), "splits": 3, "folds": 4}


@pytest.fixture(scope="module")
def result():
    return phusion.sweep("karate", **SMALL)


def test_the_default_designs_are_the_papers_70_and_more_none_of_them_twice():
    designs = default_designs()
    assert len({design.key for design in designs}) == len({design.label for design in designs}) == len(designs) == 121
    assert len(default_designs("positional")) == 61 and len(default_designs("structural")) == 60
    graphs = default_designs(graphs=True)
    assert len(graphs) == 31 and all(design.spec.pooling is not None for design in graphs)
    with pytest.raises(InputError, match="structural"):
        default_designs("positional", graphs=True)


def test_designs_fit_the_graph_and_say_what_was_changed():
    designs, notes = fitted_to(default_designs(), 34)
    assert max(getattr(design.spec.embedding, "dim", 0) for design in designs) == 34
    assert any("34 dimensions" in note for note in notes) and any("taken once" in note for note in notes)
    assert fitted_to(default_designs(), 5000)[1] == []


def test_a_result_says_the_honest_score_the_optimistic_one_and_the_difference(result):
    assert result.honest.splits == 6 and 50 < result.honest.score <= 100
    assert result.optimism == pytest.approx(result.optimistic.score - result.honest.score)
    assert result.label in FEW and result.winner.embedding.name in ("svd", "characteristic")
    assert sum(result.wins.values()) == 6
    assert len(result.leaderboard) == len(FEW) and result.leaderboard[0]["design"] == result.label
    assert result.to_frame().index[0] == result.label
    assert len(result.embedding) == 34 and result.embedding.spec.proximity.name == result.winner.proximity.name
    assert result.label in repr(result) and result.label in result._repr_html_() and len(result._repr_html_()) < 2000


def test_it_is_saved_whole_and_nothing_is_replaced_unasked(result, tmp_path):
    targets = result.save(tmp_path / "best")
    assert all(target.exists() for target in targets)
    assert phusion.Spec.read(tmp_path / "best" / "winner.toml") == result.winner
    loaded = phusion.Embedding.load(tmp_path / "best" / "winner.parquet")
    assert np.allclose(loaded.values, result.embedding.values)
    with pytest.raises(OutputError, match="exists"):
        result.save(tmp_path / "best")
    result.save(tmp_path / "best", overwrite=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="folder"):
        result.save(tmp_path / "file")


def test_without_pyarrow_the_winner_is_saved_as_npz(result, tmp_path, monkeypatch):
    monkeypatch.setattr("phusion.sweeps.result.has_pyarrow", lambda: False)
    assert (tmp_path / "winner.npz") in result.save(tmp_path)
    assert np.allclose(phusion.Embedding.load(tmp_path / "winner.npz").values, result.embedding.values)


def test_a_second_sweep_computes_nothing_and_finds_the_same(tmp_path, monkeypatch, result):
    first = phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", **SMALL)
    assert first.found.rows[0].design == result.found.rows[0].design and first.honest == result.honest
    monkeypatch.setattr(NodeProblem, "embedded", None)
    monkeypatch.setattr(NodeProblem, "predicted", None)
    monkeypatch.setattr(NodeProblem, "screened", None)
    again = phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", **SMALL)
    assert (again.honest, again.label, again.wins) == (first.honest, first.label, first.wins)


def test_embeddings_are_kept_so_that_another_metric_computes_none(tmp_path, monkeypatch):
    phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", **SMALL)
    assert len(list((tmp_path / "ledger.sqlite.embeddings").glob("*.npy"))) == len(FEW)
    monkeypatch.setattr(NodeProblem, "embedded", None)
    found = phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", metric="macro_f1", **SMALL)
    assert found.metric == "macro_f1" and found.honest.score > 0


def test_without_room_nothing_is_kept_and_the_result_is_the_same(tmp_path, result):
    found = phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", room=1, **SMALL)
    assert len(list((tmp_path / "ledger.sqlite.embeddings").glob("*.npy"))) <= 1
    assert found.honest == result.honest


PROGRAM = """
import sys, time, phusion
from phusion.sweeps.nodes import NodeProblem
from tests.sweeps.test_swept import SMALL
plain = NodeProblem.judged

def slow(self, *rest):
    time.sleep(0.05)
    return plain(self, *rest)

NodeProblem.judged = slow
print("ready", flush=True)
phusion.sweep("karate", ledger=sys.argv[1], threads=1, **SMALL)
"""


def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path, result):
    path = tmp_path / "ledger.sqlite"
    child = subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"ready\n"

    def cells(task):
        if not path.exists():
            return 0
        with Ledger(path) as ledger:
            question = "SELECT count(*) FROM cells WHERE about LIKE ?"
            return ledger._base.execute(question, (f'%"sweep: {task}"%',)).fetchone()[0]

    limit = time.monotonic() + 60
    while cells("choice") < 2 and time.monotonic() < limit:
        time.sleep(0.02)
    child.kill()
    child.wait()
    child.stdout.close()
    kept = cells("inner fold"), cells("choice"), cells("screening")
    assert 2 <= kept[1] < 7 and kept[2] == 3 * len(FEW)
    found = phusion.sweep("karate", ledger=path, **SMALL)
    assert found.honest == result.honest and cells("choice") == 7 and cells("inner fold") >= kept[0]


def test_two_processes_share_a_sweep(tmp_path, result):
    said = []
    found = phusion.sweep("karate", ledger=tmp_path / "ledger.sqlite", jobs=2, said=said.append, **SMALL)
    assert found.honest == result.honest and found.wins == result.wins
    last = said[-1]
    assert (last.screened, last.chosen, last.splits) == (5, 6, 6) and last.honest == pytest.approx(result.honest.score)
    assert {leader.label for leader in last.leaders} == set(FEW)


def test_a_design_that_fails_is_left_out_and_named(karate):
    designs = {**FEW, "too many": {"proximity": "ppmi", "embedding": {"name": "histogram", "bins": 4}}}
    found = phusion.sweep(karate, **{**SMALL, "designs": designs})
    assert len(found.leaderboard) == 6
    signed = phusion.as_graph(
        [("a", "b", 1.0), ("b", "c", -1.0), ("c", "d", 2.0), *((f"x{i}", "a", 1.0) for i in range(20))]
    )
    signed = relabelled(signed, [i % 2 for i in range(len(signed))])
    plain = {"name": "svd", "dim": 3}
    two = {name: {"proximity": name, "embedding": plain} for name in ("adjacency_power", "ppmi")}
    found = phusion.sweep(signed, designs=two, seeds=[0], splits=2, folds=3)
    assert found.label == "adjacency_power" and any("ppmi is left out" in note for note in found.notes)
    with pytest.raises(InputError, match="none of the designs"):
        phusion.sweep(
            signed, designs={"ppmi": {"proximity": "ppmi", "embedding": {"name": "svd", "dim": 3}}}, seeds=[0]
        )


def test_what_failed_is_tried_again_only_if_that_is_asked_for(tmp_path, monkeypatch):
    def short_of_memory(self, specs, resources):
        return [MemoryError("2 TB") if spec.proximity.name == "ppmi" else rows
                for spec, rows in zip(specs, plain(self, specs, resources), strict=True)]  # fmt: skip

    plain, ledger = NodeProblem.embedded, tmp_path / "ledger.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(NodeProblem, "embedded", short_of_memory)
        assert list(phusion.sweep("karate", ledger=ledger, **SMALL).found.failed) == ["netmf"]
    assert len(phusion.sweep("karate", ledger=ledger, **SMALL).leaderboard) == 4
    assert len(phusion.sweep("karate", ledger=ledger, retry=True, **SMALL).leaderboard) == 5


# refusals


def test_labels_that_cannot_be_learnt_are_refused(karate):
    with pytest.raises(InputError, match="needs labels"):
        phusion.sweep([(1, 2), (2, 3)])
    with pytest.raises(InputError, match="two classes"):
        phusion.sweep(relabelled(karate, ["a"] * 34))
    with pytest.raises(InputError, match="two classes"):
        phusion.sweep(relabelled(karate, [None] * 34), **SMALL)
    few = ["a", "b", "a", "b", "a"] + [None] * 29
    with pytest.raises(InputError, match="inner folds"):
        phusion.sweep(relabelled(karate, few))
    with pytest.raises(InputError):
        phusion.sweep("karate", labels={"nobody": "a", "knows": "b"})


def test_nodes_without_a_label_are_embedded_and_not_tested(karate):
    values = np.asarray(karate.labels.values).copy()
    values[::7] = None
    notes = []
    found = phusion.sweep(relabelled(karate, values), noted=notes.append, **SMALL)
    assert len(found.embedding) == 34 and any("5 of 34 nodes have no label" in note for note in notes)
    assert found.notes[0] == notes[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [({"metric": "auc"}, "metric is"), ({"splits": 0}, "splits"), ({"folds": 2}, "folds"), ({"seeds": ()}, "one"),
     ({"seeds": (1, 1)}, "twice"), ({"jobs": 0}, "jobs"), ({"minutes": 0}, "minutes"), ({"kind": "both!"}, "kind"),
     ({"room": "much"}, "memory is"), ({"keep": 0}, "keep")],
)  # fmt: skip
def test_options_that_mean_nothing_are_refused(given, words):
    with pytest.raises(InputError, match=words):
        phusion.sweep("karate", **{**SMALL, "designs": None, **given})


@pytest.mark.parametrize("kind", ["structural", "positional"])
def test_what_optuna_proposes_is_of_the_kind_that_is_asked_for(kind):
    pytest.importorskip("optuna")
    found = phusion.sweep("karate", designs=FEW, kind=kind, trials=6, seeds=1, splits=2, folds=3)
    kinds = {row.design.spec.embedding.structural for row in found.found.rows}
    assert kinds == {kind == "structural"}


def test_the_number_of_seeds_stands_for_the_first_ones():
    small = {**SMALL, "splits": 2}
    assert (
        phusion.sweep("karate", **{**small, "seeds": 1}).honest
        == phusion.sweep("karate", **{**small, "seeds": [0]}).honest
    )


def test_what_needs_no_embedding_is_said_beside_the_score(result, karate):
    labels, parts = np.asarray(karate.labels.values), [part for part in result.problem.parts if not part.whole]
    guessed = []
    for part in parts:
        names, counts = np.unique(labels[part.train], return_counts=True)
        guessed.append(100 * np.mean(labels[part.test] == names[counts.argmax()]))
    assert result.baseline == pytest.approx(np.mean(guessed)) and result.baseline < result.honest.score


def test_classes_too_small_for_inner_folds_are_said(karate):
    labels = [0, 1, 2, *([3, 4] * 16)][: len(karate)]
    found = phusion.sweep(relabelled(karate, labels), designs=FEW, seeds=1, splits=2, folds=4)
    assert any("3 of 5 classes have fewer than 4 nodes" in note for note in found.notes)


def test_without_optuna_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingLibraryError, match=r"phusion-embed\[optuna\]"):
        phusion.sweep("karate", trials=3)


# designs


def test_designs_come_from_files_in_the_grammar_of_studies(write):
    head = 'embedding = { name = "svd", dim = 4 }\n[proximities]\n'
    path = write(head + 'heat = "heat"\n[nonlinearities]\nlog = "log"\n', "d.toml")
    assert [design.label for design in designs_of(path)] == ["heat log"]
    bad = write(head + 'heat = "haet"\n', "bad.toml")
    with pytest.raises(FileError, match=r"line 3.*'heat'"):
        designs_of(bad)
    with pytest.raises(InputError, match="pooling"):
        designs_of({"g": {"proximity": "heat", "pooling": "mean"}})
    with pytest.raises(InputTypeError):
        designs_of([3])
    assert [design.label for design in designs_of(["netmf"])] == ["netmf"]
    assert label_of(phusion.Spec("heat", "log", "svd", normalize="l2")) == "heat log svd l2"


# too large


def test_a_sweep_that_would_take_too_long_is_sampled_and_says_so(karate, few):
    problem = NodeProblem(karate, Rule())
    sample = sampled(problem, few, Resources(), minutes=60)
    assert (sample.designs, sample.rule, sample.notes) == (few, problem.rule, [])
    sample = sampled(problem, few, Resources(), minutes=0.001)
    assert sample.rule.n_splits == 10 and "10 of 50 splits" in sample.notes[0] and "--full" in sample.notes[0]


def test_the_estimate_grows_with_pairs_of_nodes_and_with_scales(karate, few):
    from phusion.sweeps.sampling import _embedding_seconds

    problem = NodeProblem(karate, Rule())
    by_label = {design.label: _embedding_seconds(problem, [design], Resources(threads=1)) for design in few}
    assert by_label["walk"] == 2 * by_label["roles"] and by_label["heat"] == by_label["netmf"]
    problem.size *= 10
    assert _embedding_seconds(problem, few[:1], Resources(threads=1)) == pytest.approx(100 * by_label["netmf"])


def test_designs_that_cost_most_are_left_out_of_large_graphs(monkeypatch, karate, few):
    from phusion.sweeps import sampling

    costs = {"ppmi": 5.0, "heat": 50.0, "walk_power": 5000.0}
    monkeypatch.setattr(sampling, "_embedding_seconds", lambda *given: costs[given[1][0].spec.proximity.name])
    sample = sampled(NodeProblem(karate, Rule()), few, Resources(), minutes=10)
    assert [design.label for design in sample.designs] == ["netmf", "heat", "heat log", "roles"]  # of both kinds
    assert "4 of 5 designs" in sample.notes[0] and "34 nodes" in sample.notes[0]


# many graphs


@pytest.fixture(scope="module")
def batch():
    rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(5, 23)]
    stars = [[(0, i) for i in range(1, n)] for n in range(5, 23)]
    return phusion.as_batch(rings + stars, labels=["ring"] * 18 + ["star"] * 18)


def test_many_graphs_with_a_class_each(batch):
    designs = {
        "heat": {"proximity": "heat", "embedding": {"name": "characteristic", "landmarks": 5}, "pooling": "mean"},
        "walk": {"proximity": "walk_power", "embedding": {"name": "characteristic", "landmarks": 5}, "pooling": "sum"},
    }
    found = phusion.sweep(batch, designs=designs, seeds=[0], splits=4)
    assert found.metric == "accuracy" and found.honest.score > 90 and found.honest.splits == 4
    assert len(found.embedding) == 36
    with pytest.raises(InputError, match="pooling"):
        phusion.sweep(batch, designs=FEW)
    with pytest.raises(InputError, match="class"):
        phusion.sweep(list(batch), designs=designs)


def test_rows_that_cannot_be_computed_again_end_a_sweep_in_words(monkeypatch):
    """When there was less memory than at first, an error in place of rows was taken for rows."""
    from phusion.sweeps.run import _Run

    def scarce(run):
        def refused(specs, resources):
            return [InputError("needs about 9GB of memory; the budget is 1 GB") for _ in specs]

        monkeypatch.setattr(run.problem, "embedded", refused)
        run.shelf._near.clear()
        for path in run.shelf.folder.glob("*.npy"):
            path.unlink()
        return choices(run)

    choices = _Run.choices
    monkeypatch.setattr(_Run, "choices", scarce)
    with pytest.raises(InputError, match="needs about 9GB"):
        phusion.sweep("karate", **SMALL)
