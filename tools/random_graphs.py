"""Random small graphs × every registered component: right or refused in words, and never a number that is none.

    python tools/random_graphs.py --graphs 10000

Prints what broke with the number of its graph, and how often each component refused.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


def main() -> int:
    """Check graph after graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0, help="number of the first graph")
    asked = parser.parse_args()
    from tests.numerics.promises import broken
    from tests.numerics.small_graphs import random_graph

    refused: Counter[str] = Counter()
    n_broken, began = 0, time.process_time()
    for number in range(asked.start, asked.start + asked.graphs):
        name, graph = random_graph(number)
        for words in broken(graph, number, lambda said: refused.update([said.partition("(")[0]])):
            n_broken += 1
            sys.stdout.write(f"graph {number} ({name}, {len(graph)} nodes): {words}\n")
            sys.stdout.flush()
    seconds = time.process_time() - began
    sys.stdout.write(f"{asked.graphs:,} graphs in {seconds:,.0f} s of CPU: {n_broken} broke, ")
    sys.stdout.write(f"{sum(refused.values()):,} times a component refused a graph\n")
    sys.stdout.write("  " + ", ".join(f"{name} {count:,}" for name, count in refused.most_common()) + "\n")
    return bool(n_broken)


if __name__ == "__main__":
    sys.exit(main())
