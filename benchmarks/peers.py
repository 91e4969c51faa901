"""phusion beside its peers: the same graphs, the same classifier, one run. Our losses stand in the table too.

Every peer has an environment of its own, `.venv/peers/NAME`, and a file in `peers/` that says what it needs and how it
is called. Every measurement is a process of its own, with a limit of time and memory, and a line in `results.jsonl`: a
run that was ended goes on where it was. Failures are lines too; `--retry` tries them again.

    python benchmarks/peers.py                      # all of it: hours
    python benchmarks/peers.py --tasks usa,ppi      # some graphs
    python benchmarks/peers.py --only phusion,published --quick

The table and the picture are written anew after every run from all that is known.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import numpy as np
import psutil
from peer_page import write_page
from peer_process import KINDS, loaded, saved
from peer_tasks import Task, tasks

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FILES = HERE / "peers"
SECONDS, GIGABYTES = 300.0, 16.0
_SETUP = 600.0  # seconds that importing, reading and warming up may take beside the measurement
_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "RAYON")
_LEFT = 1e9  # bytes of the machine that are left free, whatever the limit is


@dataclass(frozen=True)
class Peer:
    """A package to compare with, as its file in `peers/` describes it."""

    name: str
    path: Path
    environments: Path

    @cached_property
    def file(self) -> ModuleType:
        return loaded(self.path)

    @property
    def python(self) -> Path:
        if not hasattr(self.file, "REQUIREMENTS"):
            return Path(sys.executable)
        return self.environments / self.name / "bin" / "python"

    def methods(self, kinds: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """(kind, name) of each of its methods."""
        for kind in kinds:
            for name in getattr(self.file, KINDS[kind], {}):
                yield kind, name

    def install(self) -> str:
        """Make its environment unless it is there; what went wrong, in words, else nothing."""
        if self.python.exists():
            return ""
        version = getattr(self.file, "PYTHON", f"{sys.version_info.major}.{sys.version_info.minor}")
        asked = [sys.executable, ROOT / "tools" / "interpreters.py", version]
        python = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        if not python:
            return f"needs Python {version}, and there is none here"
        made = self.environments / f"{self.name}.making"  # only a whole environment gets the name
        pip = [made / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in ([python, "-m", "venv", "--clear", made], [*pip, *self.file.REQUIREMENTS]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"cannot be installed: {_last_line(done.stderr)}"
        made.rename(self.environments / self.name)
        return ""


def peers(only: str, environments: Path) -> list[Peer]:
    found = [Peer(path.stem.replace("_", "-"), path, environments) for path in sorted(FILES.glob("*.py"))]
    names = {peer.name for peer in found}
    wanted = set(only.split(",")) if only else names
    if unknown := wanted - names:
        sys.exit(f"there is no peer {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
    return [peer for peer in found if peer.name in wanted]


def measured(peer: Peer, kind: str, method: str, given: Path, rows: Path, limits: tuple[float, float]) -> dict:
    """One method on one input: wall, CPU and peak, or the error."""
    seconds, most = limits
    command = [peer.python, HERE / "peer_process.py", peer.path, kind, method, given, rows, str(seconds)]
    with TemporaryDirectory() as folder, (Path(folder) / "errors").open("w+") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True, cwd=folder
        )
        try:
            over = _watched(process, most, time.monotonic() + seconds + _SETUP)
        finally:  # Ctrl-C and SIGTERM end it too
            _end(process)
        output = process.communicate()[0]
        errors.seek(0)
        if over:
            return {"error": over}
        if process.returncode == -signal.SIGALRM:
            return {"error": f"over {seconds:.0f} s"}
        if process.returncode:
            return {"error": _last_line(errors.read()) or f"ended by signal {-process.returncode}"}
    return json.loads(output.splitlines()[-1])


def _watched(process: subprocess.Popen, most: float, until: float) -> str:
    """Wait for it; why it is to be ended, if it and its children grow too large or never begin."""
    most = min(most, psutil.virtual_memory().available - _LEFT)
    while process.poll() is None:
        reason = ""
        if _resident(process.pid) > most:
            reason = f"over {most / 1e9:.0f} GB"
        elif time.monotonic() > until:
            reason = f"not ready after {_SETUP:.0f} s"
        if reason:
            return reason
        time.sleep(0.05)
    return ""


def _end(process: subprocess.Popen) -> None:
    with suppress(ProcessLookupError):  # all of it has ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _resident(pid: int) -> int:
    total = 0
    with suppress(psutil.NoSuchProcess):  # it ended in between
        parent = psutil.Process(pid)
        for each in (parent, *parent.children(recursive=True)):
            total += each.memory_info().rss
    return total


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


class Results:
    """Lines of JSON; a line cut short by an end is not there. The last word on a measurement counts."""

    def __init__(self, path: Path, retry: bool) -> None:
        self.path, self.found = path, {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                one = json.loads(line)
            except ValueError:
                continue
            self.found[self.key(one)] = one
        self.known = {key for key, one in self.found.items() if not (retry and "error" in one)}

    @staticmethod
    def key(one: dict) -> tuple[str, str, str, str]:
        return one["peer"], one["kind"], one["method"], one["task"]

    def add(self, one: dict) -> None:
        self.found[self.key(one)] = one
        self.known.add(self.key(one))
        broken = self.path.exists() and not self.path.read_bytes().endswith(b"\n")
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("\n" if broken else "") + json.dumps(one) + "\n")
        said = one.get("error") or f"{one['cpu']:.1f} CPU-s, {one['peak'] / 1e9:.2f} GB, {one['scores']}"
        print(f"{one['task']}: {one['peer']} {one['method']}: {said}", file=sys.stderr, flush=True)


def run(task: Task, taking_part: list[Peer], results: Results, limits: tuple[float, float]) -> None:
    """Whatever is not known yet of this task."""
    wanted = [
        (peer, kind, method)
        for peer in taking_part
        for kind, method in peer.methods(task.kinds)
        if (peer.name, kind, method, task.name) not in results.known
        and not (task.nodes and _gave_up(results, peer.name, method, task.nodes))
    ]
    if not wanted:
        return
    matrices, score = task.given()
    with TemporaryDirectory() as folder:
        given, rows = Path(folder) / "given.npz", Path(folder) / "rows.npy"
        saved(given, matrices)
        nodes = sum(matrix.shape[0] for matrix in matrices)
        del matrices
        for peer, kind, method in wanted:
            about = {"peer": peer.name, "kind": kind, "method": method, "task": task.name, "nodes": nodes}
            if task.nodes and _gave_up(results, peer.name, method, task.nodes):
                continue
            found = {"error": broken} if (broken := peer.install()) else None
            found = found or measured(peer, kind, method, given, rows, limits)
            if "error" not in found:
                found["scores"] = score(np.load(rows).astype(np.float64))
                rows.unlink()
            results.add({**about, **found, "load": os.getloadavg()[0]})


def _gave_up(results: Results, peer: str, method: str, nodes: int) -> bool:
    """Whether it has failed on a smaller graph of the ladder."""
    return any(
        "error" in one and one["task"].startswith("ba-") and one["nodes"] < nodes
        for one in results.found.values()
        if (one["peer"], one["method"]) == (peer, method)
    )


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="some peers, by the names of their files")
    parser.add_argument("--tasks", default="", help="some graphs, by name")
    parser.add_argument("--quick", action="store_true", help="small graphs that need no download")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "peers", help="results, table and picture")
    parser.add_argument("--environments", type=Path, default=ROOT / ".venv" / "peers")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="most that one measurement may take")
    parser.add_argument("--gigabytes", type=float, default=GIGABYTES, help="most memory of one measurement")
    parser.add_argument("--threads", type=int, default=1, help="of every peer, phusion included")
    given = parser.parse_args(words)
    os.environ.update({f"{library}_NUM_THREADS": str(given.threads) for library in _THREADS})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    given.folder.mkdir(parents=True, exist_ok=True)
    given.environments.mkdir(parents=True, exist_ok=True)
    every = tasks(given.quick)
    names = given.tasks.split(",") if given.tasks else [task.name for task in every]
    if unknown := set(names) - {task.name for task in every}:
        sys.exit(f"there is no task {', '.join(sorted(unknown))}; there are {', '.join(task.name for task in every)}")
    results = Results(given.folder / "results.jsonl", given.retry)
    taking_part = peers(given.only, given.environments.resolve())
    for task in every:
        if task.name in names:
            run(task, taking_part, results, (given.seconds, given.gigabytes * 1e9))
    print(write_page(given.folder, list(results.found.values()), every, (given.seconds, given.gigabytes)))


if __name__ == "__main__":
    main()
