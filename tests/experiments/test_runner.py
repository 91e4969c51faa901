"""Studies are computed cell by cell: nothing twice, nothing lost, and one failure costs one cell."""

from __future__ import annotations

import random
import sqlite3
import time
from types import SimpleNamespace

import pytest
from tests.experiments.small import CELLS, STUDY, Child, write_study

import phusion.experiments.runner as runner
from phusion.errors import InputError, OutputError
from phusion.experiments.ledger import Ledger
from phusion.experiments.processes import _under_way, run_in_processes
from phusion.experiments.reading import read_study
from phusion.experiments.runner import all_work, run_studies
from phusion.experiments.tables import table_of


def results(folder, name="ledger.sqlite"):
    """Key → result of all that is recorded."""
    with sqlite3.connect(folder / name) as base:
        found = dict(base.execute("SELECT key, result FROM cells").fetchall())
    base.close()
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    with Ledger(folder / "ledger.sqlite") as ledger:
        outcome = run_studies([read_study(write_study(folder))], ledger, profiles=())
    assert (outcome.computed, outcome.failed, outcome.missing) == (CELLS, {}, {})
    return results(folder)


def test_a_second_run_computes_nothing(tmp_path, undisturbed, monkeypatch):
    study = read_study(write_study(tmp_path))
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        assert run_studies([study.quick()], ledger, profiles=()).computed == 6
        assert run_studies([study, study], ledger, profiles=()).computed == CELLS - 6
        monkeypatch.setattr(runner, "_scored", None)
        monkeypatch.setattr(runner, "_loaded", None)
        assert run_studies([study], ledger, profiles=()).computed == 0
    assert results(tmp_path) == undisturbed


def test_killed_at_any_moment_it_goes_on_where_it_was(tmp_path, undisturbed):
    write_study(tmp_path)
    draw = random.Random(5)
    kept, begun = {}, []
    for round_ in range(2):
        child = Child(tmp_path, pause=0.05, log=f"log{round_}.txt").ready().go()
        limit = time.monotonic() + 30
        while len(child.begun()) < 2 and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(draw.uniform(0.0, 0.4))
        child.process.kill()
        assert child.end() == -9
        now = results(tmp_path)
        assert not set(kept) & set(child.begun())  # nothing that was recorded is begun again
        assert kept.items() <= now.items()
        assert len(set(child.begun()) - set(now)) <= 1  # at most the running cell is lost
        kept = now
        begun += child.begun()
    assert 0 < len(kept) < CELLS
    last = Child(tmp_path, log="last.txt").ready().go()
    assert last.end() == 0 and sorted(last.begun()) == sorted(set(undisturbed) - set(kept))
    assert results(tmp_path) == undisturbed
    assert len(begun) + len(last.begun()) <= CELLS + 2


def test_two_processes_share_the_work(tmp_path, undisturbed):
    write_study(tmp_path)
    children = [Child(tmp_path, pause=0.05, log=f"log{k}.txt") for k in range(2)]
    for child in children:
        child.ready()
    for child in children:
        child.go()
    assert [child.end() for child in children] == [0, 0]
    shares = [child.begun() for child in children]
    assert all(shares) and sorted(shares[0] + shares[1]) == sorted(undisturbed)
    assert results(tmp_path) == undisturbed


def test_one_job_or_two_give_the_same(tmp_path, undisturbed):
    study, said = read_study(write_study(tmp_path)), []
    outcome = run_in_processes([study], tmp_path / "ledger.sqlite", profiles=(), jobs=2, said=said.append)
    assert (outcome.computed, outcome.failed) == (CELLS, {}) and results(tmp_path) == undisturbed
    assert said[-1].done == said[-1].total == CELLS and said[-1].remaining == 0
    with pytest.raises(InputError, match="jobs is a whole number"):
        run_in_processes([study], tmp_path / "ledger.sqlite", profiles=(), jobs=0)


BAD = (
    STUDY
    + 'big = { name = "binarize", percentile = 50 }\n'
    + "\n[designs.wide]\nspec = { embedding = { name = 'svd', dim = 5000 } }\n"
)


def test_a_design_that_fails_is_recorded_and_the_rest_goes_on(tmp_path):
    study = read_study(write_study(tmp_path, BAD)).quick()
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
        assert list(outcome.failed) == ["karate wide seed 0"] and "dim" in outcome.failed["karate wide seed 0"]
        assert outcome.computed == 10
        again = run_studies([study], ledger, profiles=())
        assert again.computed == 0 and again.failed == outcome.failed
        assert run_studies([study], ledger, profiles=(), retry=True).computed == 1
        wide = [one for one in table_of(study, ledger).scores["own"] if one.design.label == "wide"]
        assert len(wide) == 1 and wide[0].errors and not wide[0].means


def test_any_error_of_a_cell_is_recorded(tmp_path, monkeypatch):
    study = read_study(write_study(tmp_path)).quick()
    plain, problems = runner._scored, iter([KeyError("odd"), ZeroDivisionError(), MemoryError("2 TB")])

    def sometimes(*rest):
        problem = next(problems, None)
        if problem is not None:
            raise problem
        return plain(*rest)

    monkeypatch.setattr(runner, "_scored", sometimes)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
        assert sorted(outcome.failed.values()) == ["KeyError: 'odd'", "MemoryError: 2 TB", "ZeroDivisionError"]
        assert outcome.computed == 6
        mended = run_studies([study], ledger, profiles=(), retry=True)
        assert (mended.computed, mended.failed) == (3, {})


