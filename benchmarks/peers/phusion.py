"""phusion itself, in its own environment."""

import os

LARGEST_WARM = 1500
HEAT = {"proximity": {"name": "heat", "scale": [0.1, 1.0, 10.0]}, "embedding": "characteristic"}


def _threads():
    return int(os.environ["OMP_NUM_THREADS"])


def _nodes(method, **options):
    def rows(adjacency, seed):
        import phusion

        return phusion.embed(phusion.as_graph(adjacency), method, threads=_threads(), **options).values

    return rows


def _graphs(method):
    def rows(adjacencies, seed):
        import phusion

        return phusion.embed(phusion.as_batch(adjacencies), method, threads=_threads()).values

    return rows


POSITIONAL = {
    "edge-pmi": _nodes("edge-pmi"),
    "edge-pmi-2": _nodes("edge-pmi-2"),
    "edge-pmi-far": _nodes("edge-pmi-far"),
    "netmf": _nodes("netmf"),
    "netmf-large": lambda adjacency, seed: _nodes("netmf-large", rank=min(256, adjacency.shape[0]))(adjacency, seed),
    "infinitewalk": _nodes("infinitewalk"),
    "prone": _nodes("prone"),
}
STRUCTURAL = {
    "graphwave": _nodes("graphwave"),
    "heat, scales 0.1, 1, 10": _nodes(HEAT),
    "heat, scales 0.1, 1, 10, to 1 %": _nodes(HEAT, accuracy=0.01),
}
GRAPHS = {"netlsd": _graphs("netlsd"), "heat, scales 0.1, 1, 10": _graphs({**HEAT, "pooling": "mean"})}
