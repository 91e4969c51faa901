"""What it costs to do without numba: CPU time by plain NumPy and SciPy beside that of compiled code, in the same run.

    python benchmarks/plain.py            all rows, some minutes on two cores
    python benchmarks/plain.py --times 5  the median of five runs of each side, in turns

Each side of a row is a process of its own, in which a small graph is embedded before the clock starts, so that all is
loaded; both give the same numbers, and how far these differ is told. NumPy's own BLAS has one thread.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median

from measure import Measured, measure

HERE = Path(__file__).parent
WITHOUT = "import sys; sys.modules['numba'] = None  # importing it fails, as where it is not installed\n"
START = f"""
import sys; sys.path.insert(0, {str(HERE)!r})
import warnings; warnings.simplefilter("ignore")
import numpy as np, phusion, baselines
from phusion.execution.resources import Resources
from phusion.together import embed_together
def graph(n):
    return phusion.as_graph(baselines.barabasi_albert(n, 5, 1))
def embedded(graph, spec, **how):
    return embed_together(graph, [spec.replace(random_state=0)], Resources(threads=2, **how))[0].values
def told(values):  # inner products have no signs to choose
    some = np.asarray(values[:: len(values) // 50], np.float64)
    return (some @ some.T / np.linalg.norm(some) ** 2).tolist()
"""
FIVE = 'phusion.preset("graphwave", scale=[0.01, 0.1, 1, 10, 100]).spec'
ONE = 'phusion.preset("graphwave", scale=0.1).spec'  # hardly anything but sums of sines
PERCENTILE = 'phusion.Spec("katz", phusion.nonlinearities.Binarize(95), "characteristic")'
ROWS = {
    "GraphWave, 5 scales, 3,000 nodes": (FIVE, 3_000, ""),
    "GraphWave, 5 scales, 5,000 nodes, blocked": (FIVE, 5_000, ", strategy='blocked'"),
    "GraphWave, scale 0.1, 5,000 nodes, blocked": (ONE, 5_000, ", strategy='blocked'"),
    "NetMF, 3,000 nodes": ('phusion.preset("netmf").spec', 3_000, ""),
    "NetMF, 5,000 nodes, blocked": ('phusion.preset("netmf").spec', 5_000, ", strategy='blocked'"),
    "Katz, its largest 5 %, 3,000 nodes, blocked": (PERCENTILE, 3_000, ", strategy='blocked'"),
    "edge-pmi, 50,000 nodes": ('phusion.preset("edge-pmi", dim=32).spec', 50_000, ""),
}


def side(spec: str, n: int, how: str, *, plain: bool) -> Measured:
    loaded = f"spec = {spec}\nembedded(graph(1_100), spec{how})\ngiven = graph({n})\n"
    return measure((WITHOUT if plain else "") + START + loaded, f"found = embedded(given, spec{how})", "told(found)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1, help="runs of each side")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    print(f"{'':44}{'compiled':>10}{'plain':>10}{'ratio':>8}{'difference':>12}")
    for name, row in ROWS.items():
        if given.only.lower() not in name.lower():
            continue
        runs = [(side(*row, plain=False), side(*row, plain=True)) for _ in range(given.times)]
        fast, slow = (median(one.cpu for one in each) for each in zip(*runs, strict=True))
        apart = max(
            abs(a - b)
            for one, other in runs
            for here, there in zip(one.result, other.result, strict=True)
            for a, b in zip(here, there, strict=True)
        )
        print(f"{name:44}{fast:8.2f} s{slow:8.2f} s{slow / fast:7.1f}×{apart:12.0e}", flush=True)


if __name__ == "__main__":
    main()
