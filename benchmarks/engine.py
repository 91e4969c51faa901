"""The engine: every figure as a ratio against a named baseline in the same run, with CPU time and peak memory.

    make bench-engine                                  all rows, about half an hour on two cores
    python benchmarks/engine.py --only cfs,percentile   some of them
    python benchmarks/engine.py --quick                 smaller graphs, to see that everything runs

Each side of a row is a process of its own, with compiled code loaded before the clock starts. Data sets come from
PHUSION_DATA (../shared/data beside the project) or the cache.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from measure import Measured, measure

HERE = Path(__file__).parent
START = f"""
import sys; sys.path.insert(0, {str(HERE)!r})
import warnings; warnings.simplefilter("ignore")
import numpy as np, phusion, baselines
from phusion.embeddings import Characteristic, SVD, Diagonal
from phusion.proximities import Heat, Ppmi
from phusion.execution.resources import Resources
from phusion.execution.planning import make_plan
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
SCALES = (0.01, 0.1, 1.0, 10.0, 100.0)
POINTS = np.linspace(0.0, 100.0, 25)
WAVES = Heat(scale=SCALES)
def warm(model):  # loads what is compiled
    small = phusion.as_graph(baselines.barabasi_albert(1200, 5, 1))
    resources = Resources(precision=model.precision, strategy="blocked")
    compute(make_plan(small, [Job(model.spec, model.spec.proximity)], resources), 0)
"""


@dataclass(frozen=True)
class Row:
    what: str
    baseline: str
    reach: str
    figures: str
    good: bool | None


def data_folder() -> None:
    """Where the data sets are, if they lie beside the project."""
    beside = HERE.parent.parent / "shared" / "data"
    if "PHUSION_DATA" not in os.environ and beside.exists():
        os.environ["PHUSION_DATA"] = str(beside)


def said(label: str, found: Measured) -> str:
    memory = f"{found.peak / 1e9:.2f} GB (process {found.total / 1e9:.2f})"
    return f"{label} {found.wall:.2f} s wall, {found.cpu:.2f} s CPU, {memory}"


def cfs(quick: bool) -> list[Row]:
    n = 2_000 if quick else 10_000
    setup = (
        START
        + f"""
values = np.random.default_rng(0).random(({n}, 256)) ** 4
from phusion.embeddings.characteristic import _turned
_turned(values[:, :4], 2.0, 24); _turned(values[:, :4].astype(np.float32), 2.0, 24)
single, binary = values.astype(np.float32), (values > 0.5).astype(np.float64)
def ours(block, mapping=None):
    from phusion.embeddings.base import Columns
    return Characteristic().rows(Columns(block, 0, 0.0, mapping), None)
from functools import partial
from phusion.nonlinearities.base import Map
from phusion.nonlinearities.binarize import _above
ones = Map(partial(_above, 0.5), 0.0, 0.5)
"""
    )
    naive = measure(setup, "found = baselines.naive_characteristic(values, POINTS)", "found[:4].tolist()")
    rows = []
    for label, expression, reach, limit in (
        ("double", "ours(values)", 50, 1e-12),
        ("single", "ours(single)", 80, 1e-6),
    ):
        found = measure(
            setup + "naive = baselines.naive_characteristic(values[:, :32], POINTS)",
            f"for _ in range(10): found = {expression}",
            "float(np.abs(found[:32] - naive).max())",
        )
        ratio = naive.cpu / (found.cpu / 10)
        rows.append(
            Row(
                f"CFS, 25 landmarks, {label}",
                "naive numpy, double",
                f"≥ {reach}×, error ≤ {limit:g}",
                f"{ratio:.0f}× CPU, error {found.result:.1e}",
                ratio >= reach and found.result <= limit,
            )
        )
    dense = measure(setup, "found = baselines.naive_characteristic(binary, POINTS)")
    found = measure(
        setup + "naive = baselines.naive_characteristic(binary[:, :32], POINTS)",
        "for _ in range(10): found = ours(values, ones)",
        "float(np.abs(found[:32] - naive).max())",
    )
    ratio = dense.cpu / (found.cpu / 10)
    rows.append(
        Row(
            "CFS of a binarised matrix",
            "naive numpy",
            "≥ 100×",
            f"{ratio:.0f}× CPU, error {found.result:.1e}",
            ratio >= 100,
        )
    )
    return rows


def percentile(quick: bool) -> list[Row]:
    n = 2_000 if quick else 8_000
    setup = (
        START
        + f"""
