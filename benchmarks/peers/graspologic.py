"""graspologic: Laplacian and adjacency spectral embedding."""

REQUIREMENTS = ["graspologic"]


def _fitted(kind, adjacency, seed):
    import scipy.sparse as sp
    from graspologic import embed

    model = getattr(embed, kind)(n_components=128, svd_seed=seed)
    return model.fit_transform(sp.csr_array(adjacency))  # it rejects csr_matrix


POSITIONAL = {
    "LaplacianSpectralEmbed": lambda adjacency, seed: _fitted("LaplacianSpectralEmbed", adjacency, seed),
    "AdjacencySpectralEmbed": lambda adjacency, seed: _fitted("AdjacencySpectralEmbed", adjacency, seed),
}
