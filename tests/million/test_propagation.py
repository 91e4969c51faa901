"""π: rows mixed along edges, by the formula, in stripes, from Python and the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import clone
from tests.million import positional_oracle as oracle
from tests.theory.oracle import DIRECTED, UNDIRECTED, random_adjacency

import phusion
from phusion.cli import main
from phusion.errors import InputError
from phusion.propagations import LowPass, Prone
from phusion.spec import Spec

GRAPHS = {**UNDIRECTED, **DIRECTED}


@pytest.mark.parametrize("name", GRAPHS)
def test_low_pass_is_its_formula_up_to_axes(name):
    A = GRAPHS[name]
    rows = np.random.default_rng(0).normal(size=(len(A), 3))
    rows[-1] = 0
    for steps in (1, 4):
        found = LowPass(steps=steps).applied(phusion.as_graph(A, directed=name in DIRECTED), rows.copy())
        expected = oracle.rotated(oracle.low_pass(A, rows, steps))
        assert np.allclose(oracle.inner(found), oracle.inner(expected), atol=1e-8)


def test_prone_is_its_filter_of_eigenvalues_up_to_axes():
    for A in (random_adjacency(40, 0.15, 1), random_adjacency(30, 0.2, 2, loops=True)):
        rows = np.random.default_rng(1).normal(size=(len(A), 5))
        for given in ({}, {"order": 3, "mu": 0.5, "theta": 1.5}, {"order": 2}):
            found = Prone(**given).applied(phusion.as_graph(A), rows.copy())
            expected = oracle.rotated(oracle.prone(A, rows, **given))
            assert np.allclose(oracle.inner(found), oracle.inner(expected), atol=1e-8), given


def test_stripes_do_not_show(monkeypatch):
    graph = phusion.as_graph(random_adjacency(50, 0.1, 3))
    rows = np.random.default_rng(2).normal(size=(50, 10))
    for one in (LowPass(), Prone()):
        whole = one.applied(graph, rows.copy())
        monkeypatch.setattr("phusion.propagations.base.STRIPE", 3)
        assert np.allclose(one.applied(graph, rows.copy()), whole, rtol=0, atol=1e-12)
        monkeypatch.undo()


def test_blocks_are_brought_to_length_one_each_and_columns_are_cut_after_turning():
    A = random_adjacency(30, 0.2, 4)
    one, two = np.random.default_rng(3).normal(size=(2, 30, 4))
    found = LowPass(columns=5).applied(phusion.as_graph(A), np.hstack([one, 9 * two]), blocks=2)
    Z = np.hstack([oracle.low_pass(A, one), oracle.low_pass(A, two)])
    assert found.shape == (30, 5)
    assert LowPass().applied(phusion.as_graph(A), np.hstack([one, two]), blocks=2).shape == (30, 4)
    assert np.allclose(oracle.inner(found), oracle.inner(oracle.rotated(Z, 5)), atol=1e-8)


def test_isolated_nodes_keep_their_zero_rows_and_all_others_have_length_one():
    A = np.zeros((40, 40))
    A[:35, :35] = random_adjacency(35, 0.2, 5)
    for name in ("edge-pmi", "prone", "edge-pmi-2"):
        rows = phusion.embed(A, name, dim=8).values
        assert rows.shape == (40, 8)
        lengths = np.linalg.norm(rows, axis=1)
        assert np.allclose(lengths[:35], 1) and not rows[35:].any(), name


def test_rows_follow_a_permutation_of_the_nodes_up_to_axes():
    A = random_adjacency(40, 0.2, 6)
    order = np.random.default_rng(4).permutation(40)
    here = phusion.embed(A, "edge-pmi", dim=6).values
    there = phusion.embed(A[np.ix_(order, order)], "edge-pmi", dim=6).values
    assert np.allclose(oracle.inner(there), oracle.inner(here)[np.ix_(order, order)], atol=1e-6)


@pytest.mark.parametrize("name", ["weighted", "disconnected", "looped", "arcs", "one-edge", "lone-loops", "path"])
def test_the_whole_method_is_the_whole_formula(name):
    A = GRAPHS[name]
    dim = min(3, len(A))
    graph = phusion.as_graph(A, directed=name in DIRECTED)
    found = phusion.embed(graph, "edge-pmi", dim=dim).values
    U, s, _ = np.linalg.svd(oracle.edge_pmi(A))
    if dim < len(s) and s[dim - 1] - s[dim] < 1e-6:
        pytest.skip("the cut goes through equal singular values")
    expected = oracle.rotated(oracle.low_pass(A, U[:, :dim] * np.sqrt(s[:dim])))
    assert np.allclose(oracle.inner(found), oracle.inner(expected), atol=1e-6)


def test_as_many_dimensions_as_nodes_are_allowed_and_more_are_refused():
    assert np.isfinite(phusion.embed("karate", "edge-pmi", dim=34).values).all()
    with pytest.raises(InputError, match="dim ≤ n"):
        phusion.embed("karate", "edge-pmi", dim=35)
    with pytest.raises(InputError, match="columns ≤ 8"):
        phusion.embed("karate", "edge-pmi", dim=8, propagate__columns=9)


def test_it_is_said_by_number_name_mapping_and_object_alike():
    given = [4, "low_pass", {"name": "low_pass", "steps": 4}, LowPass()]
    specs = {Spec("edge_pmi", "identity", "svd", propagate=one) for one in given}
    assert len(specs) == 1
    spec = specs.pop()
    assert Spec.from_toml(spec.to_toml()) == spec
    assert spec.with_settings(["propagate=2"]).propagate == LowPass(2)
    assert spec.with_settings(["propagate=prone", "propagate.mu=0.3"]).propagate == Prone(mu=0.3)
    assert spec.with_settings(["propagate=none"]).propagate is None
    assert spec.replace(propagate=None) == Spec("edge_pmi", "identity", "svd")
    model = phusion.PhUSION("edge_pmi", "identity", "svd", propagate=4)
    assert clone(model).set_params(propagate__steps=2).spec.propagate == LowPass(2)
    assert model.get_params()["propagate__steps"] == 4


def test_structural_rows_and_pooled_ones_and_signed_graphs_are_refused():
    with pytest.raises(InputError, match="which is structural"):
        Spec("heat", "identity", "characteristic", propagate=4)
    with pytest.raises(InputError, match="a pooling"):
        Spec("heat", "identity", "svd", pooling="mean", propagate=4)
    with pytest.raises(InputError, match="signed"):
        model = phusion.PhUSION("adjacency_power", "identity", {"name": "svd", "dim": 2}, propagate=1)
        model.fit([("a", "b", -1.0), ("b", "c", 1.0)])


def test_other_proximities_are_propagated_too():
    A = random_adjacency(20, 0.3, 7)
    model = phusion.PhUSION("heat", "identity", {"name": "svd", "dim": 4}, propagate=2)
    plain = phusion.PhUSION("heat", "identity", {"name": "svd", "dim": 4}).fit_transform(A)
    expected = oracle.rotated(oracle.low_pass(A, plain, 2))
    assert np.allclose(oracle.inner(model.fit_transform(A)), oracle.inner(expected), atol=1e-8)
    assert list(model.get_feature_names_out()[:2]) == ["heat_low_pass_0", "heat_low_pass_1"]


def test_the_command_line_takes_presets_settings_and_an_option(tmp_path, capsys):
    target = tmp_path / "rows.npz"
    assert main(["embed", "karate", "-o", str(target), "--preset", "edge-pmi", "--set", "dim=8"]) == 0
    assert phusion.Embedding.load(target).spec.propagate == LowPass()
    words = ["embed", "karate", "-o", str(target), "--preset", "edge-pmi", "--set", "dim=8", "--dry-run"]
    for more in (["--set", "propagate=2"], ["--propagate", "2"]):
        capsys.readouterr()
        assert main([*words, *more]) == 0
        assert Spec.from_toml(capsys.readouterr().out).propagate == LowPass(2)
    assert main([*words, "--propagate", "none"]) == 0
    assert "propagate" not in capsys.readouterr().out
    assert main([*words, "--propagate", "low_pas"]) == 2
    assert "low_pass" in capsys.readouterr().err
    assert main(["components", "low_pass", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["symbol"] == "π"
