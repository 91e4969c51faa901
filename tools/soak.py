"""Mixed work for as long as is asked for, and whether anything leaks: `python tools/soak.py --minutes 60`.

Commands, calls in this process and runs on Dask whose workers are killed, in turn. In the end: resident memory of this
process over time, processes and temporary files that are left, and files that stayed open.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import networkx as nx
import numpy as np
import psutil

_TOKEN = "PHUSION_SOAK"
_GROWTH = 20e6  # bytes by which memory may move in all: the allocator is not still either
_WARM = 0.25  # of the measurements, in which libraries are loaded and buffers made
_MORE = 0.02  # of the objects of Python
_LEAST = 8  # of them at least
_TIMES = 5  # what is done in this process is done so often in each round: it is quick, and what may leak
_CLUSTER = """
import sys, distributed
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", host="127.0.0.1",
                                  silence_logs=50, local_directory=sys.argv[1]) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""
_STUDY = """
task = "node_classification"
datasets = ["karate"]
seeds = [0, 1]
protocol = { splits = 3 }
embedding = { name = "svd", dim = 4 }
[proximities]
heat = "heat"
katz = "katz"
[nonlinearities]
plain = "identity"
log = "log"
"""
_HEAT = {"proximity": {"name": "heat", "scale": [0.5, 2.0]}, "nonlinearity": "log", "embedding": "characteristic"}


