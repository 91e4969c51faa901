"""Reading a large edge list: against networkx, and against pyarrow and polars plus building the CSR.

    make bench                          10 million edges
    python benchmarks/read_edges.py --edges 1000000
    python benchmarks/read_edges.py --without-pyarrow   reading with and without it

Every row is a fresh process on the same file, in turns; the median of --repeat runs counts (networkx: one run).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from measure import Measured, measure

IMPORTS = (
    "import warnings, phusion; warnings.simplefilter('ignore'); from phusion.graph import accept\n"
    "accept.all_sources(); from phusion.graph.files import all_formats; all_formats()\n"
)
BUILD = """
import numpy as np, scipy.sparse as sp
def build(u, v):
    n = int(max(u.max(), v.max())) + 1
    ends = np.concatenate([u, v]), np.concatenate([v, u])
    a = sp.coo_array((np.ones(len(ends[0])), ends), shape=(n, n)).tocsr()
    a.data[:] = 1.0
    return a
"""
ROWS = {
    "phusion": (
        IMPORTS + "import pyarrow.csv",
        "g = phusion.as_graph({path!r})",
        "[len(g), g.n_edges, sum(a.nbytes for a in (g.adjacency.data, g.adjacency.indices, "
        "g.adjacency.indptr, g.nodes))]",
    ),
    "pyarrow + CSR": (
        "import pyarrow.csv as c" + BUILD,
        "t = c.read_csv({path!r}, c.ReadOptions(column_names=['u', 'v']), c.ParseOptions(delimiter=' '))\n"
        "a = build(t['u'].to_numpy(), t['v'].to_numpy())",
        "[a.shape[0], a.nnz]",
    ),
    "polars + CSR": (
        "import polars as pl" + BUILD,
        "t = pl.read_csv({path!r}, separator=' ', has_header=False, new_columns=['u', 'v'])\n"
        "a = build(t['u'].to_numpy(), t['v'].to_numpy())",
        "[a.shape[0], a.nnz]",
    ),
    "networkx": (
        "import networkx as nx",
        "g = nx.read_edgelist({path!r}, nodetype=int)",
        "[len(g), g.number_of_edges()]",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--without-pyarrow", action="store_true", help="compare the two ways of reading text")
    arguments = parser.parse_args()
    if arguments.without_pyarrow:
        compare_ways(arguments.repeat)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.txt"
        n_nodes = max(arguments.edges // 10, 2)
        generate(path, n_nodes, arguments.edges)
        print(f"{arguments.edges:,} lines, {n_nodes:,} nodes, {path.stat().st_size / 1e6:.0f} MB of text")
        runs: dict[str, list[Measured]] = {name: [] for name in ROWS}
        for turn in range(arguments.repeat):  # in turns, so that a busy moment of the machine hits all alike
            for name, (setup, body, result) in ROWS.items():
                if name != "networkx" or turn == 0:
                    runs[name].append(measure(setup, body.format(path=str(path)), result))
        middle = {name: sorted(done, key=lambda one: one.wall)[len(done) // 2] for name, done in runs.items()}
    ours = middle["phusion"]
    print(f"\n{'':16}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}{'wall / phusion':>16}")
    for name, one in middle.items():
        print(f"{name:16}{one.wall:8.2f}{one.cpu:8.2f}{one.peak / 1e6:9.0f}{one.wall / ours.wall:16.2f}")
    size = ours.result[2]  # type: ignore[index]
    fastest = min(middle["pyarrow + CSR"].wall, middle["polars + CSR"].wall)
    goals = [
        ("times faster than networkx", middle["networkx"].wall / ours.wall, 20.0, True),
        ("time of the faster of pyarrow and polars + CSR", ours.wall / fastest, 1.5, False),
        (f"peak memory over the finished graph ({size / 1e6:.0f} MB)", ours.peak / size, 4.0, False),
    ]
    print()
    missed = 0
    for what, value, goal, at_least in goals:
        met = value >= goal if at_least else value <= goal
        missed += not met
        print(f"{value:7.2f}  {what} (goal: {'≥' if at_least else '≤'} {goal:g}){'' if met else '  MISSED'}")
    sys.exit(1 if missed else 0)


WAYS = {
    "pyarrow": IMPORTS + "import pyarrow.csv, pyarrow.compute",
    "plain": "import sys; sys.modules['pyarrow'] = None\n" + IMPORTS,
}


def compare_ways(repeat: int) -> None:
    """Median processor time, as threads of pyarrow may wait for each other on a busy machine."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.csv" for name in ("numbers", "words", "quoted")}
        generate(files["numbers"], 100_000, 1_000_000)
        pairs = [line.split() for line in files["numbers"].read_text().splitlines()]
        rows = {"words": (f"node {u},node {v},{int(u) / 7}\n" for u, v in pairs[:200_000]),
                "quoted": (f'"node {u}","node {v}",{int(u) / 7}\n' for u, v in pairs)}  # fmt: skip
        for name, lines in rows.items():
            files[name].write_text("source,target,weight\n" + "".join(lines))
        titles = (
            "1,000,000 edges of integers",
            "200,000 of text, with weights",
            "1,000,000 of quoted text, with weights",
        )
        print(f"{'':48}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}")
        for title, path in zip(titles, files.values(), strict=True):
            runs: dict[str, list[Measured]] = {name: [] for name in WAYS}
            for _ in range(repeat):
                for name, setup in WAYS.items():
                    runs[name].append(measure(setup, f"g = phusion.as_graph({str(path)!r}, directed=True)"))
            for name, done in runs.items():
                one = sorted(done, key=lambda one: one.cpu)[len(done) // 2]
                print(f"{title:40}{name:>8}{one.wall:8.2f}{one.cpu:8.2f}{one.peak / 1e6:9.0f}")


def generate(path: Path, n_nodes: int, n_edges: int) -> None:
    import pyarrow as pa
    from pyarrow import csv

    random = np.random.default_rng(0)
    table = pa.table({name: random.integers(0, n_nodes, n_edges) for name in ("u", "v")})
    csv.write_csv(table, path, csv.WriteOptions(include_header=False, delimiter=" "))


if __name__ == "__main__":
    main()
