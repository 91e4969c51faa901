"""The scikit-learn face: what a user of scikit-learn expects holds."""

from __future__ import annotations

import pickle
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.contracts.graphs import random_graph

import phusion
from phusion.component import known
from phusion.embeddings import SVD, Characteristic, Histogram
from phusion.errors import InputError, InputTypeError, MethodWarning
from phusion.estimator import EXPECTED_FAILED_CHECKS
from phusion.proximities import Heat, Katz


@parametrize_with_checks(
    [phusion.PhUSION(), phusion.PhUSION("katz", "identity", {"name": "svd", "dim": 1})],
    expected_failed_checks=lambda _: EXPECTED_FAILED_CHECKS,
)
@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning", "ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


def test_the_declared_failures_do_fail_so_that_none_hides_a_pass():
    from sklearn.utils.estimator_checks import check_estimator

    with pytest.warns() as _:
        results = check_estimator(phusion.PhUSION(), on_fail=None, on_skip=None)
    assert {r["check_name"] for r in results if r["status"] == "failed"} == set(EXPECTED_FAILED_CHECKS)


@pytest.fixture
def karate():
    return phusion.datasets.load("karate")


@pytest.mark.parametrize("proximity", [Heat(scale=[0.1, 1]), "heat", {"name": "heat", "scale": [0.1, 1]}])
def test_parts_are_given_by_object_name_or_mapping(karate, proximity):
    model = phusion.PhUSION(proximity, "identity", Characteristic()).set_params(proximity__scale=[0.1, 1])
    assert model.fit(karate).spec_ == phusion.Spec(Heat(scale=[0.1, 1]), "identity", Characteristic())
    assert model.embedding_.shape == (34, 100)


def test_clone_keeps_the_parameters_and_forgets_the_fit(karate):
    model = phusion.PhUSION(Katz(beta=[0.01, "0.5/λmax"]), "log", SVD(dim=3), normalize="l2", random_state=1)
    copy = clone(model.fit(karate))
    assert copy.get_params() == model.get_params() and not hasattr(copy, "embedding_")


def test_nested_parameters_are_listed_and_set(karate):
    model = phusion.PhUSION("katz", "identity", "svd")
    assert model.get_params()["proximity__beta"] == 0.01
    model.set_params(proximity__beta=0.05, embedding__dim=2)
    assert model.proximity == Katz(beta=0.05) and model.fit_transform(karate).shape == (34, 2)
    graphs = phusion.GraphPhUSION(model, "histogram").set_params(node__proximity__beta=0.1, pooling__bins=3)
    assert graphs.node.proximity == Katz(beta=0.1) and graphs.pooling.bins == 3
    with pytest.raises(InputError, match=r"no parameter 'betta'. Did you mean 'beta'\?"):
        model.set_params(proximity__betta=0.1)
    with pytest.raises(InputError, match=r"has no parameter 'proximty'. Did you mean 'proximity'\?"):
        model.set_params(proximty="heat")


def test_a_fitted_model_pickles(karate):
    model = phusion.PhUSION("heat", "log", "histogram").fit(karate)
    other = pickle.loads(pickle.dumps(model))
    assert np.array_equal(other.transform(karate), model.embedding_)
    assert other.spec_ == model.spec_


def test_fitting_twice_gives_the_same_and_never_changes_the_graph(karate):
    before = karate.adjacency.toarray()
    model = phusion.PhUSION("katz", "identity", SVD(dim=4))
    assert np.array_equal(model.fit_transform(karate), clone(model).fit_transform(karate))
    assert np.array_equal(karate.adjacency.toarray(), before)


def test_feature_names_mean_something(karate):
    names = phusion.PhUSION(Heat(scale=[0.1, 1]), "identity", "characteristic").fit(karate).get_feature_names_out()
    assert names[1] == "heat_s0.1_cos_t4.17" and names[25] == "heat_s0.1_sin_t0" and names[50] == "heat_s1_cos_t0"
    names = phusion.PhUSION("ppmi", "log", SVD(dim=2)).fit(karate).get_feature_names_out()
    assert names.tolist() == ["ppmi_T10_log_svd_0", "ppmi_T10_log_svd_1"]