class Soak:
    """All that is done, in folders of its own."""

    def __init__(self, root: Path) -> None:
        import phusion

        self.phusion, self.work, self.scratch = phusion, root / "work", root / "dask"
        self.random = random.Random(0)
        self.graph = phusion.as_graph(nx.barabasi_albert_graph(1_500, 4, seed=0))
        self.expected = self._on(None)
        (root / "given").mkdir()
        self.file = root / "given" / "graph.csv"
        phusion.write_graph(self.graph, self.file)
        self.study = root / "given" / "study.toml"
        self.study.write_text(_STUDY, encoding="utf-8")

    def here(self) -> dict[str, Callable[[], None]]:
        """What is done in this process, by name."""
        return {
            "embed, all formats": self.embed,
            "embed in parts": self.parts,
            "graphs, read and written": self.convert,
            "page": self.explore,
            "sweep": self.sweep,
            "what is refused": self.refused,
        }

    def elsewhere(self) -> dict[str, Callable[[], None]]:
        """What other processes do."""
        return {
            "Dask, a worker killed": self.dask,
            "command: embed": lambda: self.command(f"embed {self.file} -o c.parquet --preset graphwave"),
            "command: convert": lambda: self.command(f"convert {self.file} g.gml.gz"),
            "command: study --jobs 2": lambda: self.command(f"study {self.study} --jobs 2"),
            "command, terminated": self.terminated,
        }

    def embed(self) -> None:
        """Every file format, and back."""
        name = self.random.choice(["graphwave", "netmf", "hope"])
        made = self.phusion.embed(self.graph, name, memory="200MB", **({} if name == "graphwave" else {"dim": 16}))
        for suffix in ("npy", "npz", "csv", "parquet", "w2v.txt", "tensors.tsv", "h5ad", "zarr"):
            made.save(self.work / f"e.{suffix}")
            found = self.phusion.Embedding.load(self.work / f"e.{suffix}")
            _check(np.array_equal(found.values, made.values), f"{suffix} comes back changed")

    def parts(self) -> None:
        """Folders."""
        for suffix in ("parquet", "zarr"):
            self.phusion.embed_to(self.work / f"p.{suffix}", self.graph, "graphwave").load()

    def convert(self) -> None:
        """Files of graphs."""
        for suffix in ("csv", "graphml", "gml", "npz", "parquet", "mtx.gz"):
            self.phusion.write_graph(self.graph, self.work / f"g.{suffix}", lossy=True)
            _check(len(self.phusion.as_graph(self.work / f"g.{suffix}")) == len(self.graph), "nodes are lost")

    def explore(self) -> None:
        """A page."""
        self.phusion.explore("karate", self.work / "page.html", map="pca")

    def sweep(self) -> None:
        """A small one, with and without a ledger."""
        for ledger in (None, self.work / "ledger.sqlite"):
            self.phusion.sweep("karate", designs=["graphwave"], seeds=[0], splits=2, ledger=ledger)

    def refused(self) -> None:
        """Errors free what they held."""
        for given in ({"dim": 10**6}, {"memory": "1KB"}):
            try:
                self.phusion.embed(self.graph, "netmf", **given)
            except self.phusion.errors.PhusionError:
                continue
            raise RuntimeError(f"{given} is not refused")

    def _on(self, executor: Any) -> Any:
        from phusion.execution.resources import Resources
        from phusion.together import embed_together

        spec = self.phusion.Spec.from_dict(_HEAT)
        return embed_together(self.graph, [spec], Resources(executor=executor, strategy="blocked"))[0].values

    def dask(self) -> None:
        """One worker is killed in the first pass; a cluster each time, as Dask does not always bring one back."""
        words = [sys.executable, "-c", _CLUSTER, str(self.scratch)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cluster:
            try:
                found = self._with_a_death(cluster.stdout.readline().strip())  # type: ignore[union-attr]
            finally:
                cluster.stdin.close()  # type: ignore[union-attr]
        _check(np.allclose(found, self.expected, rtol=1e-11, atol=1e-12), "Dask gives other numbers")

    def _with_a_death(self, address: str) -> Any:
        import distributed

        from phusion.execution.progress import watching

        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
            doomed = list(client.run(os.getpid).values())[:1]

            def kill(_: str, done: int, __: int) -> None:
                while done and doomed:
                    os.kill(doomed.pop(), signal.SIGKILL)

            with watching(kill):
                return self._on(client)

    def command(self, words: str) -> None:
        """To its end."""
        done = subprocess.run(_command(words), cwd=self.work, capture_output=True, text=True, check=False)
        _check(done.returncode == 0, f"{words}: {done.stderr}")

    def terminated(self) -> None:
        """Not to its end."""
        process = subprocess.Popen(_command(f"embed {self.file} -o t.zarr --preset graphwave"), cwd=self.work,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            process.wait(self.random.uniform(0.5, 4))
        except subprocess.TimeoutExpired:
            process.terminate()
        process.wait()


def _command(words: str) -> list[str]:
    return [sys.executable, "-m", "phusion", *words.split()]


def _check(right: bool, why: str) -> None:
    if not right:
        raise RuntimeError(why)


def _left(work: Path, temporary: Path) -> list[str]:
    """Unfinished files among the results, and anything among temporary files."""
    found = [path for path in work.rglob("*") if path.suffix in (".part", ".old", ".partial")]
    return [str(path) for path in (*found, *temporary.iterdir())]


def _others(token: str) -> list[str]:
    """Processes of this run that are still there."""
    found = []
    for process in psutil.process_iter():
        try:
            own = process.pid != os.getpid() and process.environ().get(_TOKEN) == token
            if own and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {' '.join(process.cmdline())[:80]}")
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def main() -> int:
    """Print a line for each round and a table in the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    minutes = parser.parse_args().minutes
    warnings.simplefilter("ignore")
    token = os.environ[_TOKEN] = uuid4().hex
    with tempfile.TemporaryDirectory(prefix="phusion-soak-") as folder:
        root = Path(folder)
        for name in ("work", "temporary", "dask"):
            (root / name).mkdir()
        os.environ["DASK_TEMPORARY_DIRECTORY"] = str(root / "dask")
        os.environ["TMPDIR"] = tempfile.tempdir = str(root / "temporary")
        return _rounds(Soak(root), root, minutes, token)


def _rounds(soak: Soak, root: Path, minutes: float, token: str) -> int:
    own, end, rounds = psutil.Process(), time.monotonic() + 60 * minutes, 0
    memory: list[int] = []
    files: list[int] = []
    objects: list[int] = []
    problems: list[str] = []
    seconds: dict[str, list[float]] = {}
    while time.monotonic() < end and not problems:
        for acts in (soak.elsewhere(), *(soak.here() for _ in range(_TIMES))):
            for name, act in acts.items():
                started = time.monotonic()
                try:
                    act()
                except Exception as error:
                    problems.append(f"{name}: {error!r}")
                seconds.setdefault(name, []).append(time.monotonic() - started)
            problems += [f"left behind: {one}" for one in _left(soak.work, root / "temporary")]
            _empty(soak.work)
            gc.collect()
            _trim()
            memory.append(own.memory_info().rss)
            objects.append(len(gc.get_objects()))
        rounds += 1
        problems += [f"still runs: {one}" for one in _others(token)]
        files.append(own.num_fds())
        print(f"round {rounds}: {memory[-1] / 1e6:.0f} MB, {files[-1]} open files", flush=True)
    grown = _growth(memory)
    if grown > _GROWTH:
        problems.append(f"resident memory grows: {grown / 1e6:.0f} MB")
    if _growth(objects) > _MORE * objects[-1]:
        problems.append(f"objects of Python are held: {objects}")
    if len(files) > 3 and files[-1] > files[len(files) // 4] + 5:
        problems.append(f"files stay open: {files}")
    print(f"\n{'what':28} {'times':>6} {'seconds each':>13}")
    for name, each in seconds.items():
        print(f"{name:28} {len(each):6} {np.mean(each):13.1f}")
    shown = ", ".join(f"{each / 1e6:.0f}" for each in memory[:: max(1, len(memory) // 12)])
    print(f"\n{rounds} rounds; resident memory measured {len(memory)} times: {shown} … {memory[-1] / 1e6:.0f} MB")
    print(f"trend after the warm-up: {grown / 1e6:+.1f} MB in all; up to {_GROWTH / 1e6:.0f} MB is flat")
    print(
        f"objects of Python: {objects[min(_LEAST, len(objects) - 1)]:,} after the warm-up, {objects[-1]:,} in the end"
    )
    print("\n".join(problems) or "no orphan process, no temporary file, no open file left")
    return 1 if problems else 0


def _trim() -> None:
    """Have glibc give back what is free: what it keeps goes up and down with threads."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _growth(memory: list[int]) -> float:
    """By the straight line through what was measured after the warm-up."""
    warm = memory[max(_LEAST, int(_WARM * len(memory))) :]
    return float(np.polyfit(range(len(warm)), warm, 1)[0] * len(warm)) if len(warm) > 3 else 0.0


def _empty(folder: Path) -> None:
    import shutil

    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


if __name__ == "__main__":
    sys.exit(main())