def test_an_error_of_one_embedding_does_not_fail_those_computed_beside_it(tmp_path, monkeypatch):
    plain = runner.embed_together

    def picky(data, specs, resources):
        if any(spec.nonlinearity.name == "log" for spec in specs):
            raise RuntimeError("no logarithms today")
        return plain(data, specs, resources)

    monkeypatch.setattr(runner, "embed_together", picky)
    study = read_study(write_study(tmp_path)).quick()
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
    assert len(outcome.failed) == 3 and set(outcome.failed.values()) == {"RuntimeError: no logarithms today"}


def test_missing_data_sets_are_named_and_the_rest_goes_on(tmp_path, no_data):
    text = STUDY.replace('"karate", {', '"karate", "brazil", { name = "mine", file = "no.csv" }, {')
    study = read_study(write_study(tmp_path, text))
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
        assert outcome.computed == CELLS and not outcome.failed
        assert list(outcome.missing) == ["brazil", "mine"]
        assert "PHUSION_DATA" in outcome.missing["brazil"] and "no.csv" in outcome.missing["mine"]
        assert run_studies([study], ledger, profiles=()).missing == outcome.missing


def test_an_interruption_gives_up_its_claims(tmp_path, monkeypatch):
    study = read_study(write_study(tmp_path)).quick()
    plain, calls = runner._scored, []

    def interrupted(*rest):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return plain(*rest)

    monkeypatch.setattr(runner, "_scored", interrupted)
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        with pytest.raises(KeyboardInterrupt):
            run_studies([study], ledger, profiles=())
        assert not ledger._base.execute("SELECT * FROM claims").fetchall()
        assert len(results(tmp_path)) == 1
        assert run_studies([study], ledger, profiles=()).computed == 5


def test_a_ledger_that_cannot_be_written_ends_the_run(tmp_path, monkeypatch):
    study = read_study(write_study(tmp_path)).quick()
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        monkeypatch.setattr(ledger, "record", lambda *_: (_ for _ in ()).throw(OutputError("the disk is full")))
        with pytest.raises(OutputError, match="disk is full"):
            run_studies([study], ledger, profiles=())


def test_a_file_is_known_by_its_content(tmp_path, write):
    write("a,b\nb,c\nc,a\nc,d\nd,e\ne,c\n", "graph.csv")
    write("a,x\nb,x\nc,x\nd,y\ne,y\n", "labels.csv")
    text = (
        STUDY[: STUDY.index("datasets")] + 'datasets = [{ name = "mine", file = "graph.csv", labels = "labels.csv" }]'
    )
    text += STUDY[STUDY.index("\nseeds") : STUDY.index("[quick]")] + STUDY[STUDY.index("[proximities]") :]
    study = read_study(write_study(tmp_path, text))
    first = all_work([study], ())
    write("a,b\nb,c\nc,a\nc,d\nd,e\n", "graph.csv")
    changed = all_work([study], ())
    assert len(first) == len(changed) == 12 and not set(first) & set(changed)
    (tmp_path / "moved").mkdir()
    for name in ("graph.csv", "labels.csv", "small.toml"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    assert set(all_work([read_study(tmp_path / "moved" / "small.toml")], ())) == set(changed)
    assert not any("moved" in one.cell.about or str(tmp_path) in one.cell.about for one in changed.values())


def test_warnings_are_kept_once_in_words(tmp_path):
    text = STUDY.replace("beta = 0.01", "beta = 0.9")
    study = read_study(write_study(tmp_path, text)).quick()
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
    assert [where for message, where in outcome.warned.items() if "βλmax" in message] == ["karate katz"]


def test_warnings_of_several_processes_are_kept_once_too(tmp_path):
    study = read_study(write_study(tmp_path, STUDY.replace("beta = 0.01", "beta = 0.9"))).quick()
    outcome = run_in_processes([study], tmp_path / "ledger.sqlite", profiles=(), jobs=2)
    assert [where for message, where in outcome.warned.items() if "βλmax" in message] == ["karate katz"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_under_way_is_told_and_missing_data_sets_leave_no_time(tmp_path, no_data, jobs):
    text = STUDY.replace('"karate", {', '"karate", { name = "mine", file = "no.csv" }, {')
    study, said = read_study(write_study(tmp_path, text.replace("splits = 4", "splits = 60"))), []
    outcome = run_in_processes([study], tmp_path / "ledger.sqlite", profiles=(), jobs=jobs, said=said.append)
    assert list(outcome.missing) == ["mine"] and outcome.computed == CELLS
    assert (said[-1].done, said[-1].total, said[-1].remaining) == (CELLS, CELLS, 0)
    first = [one for one in said if one.done < CELLS]
    assert (
        any(one.what.startswith(("karate ", "houses ")) for one in first)
        and max(one.total for one in first) == 3 * CELLS // 2
    )


def test_of_what_many_processes_are_at_two_are_named():
    work = {str(k): SimpleNamespace(what=f"karate {k}") for k in range(5)}
    ledger = SimpleNamespace(under_way=lambda: {f"process {k}": [str(k)] for k in range(5)})
    assert _under_way(ledger, work) == "karate 0, karate 1 and 3 more"
