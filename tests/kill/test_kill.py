"""Ten commands are killed at moments that look random; `make kill RUNS=100` does a hundred, of all kinds."""

from __future__ import annotations

import sys

import pytest
from killing import Killer

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(sys.platform != "linux", reason="processes of a session are found in /proc"),
]
RUNS = ("npz", "pair", "study", "pair", "sweep", "npz", "pair", "study", "sweep", "npz")


def test_killed_commands_leave_whole_files_or_none_and_ledgers_go_on(tmp_path):
    """A file, a pair of files, a ledger, and a result of four files."""
    killer = Killer(tmp_path, seed=4, nodes=1_200)
    runs = [killer.run(name, number) for number, name in enumerate(RUNS)]
    assert not [(run.name, run.signal, run.moment, run.problems) for run in runs if run.problems]
    assert {run.signal for run in runs} == {"SIGINT", "SIGTERM", "SIGKILL"}
    assert sum(run.code != 0 for run in runs) >= 3, "most were over before they were killed: make the graph larger"