def test_cosines_of_all_landmarks_come_before_the_sines_of_each_scale(karate):
    model = phusion.PhUSION(Heat(scale=[0.5, 2]), "identity", Characteristic(landmarks=[1.0, 3.0]))
    values = model.fit_transform(karate)
    for block, scale in enumerate((0.5, 2)):
        heat = Heat(scale=scale).dense(karate)
        for column, t in enumerate((1.0, 3.0)):
            assert np.allclose(values[:, 4 * block + column], np.cos(t * heat).mean(axis=0), atol=1e-12)
            assert np.allclose(values[:, 4 * block + 2 + column], np.sin(t * heat).mean(axis=0), atol=1e-12)


def test_set_output_gives_frames_with_the_ids_of_the_nodes():
    graph = nx.relabel_nodes(nx.path_graph(4), dict(enumerate(["ada", "bob", "cleo", "dan"])))
    model = phusion.PhUSION("heat", "identity", "diagonal")
    frame = model.set_output(transform="pandas").fit_transform(graph)
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.tolist() == ["ada", "bob", "cleo", "dan"] and frame.columns.tolist() == ["heat_s1_diagonal"]
    frame = clone(model).set_output(transform="polars").fit(graph).transform(graph)
    assert isinstance(frame, pl.DataFrame) and frame["node"].to_list() == ["ada", "bob", "cleo", "dan"]
    with config_context(transform_output="pandas"):
        edges = pd.DataFrame({"source": ["x", "y"], "target": ["y", "z"]})
        assert phusion.PhUSION().fit_transform(edges).index.tolist() == ["x", "y", "z"]
    with pytest.raises(InputError, match="transform is"):
        model.set_output(transform="csv")


def test_structural_models_embed_other_graphs_with_comparable_rows(karate):
    for embedding in ("characteristic", "histogram", "diagonal"):
        model = phusion.PhUSION(Heat(scale=[0.3, 3]), "identity", embedding).fit(karate)
        order = np.random.default_rng(0).permutation(34)
        assert np.allclose(model.transform(karate.permuted(order)), model.embedding_[order], atol=1e-9)
        assert model.transform(nx.path_graph(3)).shape == (3, model.embedding_.shape[1])


def test_automatic_scales_stay_those_of_the_fitted_graph(karate):
    model = phusion.preset("graphwave").fit(karate)
    assert model.spec.proximity.scale == "graphwave" and len(model.spec_.proximity.scale) == 2
    names = model.get_feature_names_out().tolist()
    path = nx.path_graph(9)
    expected = phusion.embed(path, model.spec_).values
    assert np.allclose(model.transform(path), expected, atol=1e-13)
    assert model.get_feature_names_out().tolist() == names


def test_a_positional_model_says_why_it_cannot_embed_another_graph_and_what_can(karate):
    model = phusion.PhUSION("katz", "identity", SVD(dim=2)).fit(karate)
    assert np.array_equal(model.transform(karate), model.embedding_)
    with pytest.raises(InputError, match=r"svd is positional.*characteristic, histogram or diagonal"):
        model.transform(nx.path_graph(34))
    with pytest.raises(InputError, match="positional"):
        phusion.GraphPhUSION(model, "mean").fit([karate])


def test_rows_get_length_one_on_request_and_zero_rows_stay_zero():
    graph = phusion.as_graph([("a", "b"), ("b", "c")], nodes=["a", "b", "c", "d"])
    values = phusion.PhUSION("ppmi", "identity", SVD(dim=2), normalize="l2").fit_transform(graph)
    assert np.allclose(np.linalg.norm(values[:3], axis=1), 1) and not values[3].any()


def test_nodes_are_cross_validated_by_their_ids(karate):
    model = make_pipeline(phusion.PhUSION("ppmi", "log", SVD(dim=4), graph=karate), LogisticRegression())
    grid = {"phusion__proximity": [Katz(), "ppmi"], "phusion__embedding__dim": [2, 4]}
    search = GridSearchCV(model, grid, cv=3).fit(karate.nodes, karate.labels.values.astype(str))
    assert search.best_score_ > 0.8
    assert search.predict(karate.nodes[:5]).shape == (5,)


def test_an_adjacency_matrix_can_be_searched_over_too(karate):
    everything = np.arange(34)
    search = GridSearchCV(
        phusion.PhUSION("heat", "identity", "characteristic"),
        {"proximity__scale": [0.1, 1.0]},
        scoring=lambda model, X: float(model.transform(X).std()),
        cv=[(everything, everything)],
    ).fit(karate.adjacency.toarray())
    assert search.best_params_["proximity__scale"] in (0.1, 1.0)


