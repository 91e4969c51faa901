"""Reading a list needs at most four times the memory of the finished graph, whatever its size."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from measure import measure

SETUP = """
import warnings, phusion, pyarrow.csv
warnings.simplefilter("ignore")
from phusion.graph.files import all_formats
all_formats()
phusion.as_graph([(0, 1, 2.0)])
"""
SIZE = "sum(a.nbytes for a in (g.adjacency.data, g.adjacency.indices, g.adjacency.indptr, g.nodes))"


def peak_over_size(path: Path, n_edges: int, weighted: bool) -> float:
    rng = np.random.default_rng(0)
    columns = {name: rng.integers(0, n_edges // 10, n_edges) for name in ("u", "v")}
    if weighted:
        columns["w"] = rng.integers(1, 9, n_edges)
    pa = pytest.importorskip("pyarrow", reason="the memory is that of reading with pyarrow")
    from pyarrow import csv

    csv.write_csv(pa.table(columns), path, csv.WriteOptions(include_header=False, delimiter=" "))
    done = measure(SETUP, f"g = phusion.as_graph({str(path)!r}, directed=False)", SIZE)
    return done.peak / done.result


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
@pytest.mark.parametrize("weighted", [False, True])
def test_two_million_edges(tmp_path, weighted):
    # small lists: what does not grow with the list counts too
    assert peak_over_size(tmp_path / "edges.txt", 2_000_000, weighted) <= (6 if weighted else 4)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
@pytest.mark.parametrize("weighted", [False, True])
def test_ten_million_edges(tmp_path, weighted):
    assert peak_over_size(tmp_path / "edges.txt", 10_000_000, weighted) <= 4
