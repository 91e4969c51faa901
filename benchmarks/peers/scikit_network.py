"""scikit-network: spectral embedding and its cheaper relatives."""

REQUIREMENTS = ["scikit-network"]


def _fitted(kind, adjacency):
    from sknetwork import embedding

    return getattr(embedding, kind)(128).fit_transform(adjacency)


POSITIONAL = {
    "Spectral": lambda adjacency, _: _fitted("Spectral", adjacency),
    "SVD": lambda adjacency, _: _fitted("SVD", adjacency),
    "RandomProjection": lambda adjacency, _: _fitted("RandomProjection", adjacency),
}
