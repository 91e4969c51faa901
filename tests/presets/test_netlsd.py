"""NetLSD against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import netlsd
import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from tests.presets.matrices import (
    KARATE,
    LONELY,
    PIECES,
    laplacian,
    symmetric,
)

import phusion
from phusion.datasets import load
from phusion.presets import find

GRAPHS = [KARATE, symmetric(), PIECES, LONELY, nx.to_numpy_array(nx.petersen_graph()), np.array([[0.0, 1], [1, 0]])]
PACKAGE = {"netlsd": netlsd.heat, "netlsd-wave": netlsd.wave}


@pytest.mark.filterwarnings("ignore:Casting complex values:numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("normalization", ["empty", "complete", "none"])
@pytest.mark.parametrize("name", PACKAGE)
def test_netlsd_is_what_its_authors_package_gives(name: str, normalization: str) -> None:
    batch = phusion.as_batch([phusion.as_graph(A) for A in GRAPHS])
    Y = phusion.embed(batch, name, normalization=normalization).values
    assert Y.shape == (len(GRAPHS), 250)
    for row, A in zip(Y, GRAPHS, strict=True):
        theirs = PACKAGE[name](sp.csr_matrix(A), normalization=normalization)
        np.testing.assert_allclose(row, theirs, rtol=1e-8, atol=1e-9)


@pytest.mark.filterwarnings("ignore:Casting complex values:numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", PACKAGE)
def test_netlsd_of_real_proteins_is_what_its_authors_package_gives(name: str, data: Path) -> None:
    batch = load("proteins")
    odd = [i for i, graph in enumerate(batch) if graph.n_components > 1][:15]
    graphs = [batch[i] for i in [*odd, *range(15)]]
    for row, graph in zip(phusion.embed(graphs, name).values, graphs, strict=True):
        np.testing.assert_allclose(row, PACKAGE[name](graph.adjacency.astype(float)), atol=1e-10)


def test_netlsd_is_a_trace_of_the_matrix_exponential() -> None:
    times = find("netlsd").spec.proximity.scale
    traces = [[np.trace(scipy.linalg.expm(-t * laplacian(A))) / len(A) for t in times[::50]] for A in GRAPHS]
    batch = [phusion.as_graph(A) for A in GRAPHS]
    np.testing.assert_allclose(phusion.embed(batch, "netlsd").values[:, ::50], traces, atol=1e-10)


def test_netlsd_has_the_packages_times() -> None:
    np.testing.assert_allclose(find("netlsd").spec.proximity.scale, np.logspace(-2, 2, 250), rtol=1e-14)
    np.testing.assert_allclose(find("netlsd-wave").spec.proximity.scale, np.linspace(0, 2 * np.pi, 250), rtol=1e-14)


@pytest.mark.parametrize("name", PACKAGE)
def test_netlsd_does_not_see_the_order_of_nodes(name: str) -> None:
    order = np.random.default_rng(0).permutation(len(KARATE))
    batch = [phusion.as_graph(KARATE), phusion.as_graph(KARATE[np.ix_(order, order)])]
    one, other = phusion.embed(batch, name).values
    np.testing.assert_allclose(one, other, atol=1e-12)
