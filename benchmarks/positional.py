"""Positional embeddings of large graphs against ProNE (nodevectors): quality, cost, growth. See million.py.

nodevectors has an environment of its own, `.venv/nodevectors`, which `make bench-million` makes; without it the
baseline is our preset `prone`, and rows say so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.sparse as sp
from engine import START, Row, said
from measure import Measured, measure

import phusion
from phusion.evaluation.node_classification import NodeClassification

PEER = Path(__file__).resolve().parent.parent / ".venv" / "nodevectors" / "bin" / "python"
DATA = {"ppi": -0.3, "wikipedia": 1.0, "blogcatalog": -0.3}
"""By how many points we are to be better than ProNE."""
_TWO_HOPS = {"blogcatalog": 1.5}
_THEIRS = """
import warnings; warnings.simplefilter("ignore")
import numpy as np, scipy.sparse as sp, csrgraph
from nodevectors import ProNE
def prone(matrix, seed=0):
    np.random.seed(seed)
    return ProNE(n_components=128, verbose=False).fit_transform(csrgraph.csrgraph(matrix))
matrix = sp.csr_matrix(sp.load_npz({path!r}))
prone(sp.csr_matrix((sp.random(500, 500, 0.05) > 0).astype(np.float32) + sp.eye(500, dtype=np.float32)))
"""
_OURS = """
import scipy.sparse as sp
graph = phusion.as_graph(sp.csr_array(sp.load_npz({path!r})))
phusion.embed(phusion.as_graph(baselines.barabasi_albert(1500, 3, 0)), {method!r})
"""


@dataclass(frozen=True)
class Large:
    """A generated graph in a file, so that every process reads the same."""

    path: str
    edges: int

    @classmethod
    def of(cls, n: int, links: int, folder: str) -> Large:
        """Every node links to earlier ones, the early more often than the late: there are hubs."""
        random = np.random.default_rng(0)
        new = np.repeat(np.arange(1, n), links)
        old = (random.random(len(new)) ** 2 * new).astype(np.int64)
        half = sp.coo_array((np.ones(len(new), np.float32), (new, old)), shape=(n, n)).tocsr()
        half.data[:] = 1.0
        whole = sp.csr_matrix(half.maximum(half.T))
        path = f"{folder}/{n}-{links}.npz"
        sp.save_npz(path, whole, compressed=False)
        return cls(path, whole.nnz // 2)

    def ours(self, method: str) -> Measured:
        setup = START + _OURS.format(path=self.path, method=method)
        return measure(setup, f"found = phusion.embed(graph, {method!r})", "[str(one) for one in found.fidelity]")

    def theirs(self) -> Measured:
        """ProNE, or ours if nodevectors is not there."""
        if not PEER.exists():
            return self.ours("prone")
        return measure(_THEIRS.format(path=self.path), "rows = prone(matrix)", python=str(PEER))


def peer() -> str:
    return "ProNE (nodevectors)" if PEER.exists() else "our preset prone (nodevectors is not installed)"


def quality(quick: bool) -> list[Row]:
    """Micro-F1 in percent, 5 splits × 3 seeds, paired."""
    rows, seeds, task = [], range(1 if quick else 3), NodeClassification(splits=5)
    for name, wanted in list(DATA.items())[: 1 if quick else None]:
        graph = phusion.datasets.load(name)

        def scored(embedded: Callable[[int], np.ndarray], graph: phusion.Graph = graph) -> np.ndarray:
            return np.concatenate([task.score(embedded(seed), graph.labels, seed)["micro_f1"] for seed in seeds])

        theirs = scored(_theirs(graph) if PEER.exists() else _ours(graph, "prone"))
        for method, reach in (
            ("edge-pmi", wanted),
            ("edge-pmi-far", _TWO_HOPS.get(name)),
            ("edge-pmi-2", None),
            ("prone", None),
        ):
            found = scored(_ours(graph, method))
            apart = found - theirs
            error = apart.std(ddof=1) / np.sqrt(len(apart))
            rows.append(
                Row(
                    f"{name}, {method}, micro-F1 in %, 5 splits × {len(seeds)} seeds, paired",
                    peer(),
                    "" if reach is None else f"≥ {reach:+.1f}",
                    f"{found.mean():.2f} against {theirs.mean():.2f}: {apart.mean():+.2f} ± {error:.2f}",
                    None if reach is None else bool(apart.mean() >= reach),
                )
            )
            print(f"  {rows[-1].what}: {rows[-1].figures}", file=sys.stderr)
    return rows


def _ours(graph: phusion.Graph, method: str) -> Callable[[int], np.ndarray]:
    return lambda seed: phusion.embed(graph, method, random_state=seed).values


def _theirs(graph: phusion.Graph) -> Callable[[int], np.ndarray]:
    def embedded(seed: int) -> np.ndarray:
        with TemporaryDirectory() as folder:
            sp.save_npz(f"{folder}/graph.npz", sp.csr_matrix(graph.adjacency))
            save = f"np.save({folder + '/rows.npy'!r}, prone(matrix, {seed}))"
            measure(_THEIRS.format(path=f"{folder}/graph.npz"), save, python=str(PEER))
            rows: np.ndarray = np.load(f"{folder}/rows.npy")
        return rows

    return embedded


def cost(quick: bool) -> list[Row]:
    rows = []
    for n, wall, cpu in ((10_000, 1 / 4, None),) if quick else ((100_000, 1 / 4, None), (1_000_000, 1 / 8, 1 / 6)):
        with TemporaryDirectory() as folder:
            graph = Large.of(n, 5, folder)
            ours, theirs = graph.ours("edge-pmi"), graph.theirs()
        ratios = (ours.wall / theirs.wall, ours.cpu / theirs.cpu)
        good = ratios[0] <= wall and (cpu is None or (ratios[1] <= cpu and ours.total <= 2.5e9))
        reach = f"≤ {wall:.3g} of its wall time" + (f", ≤ {cpu:.2g} of its CPU, ≤ 2.5 GB" if cpu else "")
        figures = f"{ratios[0]:.3f} wall, {ratios[1]:.3f} CPU; {said('edge-pmi', ours)}; {said('ProNE', theirs)}"
        rows.append(Row(f"positional, {n:,} nodes, {graph.edges:,} edges", peer(), reach, figures, good))
    return rows
