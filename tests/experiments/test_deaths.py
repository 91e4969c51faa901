"""A cell that kills its process is tried again once, then recorded as failed; killing a run by hand blames no cell."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest
from tests.experiments.small import CELLS, STUDY, Child, DeadlySource, write_study
from tests.experiments.test_ledger import CELL, OWN, cells

from phusion import life
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.experiments.processes import run_in_processes, working
from phusion.experiments.reading import read_study
from phusion.experiments.runner import run_studies

GONE = replace(OWN, owner="x:1:12345", pid=2**22 + 1)  # no such process


def dies(path, *some, step="scoring", host=OWN.host):
    """A process that is at these cells, and is no more."""
    with Ledger(path), closing(sqlite3.connect(path)) as base, base:
        base.execute("INSERT INTO owners VALUES (?, ?, ?, ?)", (GONE.owner, host, GONE.pid, time.time() - 3600))
        for cell in some:
            base.execute("INSERT INTO claims VALUES (?, ?)", (cell.key, GONE.owner))
            base.execute("INSERT INTO running VALUES (?, ?, ?, ?)", (cell.key, GONE.owner, step, cell.about))


def errors(path, *some):
    with Ledger(path) as ledger:
        return [one.error for one in ledger.done(cell.key for cell in some).values()]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


def test_a_cell_with_which_two_processes_died_is_recorded_as_failed(path):
    first, second = cells(2)
    with Ledger(path) as ledger:
        dies(path, first)
        assert ledger.claim([first.key, second.key]) == {first.key, second.key}
        assert ledger.died([first.key, second.key]) == {first.key}
        ledger.release([first.key, second.key])
        dies(path, first)
        assert ledger.claim([first.key, second.key]) == {second.key}
        (found,) = ledger.done([first.key, second.key]).values()
        assert "killed twice while computing it (scoring)" in found.error and "--retry tries again" in found.error
        ledger.forget_errors([first.key])
        assert not ledger.died([first.key]) and ledger.claim([first.key])
        ledger.release([first.key])
    dies(path, first)
    assert not errors(path, first)  # after --retry it is as new


def test_deaths_at_different_steps_and_before_a_result_do_not_add_up(path):
    with Ledger(path) as ledger:
        dies(path, CELL, step="embedding")
        assert ledger.bury() == 1
        dies(path, CELL, step="scoring")
        assert ledger.bury() == 1 and not ledger.done([CELL.key])
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
        assert not ledger.died([CELL.key])


def test_a_machine_that_was_switched_off_says_nothing_about_its_cells(path):
    name, _, *rest = OWN.host.split("|")
    with Ledger(path) as ledger:
        for _ in range(3):
            dies(path, CELL, host="|".join([name, "an earlier start", *rest]))
            assert ledger.bury() == 0
        dies(path, CELL, host="elsewhere")
        assert ledger.bury() == 1


def test_who_ends_well_or_is_told_to_end_blames_no_cell(path):
    with Ledger(path) as ledger:
        ledger.mark("scoring", [CELL])
        assert ledger.under_way() == {ledger.owner: [CELL.key]}
        ledger.release([])
        assert not ledger.under_way()
        ledger.mark("scoring", [CELL])
        life.do_last_acts()
        assert not ledger.under_way()
        ledger.mark("scoring", [CELL])
        ledger.spare(os.getpid())
        assert not ledger.under_way()
        ledger.mark("scoring", [CELL])
    with Ledger(path) as ledger:
        assert not ledger.under_way()


@pytest.mark.parametrize(
    ("step", "deadly", "failed"),
    [("scoring", "karate katz log seed 1", 1), ("embedding", "WalkPower", 8)],
)
def test_a_run_goes_on_after_its_cells_have_killed_it_twice(tmp_path, step, deadly, failed):
    study = read_study(write_study(tmp_path))
    codes = []
    while not codes or codes[-1]:
        codes.append(Child(tmp_path, step=step, deadly=deadly).ready().go().end())
        assert len(codes) < 12
    with Ledger(tmp_path / "ledger.sqlite") as ledger:
        outcome = run_studies([study], ledger, profiles=())
    assert (outcome.computed, len(outcome.failed)) == (0, failed) and codes[:3] == [-9, -9, codes[2]]
    assert all(f"killed twice while computing it ({step})" in error for error in outcome.failed.values())
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as base:
        assert base.execute("SELECT count(*) FROM cells").fetchone() == (CELLS,)


def test_with_several_processes_a_deadly_cell_costs_itself_only(tmp_path):
    study = read_study(write_study(tmp_path, STUDY.replace("[0, 1]", "[0]"))).quick()
    deadly = DeadlySource("deadly", planted=(("shape", "house"), ("count", 5)), group="deadly")
    both = replace(study, sources=(deadly, *study.sources))
    outcome = run_in_processes([both], tmp_path / "ledger.sqlite", profiles=(), jobs=2)
    assert outcome.computed == 12 and len(outcome.failed) == 6
    assert all(label.startswith("deadly ") and "loading its data" in error for label, error in outcome.failed.items())


def stubborn(path, marked, resources):
    """Claims a cell, and does not listen to SIGTERM, as compiled code does not."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with Ledger(path) as ledger:
        ledger.mark("scoring", [CELL])
        marked.touch()
        time.sleep(60)


def test_processes_that_are_killed_on_purpose_blame_no_cell(path, tmp_path, monkeypatch):
    monkeypatch.setattr("phusion.experiments.processes._PATIENCE", 0.5)
    with Ledger(path) as ledger:
        with working(1, Resources(), stubborn, str(path), tmp_path / "marked", spared=ledger.spare) as still:
            while not (tmp_path / "marked").exists():
                assert still(0.1)
            assert ledger.under_way()
        assert ledger.bury() == 0 and not ledger.died([CELL.key])
