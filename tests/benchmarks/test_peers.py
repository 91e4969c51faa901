"""The comparison with peers: made-up peers in place of installed ones, and phusion beside a published algorithm."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import peer_process
import peers

MADE_UP = """
import os, time
import numpy as np

def near(adjacency, seed):
    return (adjacency @ adjacency @ np.random.RandomState(seed).normal(size=(adjacency.shape[0], 16)))

def broken(adjacency, seed):
    raise ValueError("no such graph")

def endless(adjacency, seed):
    if adjacency.shape[0] >= 400 and os.environ["MADE_UP_CALLS"] == "endless":
        time.sleep(60)
    return near(adjacency, seed)

def greedy(adjacency, seed):
    rows = np.ones((4_000, 8 * 2**10 if os.environ["MADE_UP_CALLS"] == "greedy" else 8))
    time.sleep(1 if rows.size > 1e6 else 0)
    return near(adjacency, seed)

POSITIONAL = {"near": near, "broken": broken, "endless": endless, "greedy": greedy}
"""


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """Run the comparison with one made-up peer on the quick task of blocks; its results by method."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "made_up.py").write_text(MADE_UP)
    monkeypatch.setattr(peers, "FILES", files)
    monkeypatch.setenv("MADE_UP_CALLS", "")
    for library in peers._THREADS:
        monkeypatch.setenv(f"{library}_NUM_THREADS", "1")

    def run(*words, calls=""):
        monkeypatch.setenv("MADE_UP_CALLS", calls)
        folder = tmp_path / "found"
        peers.main(
            ["--quick", "--tasks", "blocks", "--folder", str(folder), "--environments", str(tmp_path / "none"), *words]
        )
        lines = (folder / "results.jsonl").read_text().splitlines()
        return {row["method"]: row for row in map(json.loads, lines)}, len(lines), (folder / "peers.md").read_text()

    return run


def test_a_method_is_measured_and_scored_and_one_that_fails_says_why(made_up, capsys):
    found, _, table = made_up()
    near = found["near"]
    assert near["scores"]["raw"] > 60  # of four equal groups
    assert near["scores"].keys() == {"raw", "l2"}
    assert near["wall"] >= 0
    assert near["peak"] > 10e6
    assert found["broken"]["error"] == "ValueError: no such graph"
    assert "| made-up: near |" in table
    assert "failed (1)" in table
    assert "1. ValueError: no such graph" in table
    assert "made-up: near" in capsys.readouterr().out


def test_a_run_goes_on_where_it_was_and_failures_are_tried_again_if_asked(made_up, tmp_path):
    _, first, _ = made_up()
    results = tmp_path / "found" / "results.jsonl"
    lines = results.read_text().splitlines()
    results.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20])  # ended while it wrote
    found = peers.Results(results, retry=False)
    assert len(found.known) == first - 1
    found.add(json.loads(lines[-1]))
    assert len(peers.Results(results, retry=False).known) == first
    failed = sum("error" in json.loads(line) for line in lines)
    assert len(peers.Results(results, retry=True).known) == first - failed


def test_what_takes_too_long_or_too_much_is_ended_and_said(made_up):
    found, _, _ = made_up("--seconds", "1", calls="endless")
    assert found["endless"]["error"] == "over 1 s"
    found, _, _ = made_up("--retry", "--gigabytes", "0.2", calls="greedy")
    assert "near" in found
    greedy = peers.Peer("made-up", peers.FILES / "made_up.py", Path())
    given, rows = greedy.path.parent / "given.npz", greedy.path.parent / "rows.npy"
    peer_process.saved(given, [peer_process.small(300)])
    assert peers.measured(greedy, "positional", "greedy", given, rows, (60, 0.2e9)) == {"error": "over 0 GB"}


def test_larger_graphs_are_not_tried_after_a_failure(tmp_path):
    results = peers.Results(tmp_path / "results.jsonl", retry=False)
    failed = {"peer": "a", "kind": "positional", "method": "b", "task": "ba-1000", "nodes": 1000, "error": "over 1 s"}
    results.add(failed)
    assert peers._gave_up(results, "a", "b", 2000)
    assert not peers._gave_up(results, "a", "b", 1000)
    assert not peers._gave_up(results, "a", "other", 2000)


def test_matrices_come_back_from_the_file_as_they_were(tmp_path):
    matrices = [peer_process.small(n) for n in (5, 30, 7)]
    peer_process.saved(tmp_path / "m.npz", matrices)
    back = peer_process.read(tmp_path / "m.npz")
    assert [one.shape for one in back] == [(5, 5), (30, 30), (7, 7)]
    for given, found in zip(matrices, back, strict=True):
        np.testing.assert_array_equal(given.toarray(), found.toarray())


def test_unknown_peers_and_tasks_are_refused(made_up):
    with pytest.raises(SystemExit, match="there is no peer nobody"):
        made_up("--only", "nobody")
    with pytest.raises(SystemExit, match="there is no task nothing"):
        made_up("--tasks", "nothing")


def test_every_file_of_a_peer_says_what_it_can_do():
    found = peers.peers("", Path())
    assert {"phusion", "published", "scikit-network", "karateclub"} <= {peer.name for peer in found}
    for peer in found:
        methods = list(peer.methods(tuple(peer_process.KINDS)))
        assert methods, peer.name
        assert hasattr(peer.file, "REQUIREMENTS") == (peer.name not in ("phusion", "published"))


@pytest.mark.slow
def test_phusion_and_a_published_algorithm_stand_in_one_table(tmp_path, monkeypatch):
    for library in peers._THREADS:
        monkeypatch.setenv(f"{library}_NUM_THREADS", "1")
    peers.main(["--quick", "--only", "phusion,published", "--tasks", "houses", "--folder", str(tmp_path)])
    rows = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    scores = {(row["peer"], row["method"]): row["scores"]["accuracy"] for row in rows}
    assert scores["published", "GraphWave, scales 0.1, 1, 10"] == pytest.approx(
        scores["phusion", "heat, scales 0.1, 1, 10"], abs=2.0
    )  # the same method
    assert scores["phusion", "graphwave"] > scores["phusion", "netmf"] + 20  # roles are not places
    assert (tmp_path / "peers.svg").read_text().count("graphwave") >= 1
