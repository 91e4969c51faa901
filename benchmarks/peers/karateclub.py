"""karateclub, which asks for numpy < 1.23 and so for Python 3.10; it takes networkx graphs and adds loops to them.

Its GraphWave needs pygsp 0.5 and its LaplacianEigenmaps a scipy that still has `scipy.errstate`; it names neither.
"""

import numpy as np

REQUIREMENTS = ["karateclub", "pygsp==0.5.1", "scipy<1.9"]
PYTHON = "3.10"


def _networkx(adjacency):
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(adjacency.shape[0]))
    matrix = adjacency.tocoo()
    graph.add_edges_from(np.stack([matrix.row, matrix.col], axis=1).tolist())
    return graph


def _fitted(kind, given, **options):
    import karateclub

    model = getattr(karateclub, kind)(**options)
    model.fit(given)
    return np.asarray(model.get_embedding())


def _nodes(kind, **options):
    return lambda adjacency, seed: _fitted(kind, _networkx(adjacency), seed=seed, **options)


def _graphs(kind, **options):
    return lambda adjacencies, seed: _fitted(kind, [_networkx(one) for one in adjacencies], seed=seed, **options)


def _profiles(adjacencies, seed):
    return _fitted("LDP", [_networkx(one) for one in adjacencies])  # nothing of it is random


POSITIONAL = {
    "NetMF": _nodes("NetMF", dimensions=128),
    "GraRep": _nodes("GraRep", dimensions=32, order=4),  # 32 for each of its powers
    "RandNE": _nodes("RandNE", dimensions=128),
    "LaplacianEigenmaps": _nodes("LaplacianEigenmaps", dimensions=128),
}
STRUCTURAL = {"GraphWave": _nodes("GraphWave"), "Role2Vec": _nodes("Role2Vec")}
GRAPHS = {"GL2Vec": _graphs("GL2Vec"), "FeatherGraph": _graphs("FeatherGraph"), "LDP": _profiles}
