"""The ledger keeps every cell once, whoever computes it and however they end."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from phusion.errors import OutputError
from phusion.experiments import ledger as module
from phusion.experiments.ledger import Cell, Ledger
from phusion.life import Life, _state

CELL = Cell(
    "own", {"name": "karate"}, {"proximity": {"name": "heat"}}, "node_classification", {"splits": 2}, 0, "double"
)


def cells(count):
    return [replace(CELL, seed=seed) for seed in range(count)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


def test_a_result_comes_back(path):
    with Ledger(path) as ledger:
        ledger.record(CELL, {"micro_f1": [1.0, 2.5]}, None, 0.5)
        ledger.record(replace(CELL, seed=1), None, "InputError: no", 0.1)
    with Ledger(path) as ledger:
        found = ledger.done([one.key for one in cells(3)])
        assert found[CELL.key].result == {"micro_f1": [1.0, 2.5]} and found[CELL.key].error is None
        assert found[cells(2)[1].key].error == "InputError: no" and len(found) == 2
        assert ledger.recorded([CELL.key, "x"]) == {CELL.key: 0.5}
        assert ledger.machines([CELL.key])[0][1] == 1


def test_what_a_cell_is_says_where_it_is_kept():
    assert CELL.key == replace(CELL, profile="published").key
    others = [
        replace(CELL, seed=1), replace(CELL, dataset={"name": "usa"}), replace(CELL, protocol={"splits": 3}),
        replace(CELL, spec={"proximity": {"name": "katz"}}), replace(CELL, task="x"), replace(CELL, precision="single"),
    ]  # fmt: skip
    assert len({CELL.key, *(one.key for one in others)}) == 7


def test_a_result_is_not_replaced_but_an_error_is(path):
    with Ledger(path) as ledger:
        ledger.record(CELL, None, "no", 0.0)
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
        ledger.record(CELL, {"a": [2.0]}, None, 0.0)
        ledger.record(CELL, None, "no", 0.0)
        assert ledger.done([CELL.key])[CELL.key].result == {"a": [1.0]}


def test_several_results_are_kept_together_or_not_at_all(path):
    some = cells(3)

    def until_it_fails():
        yield some[1], 2.0, None, 0.1
        raise ValueError("the third cannot be computed")

    with Ledger(path) as ledger:
        ledger.record_all([(some[0], 1.0, None, 0.1), (some[2], None, "no", 0.2)])
        with pytest.raises(ValueError, match="third"):
            ledger.record_all(until_it_fails())
        found = ledger.done([one.key for one in some])
        assert {key: (one.result, one.error) for key, one in found.items()} == {
            some[0].key: (1.0, None),
            some[2].key: (None, "no"),
        }


def test_errors_are_forgotten_and_results_are_not(path):
    first, second = cells(2)
    with Ledger(path) as ledger:
        ledger.record(first, {"a": [1.0]}, None, 0.0)
        ledger.record(second, None, "no", 0.0)
        ledger.forget_errors([first.key, second.key])
        assert list(ledger.done([first.key, second.key])) == [first.key]


def test_thousands_of_cells_are_found_in_no_time(path):
    many = cells(5000)
    with Ledger(path) as ledger:
        with ledger._writing() as base:
            base.executemany(
                "INSERT INTO cells VALUES (?, '', '{}', NULL, 0.0, '', 0.0)", ((one.key,) for one in many[:4000])
            )
        keys = [one.key for one in many]
        started = time.perf_counter()
        assert len(ledger.done(keys)) == len(ledger.recorded(keys)) == 4000
        assert len(ledger.claim(keys)) == 1000
        assert time.perf_counter() - started < 2


def test_a_cell_is_claimed_by_one(path):
    keys = [one.key for one in cells(4)]
    with Ledger(path) as first, Ledger(path) as second:
        assert first.claim(keys[:2]) == set(keys[:2]) == first.claim(keys[:2])
        assert second.claim(keys) == set(keys[2:])
        first.release(keys)
        assert second.claim(keys) == set(keys)
        second.record(cells(1)[0], {}, None, 0.0)
        assert second.claim(keys) == set(keys[1:])
    with Ledger(path) as third:
        assert third.claim(keys) == set(keys[1:])


def test_threads_of_claims_share_without_an_overlap(path):
    keys, found = [one.key for one in cells(200)], []

    def claim():
        with Ledger(path) as ledger:
            mine = set()
            for key in keys:
                mine |= ledger.claim([key])
            found.append(mine)
            barrier.wait(30)

    barrier = threading.Barrier(3)
    threads = [threading.Thread(target=claim) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(len(mine) for mine in found) == 200 and set.union(*found) == set(keys)


def owned_by(path, owner, host, pid, beat):
    with sqlite3.connect(path) as base:
        base.execute("INSERT INTO owners VALUES (?, ?, ?, ?)", (owner, host, pid, beat))
        base.execute("INSERT INTO claims VALUES (?, ?)", (CELL.key, owner))
    base.close()


OWN = Life.own()


@pytest.mark.parametrize(
    ("change", "age", "gone"),
    [
        ({"pid": 2**22 + 1}, 0, True),  # no such process
        ({"owner": "x:1:12345"}, 0, True),  # its number was given to another since
        ({}, 3600, False),  # it was only stopped for an hour
        ({"host": "elsewhere"}, 0, False),
        ({"host": "elsewhere"}, 3600, True),
    ],
)
def test_claims_end_with_their_process(path, change, age, gone):
    life = replace(OWN, **change)
    with Ledger(path) as ledger:
        owned_by(path, life.owner, life.host, life.pid, time.time() - age)
        assert ledger.claim([CELL.key]) == ({CELL.key} if gone else set())


def test_where_the_system_tells_nothing_signs_of_life_decide(path, monkeypatch):
    monkeypatch.setattr("phusion.life._state", lambda _: ("", ""))
    with Ledger(path) as ledger:
        owned_by(path, "x", OWN.host, os.getppid(), time.time())
        assert not ledger.claim([CELL.key])
        with sqlite3.connect(path) as base:
            base.execute("UPDATE owners SET beat = beat - 3600 WHERE owner = 'x'")
        base.close()
        assert ledger.claim([CELL.key]) == {CELL.key}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell")
def test_a_process_that_nobody_has_waited_for_is_gone():
    with subprocess.Popen(["sleep", "60"]) as process:
        started = _state(process.pid)[1]
        life = Life(f"x:{started}", OWN.host, process.pid)
        assert started and not life.is_over(0.0)
        process.kill()
        for _ in range(200):
            if _state(process.pid)[0] == "Z":
                break
            time.sleep(0.02)
        assert _state(process.pid)[0] == "Z" and life.is_over(time.time())


@pytest.mark.parametrize(
    "content", [b"not a database, but a text of some length " * 50, b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(OutputError, match=r"ledger\.sqlite: cannot be used as a ledger"):
        Ledger(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(path):
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE bookmarks (url TEXT)")
    base.close()
    before = path.read_bytes()
    with pytest.raises(OutputError, match="it holds something else"):
        Ledger(path)
    assert path.read_bytes() == before and [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_damaged_ledger_is_named(path):
    with Ledger(path) as ledger:
        for one in cells(300):
            ledger.record(one, {"a": [0.0] * 50}, None, 0.0)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(bytes(content))
    with pytest.raises(OutputError, match="cannot be used as a ledger"), Ledger(path) as ledger:
        ledger.done([one.key for one in cells(300)])


def test_an_empty_file_becomes_a_ledger(path):
    path.touch()
    with Ledger(path) as ledger:
        ledger.record(CELL, {}, None, 0.0)


def test_folders_that_are_missing_or_cannot_be_written_are_named(tmp_path):
    with pytest.raises(OutputError, match="does not exist"):
        Ledger(tmp_path / "nowhere" / "ledger.sqlite")
    with pytest.raises(OutputError, match="unable to open"):
        Ledger(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_without_permission_is_named(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(OutputError, match="cannot be used as a ledger"):
            Ledger(tmp_path / "ledger.sqlite")
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_full_disk_is_an_error_of_ours_and_loses_nothing(path):
    with Ledger(path) as ledger:
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
        pages = ledger._base.execute("PRAGMA page_count").fetchone()[0]
        ledger._base.execute(f"PRAGMA max_page_count = {pages}")  # what sqlite does when the disk has no more
        with pytest.raises(OutputError, match="full"):
            ledger.record(replace(CELL, seed=1), {"a": [0.0] * 10_000}, None, 0.0)
        assert ledger.claim([replace(CELL, seed=1).key])
    with Ledger(path) as ledger:
        assert ledger.done([CELL.key])[CELL.key].result == {"a": [1.0]}


def test_many_begin_with_no_file_at_once(path):
    problems, barrier = [], threading.Barrier(8)

    def begin(k):
        barrier.wait()
        try:
            with Ledger(path) as ledger:
                ledger.record(cells(8)[k], {}, None, 0.0)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=begin, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    with Ledger(path) as ledger:
        assert len(ledger.done([one.key for one in cells(8)])) == 8


def test_signs_of_life_are_given_while_cells_are_claimed(path, monkeypatch):
    monkeypatch.setattr(module, "_BEAT", 0.05)
    with Ledger(path) as ledger:
        ledger.claim([CELL.key])
        beats = set()
        for _ in range(40):
            time.sleep(0.05)
            beats.add(ledger._base.execute("SELECT beat FROM owners").fetchone()[0])
        assert len(beats) > 3
    with Ledger(path) as ledger:
        assert not ledger._base.execute("SELECT * FROM owners").fetchall()


def test_results_are_on_the_disk_when_they_are_recorded(path):
    with Ledger(path) as ledger:
        asked = []
        ledger._base.set_trace_callback(asked.append)
        ledger.claim([CELL.key])
        ledger.record(CELL, {}, None, 0.0)
        ledger._base.set_trace_callback(None)
        writes = [one for one in asked if one.startswith(("PRAGMA synchronous", "INSERT"))]
        (place,) = [k for k, one in enumerate(writes) if "INTO cells" in one and "claims" not in one]
        assert writes[place - 1] == "PRAGMA synchronous=FULL"
        assert ledger._base.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.fixture
def guest():
    """A folder that others may read and not write, and this process as one of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder
        if os.geteuid() != os.getuid():
            os.seteuid(os.getuid())
        folder.chmod(stat.S_IRWXU)


