"""The walk-through of docs/large.md: each step as its own process, with its time and memory.

    python benchmarks/walkthrough.py dblp-2010
    python benchmarks/walkthrough.py million           1M nodes, 10M edges, written as graph.csv.gz first
    python benchmarks/walkthrough.py dblp-2010 --keep FOLDER    files stay there

Wall and CPU seconds and peak memory are those of the whole command, Python's start and compiled code included.
Data sets come from PHUSION_DATA (../shared/data beside the project).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from engine import data_folder

_HEAT = ["--proximity", "heat", "--set", "scale=0.1,1,10", "--embedding", "characteristic", "--accuracy", "0.01"]
_NEAR = ["--preset", "edge-pmi"]
_MILLION = """
import sys
import pyarrow
from pyarrow import csv
from scipy import sparse
from baselines import barabasi_albert
upper = sparse.triu(barabasi_albert(int(sys.argv[1]), 10, 0)).tocoo()
table = pyarrow.table({"source": upper.coords[0], "target": upper.coords[1]})
with pyarrow.CompressedOutputStream(sys.argv[2], "gzip") as file:
    csv.write_csv(table, file)
"""


@dataclass(frozen=True)
class Step:
    what: str
    words: list[str]
    wall: float
    cpu: float
    peak: int
    said: str
    code: int


def run(what: str, words: list[str], folder: Path) -> Step:
    """One command in `folder`; exit code 6, a missed certificate, is told and no failure."""
    print(f"{what} …", file=sys.stderr)
    begun = time.perf_counter()
    with (folder / "said.txt").open("w+") as said:
        child = subprocess.Popen([sys.executable, "-m", "phusion", *words], cwd=folder, stdout=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begun
        said.seek(0)
        text = said.read()
    if code not in (0, 6):
        raise SystemExit(f"phusion {' '.join(words)} ended with exit code {code}")
    step = Step(what, words, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, text, code)
    print(_row(step), file=sys.stderr, flush=True)
    return step


def steps(graph: str, folder: Path, sample: int, threads: int | None) -> list[Step]:
    sources = ["--embedding", "near.parquet", "--embedding", "roles.parquet"]
    heat, near = _HEAT, _NEAR
    if threads:
        heat, near = [*_HEAT, "--threads", str(threads)], [*_NEAR, "--threads", str(threads)]
    return [
        run("read", ["inspect", graph], folder),
        run("plan, structural", ["plan", graph, *heat], folder),
        run("plan, positional", ["plan", graph, *near], folder),
        run("embed, structural", ["embed", graph, *heat, "-o", "roles.parquet", "--partitioned"], folder),
        run("embed, positional", ["embed", graph, *near, "-o", "near.parquet", "--partitioned"], folder),
        run("explore", ["explore", graph, *sources, "--sample", str(sample), "-o", "page.html"], folder),
    ]


def written(folder: Path, n: int) -> str:
    """A Barabási–Albert graph as an edge list."""
    print("writing graph.csv.gz …", file=sys.stderr)
    here = Path(__file__).parent
    subprocess.run([sys.executable, "-c", _MILLION, str(n), str(folder / "graph.csv.gz")], cwd=here, check=True)
    return "graph.csv.gz"


def _row(step: Step) -> str:
    command = f"`phusion {' '.join(step.words)}`"
    return f"| {step.what} | {command} | {step.wall:.1f} s | {step.cpu:.1f} s | {step.peak / 1e9:.2f} GB |"


def _size(path: Path) -> str:
    files = path.iterdir() if path.is_dir() else [path]
    return f"{path.name} {sum(file.stat().st_size for file in files) / 1e6:.1f} MB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", nargs="?", default="dblp-2010", choices=["dblp-2010", "million"])
    parser.add_argument("--nodes", type=int, default=1_000_000, help="of the generated graph")
    parser.add_argument("--sample", type=int, default=20_000, help="nodes that the page shows")
    parser.add_argument("--threads", type=int, help="of plans and embeddings; all processors otherwise")
    parser.add_argument("--keep", type=Path, help="a folder for the files, which stay there")
    given = parser.parse_args()
    data_folder()
    load = os.getloadavg()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        graph = given.graph if given.graph != "million" else written(folder, given.nodes)
        found = steps(graph, folder, given.sample, given.threads)
        sizes = [_size(path) for path in sorted(folder.iterdir()) if path.name != "said.txt"]
    print(f"{os.cpu_count()} processors; load before {load[0]:.2f}, after {os.getloadavg()[0]:.2f}\n")
    print("| step | command | wall | CPU | peak memory |\n|---|---|---|---|---|")
    print("\n".join(_row(step) for step in found))
    print(f"\n{', '.join(sizes)}")
    for step in found:
        print(f"\n## {step.what}, exit code {step.code}\n{step.said.strip()}")


if __name__ == "__main__":
    main()
