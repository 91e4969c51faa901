"""The table of docs/scale-plan.md: what large graphs would take, projected from speeds of this machine.

python docs/scale_plan.py prints it, in some minutes (with words, those methods that have one
in their name). The page has it as it was printed.
"""

import sys

from phusion import preset
from phusion.execution.projection import project
from phusion.execution.resources import Resources
from phusion.spec import Spec

SIZES = (1e5, 1e6, 1e7, 1e8, 1e9)
DEGREE = 20
MEMORY = "64GB"
CORES = (2, 64, 1_000)
MACHINE = 64  # cores of one machine, at most
SAMPLE = 50_000


def heat(*scales):
    return Spec.from_dict({"proximity": {"name": "heat", "scale": list(scales)}, "embedding": "characteristic"})


METHODS = {
    "GraphWave, exact, 5 scales": (heat(0.01, 0.1, 1, 10, 100), {}),
    "GraphWave, accuracy 0.01, 4 scales to 10": (heat(0.01, 0.1, 1, 10), {"accuracy": 0.01}),
    "A², structural": (
        Spec.from_dict({"proximity": {"name": "adjacency_power", "order": 2}, "embedding": "characteristic"}),
        {},
    ),
    "`edge-pmi`, 128 dimensions": (preset("edge-pmi").spec, {}),
}


def digits(number):
    """Two of them."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}" if rounded >= 0.01 else "< 0.01"


def row(name, n, spec, given):
    found = project(
        spec, n, n * DEGREE / 2, Resources(memory=MEMORY, threads=2, **given), partitioned=True, sample=SAMPLE
    )
    hours = [found.seconds(cores, min(cores, MACHINE)) / 3600 for cores in CORES]
    if found.plan.strategy == "edges":
        hours[2] = None  # it is one process
    cells = [name, f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[len(str(int(n))) - 1]}", found.plan.strategy, digits(found.graph_bytes / 1e9)]
    cells += [digits(found.plan.peak / 1e9) + ("" if found.fits else " (too much)")]
    cells += [digits(found.held_bytes / 1e9) if found.held_bytes else "—"]
    cells += [digits(found.plan.cpu_seconds / 3600), *("—" if each is None else digits(each) for each in hours)]
    return cells


def main():
    head = ["method", "nodes", "strategy", "graph, GB", "peak beside it, GB", "of it in every worker, GB"]
    head += ["CPU-hours", *(f"hours, {cores:,} cores" for cores in CORES)]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for name, (spec, given) in METHODS.items():
        if not any(word in name for word in sys.argv[1:] or [name]):
            continue
        for n in SIZES:
            print("| " + " | ".join(row(name, n, spec, given)) + " |", flush=True)
            print(name, n, file=sys.stderr)


if __name__ == "__main__":
    main()
