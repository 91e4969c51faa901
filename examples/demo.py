"""`make demo`: what phusion does today, from the command line, on the graph it carries with it."""

from __future__ import annotations

import sys
from pathlib import Path

from phusion.cli import main

OUT = Path("demo")


def run(*words: str) -> None:
    print(f"\n$ phusion {' '.join(words)}", flush=True)
    code = main(list(words))
    if code:
        sys.exit(code)


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    graphml, edges = str(OUT / "karate.graphml"), str(OUT / "karate.csv.gz")
    run("inspect", "karate")
    run("convert", "karate", graphml, "--force")
    run("convert", graphml, edges, "--force")
    run("inspect", edges)
    print(f"\nWritten: {graphml} (opens in Gephi, networkx, igraph) and {edges}.")
    print("Your own graph: .venv/bin/phusion inspect YOUR_FILE")
