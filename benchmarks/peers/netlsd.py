"""netlsd: the heat and wave traces of whole graphs."""

REQUIREMENTS = ["netlsd"]


def _traces(kind, adjacencies):
    import netlsd
    import numpy as np

    return np.array([getattr(netlsd, kind)(adjacency) for adjacency in adjacencies])


GRAPHS = {
    "NetLSD heat": lambda adjacencies, _: _traces("heat", adjacencies),
    "NetLSD wave": lambda adjacencies, _: _traces("wave", adjacencies),
}
