"""NetMF and GraphWave as published, written afresh in baselines.py; in phusion's own environment."""

import numpy as np
import scipy.sparse as sp

SCALES = (0.1, 1.0, 10.0)


def netmf(adjacency, seed):
    from baselines import published_netmf

    return published_netmf(sp.csr_array(adjacency), rank=min(256, adjacency.shape[0] - 2))


def graphwave(adjacency, seed):
    from baselines import reference_graphwave

    return reference_graphwave(sp.csr_array(adjacency), SCALES, np.linspace(0.0, 100.0, 25))


POSITIONAL = {"NetMF, rank 256": netmf}
STRUCTURAL = {"GraphWave, scales 0.1, 1, 10": graphwave}