values = np.random.default_rng(0).standard_normal(({n}, {n})) ** 3
from phusion.execution.blocks import Passes
from phusion.execution.statistics import Statistics
from phusion.execution.threads import Threads
class Written:
    n, count, products, entries = {n}, 1, 1, 1
    def columns(self, start, stop): return [np.ascontiguousarray(values[:, start:stop])]
def search(): return Statistics(Passes(Written(), Threads(1), 128), [Heat()]).ranked(0, {n * n // 2 + 17})
search()
"""
    )
    ours = measure(setup, "found = search()", "found")
    sort = measure(setup, f"found = np.sort(values, axis=None)[{n * n // 2 + 17}]", "float(found)")
    ratio = ours.cpu / sort.cpu
    return [
        Row(
            f"exact percentile of {n * n / 1e6:.0f} million streamed entries",
            "np.sort",
            "≤ 0.6× CPU",
            f"{ratio:.2f}× CPU ({ours.cpu / n**2 * 1e9:.1f} ns/entry), equal: {ours.result == sort.result}",
            ratio <= 0.6 and ours.result == sort.result,
        )
    ]


def small_graphwave(quick: bool) -> list[Row]:
    n = 1_200 if quick else 5_000
    setup = (
        START
        + f"""
adjacency = baselines.barabasi_albert({n}, 10, 0)
graph = phusion.as_graph(adjacency)
model = phusion.PhUSION(WAVES, "identity", "characteristic", precision="single")
warm(model)
"""
    )
    ours = measure(setup, "found = model.fit(graph).embedding_", "None")
    theirs = measure(setup, "found = baselines.reference_graphwave(adjacency, SCALES, POINTS)", "None")
    exact = measure(
        setup,
        "found = model.fit(graph).embedding_; exact = model.set_params(precision='double').fit(graph).embedding_",
        "float(np.abs(found - exact).max())",
    )
    faster, smaller = theirs.wall / ours.wall, theirs.peak / ours.peak
    return [
        Row(
            f"GraphWave, 5 scales, 1e-6, {n:,}-node Barabási–Albert",
            "the reference algorithm",
            "≥ 60× faster, ≤ 1/20 memory",
            f"{faster:.0f}× wall, 1/{smaller:.0f} memory, error {exact.result:.1e}; "
            f"{said('ours', ours)}; {said('reference', theirs)}",
            faster >= 60 and smaller >= 20,
        )
    ]


NETMF = (
    START
    + """
graph = phusion.datasets.load("blogcatalog")
labels = graph.labels
"""
)


def blogcatalog(quick: bool) -> list[Row]:
    """GraphWave and NetMF there, against the published NetMF."""
    if quick:
        return []
    theirs = measure(
        NETMF,
        "found = baselines.published_netmf(graph.adjacency)",
        "baselines.micro_f1(found, labels.membership.toarray().astype(float))",
    )
    waves = measure(
        NETMF + 'model = phusion.PhUSION(WAVES, "identity", "characteristic", precision="single")\nwarm(model)',
        "model.fit(graph)",
    )
    ours = measure(
        NETMF + "model = phusion.preset('netmf-large').set_params(precision='single')\nwarm(model)",
        "found = model.fit(graph).embedding_",
        "baselines.micro_f1(found, labels.membership.toarray().astype(float))",
    )
    ratio = waves.wall / theirs.wall
    cpu, memory = ours.cpu / theirs.cpu, ours.peak / theirs.peak
    apart = abs(ours.result - theirs.result)  # type: ignore[operator]
    return [
        Row(
            "GraphWave, 5 scales, 1e-6, BlogCatalog",
            "the published NetMF on it",
            "≤ 0.5× wall, ≤ 0.6 GB",
            f"{ratio:.2f}× wall; {said('ours', waves)}; {said('NetMF', theirs)}",
            ratio <= 0.5 and waves.total <= 0.6e9,
        ),
        Row(
            "NetMF (rank 256), BlogCatalog",
            "the published algorithm",
            "≤ 1/3 CPU, ≤ 1/4 memory, micro-F1 ± 0.005",
            f"{cpu:.2f}× CPU, {memory:.2f}× memory, micro-F1 {ours.result:.4f} against {theirs.result:.4f}; "
            f"{said('ours', ours)}",
            cpu <= 1 / 3 and memory <= 1 / 4 and apart <= 0.005,
        ),
    ]


def svd(quick: bool) -> list[Row]:
    setup = (
        START
        + """
from scipy.sparse.linalg import svds
graph = phusion.datasets.load("wikipedia")
matrix = np.log(np.maximum(Ppmi().dense(graph), 1.0))
from phusion.linalg.svd import iterated_svd
class Operator:
    symmetric = True
    def __init__(self, matrix): self.matrix, self.n, self.kind = matrix, len(matrix), matrix.dtype
    def times(self, block): return self.matrix @ block
    transposed_times = times
    def each(self, function, count): return [function(i) for i in range(count)]
single = matrix.astype(np.float32)
"""
    )
    theirs = measure(setup, "u, s, v = svds(matrix, 128)")
    ours = measure(
        setup + "u = svds(matrix, 128)[0]",
        "found = iterated_svd(Operator(single), 128, 3e-3)[0]",
        "float((np.linalg.norm(u.T @ found, axis=0) ** 2).mean())",
    )
    ratio = ours.cpu / theirs.cpu
    return [
        Row(
            "rank-128 SVD of PPMI-Log, Wikipedia",
            "scipy.sparse.linalg.svds",
            "≤ 0.6× CPU at mean cos² ≥ 0.999",
            f"{ratio:.2f}× CPU, mean cos² {ours.result:.5f}; {said('ours', ours)}; {said('svds', theirs)}",
            ratio <= 0.6 and ours.result >= 0.999,  # type: ignore[operator]
        )
    ]


def proteins(quick: bool) -> list[Row]:
    setup = (
        START
        + """
batch = phusion.datasets.load("proteins")
node = phusion.PhUSION(WAVES, "identity", Characteristic(landmarks=5))
model = phusion.GraphPhUSION(node, "mean")
model.fit(list(batch)[:300])
some = [graph.adjacency for graph in batch][::20]
"""
    )
    ours = measure(setup, "model.fit(batch)", "len(batch)")
    features = "baselines.reference_graph_features(some, SCALES, np.linspace(0.0, 100.0, 5), as_written={})"
    theirs, kinder = (measure(setup, features.format(written), "len(some)") for written in (True, False))
    fast, slow, kind = (each.result / each.wall for each in (ours, theirs, kinder))  # type: ignore[operator]
    return [
        Row(
            "PROTEINS, 5-scale heat features",
            "the reference algorithm (every 20th graph)",
            "≥ 80× graphs/s",
            f"{fast / slow:.0f}×: {fast:.0f} against {slow:.1f} graphs/s ({fast / kind:.0f}× if its loop over all "
            f"entries in Python is left out); {said('ours', ours)}",
            fast / slow >= 80,
        )
    ]


def designs(quick: bool) -> list[Row]:
    setup = (
        START
        + f"""
from phusion.spec import Spec
graph = phusion.datasets.load({"'brazil'" if quick else "'ppi'"})
proximities = ["ppmi", "heat", "katz", "fabp", "laplacian_pinv", "adjacency_power", "walk_power"]
sigmas = ["identity", "log"] + [{{"name": "binarize", "percentile": p}} for p in (5, 50, 95)]
zetas = [{{"name": "svd", "dim": {"32" if quick else "128"}}}, {{"name": "characteristic"}}]
specs = [Spec(p, s, z) for p in proximities for s in sigmas for z in zetas]
def fresh(): return phusion.as_graph(graph.adjacency)
def run(some): return phusion.run(fresh(), some, precision="single")
for some in (specs[:2], specs[4:6], specs[10:14]): run(some)
"""
    )
    together = measure(setup, "run(specs)", "len(specs)")
    alone = measure(setup, "for spec in specs: run([spec])", "len(specs)")
    ratio = together.wall / alone.wall
    return [
        Row(
            f"all {together.result} designs, {'Brazil' if quick else 'PPI'}",
            "the sum of as many separate runs",
            "≤ 1/4",
            f"{ratio:.2f}× wall, {together.cpu / alone.cpu:.2f}× CPU; {said('together', together)}; "
            f"{said('alone', alone)}",
            ratio <= 0.25,
        )
    ]


def products(quick: bool) -> list[Row]:
    n = 10_000 if quick else 100_000
    rows = []
    for kind in ("float64", "float32"):
        setup = (
            START
            + f"""
from phusion.linalg.products import sparse_times
matrix = baselines.barabasi_albert({n}, 10, 0).astype(np.{kind})
block = np.random.default_rng(0).random(({n}, 128)).astype(np.{kind})
sparse_times(matrix, block, threads=2)
"""
        )
        ours = measure(setup, "for _ in range(5): found = sparse_times(matrix, block, threads=2)")
        theirs = measure(setup, "for _ in range(5): found = matrix @ block")
        ratio = theirs.wall / ours.wall
        rows.append(
            Row(
                f"sparse × 128-wide dense, {n:,} nodes, {kind}",
                "scipy's @, same dtype",
                "≥ 1.7× on 2 cores",
                f"{ratio:.2f}× wall; {said('ours', ours)}; {said('scipy', theirs)}",
                ratio >= 1.7,
            )
        )
    return rows


PART = """
from phusion.execution.blocks import Passes
from phusion.execution.threads import Threads
from phusion.execution.engine import _Task, _rows_of
from phusion.nonlinearities.base import Map
from functools import partial
def some_blocks(plan, most):  # the same task on some of the blocks, evenly chosen
    part = plan.parts[0]
    n, out = len(plan.graph), np.empty((len(plan.graph), plan.jobs[0].width(len(plan.graph))))
    starts = list(range(0, n, part.width))
    chosen = starts[:: max(1, len(starts) // most)]
    tasks = tuple(_Task(k, Map(np.positive, 0.0), plan.jobs[0].spec.embedding, None) for k in range(part.stream.count))
    def one(start, stop):
        found = _rows_of(tasks, part.stream.columns(start, stop), start, stop)
        out[start:stop] = np.hstack(found)
    list(Threads(part.threads).map(one, [(start, min(start + part.width, n)) for start in chosen]))
    return len(chosen) / len(starts)
"""


def large(quick: bool) -> list[Row]:
    rows = []
    n = 5_000 if quick else 100_000
    graphs = {
        f"{n:,}-node Barabási–Albert": f"phusion.as_graph(baselines.barabasi_albert({n}, 10, 0))",
        "dblp-2010 (326k)": 'phusion.datasets.load("dblp-2010")',
    }
    if quick:
        graphs.popitem()
    for name, made in graphs.items():
        setup = (
            START
            + PART
            + f"""
graph = {made}
model = phusion.PhUSION(WAVES, "identity", "characteristic", precision="single", memory="1.2GB")
warm(model)
"""
        )
        planned = measure(
            setup, "plan = model.plan(graph)\nseconds = plan.seconds", "[seconds, plan.peak, plan.parts[0].width]"
        )
        found = measure(setup + "plan = model.plan(graph)", "share = some_blocks(plan, 24)", "share")
        seconds, peak, width = planned.result  # type: ignore[misc]
        whole = found.wall / found.result  # type: ignore[operator]
        off = max(seconds / whole, whole / seconds)
        rows.append(
            Row(
                f"exact GraphWave, {name}",
                "its own plan",
                "peak ≤ 1.5 GB, time within 2×",
                f"planned {seconds:,.0f} s and {peak / 1e9:.2f} GB; measured {found.wall:.1f} s for "
                f"{100 * found.result:.1f} % of the blocks of {width} columns, so {whole:,.0f} s; "  # type: ignore[operator]
                f"peak {found.peak / 1e9:.2f} GB, process {found.total / 1e9:.2f}",
                off <= 2 and found.total <= 1.5e9,
            )
        )
    return rows


def growth(quick: bool) -> list[Row]:
    import numpy as np

    sizes = (1_500, 3_000) if quick else (3_000, 10_000, 30_000, 100_000)
    walls, peaks = [], []
    for n in sizes:
        setup = (
            START
            + PART
            + f"""
graph = phusion.as_graph(baselines.barabasi_albert({n}, 5, 0))
model = phusion.PhUSION(WAVES, "identity", "characteristic", precision="single")
warm(model)
plan = make_plan(graph, [Job(model.spec, model.spec.proximity)], Resources(precision="single", strategy="blocked"))
"""
        )
        found = measure(setup, "share = some_blocks(plan, 40)", "share")
        walls.append(found.wall / found.result)  # type: ignore[operator]
        peaks.append(found.peak)
        print(f"  n = {n:,}: {walls[-1]:.1f} s, {peaks[-1] / 1e9:.2f} GB", file=sys.stderr)
    time_power = float(np.polyfit(np.log(sizes), np.log(walls), 1)[0])
    memory_power = float(np.polyfit(np.log(sizes), np.log(peaks), 1)[0])
    plot = plotted(sizes, walls, peaks, "nodes", "growth.png")
    shown = ", ".join(f"{n:,}: {w:.1f} s / {p / 1e9:.2f} GB" for n, w, p in zip(sizes, walls, peaks, strict=True))
    return [
        Row(
            "growth of GraphWave at degree 10",
            "itself",
            "printed and plotted",
            f"time ∝ n^{time_power:.2f}, memory ∝ n^{memory_power:.2f} ({shown}){plot}",
            None,
        )
    ]


def plotted(sizes: Sequence[int], seconds: list[float], peaks: list[int], what: str, name: str) -> str:
    """Draw growth on logarithmic scales, where there is matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return ""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.5))
    axes[0].loglog(sizes, seconds, "o-")
    axes[0].set(xlabel=what, ylabel="seconds", title="time")
    axes[1].loglog(sizes, [peak / 1e9 for peak in peaks], "o-")
    axes[1].set(xlabel=what, ylabel="GB", title="memory")
    figure.tight_layout()
    target = Path(name)
    figure.savefig(target, dpi=150)
    return f"; plotted in {target}"


SECTIONS: dict[str, Callable[[bool], list[Row]]] = {
    "cfs": cfs,
    "percentile": percentile,
    "svd": svd,
    "products": products,
    "blogcatalog": blogcatalog,
    "proteins": proteins,
    "designs": designs,
    "large": large,
    "growth": growth,
    "graphwave": small_graphwave,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"some of: {', '.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="smaller graphs")
    arguments = parser.parse_args()
    data_folder()
    chosen = arguments.only.split(",") if arguments.only else list(SECTIONS)
    load = os.getloadavg()
    rows = []
    for name in chosen:
        print(f"{name} …", file=sys.stderr)
        rows += SECTIONS[name](arguments.quick)
    print(f"{os.cpu_count()} processors; load before {load[0]:.2f}, after {os.getloadavg()[0]:.2f}\n")
    print("| what | baseline | reach | measured | |\n|---|---|---|---|---|")
    for row in rows:
        mark = {True: "reached", False: "**short**", None: ""}[row.good]
        print(f"| {row.what} | {row.baseline} | {row.reach} | {row.figures} | {mark} |")


if __name__ == "__main__":
    main()
