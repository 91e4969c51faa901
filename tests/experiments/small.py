"""A study that takes seconds, and a process that computes it and tells of each cell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
import sys, time
import phusion.experiments.runner as runner
from phusion.experiments.ledger import Ledger
from phusion.experiments.study import read_study

study, ledger, log, pause = sys.argv[1:]
plain = runner._scored

def told(one, *rest):
    with open(log, "a") as file:
        file.write(one.cell.key + "\\n")
    time.sleep(float(pause))
    return plain(one, *rest)

runner._scored = told
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
    """The process; it imports everything, then waits for `go`."""

    def __init__(self, folder: Path, pause: float = 0.0, log: str = "log.txt") -> None:
        self.log = folder / log
        self.log.touch()
        words = [str(folder / "small.toml"), str(folder / "ledger.sqlite"), str(self.log), str(pause)]
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
