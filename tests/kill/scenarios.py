"""Commands to be killed: what they write, how it is compared, and what must not be left."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx

import phusion
from phusion.experiments.ledger import Ledger

LEDGER = "phusion-ledger.sqlite"
GIVEN = ("graph.txt", "study.toml", "given.sqlite", "given.sqlite-wal", "given.sqlite-shm")
STUDY = """
task = "node_classification"
datasets = ["karate"]
seeds = [0, 1, 2, 3]
protocol = { splits = 60, train_size = 0.8, classifier = "liblinear" }
embedding = { name = "svd", dim = 8 }
[proximities]
heat = { name = "heat", scale = 1.0 }
katz = { name = "katz", beta = 0.01 }
ppmi = { name = "ppmi", window = 3 }
[nonlinearities]
plain = "identity"
log = "log"
"""


@dataclass(frozen=True)
class Scenario:
    """One command.

    Attributes
    ----------
    words : of the command; it is run in a folder with the graph and the study beside it.
    out : what it writes there.
    content : what of that must be the same each time; raises where it cannot be loaded.
    older : words that make another output of the same name, if it may be replaced.
    beside : further files of the same result.
    kept : further names that may stand in the folder in the end.
    """

    words: str
    out: str
    content: Callable[[Path], Any]
    older: str = ""
    beside: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def embedding(path: Path) -> Any:
    found = phusion.Embedding.load(path)
    return found.nodes.tolist(), found.features, found.values.tobytes()


def bytes_of(path: Path) -> Any:
    return path.read_bytes()


def page(path: Path, end: str = "</html>") -> Any:
    text = path.read_text(encoding="utf-8")
    if not text.rstrip().endswith(end):
        raise ValueError("the page is cut off")
    return text


def picture(path: Path) -> Any:
    return page(path, "</svg>")


def report(path: Path) -> Any:
    return page(path), *(path.with_suffix(suffix).read_bytes() for suffix in (".md", ".csv"))


def ledger(path: Path) -> Any:
    """Results by cell; what tells seconds left out. A run that was ended early has no more than some of them."""
    base = sqlite3.connect(path)
    try:
        if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise ValueError("the ledger is damaged")
        if not base.execute("SELECT name FROM sqlite_master WHERE name = 'cells'").fetchall():
            return {}  # ended before its first word
        rows = base.execute("SELECT about, result, error FROM cells").fetchall()
    finally:
        base.close()
    return {
        about: (result, error) for about, result, error in rows if "sweep: embedding" not in json.loads(about)["task"]
    }


def sweep(path: Path) -> Any:
    page(path / "sweep.html")
    with (path / "leaderboard.csv").open(encoding="utf-8") as stream:
        rows = [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(stream)]
    return (path / "winner.toml").read_bytes(), embedding(path / "winner.parquet"), rows


_HEAT = "--proximity heat --embedding characteristic --set landmarks=20"
_LOG = "--proximity ppmi --nonlinearity log --embedding svd --set dim=32"
_NEXT = "--proximity adjacency_power --embedding svd --set dim=16"


def _embedding(out: str, method: str, how: str = "", beside: tuple[str, ...] = ()) -> Scenario:
    words = f"embed graph.txt -o {out}"
    in_parts = "--partitioned" if "--partitioned" in how else ""
    return Scenario(f"{words} {method} {how}", out, embedding, f"{words} {_NEXT} {in_parts}", beside)


_LEDGERS = (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", f"{LEDGER}.embeddings")
_SWEEP = "sweep karate --designs study.toml --seeds 1 -o best"
_REPORT = "report study.toml --ledger given.sqlite --out r.html"

SCENARIOS = {
    "npz": _embedding("e.npz", _HEAT),
    "npy": _embedding("e.npy", _HEAT),
    "csv": _embedding("e.csv", _LOG),
    "tsv": _embedding("e.tsv", _LOG),
    "word2vec": _embedding("e.w2v.txt", _LOG),
    "parquet": _embedding("e.parquet", _LOG),
    "h5ad": _embedding("e.h5ad", _LOG),
    "pair": _embedding("e.tensors.tsv", _LOG, beside=("e.metadata.tsv",)),
    "parts": _embedding("e.parquet", _HEAT, "--partitioned"),
    "zarr": _embedding("e.zarr", _HEAT),
    "dask": _embedding("e.zarr", _HEAT, "--dask local --threads 2"),
    "graphs": Scenario(
        "graphs karate -o g.csv --preset netlsd", "g.csv", embedding, "graphs karate -o g.csv --preset graphwave"
    ),
    "convert": Scenario(
        "convert graph.txt g.graphml.gz", "g.graphml.gz", bytes_of, "convert karate g.graphml.gz --lossy"
    ),
    "explore": Scenario(
        "explore graph.txt -o e.html --map pca", "e.html", page, "explore karate -o e.html --map pca"
    ),
    "plot": Scenario(
        "plot map karate -o m.svg --map pca", "m.svg", picture, "plot map karate -o m.svg --map pca --color degree"
    ),
    "advise": Scenario(
        "advise karate --kind structural --structural s.toml", "s.toml", bytes_of,
        "advise karate --kind positional --positional s.toml",
    ),
    "report": Scenario(_REPORT, "r.html", report, f"{_REPORT} --quick", beside=("r.md", "r.csv")),
    "study": Scenario("study study.toml --jobs 2", LEDGER, ledger, kept=_LEDGERS),
    "sweep": Scenario(f"{_SWEEP} --splits 4 --jobs 2", "best", sweep, f"{_SWEEP} --splits 2", kept=_LEDGERS),
}  # fmt: skip


def furnish(folder: Path, nodes: int) -> None:
    """A graph, a study and a ledger without results."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = nx.barabasi_albert_graph(nodes, 4, seed=0)
    (folder / "graph.txt").write_text("".join(f"{u} {v}\n" for u, v in graph.edges), encoding="utf-8")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    with Ledger(folder / "given.sqlite"):
        pass


def copied(source: Path, target: Path) -> None:
    """A file or a folder."""
    (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
