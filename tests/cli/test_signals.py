"""SIGTERM ends a command as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from phusion.cli import main

WAITS = """
import sys, time
from pathlib import Path
import phusion.cli.app as app
from phusion.output import whole_file

def run(words):
    with whole_file(Path("out.txt")):
        print("ready", flush=True)
        {waiting}

app.run = run
from phusion.cli import main
sys.exit(main([]))
"""
IN_PYTHON = "time.sleep(60)"
IN_COMPILED_CODE = """
        import phusion.cli.signals as signals
        signals._GRACE = 0.5
        import numpy as np
        signals.signal.signal(signals.signal.SIGTERM, lambda *_: None)  # what never comes to act on it
        time.sleep(60)
"""


def started(folder, waiting):
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS.format(waiting=waiting)], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]
)
def test_a_signal_removes_what_is_unfinished_and_leaves_with_its_code(tmp_path, number, code, word):
    process = started(tmp_path, IN_PYTHON)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == code and err == f"phusion: {word}\n" and not list(tmp_path.iterdir())


def test_compiled_code_that_does_not_stop_is_left_after_a_while(tmp_path):
    process = started(tmp_path, IN_COMPILED_CODE)
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 143 and err == "phusion: terminated\n" and not list(tmp_path.iterdir())


def test_handlers_of_others_are_back_afterwards(capsys):
    before = signal.getsignal(signal.SIGTERM)
    assert main(["formats"]) == 0
    assert signal.getsignal(signal.SIGTERM) is before and signal.set_wakeup_fd(-1) == -1
    assert "phusion-signals" not in [thread.name for thread in threading.enumerate()]


def test_commands_run_in_threads_of_others(capsys):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main(["formats"])))
    thread.start()
    thread.join()
    assert codes == [0]


STUDY = """
task = "node_classification"
datasets = ["karate"]
seeds = {seeds}
protocol = {{ splits = 60, classifier = "liblinear" }}
[designs.heat]
spec = {{ proximity = "heat", embedding = {{ name = "svd", dim = 4 }} }}
"""


@pytest.mark.heavy
def test_sigterm_ends_all_processes_of_a_study(tmp_path):
    (tmp_path / "my.toml").write_text(STUDY.format(seeds=list(range(500))))
    words = [sys.executable, "-m", "phusion", "study", "my.toml", "--jobs", "2"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL)
    children = []
    while sum("spawn_main" in " ".join(child.cmdline()) for child in children) < 2:
        assert process.poll() is None
        children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143 and err.strip().endswith("phusion: terminated") and "Traceback" not in err
    assert not psutil.wait_procs(children, timeout=10)[1]
