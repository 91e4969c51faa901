"""pycleora (Cleora): it reads lines of names, two a line, and orders the nodes in its own way."""

import os

import numpy as np

REQUIREMENTS = ["pycleora", "numpy", "scipy"]  # it does not say that it needs numpy


def cleora(adjacency, seed):
    import pycleora
    import scipy.sparse as sp

    half = sp.triu(adjacency, format="coo")
    pairs = (f"{source} {target}" for source, target in np.stack([half.row, half.col], axis=1).tolist())
    graph = pycleora.SparseMatrix.from_iterator(pairs, "complex::reflexive::node")
    threads = int(os.environ["OMP_NUM_THREADS"])
    found = pycleora.embed(graph, feature_dim=128, seed=seed, num_workers=threads)
    rows = np.zeros((adjacency.shape[0], found.shape[1]))  # isolated nodes have no line
    rows[[int(name) for name in graph.entity_ids]] = found
    return rows


POSITIONAL = {"Cleora": cleora}
