"""`phusion reproduce` and `phusion study` as a user types them."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import networkx as nx
import psutil
import pytest
from rich.console import Console

from phusion.cli import main
from phusion.experiments.ledger import Ledger
from phusion.experiments.ledger_file import LedgerFile
from phusion.experiments.reading import read_study
from phusion.experiments.runner import all_work

STUDY = """
title = "Friends"
task = "node_classification"
datasets = [{ name = "friends", file = "data/friends.csv", labels = "data/clubs.csv" }]
seeds = [0, 1]
protocol = { splits = 3 }
embedding = { name = "svd", dim = 4 }

[quick]
seeds = [1]

[proximities]
heat = "heat"
walk = { name = "walk_power", order = 2 }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a graph whose nodes have names, and a study of it."""
    graph = nx.karate_club_graph()
    (tmp_path / "data").mkdir()
    edges = "".join(f"Ms {u},Ms {v}\n" for u, v in graph.edges)
    (tmp_path / "data" / "friends.csv").write_text("source,target\n" + edges)
    labels = "".join(f"Ms {u},{club}\n" for u, club in graph.nodes(data="club"))
    (tmp_path / "data" / "clubs.csv").write_text("node,club\n" + labels)
    (tmp_path / "my.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def start(*words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "phusion", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def n_cells(path):
    if not path.exists():
        return 0
    base = sqlite3.connect(path, timeout=10)
    try:
        return base.execute("SELECT count(*) FROM cells").fetchone()[0]
    except sqlite3.OperationalError:  # the tables are not there yet
        return 0
    finally:
        base.close()


def test_a_study_of_ones_own(capsys, folder):
    code, out, err = run(capsys, "study", "my.toml", "--quick")
    assert code == 0 and "Traceback" not in err
    assert "Friends" in out and "2 cells computed now" in out and "phusion report" in out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith(("heat", "walk"))}
    assert set(rows) == {"heat", "walk"} and all(60 < float(values[0]) <= 100 for values in rows.values())
    assert (folder / "phusion-ledger.sqlite").exists()
    code, out, _ = run(capsys, "study", "my.toml")
    assert code == 0 and "2 cells computed now" in out
    assert "0 cells computed now" in run(capsys, "study", "my.toml")[1]
    assert "4 cells computed now" in run(capsys, "study", "my.toml", "--ledger", "other.sqlite")[1]


def test_paths_in_a_study_begin_in_its_folder(capsys, folder, monkeypatch):
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    code, out, _ = run(capsys, "study", "../my.toml")
    assert code == 0 and "4 cells computed now" in out
    monkeypatch.chdir(folder)
    assert "0 cells computed now" in run(capsys, "study", "my.toml", "--ledger", "elsewhere/phusion-ledger.sqlite")[1]


def test_a_mistake_is_named_with_its_line(capsys, folder):
    (folder / "my.toml").write_text(STUDY.replace('heat = "heat"', 'heat = "haet"'))
    code, out, err = run(capsys, "study", "my.toml")
    assert (code, out) == (3, "") and "my.toml, line 13: " in err and "Did you mean 'heat'" in err
    assert not (folder / "phusion-ledger.sqlite").exists()


def test_failures_and_missing_files_have_their_own_code(capsys, folder):
    failing = "\n[designs.wide]\nspec = { embedding = { name = 'svd', dim = 5000 } }\n"
    missing = STUDY.replace("datasets = [", 'datasets = [{ name = "gone", file = "gone.csv" }, ')
    (folder / "my.toml").write_text(missing + failing)
    code, out, _ = run(capsys, "study", "my.toml", "--quick")
    assert code == 5
    assert "missing: gone: " in out and "gone.csv" in out
    assert "failed: friends wide seed 1: " in out and "--retry" in out and "3 cells computed now" in out
    assert "0 cells computed now" in run(capsys, "study", "my.toml", "--quick")[1]
    assert "1 cells computed now" in run(capsys, "study", "my.toml", "--quick", "--retry")[1]
    (folder / "my.toml").write_text(STUDY)
    assert run(capsys, "study", "my.toml", "--quick")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["study"], 2, "FILE"),
        (["study", "no.toml"], 3, "no.toml: cannot be read"),
        (["study", "my.toml", "--jobs", "0"], 2, "--jobs is a whole number"),
        (["study", "my.toml", "--profile", "published"], 2, "has no profiles"),
        (["study", "my.toml", "--ledger", "no/such/l.sqlite"], 4, "does not exist"),
        (["study", "my.toml", "--ledger", "my.toml"], 4, "cannot be used as a ledger"),
        (["reproduce", "rank_strc"], 2, "Did you mean 'rank_struc'"),
        (["reproduce", "--profile", "printed"], 2, "printed"),
        (["reproduce", "rank_struc", "--jobs", "many"], 2, "many"),
    ],
)
def test_exit_codes_that_scripts_can_trust(capsys, folder, words, code, says):
    found, out, err = run(capsys, *words)
    assert (found, out) == (code, "") and says in err and "Traceback" not in err
    assert (folder / "my.toml").read_text() == STUDY


def test_help_names_the_commands_and_the_code(capsys):
    out = run(capsys, "--help")[1]
    assert "reproduce" in out and "study" in out and "5 some cells" in " ".join(out.split())
    listed = run(capsys, "reproduce", "--list")
    assert listed[0] == 0 and all(name in listed[1] for name in ("rank_struc", "rank_prox", "tab:graph-classification"))


def test_a_table_of_the_paper(capsys, folder, monkeypatch):
    code, out, _ = run(capsys, "reproduce", "clustering_noiseless", "--quick", "--profile", "published")
    assert code == 0 and "21 cells computed now" in out and "tab:clustering-unperturbed" in out
    assert "published beside the paper: " in out and "corrected" not in out
    fabp = next(line.split() for line in out.splitlines() if line.startswith("FaBP"))
    assert fabp[1:3] == ["1.000", "1.000"] and len(fabp) == 7
    # no number is cut off where the terminal is narrow
    monkeypatch.setattr("phusion.cli.console.output", lambda: Console(width=50, highlight=False))
    out = run(capsys, "reproduce", "clustering_noiseless", "--quick", "--profile", "published")[1]
    rows = [line.split() for line in out.splitlines() if line.startswith("FaBP")]
    assert len(rows) == 3 and all(len(row) == 3 for row in rows) and "…" not in out


def test_missing_data_sets_are_named_with_what_to_do(capsys, folder, no_data):
    code, out, _ = run(capsys, "reproduce", "order_graphs", "--quick")
    assert code == 5 and "missing: ptc-mr: " in out and "PHUSION_DATA" in out and "0 cells computed now" in out


SLOW = (
    STUDY.replace("splits = 3", "splits = 60")
    .replace("seeds = [0, 1]", f"seeds = {list(range(20))}")
    .replace("protocol = {", 'protocol = { classifier = "liblinear",')
)


def until(process, true, seconds=60):
    limit = time.monotonic() + seconds
    while not true():
        assert process.poll() is None and time.monotonic() < limit, process.stderr.read()
        time.sleep(0.05)


def test_ctrl_c_ends_all_processes_and_the_work_goes_on_later(folder):
    (folder / "my.toml").write_text(SLOW)
    ledger = folder / "phusion-ledger.sqlite"
    with start("study", "my.toml", "--jobs", "2", start_new_session=True) as process:
        until(process, lambda: n_cells(ledger) >= 1)
        children = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        _, err = process.communicate(timeout=30)
    assert (
        process.returncode == 130
        and err.strip().endswith("phusion: interrupted")
        and "is kept in" in err
        and "Traceback" not in err
    )
    assert children and not psutil.wait_procs(children, timeout=5)[1]
    assert 1 <= n_cells(ledger) < 40


def test_one_process_that_dies_is_survived(folder):
    (folder / "my.toml").write_text(SLOW.replace("60", "20").replace(str(list(range(20))), "[0, 1, 2, 3, 4, 5]"))
    ledger = folder / "phusion-ledger.sqlite"
    with start("study", "my.toml", "--jobs", "2") as process:
        until(process, lambda: n_cells(ledger) >= 1)
        children = psutil.Process(process.pid).children(recursive=True)
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        workers[0].kill()
        out, _ = process.communicate(timeout=90)
    assert process.returncode == 0 and "12 cells computed now" in out and n_cells(ledger) == 12


def test_a_cell_that_gets_its_process_killed_again_fails_and_the_rest_goes_on(capsys, folder):
    ledger = folder / "phusion-ledger.sqlite"
    one = next(iter(all_work([read_study(folder / "my.toml")], ()).values())).cell
    with Ledger(ledger), closing(sqlite3.connect(ledger)) as base, base:
        base.execute("INSERT INTO deaths VALUES (?, 'embedding', 1)", (one.key,))
        base.execute("INSERT INTO running VALUES (?, 'gone', 'embedding', ?)", (one.key, one.about))
    code, out, _ = run(capsys, "study", "my.toml")
    assert code == 5 and "failed: friends heat seed 0: its process was killed twice" in out and n_cells(ledger) == 4
    code, out, _ = run(capsys, "study", "my.toml", "--retry")
    assert code == 0 and "1 cells computed now" in out


def test_a_ledger_that_cannot_be_written_is_reported(capsys, folder, monkeypatch):
    assert run(capsys, "study", "my.toml")[0] == 0

    def refused(_):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(LedgerFile, "_opened", refused)
    code, out, _ = run(capsys, "report", "my.toml")
    assert code == 0 and "4 of 4 cells are computed" in out
    code, _, err = run(capsys, "study", "my.toml")
    assert code == 4 and "readonly" in err


@pytest.mark.slow
def test_a_killed_parent_leaves_no_orphans(folder):
    (folder / "my.toml").write_text(SLOW)
    ledger = folder / "phusion-ledger.sqlite"
    with start("study", "my.toml", "--jobs", "2") as process:
        until(process, lambda: n_cells(ledger) >= 1)
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate(timeout=30)
    assert not psutil.wait_procs(children, timeout=10)[1]
    with closing(sqlite3.connect(ledger)) as base:
        assert base.execute("SELECT count(*) FROM running").fetchone() == (0,)  # no cell is to blame
