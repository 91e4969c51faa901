"""The scikit-learn face for whole graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import phusion
from phusion.embeddings import Characteristic
from phusion.errors import InputError, MethodWarning
from phusion.proximities import Heat


def test_scikit_learns_checks_of_estimators_that_take_no_table_pass_for_graphs():
    from sklearn.utils.estimator_checks import check_estimator

    with pytest.warns(match="Can't test estimator GraphPhUSION which requires input"):
        results = check_estimator(phusion.GraphPhUSION(), on_fail=None)
    assert {result["status"] for result in results} == {"passed"}


def two_kinds(n=12):
    """Cycles and stars, with their kind."""
    graphs = [nx.cycle_graph(5 + i) for i in range(n)] + [nx.star_graph(4 + i) for i in range(n)]
    return phusion.as_batch(graphs), np.array([0] * n + [1] * n)


def test_many_graphs_share_their_bins():
    batch, _ = two_kinds(3)
    model = phusion.PhUSION("heat", "identity", {"name": "histogram", "bins": 6}).fit(batch)
    assert model.nodes_[0] == (0, 0) and len(model.nodes_) == batch.n_nodes
    assert np.allclose(model.transform(batch[4]), model.embedding_[-(len(batch[4]) + len(batch[5])) : -len(batch[5])])


def test_components_are_searched_over_graphs():
    batch, kinds = two_kinds()
    graphs = phusion.GraphPhUSION(phusion.PhUSION("heat", "identity", "diagonal"), "mean")
    model = make_pipeline(graphs, StandardScaler(), LogisticRegression())
    grid = {
        "graphphusion__node__proximity": [Heat(scale=[0.1, 1]), "katz"],
        "graphphusion__node__embedding": ["diagonal", Characteristic(landmarks=3)],
        "graphphusion__pooling": ["mean", "max"],
    }
    search = GridSearchCV(model, grid, cv=2).fit(batch, kinds)
    assert search.best_score_ == 1.0 and len(search.cv_results_["params"]) == 8


def test_a_kernel_pooling_makes_a_matrix_for_a_support_vector_machine():
    batch, kinds = two_kinds()
    model = phusion.preset("retgk-1")
    kernel = model.fit_transform(batch)
    assert np.allclose(kernel, kernel.T) and np.allclose(kernel.diagonal(), 1)
    assert np.linalg.eigvalsh(kernel).min() > -1e-9
    assert np.allclose(model.transform(batch), kernel)
    assert cross_val_score(make_pipeline(model, SVC(kernel="precomputed")), batch, kinds, cv=3).mean() > 0.8


def test_attributes_and_labels_enter_by_kronecker_product():
    graph = phusion.as_graph([(0, 1), (1, 2)], labels=["a", "b", "a"])
    node = phusion.PhUSION(Heat(scale=[0.5, 1]), "identity", "diagonal")
    rows = node.fit_transform(graph)
    onehot = np.array([[1, 0], [0, 1], [1, 0]])
    products = np.array([np.kron(y, x) for y, x in zip(rows, onehot, strict=True)])
    for pooling, expected in (("mean", products.mean(0)), ("sum", products.sum(0)), ("max", products.max(0))):
        model = phusion.GraphPhUSION(node, pooling, attributes="labels")
        assert np.allclose(model.fit_transform([graph])[0], expected, atol=1e-14)
    assert model.get_feature_names_out()[1] == "max_heat_s0.5_diagonal_label=b"
    other = phusion.as_graph([(0, 1)], labels=["b", "new"])
    with pytest.warns(MethodWarning, match="1 class of nodes did not occur"):
        model.transform([other])
    with pytest.raises(InputError, match="has no node attribute 'mass'"):
        model.set_params(attributes=["mass"]).fit([graph])


def test_numbers_of_nodes_enter_as_they_are():
    path = nx.path_graph(3)
    nx.set_node_attributes(path, {0: 2.0, 1: 0.5, 2: -1.0}, "mass")
    node = phusion.PhUSION("heat", "identity", "diagonal")
    values = phusion.GraphPhUSION(node, "mean", attributes=["mass"]).fit_transform([path])
    assert np.allclose(values[0, 0], (node.fit_transform(path)[:, 0] * [2.0, 0.5, -1.0]).mean())


def test_seeds_decide_what_is_random():
    batch, _ = two_kinds(3)
    model = phusion.preset("retgk-2")
    first = model.fit_transform(batch)
    assert np.array_equal(first, clone(model).fit_transform(batch))
    assert not np.array_equal(first, clone(model).set_params(random_state=1).fit_transform(batch))
    drawn = clone(model).set_params(random_state=None, node__random_state=None)
    drawn.fit(batch)
    again = phusion.GraphPhUSION(drawn.node, drawn.pooling, random_state=drawn.spec_.random_state)
    assert np.array_equal(again.fit_transform(batch), drawn.embedding_)
    generator = clone(model).set_params(random_state=np.random.RandomState(3)).fit(batch)
    assert generator.spec_.random_state is not None


def test_the_seed_of_the_node_model_counts():
    batch, _ = two_kinds(2)
    node = phusion.PhUSION("heat", "identity", "diagonal", random_state=5)
    model = phusion.GraphPhUSION(node, "fourier").fit(batch)
    assert model.spec_.random_state == 5 == model.spec.random_state
    assert np.array_equal(clone(model).fit_transform(batch), model.embedding_)


def test_attributes_that_are_used_are_part_of_the_fingerprint():
    prints = [
        phusion.GraphPhUSION(attributes="labels").fit([phusion.as_graph([(0, 1)], labels=labels)]).provenance_["graph"]
        for labels in (["a", "b"], ["a", "a"])
    ]
    assert prints[0]["fingerprint"] != prints[1]["fingerprint"]


def test_labels_in_files_and_frames_are_not_edges(write):
    with pytest.raises(InputError, match="are labels, not edges"):
        phusion.PhUSION().fit(write("node,label\n1,Mr. Hi\n2,Officer\n", "labels.csv"))
    with pytest.raises(InputError, match="are labels, not edges"):
        phusion.PhUSION().fit(pd.DataFrame({"node": [1, 2, 3], "label": ["a", "b", "a"]}))
    for labels in (np.array([1, 0, 1]), pd.Series(["a", "b"])):
        with pytest.raises(InputError, match="Are these labels"):
            phusion.GraphPhUSION().fit(labels)


def test_set_params_leaves_the_given_node_model_as_it_is():
    node = phusion.PhUSION("heat", "identity", "diagonal")
    model = phusion.GraphPhUSION(node, "mean").set_params(node__proximity__scale=3.0)
    assert node.proximity == "heat" and model.node.proximity == Heat(3.0)
    assert "node" in phusion.GraphPhUSION("no such preset").get_params()


@pytest.mark.parametrize("name", ["retgk-1", "retgk-2", "netlsd"])
def test_a_preset_brings_its_pooling_unless_another_is_given(name):
    graphs = [nx.path_graph(3), nx.cycle_graph(4), nx.star_graph(4)]
    model = phusion.GraphPhUSION(name, random_state=0)
    assert model.fit_transform(graphs).shape == phusion.embed(graphs, name).values.shape
    assert model.spec_.pooling == phusion.embed(graphs, name).spec.pooling
    assert phusion.GraphPhUSION(name, "mean").fit(graphs).spec_.pooling.name == "mean"
