"""How long it takes and how much memory, from commit to commit. Nothing here needs the network."""

import subprocess
import sys
from pathlib import Path

import phusion
from phusion.datasets.preferential import preferential


class Nodes:
    """Each kind of engine once: dense, streamed, approximated, factorised."""

    params = ("netmf", "graphwave", "edge-pmi", "prone")
    param_names = ("preset",)
    timeout = 120

    def setup(self, preset):
        self.graph = preferential(3_000, 15_000)
        phusion.embed(preferential(500, 2_500), preset)  # compile what is compiled

    def time_embed(self, preset):
        phusion.embed(self.graph, preset)

    def peakmem_embed(self, preset):
        phusion.embed(self.graph, preset)


class Graphs:
    """Many small graphs, which are computed together."""

    timeout = 120

    def setup(self):
        self.batch = phusion.as_batch([preferential(n, 2 * n).adjacency for n in range(20, 120)])
        phusion.embed(self.batch[:3], "netlsd")

    def time_netlsd(self):
        phusion.embed(self.batch, "netlsd")


class Reading:
    """A million words of text."""

    timeout = 120

    def setup(self):
        graph = preferential(100_000, 500_000)
        rows = graph.adjacency.tocoo()
        with Path("edges.txt").open("w") as file:  # asv runs each benchmark in a folder of its own
            file.writelines(f"{a} {b}\n" for a, b in zip(rows.row, rows.col, strict=True) if a < b)

    def time_read(self):
        phusion.as_graph("edges.txt")

    def peakmem_read(self):
        phusion.as_graph("edges.txt")


class Command:
    """Before anything is computed."""

    def time_help(self):
        subprocess.run([sys.executable, "-m", "phusion", "--help"], check=True, stdout=subprocess.DEVNULL)
