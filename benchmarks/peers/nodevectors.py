"""nodevectors: ProNE."""

import numpy as np

REQUIREMENTS = ["nodevectors"]


def prone(adjacency, seed):
    import csrgraph
    from nodevectors import ProNE

    np.random.seed(seed)  # noqa: NPY002  it draws from the global generator
    return ProNE(n_components=128, verbose=False).fit_transform(csrgraph.csrgraph(adjacency.astype(np.float32)))


POSITIONAL = {"ProNE": prone}
