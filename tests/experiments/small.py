"""A study that takes seconds, and a process that computes it and tells of each cell."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from phusion.experiments.sources import Source
from phusion.graph.graph import Graph

STUDY = """
task = "node_classification"
datasets = ["karate", { name = "houses", planted = { shape = "house", count = 5 } }]
seeds = [0, 1]
protocol = { splits = 4, classifier = "liblinear" }
embedding = { name = "characteristic", landmarks = 5 }

[quick]
datasets = ["karate"]

[proximities]
heat = { name = "heat", scale = 1.0 }
katz = { name = "katz", beta = 0.01 }
walk = { name = "walk_power", order = 2 }

[nonlinearities]
plain = "identity"
log = "log"
"""
CELLS = 2 * 2 * 3 * 2

PROGRAM = """
import os, sys, time
import phusion.experiments.runner as runner
from phusion.experiments.ledger import Ledger
from phusion.experiments.reading import read_study

study, ledger, log, pause, step, deadly = sys.argv[1:]
plain, embedded = runner._scored, runner._embedded

def told(one, *rest):
    with open(log, "a") as file:
        file.write(one.cell.key + "\\n")
    time.sleep(float(pause))
    if step == "scoring" and deadly in one.label:
        os.kill(os.getpid(), 9)
    return plain(one, *rest)

def embed(data, specs, resources):
    if step == "embedding" and any(deadly in str(spec) for spec in specs):
        os.kill(os.getpid(), 9)
    return embedded(data, specs, resources)

runner._scored, runner._embedded = told, embed
with Ledger(ledger) as opened:
    print("ready", flush=True)
    sys.stdin.readline()
    runner.run_studies([read_study(study)], opened, profiles=())
"""


def write_study(folder: Path, text: str = STUDY, name: str = "small.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


class Child:
    """The process; it imports everything, then waits for `go`. It dies at a step of what has `deadly` in its name."""

    def __init__(
        self, folder: Path, pause: float = 0.0, log: str = "log.txt", step: str = "", deadly: str = ""
    ) -> None:
        self.log = folder / log
        self.log.touch()
        words = [str(folder / "small.toml"), str(folder / "ledger.sqlite"), str(self.log), str(pause), step, deadly]
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ready(self) -> Child:
        assert self.process.stdout.readline() == "ready\n"
        return self

    def go(self) -> Child:
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self

    def begun(self) -> list[str]:
        return self.log.read_text().split()

    def end(self) -> int:
        return_code = self.process.wait(60)
        self.process.stdin.close()
        self.process.stdout.close()
        return return_code


@dataclass(frozen=True)
class DeadlySource(Source):
    """Whoever loads it is killed, as by the system when memory runs out."""

    def load(self) -> Graph:
        assert multiprocessing.parent_process() is not None, "the first process must not try it"
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError
