"""A million nodes: structural embeddings by push-pull against the exact engine, with errors and certificates, and
positional ones against ProNE.

    make bench-million                                 all rows, with nodevectors' ProNE; a quarter of an hour and 8 GB
    python benchmarks/million.py                       the same, without it if it is not there
    python benchmarks/million.py --only blogcatalog,grid
    python benchmarks/million.py --quick               smaller graphs, to see that everything runs

Each side of a row is a process of its own, with compiled code loaded before the clock starts; ratios are of one run.
Errors are of n(φ − 1), relative, in percent. Data sets come from PHUSION_DATA (../shared/data beside the project).
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import positional
from engine import START, Row, data_folder, plotted, said
from measure import Measured, measure

SETUP = (
    START
    + """
import tempfile
FIVE, SHORT = SCALES, (0.01, 0.1, 1.0, 10.0)
def model(scales, **more): return phusion.PhUSION(Heat(scale=scales), "identity", Characteristic(), **more)
def load_compiled(scales):  # approximate and exact
    small = phusion.as_graph(baselines.barabasi_albert(1200, 5, 1))
    model(scales, accuracy=0.01).fit(small)
    warm(model(scales, precision="single"))
    warm(model(scales))
def centered(values, n, count):
    blocks = np.array(np.split(n * values, count, axis=1))
    blocks[:, :, : blocks.shape[2] // 2] -= n
    return blocks
def errors(found, exact, n, count):
    found, exact = centered(found, n, count), centered(exact, n, count)
    away = np.linalg.norm(found - exact, axis=2) / np.linalg.norm(exact, axis=2)
    return [[float(np.median(a)), float(np.percentile(a, 95)), float(a.max())] for a in away]
def overlap(found, exact, n, count, nodes=400):
    found, exact = (np.hstack(centered(each, n, count)) for each in (found, exact))
    chosen = np.random.default_rng(0).choice(n, nodes, replace=False)
    def nearest(rows):
        squares = (rows**2).sum(axis=1)
        far = squares[None, :] - 2.0 * rows[chosen] @ rows.T
        far[np.arange(nodes), chosen] = np.inf
        return np.argpartition(far, 10, axis=1)[:, :10]
    return float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(nearest(found), nearest(exact))]))
def table(found):
    certificate = found.certificate
    return [certificate.met, [[s.scale, s.median, s.uniform_p95, s.edges_p95, s.max] for s in certificate.scales]]
"""
)


def _percent(numbers: list[float]) -> str:
    return " / ".join(f"{100 * number:.2f}" for number in numbers)


def _certified(result: Any) -> str:
    met, scales = result
    worst = max(max(scale[2], scale[3]) for scale in scales)
    each = "; ".join(f"{name.rpartition('_')[2]} {_percent([uniform, edges])}" for name, _, uniform, edges, _ in scales)
    return f"certificate {'met' if met else 'MISSED'}, largest p95 {100 * worst:.2f} % (uniform / edges: {each})"


def blogcatalog(quick: bool) -> list[Row]:
    small = "phusion.as_graph(baselines.barabasi_albert(3000, 10, 0))"
    made = small if quick else 'phusion.datasets.load("blogcatalog")'
    setup = SETUP + f"graph = {made}\nload_compiled(FIVE)\n"
    with TemporaryDirectory() as folder:
        kept = repr(f"{folder}/exact.npy")
        exact = measure(setup, "exact = model(FIVE).fit_transform(graph)", f"np.save({kept}, exact) or 0")
        single = measure(setup, 'model(FIVE, precision="single").fit_transform(graph)')
        found = measure(
            setup,
            "result = model(FIVE, accuracy=0.01).fit(graph).result_",
            f"[table(result), errors(result.values, np.load({kept}), len(graph), 5),"
            f" overlap(result.values, np.load({kept}), len(graph), 5)]",
        )
    certified, away, near = found.result  # type: ignore[misc]
    ratio = exact.cpu / found.cpu
    worst = [max(each[i] for each in away) for i in range(3)]
    good = ratio >= 100 and worst[0] <= 0.005 and worst[1] <= 0.01 and worst[2] <= 0.05 and near >= 0.92
    figures = (
        f"{ratio:.0f}× less CPU; {said('approximate, with its certificate', found)}; {said('exact', exact)}; exact in "
        f"single precision {single.cpu:.1f} s CPU, {single.cpu / found.cpu:.0f}×; every node, worst scale: "
        f"median / p95 / max {_percent(worst)} %; 10-neighbour overlap {near:.3f}; {_certified(certified)}"
    )
    reach = "≥ 100× less CPU; median ≤ 0.5, p95 ≤ 1, max ≤ 5 %; overlap ≥ 0.92"
    return [
        Row(
            "structural, BlogCatalog, 5 scales, every node",
            "our exact engine, as it is by default",
            reach,
            figures,
            good,
        )
    ]


READ = "import scipy.sparse as sp\ngraph = phusion.as_graph(sp.csr_array(sp.load_npz({path!r})))\n"


def million(quick: bool) -> list[Row]:
    n = 20_000 if quick else 1_000_000
    with TemporaryDirectory() as folder:
        graph = positional.Large.of(n, 10, folder)
        rows = [_large(f"{n:,} nodes, {graph.edges:,} edges, 5 scales", READ.format(path=graph.path), "FIVE", 260)]
        return rows + _powers(n, graph)


def dblp(quick: bool) -> list[Row]:
    return [] if quick else [_large("dblp-2010, s ≤ 10", 'graph = phusion.datasets.load("dblp-2010")\n', "SHORT", 210)]


def _large(name: str, made: str, scales: str, most: float) -> Row:
    """Rows go to Parquet as they are computed; the certificate's exact columns are timed by themselves."""
    setup = SETUP + f"{made}load_compiled({scales})\n"
    planned = measure(
        setup,
        f"plan = model({scales}, accuracy=0.01).plan(graph)\nseconds = plan.seconds",
        "[seconds, plan.peak]",
    )
    certificate = measure(
        setup
        + f"""
from phusion.execution.exact_columns import exact_sums
from phusion.execution.threads import Threads
walks = Heat(scale={scales}).walks(graph)
""",
        "exact_sums(walks, graph.components, np.arange(32), Characteristic(), [None] * walks.count, np.float32, "
        "Threads(2)); ()",
    )
    found = measure(
        setup + "folder = tempfile.TemporaryDirectory()",
        f"parts = phusion.embed_to(folder.name + '/a.parquet', graph, model({scales}), accuracy=0.01)",
        "table(parts)",
    )
    beside = found.cpu - certificate.cpu
    seconds, peak = planned.result  # type: ignore[misc]
    figures = (
        f"{said('written to Parquet in', found)}, of which {certificate.cpu:.0f} CPU-s for 32 exact columns, "
        f"{beside:.0f} beside them; planned {seconds:.0f} s and {peak / 1e9:.2f} GB; "
        f"{_certified(found.result)}"
    )
    met = bool(found.result[0])  # type: ignore[index]
    return Row(
        f"structural, {name}",
        "its plan",
        f"≤ {most - 60:.0f} CPU-s beside the certificate's ≤ 60; ≤ 2.5 GB; p95 ≤ 1 %",
        figures,
        met and beside <= most - 60 and certificate.cpu <= 60 and found.total <= 2.5e9,
    )


def _powers(n: int, graph: positional.Large) -> list[Row]:
    rows = []
    for title, name in (("A²", "adjacency_power"), ("R²", "walk_power")):
        setup = (
            SETUP
            + READ.format(path=graph.path)
            + f"""
phusion.embed(phusion.as_graph(baselines.barabasi_albert(4000, 2, 0)), {{"proximity": {name!r}}}, accuracy=0.01)
folder = tempfile.TemporaryDirectory()
"""
        )
        found = measure(
            setup,
            f'parts = phusion.embed_to(folder.name + "/a.parquet", graph, {{"proximity": {name!r}}}, accuracy=0.01, '
            'memory="2GB")',
            "parts.certificate.method",
        )
        rows.append(
            Row(
                f"{title} structural, {n:,} nodes, {graph.edges:,} edges",
                "–",
                "exact, ≤ 60 CPU-s",
                f"{found.result}; {said('', found)}",
                found.result == "exact" and found.cpu <= 60,
            )
        )
    return rows


def grid(quick: bool) -> list[Row]:
    side = 60 if quick else 300
    setup = SETUP + f"graph = phusion.as_graph(baselines.grid({side}))\nload_compiled(SHORT)\n"
    found = measure(setup, "result = model(SHORT, accuracy=0.01).fit(graph).result_", "table(result)")
    exact = measure(
        setup
        + """
stream = Heat(scale=SHORT).stream(graph, entrywise=False, kind=np.float32, transposed=False)
from phusion.embeddings.base import Columns
""",
        """
first = len(graph) // 2
for start in range(first, first + 256, 64):
    for block in stream.columns(start, start + 64):
        Characteristic().rows(Columns(block, start, 0.0), None)
""",
        "256 / len(graph)",
    )
    ratio = exact.cpu / exact.result / found.cpu  # type: ignore[operator]
    return [
        Row(
            f"structural, grid {side} × {side}, s ≤ 10",
            "our exact engine, single, from 256 columns",
            "≥ 20× less CPU; p95 ≤ 1 %",
            f"{ratio:.0f}×; {said('approximate', found)}; {_certified(found.result)}",
            ratio >= 20 and bool(found.result[0]),  # type: ignore[index]
        )
    ]


def roles(quick: bool) -> list[Row]:
    rows = []
    for name in ("europe",) if quick else ("usa", "europe", "blogcatalog"):
        setup = (
            SETUP
            + f"""
from phusion.evaluation.node_classification import NodeClassification
graph = phusion.datasets.load({name!r})
if {name!r} == "blogcatalog":  # how tied together a node's friends are, in four classes of equal size
    a = graph.adjacency
    tied = np.asarray((a @ a).multiply(a).sum(axis=1)).ravel() / np.maximum(1, graph.degrees * (graph.degrees - 1))
    quarter = np.argsort(np.argsort(tied, kind="stable")) * 4 // len(graph)
    graph = phusion.as_graph(graph, labels=dict(zip(graph.nodes.tolist(), quarter.tolist())))
def score(values):
    task = NodeClassification(splits=20)
    return float(np.mean(task.score(values, graph.labels, 0)["micro_f1"]))
load_compiled(SHORT)
"""
        )
        found = measure(
            setup,
            "result = model(SHORT, accuracy=0.01).fit(graph).result_\nexact = model(SHORT).fit(graph).result_",
            "[score(result.values), score(exact.values), table(result)]",
        )
        ours, theirs, certified = found.result  # type: ignore[misc]
        away = 100 * (ours - theirs) if theirs <= 1 else ours - theirs
        rows.append(
            Row(
                f"roles of {name}, heat, s ≤ 10, 20 splits",
                "exact embeddings",
                "within 0.5 points",
                f"{ours:.4g} against {theirs:.4g}; {_certified(certified)}",
                abs(away) <= 0.5,
            )
        )
    return rows


def growth(quick: bool) -> list[Row]:
    sizes = (3_000, 10_000, 30_000) if quick else (30_000, 100_000, 300_000, 1_000_000)
    rows = []
    for what in ("structural, heat, s ≤ 10, to Parquet", "positional, edge-pmi"):
        found = [_grown(what, n) for n in sizes]
        edges = [each[0] for each in found]
        powers = [_exponent(edges, [each[place] for each in found]) for place in (1, 2, 3)]
        name = f"growth-{what.partition(',')[0]}.png"
        plot = plotted(edges, [each[2] for each in found], [each[3] for each in found], "edges", name)
        shown = ", ".join(f"{m:,}: {cpu:.1f} CPU-s, {peak / 1e9:.2f} GB" for m, _, cpu, peak in found)
        figures = f"wall ∝ m^{powers[0]:.2f}, CPU ∝ m^{powers[1]:.2f}, memory ∝ m^{powers[2]:.2f} ({shown}){plot}"
        rows.append(Row(f"growth, {what}", "itself", "exponents ≤ 1.15", figures, max(powers) <= 1.15))
    return rows


def _grown(what: str, n: int) -> tuple[int, float, float, int]:
    with TemporaryDirectory() as folder:
        graph = positional.Large.of(n, 5, folder)
        if what.startswith("positional"):
            one: Measured = graph.ours("edge-pmi")
        else:
            setup = SETUP + READ.format(path=graph.path) + "load_compiled(SHORT)\n"
            written = f"phusion.embed_to({folder + '/rows.parquet'!r}, graph, model(SHORT), accuracy=0.01)"
            one = measure(setup, written)
    print(f"  {what}, {graph.edges:,} edges: {said('', one)}", file=sys.stderr)
    return graph.edges, one.wall, one.cpu, one.peak


def _exponent(sizes: list[int], values: list[float]) -> float:
    return float(np.polyfit([math.log(each) for each in sizes], [math.log(each) for each in values], 1)[0])


SECTIONS: dict[str, Callable[[bool], list[Row]]] = {
    "blogcatalog": blogcatalog,
    "grid": grid,
    "roles": roles,
    "dblp": dblp,
    "million": million,
    "quality": positional.quality,
    "cost": positional.cost,
    "growth": growth,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"some of: {', '.join(SECTIONS)}")
    parser.add_argument("--quick", action="store_true", help="smaller graphs")
    arguments = parser.parse_args()
    data_folder()
    load = os.getloadavg()
    rows = []
    for name in arguments.only.split(",") if arguments.only else list(SECTIONS):
        print(f"{name} …", file=sys.stderr)
        rows += SECTIONS[name](arguments.quick)
    print(f"{os.cpu_count()} processors; load before {load[0]:.2f}, after {os.getloadavg()[0]:.2f}\n")
    print("| what | baseline | reach | measured | |\n|---|---|---|---|---|")
    for row in rows:
        mark = {True: "reached", False: "**short**", None: ""}[row.good]
        print(f"| {row.what} | {row.baseline} | {row.reach} | {row.figures} | {mark} |")


if __name__ == "__main__":
    main()