def test_provenance_names_versions_seed_graph_and_warnings(karate):
    with pytest.warns(MethodWarning, match="βλmax"):
        result = phusion.embed(karate, {"proximity": {"name": "katz", "beta": 1.0}})
    said = result.provenance
    assert said["numpy"] == np.__version__ and said["graph"]["nodes"] == 34 and "βλmax" in said["warnings"][0]
    same = phusion.embed(karate, "graphwave").provenance["graph"]["fingerprint"]
    assert said["graph"]["fingerprint"] == same
    turned = phusion.embed(karate.permuted(range(33, -1, -1)), "graphwave")
    assert turned.provenance["graph"]["fingerprint"] != same


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: phusion.PhUSION("hea"), "no proximity Ψ is called 'hea'. Did you mean 'heat'"),
        (lambda: phusion.PhUSION("heat", "lg"), "Did you mean 'log'"),
        (lambda: phusion.PhUSION("svd"), "no proximity Ψ is called 'svd'"),
        (lambda: phusion.PhUSION(SVD()), "is an embedding function; a proximity Ψ is needed here"),
        (lambda: phusion.PhUSION(Heat), r"give Heat\(\)"),
        (lambda: phusion.PhUSION("katz", "identity", SVD(dim=99)), "dim=99 for 34 nodes. Use dim=34 or less"),
        (lambda: phusion.PhUSION(normalize="l1"), "normalize is 'l2' or None"),
        (lambda: phusion.PhUSION(random_state="x"), "random_state"),
        (lambda: phusion.PhUSION({"name": "heat", "scal": 1}), "no parameter 'scal'. Did you mean 'scale'"),
        (lambda: phusion.PhUSION({"scale": 1}), "needs its name"),
    ],
)
def test_bad_models_are_refused_in_words(karate, make, message):
    with pytest.raises((InputError, InputTypeError), match=message):
        make().fit(karate)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Heat(scale=0), "Heat needs scale to be a number > 0"),
        (lambda: Heat(scale=[1, -1]), "list of numbers > 0"),
        (lambda: Heat(scale=[]), "Heat needs scale"),
        (lambda: Histogram(bins=0), "whole number ≥ 1"),
        (lambda: Characteristic(landmarks=[]), "landmarks"),
        (lambda: Characteristic(landmarks=1), "landmark other than t = 0"),
        (lambda: phusion.nonlinearities.Binarize(percentile=101), "≤ 100"),
        (lambda: Katz(beta="half"), "0.5/λmax"),
        (lambda: SVD(dim=True), "whole number"),
        (lambda: phusion.proximities.SignedWalk(form="plain", score="positive"), "only score='net'"),
    ],
)
def test_bounds_say_the_bound_and_why(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_singular_systems_signed_graphs_and_labels_are_refused_with_what_to_do(karate):
    edge = phusion.as_graph([("a", "b")])
    with pytest.raises(InputError, match=r"I − βA is singular at β=1.*0.5/λmax"):
        phusion.PhUSION(Katz(beta=1.0)).fit(edge)
    with pytest.raises(InputError, match="I \\+ aD − cA is singular"):
        phusion.PhUSION(phusion.proximities.Fabp(a=0, c=1)).fit(edge)
    with pytest.raises(InputError, match=r"Ppmi does not take signed graphs.*signed_walk"):
        phusion.PhUSION("ppmi").fit(random_graph(signed=True))
    with pytest.raises(InputTypeError, match="these are labels"):
        phusion.PhUSION().fit(karate.labels)
    with pytest.raises(InputError, match="one-dimensional"):
        phusion.PhUSION().fit(karate.labels.values)
    with pytest.raises(InputTypeError, match="one graph is given where many"):
        phusion.GraphPhUSION().fit(karate)
    with pytest.raises(InputError, match=r"200,000 nodes needs about .* The smallest that would do is memory='"):
        phusion.PhUSION(memory="50MB").fit(nx.empty_graph(200_000))


def test_a_generator_of_edges_is_read_once():
    assert phusion.PhUSION().fit_transform(edge for edge in [(0, 1), (1, 2)]).shape == (3, 50)


def test_parameters_that_are_listed_are_those_that_are_computed():
    model = phusion.PhUSION("ppmi", "log", "svd")
    assert model.get_params()["nonlinearity__floor"] == "one" == model.spec.nonlinearity.floor


def test_set_params_changes_all_or_nothing():
    model = phusion.PhUSION("heat", "identity", "diagonal")
    with pytest.raises(InputError):
        model.set_params(normalize="l2", proximity__scale=-1)
    assert model.normalize is None and model.proximity == "heat"


def test_scales_that_look_alike_get_names_that_do_not(karate):
    model = phusion.PhUSION(Heat(scale=[1.0000001, 1.0000002]), "identity", "diagonal").fit(karate)
    assert model.get_feature_names_out().tolist() == ["heat_s1.0000001_diagonal", "heat_s1.0000002_diagonal"]
    with pytest.raises(InputError, match="the same scale twice"):
        Heat(scale=[1, 1.0])


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
def test_each_thread_hears_its_own_warnings(karate):
    def said(beta):
        return phusion.PhUSION(Katz(beta=beta)).fit(karate).provenance_["warnings"]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(said, [0.2 + 0.001 * i for i in range(60)]))
    assert all(len(one) == 1 for one in found)


