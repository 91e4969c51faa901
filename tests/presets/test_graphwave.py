"""GraphWave against its authors' definition, computed without phusion's own code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from tests.presets.matrices import (
    apart,
    embed,
    laplacian,
    symmetric,
)

import phusion
from phusion.datasets import load
from phusion.presets import find


def graphwave(A: np.ndarray, scales: list[float]) -> np.ndarray:
    """Donnat et al., eq. 1-4 with 25 landmarks in [0, 100]: cosines, then sines, for each scale."""
    blocks = []
    for scale in scales:
        heat = scipy.linalg.expm(-scale * laplacian(A))
        phi = np.array([np.exp(1j * t * heat).mean(axis=0) for t in np.linspace(0, 100, 25)]).T
        blocks += [phi.real, phi.imag]
    return np.hstack(blocks)


def automatic(A: np.ndarray) -> list[float]:
    gap = np.linalg.eigvalsh(laplacian(A))[1]
    return [-np.log(eta) * np.sqrt(0.5 / gap) for eta in (0.95, 0.80)]


def test_graphwave_is_the_characteristic_function_of_heat_at_two_automatic_scales(connected: np.ndarray) -> None:
    np.testing.assert_allclose(embed(connected, "graphwave"), graphwave(connected, automatic(connected)), atol=1e-9)


@pytest.mark.parametrize("scales", [[0.1], [0.01, 0.1, 1, 10, 100], [1000]])
def test_graphwave_takes_a_list_of_scales(undirected: np.ndarray, scales: list[float]) -> None:
    np.testing.assert_allclose(
        embed(undirected, "graphwave", scale=scales), graphwave(undirected, scales), atol=1e-9, rtol=0
    )


def test_graphwave_takes_its_scales_from_the_largest_component() -> None:
    large = symmetric(18, 2, loops=False)
    whole = apart(symmetric(12, 1), large)
    np.testing.assert_allclose(embed(whole, "graphwave"), graphwave(whole, automatic(large)), atol=1e-9)


def test_graphwave_of_the_usa_airports_does_not_take_its_scales_from_rounding_noise(data: Path) -> None:
    usa = load("usa")
    A = usa.adjacency.toarray()
    large = A[np.ix_(*2 * [sp.csgraph.connected_components(A)[1] == 0])]
    assert large.shape == (1186, 1186)
    scales = phusion.preset("graphwave").fit(usa).get_feature_names_out()[[0, 50]]
    assert [float(name.split("_")[1][1:]) for name in scales] == pytest.approx(automatic(large), rel=1e-4)


def test_graphwave_of_the_brazilian_airports_is_exact_at_the_seed_papers_scales(data: Path) -> None:
    brazil = load("brazil")
    scales = [0.01, 0.1, 1, 10, 100]
    expected = graphwave(brazil.adjacency.toarray(), scales)
    np.testing.assert_allclose(phusion.preset("graphwave", scale=scales).fit_transform(brazil), expected, atol=1e-9)


def test_a_chebyshev_polynomial_of_order_30_is_wrong_at_s_100_by_what_the_note_says() -> None:
    points = np.cos((2 * np.arange(1, 31) - 1) / 60 * np.pi)
    basis = np.polynomial.chebyshev.chebvander(points, 29)
    coefficients = 2 / 30 * basis.T @ np.exp(-100 * (points + 1))
    coefficients[0] /= 2
    grid = np.linspace(-1, 1, 20001)
    error = np.abs(np.polynomial.chebyshev.chebval(grid, coefficients) - np.exp(-100 * (grid + 1))).max()
    assert f"{error:.1e}".replace("e-0", "e-") in find("graphwave").paper_note
