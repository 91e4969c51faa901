"""Graphs that every undirected system is tried on."""

from __future__ import annotations

import numpy as np
import pytest
from tests.presets.matrices import CONNECTED, UNDIRECTED


@pytest.fixture(params=CONNECTED)
def connected(request: pytest.FixtureRequest) -> np.ndarray:
    return CONNECTED[request.param]


@pytest.fixture(params=UNDIRECTED)
def undirected(request: pytest.FixtureRequest) -> np.ndarray:
    return UNDIRECTED[request.param]
