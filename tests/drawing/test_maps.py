"""Maps: rows as points in the plane."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from phusion.drawing.maps import kind_for, plane, share_held
from phusion.errors import InputError, MissingLibraryError


@pytest.mark.parametrize("kind", ["pca", "tsne"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 80])
def test_maps_are_the_same_every_time(kind, n):
    values = np.random.default_rng(2).normal(size=(n, 12))
    first = plane(values, kind, seed=3)
    assert first.shape == (n, 2)
    assert np.isfinite(first).all()
    assert np.array_equal(first, plane(values, kind, seed=3))


@pytest.mark.parametrize("kind", ["pca", "tsne"])
def test_nodes_that_are_all_alike_are_one_point(kind):
    assert not plane(np.ones((60, 5)), kind).any()
    assert np.ptp(plane(np.ones((60, 5)) + 1e-15 * np.arange(60)[:, None], "tsne")) == 0


def test_the_share_of_variance_that_a_map_holds_is_the_one_of_scikit_learn_in_any_unit():
    from sklearn.decomposition import PCA

    values = np.random.default_rng(1).normal(size=(30, 6)) * [5, 4, 3, 2, 1, 1]
    due = PCA(2).fit(values).explained_variance_ratio_.sum()
    for unit in (1.0, 1e-200, 1e200):
        assert share_held(unit * values, plane(unit * values, "pca")) == pytest.approx(due)
    assert share_held(values[:, :1], plane(values[:, :1], "pca")) == pytest.approx(1.0)
    assert share_held(np.ones((9, 3)), plane(np.ones((9, 3)), "pca")) is None


def test_pca_keeps_distances_in_the_plane():
    points = np.random.default_rng(4).normal(size=(40, 2))
    turned = np.hstack([points, np.zeros((40, 5))]) @ np.linalg.qr(np.random.default_rng(5).normal(size=(7, 7)))[0]
    found = plane(turned, "pca")
    before = np.linalg.norm(points[:, None] - points, axis=2)
    after = np.linalg.norm(found[:, None] - found, axis=2)
    np.testing.assert_allclose(after / after.max(), before / before.max(), atol=1e-9)


def test_an_unknown_map_and_a_missing_library_are_named(monkeypatch):
    with pytest.raises(InputError, match="Did you mean 'tsne'"):
        kind_for(10, "tnse")
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(MissingLibraryError, match=r"pip install umap-learn, or 'phusion-embed\[umap\]'"):
        kind_for(10, "umap")