def test_ids_are_checked_when_the_graph_is_given_to_the_model(karate):
    model = phusion.PhUSION("heat", graph=karate)
    with pytest.raises(InputError, match="not in the graph"):
        model.fit(["nobody"])
    with pytest.raises(InputTypeError, match="take node ids"):
        model.fit_transform(karate)


@pytest.mark.parametrize("labels", [["a", "b", "a"], pd.Series(["a", "b"]), (1, 2, 3), np.array([0, 1])])
def test_labels_where_a_graph_is_expected_are_named(labels):
    with pytest.raises(InputError, match="Are these labels"):
        phusion.PhUSION().fit(labels)


def test_one_graph_of_any_library_is_a_batch_of_one():
    assert phusion.embed(nx.path_graph(4), "netlsd").values.shape == (1, 250)


def test_automatic_scales_are_found_for_long_paths():
    assert phusion.embed(nx.path_graph(600), "graphwave").values.shape == (600, 100)


def test_memory_stays_within_the_number_of_copies_that_is_checked():
    n = 300
    graph = phusion.as_graph(nx.gnp_random_graph(n, 0.05, seed=1))
    for made in known("proximities").values():
        scale = made.scale_parameter
        orders = scale and isinstance(getattr(made(), scale), int)
        last = 3 if made.name == "edge_pmi" else 20
        proximity = made(**{scale: range(1, last + 1)}) if orders else made()
        for sigma, zeta in (("identity", SVD(dim=8)), ("binarize", "diagonal"), ("identity", Histogram(bins=3))):
            model = phusion.PhUSION(proximity, sigma, zeta)
            tracemalloc.start()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(graph)
            peak = tracemalloc.get_traced_memory()[1] / (8 * n * n)
            tracemalloc.stop()
            assert peak < made.copies + 1, (made.name, sigma, zeta)


def test_a_positional_model_knows_its_graph_in_any_order(karate):
    model = phusion.PhUSION("katz", "identity", SVD(dim=3)).fit(karate)
    order = np.random.default_rng(0).permutation(34)
    assert np.array_equal(model.transform(karate.permuted(order)), model.embedding_[order])


def test_lists_of_any_graphs_are_several_graphs():
    model = phusion.PhUSION("heat").fit([nx.path_graph(3), nx.cycle_graph(4)])
    assert model.nodes_.tolist()[2:4] == [(0, 2), (1, 0)]
    with pytest.raises(InputError, match="positional"):
        phusion.embed([nx.path_graph(3), nx.cycle_graph(4)], "netmf", dim=2)


def test_the_formula_takes_any_graph():
    assert Heat(scale=1.0).dense(nx.path_graph(2)).shape == (2, 2)


def test_clones_share_a_client_which_cannot_be_copied():
    class Client:
        def scheduler_info(self):
            return {}

        def __deepcopy__(self, memory):
            raise TypeError("connections cannot be copied")

    client = Client()
    model = phusion.PhUSION("heat", executor=client)
    assert clone(model).executor is client is model.executor
    assert clone(phusion.GraphPhUSION(model, executor=client)).node.executor is client


def test_ids_may_come_as_a_column():
    karate = phusion.datasets.load("karate")
    model = phusion.PhUSION("ppmi", "log", SVD(dim=2), graph=karate)
    rows = model.fit_transform(karate.nodes[:5].reshape(-1, 1))
    assert np.array_equal(rows, model.transform(karate.nodes[:5]))