def as_guest(folder):
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    if os.geteuid() == 0:  # root writes everywhere
        os.seteuid(65534)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_ledger_that_cannot_be_written_can_be_read(guest):
    path = guest / "a ledger?#%.sqlite"
    with Ledger(path) as ledger:
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
    as_guest(guest)
    with Ledger(path, reading=True) as ledger:
        assert ledger.done([CELL.key])[CELL.key].result == {"a": [1.0]} and len(ledger.machines([CELL.key])) == 1
        with pytest.raises(OutputError, match="readonly"):
            ledger.claim([CELL.key])
    with pytest.raises(OutputError, match="readonly"):
        Ledger(path)
    assert [file.name for file in guest.iterdir()] == [path.name]


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_results_beside_a_ledger_that_cannot_be_written_are_read_or_named(guest):
    path = guest / "ledger.sqlite"
    beside = guest / "ledger.sqlite-wal"
    with Ledger(path) as ledger:
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
        content = beside.read_bytes()
        as_guest(guest)
        with Ledger(path, reading=True) as reader:  # beside a process that writes
            assert reader.recorded([CELL.key])
        if os.geteuid() != os.getuid():
            os.seteuid(os.getuid())
        guest.chmod(stat.S_IRWXU)
        path.chmod(0o644)
    beside.write_bytes(content)  # as a killed process leaves it
    as_guest(guest)
    with pytest.raises(OutputError, match=r"last results are in ledger\.sqlite-wal.*copy both"):
        Ledger(path, reading=True)


def test_an_early_ledger_without_machines_can_be_read(path):
    with Ledger(path) as ledger:
        ledger.record(CELL, {"a": [1.0]}, None, 0.0)
        for table in ("made_on", "running", "deaths"):
            ledger._base.execute(f"DROP TABLE {table}")
        assert ledger.machines([CELL.key]) == []
    with Ledger(path) as ledger:
        assert ledger.done([CELL.key]) and ledger.claim([replace(CELL, seed=1).key])
