"""Each task on examples small enough to check by hand, and on data whose answer is known."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

import phusion
from phusion.errors import InputError
from phusion.evaluation.clustering import NodeClustering
from phusion.evaluation.graph_classification import GraphClassification
from phusion.evaluation.link_prediction import LinkPrediction
from phusion.evaluation.node_classification import NodeClassification
from phusion.evaluation.ranks import critical_difference, friedman, ranks
from phusion.evaluation.splits import folds, shuffled
from phusion.evaluation.top_labels import measured, top_labels
from phusion.graph.labels import Labels

LABELS = Labels.from_values


def blobs(n=60, k=3, apart=8.0, seed=0):
    random = np.random.default_rng(seed)
    classes = np.arange(n) % k
    return random.normal(size=(n, 4)) + apart * np.eye(k, 4)[classes], classes


# nodes


def test_a_node_is_predicted_as_many_labels_as_it_has():
    scores = np.array([[0.9, 0.1, 0.5], [0.2, 0.3, 0.1], [-1.0, -3.0, -2.0], [0.5, 0.5, 0.1]])
    found = top_labels(scores, np.array([2, 1, 3, 1]))
    assert found.astype(int).tolist() == [[1, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]]


def test_infinite_scores_are_ranked_too():
    assert top_labels(np.array([[np.inf, -np.inf, 0.0]]), np.array([2])).astype(int).tolist() == [[1, 0, 1]]


def test_f1_by_hand():
    truth = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool)
    found = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]], dtype=bool)
    # right 3, wrong 2, missed 2: micro 6 / 10; classes 4/5, 2/3 and 0; two rows of four entirely right
    expected = {"micro_f1": 60.0, "macro_f1": 100 * (4 / 5 + 2 / 3) / 3, "accuracy": 50.0}
    assert measured(truth, found) == pytest.approx(expected)


@pytest.mark.parametrize("classifier", ["batched", "liblinear"])
def test_classes_far_apart_are_told_and_random_rows_are_not(classifier):
    rows, classes = blobs(120)
    task = NodeClassification(splits=5, classifier=classifier)
    found = task.score(rows, LABELS(classes.tolist()), 0)
    assert set(found) == set(task.metrics) and all(len(values) == 5 for values in found.values())
    assert np.mean(found["micro_f1"]) > 99
    noise = np.random.default_rng(1).normal(size=(300, 4))
    chance = NodeClassification(splits=20, classifier=classifier).score(noise, LABELS([k % 3 for k in range(300)]), 0)
    assert 25 < np.mean(chance["micro_f1"]) < 42


def test_nodes_without_labels_are_left_out():
    rows, classes = blobs(60)
    plain = NodeClassification(splits=3).score(rows, LABELS(classes.tolist()), 4)
    more = np.vstack([np.full((5, 4), 1e3), rows, np.full((5, 4), -1e3)])
    labels = LABELS([None] * 5 + classes.tolist() + [None] * 5)
    assert NodeClassification(splits=3).score(more, labels, 4) == plain


def test_scaling_is_that_of_the_training_part():
    rows, classes = blobs(60, apart=1.0)
    task = NodeClassification(splits=3, scaled=True)
    labels = LABELS(classes.tolist())
    assert task.score(rows, labels, 0) == task.score(rows * [1e-3, 1.0, 1e3, 7.0] + 5.0, labels, 0)


def test_one_class_and_few_nodes_are_refused():
    with pytest.raises(InputError, match="two classes at least"):
        NodeClassification().score(np.ones((9, 2)), LABELS(["a"] * 9), 0)
    with pytest.raises(InputError, match="5 labelled nodes at least; got 4"):
        NodeClassification().score(np.ones((9, 2)), LABELS(["a", "b", "a", "b"] + [None] * 5), 0)


@pytest.mark.parametrize(
    "wrong", [{"splits": 0}, {"train_size": 1.0}, {"train_size": 0}, {"C": 0}, {"classifier": "svm"}]
)
def test_a_protocol_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(InputError, match="got"):
        NodeClassification(**wrong)


def test_both_classifiers_agree_on_airports_to_about_a_point(data):
    graph = phusion.datasets.load("brazil")
    rows = phusion.embed(graph, "graphwave").values
    both = [
        np.mean(NodeClassification(classifier=name).score(rows, graph.labels, 0)["micro_f1"])
        for name in ("batched", "liblinear")
    ]
    assert abs(both[0] - both[1]) < 1.0 and min(both) > 40


# graphs


def test_graph_classes_far_apart_are_told():
    rows, classes = blobs(80, 2)
    found = GraphClassification().score(rows, classes, 0)["accuracy"]
    assert len(found) == 10 and np.mean(found) == 100
    kernel = GraphClassification(classifier="kernel").score(rows @ rows.T, classes, 0)["accuracy"]
    assert np.mean(kernel) == 100
    assert GraphClassification().score(rows, classes, 0)["accuracy"] == found


@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
def test_the_folds_and_the_machine_are_those_that_were_published():
    """One global generator, seeded: a permutation cut into ten, then LinearSVC draws from it, fold after fold."""
    from sklearn.svm import LinearSVC

    rows, classes = blobs(143, 2, apart=0.5)
    rows *= [1.0, 10.0, 100.0, 1000.0]  # so that the machine's iterations end before it has converged
    np.random.seed(3)  # noqa: NPY002 - what the authors' code does
    parts, expected = np.array_split(np.random.permutation(143), 10), []  # noqa: NPY002
    for test in parts:
        train = np.concatenate([part for part in parts if part is not test])
        model = LinearSVC(C=1.0, dual=True).fit(rows[train], classes[train])
        expected.append(100 * np.mean(model.predict(rows[test]) == classes[test]))
    assert GraphClassification().score(rows, classes, 3)["accuracy"] == pytest.approx(expected)


def test_graphs_that_cannot_be_classified_are_refused():
    with pytest.raises(InputError, match="10 folds need as many graphs"):
        GraphClassification().score(np.ones((9, 2)), np.arange(9) % 2, 0)
    with pytest.raises(InputError, match="two classes at least"):
        GraphClassification().score(np.ones((20, 2)), np.ones(20), 0)
    with pytest.raises(InputError, match=r"needs a square matrix.*20 × 2: take classifier = 'linear'"):
        GraphClassification(classifier="kernel").score(np.ones((20, 2)), np.arange(20) % 2, 0)
    for wrong in ({"folds": 1}, {"C": 0.0}, {"classifier": "rbf"}):
        with pytest.raises(InputError, match="got"):
            GraphClassification(**wrong)


# clusters


@pytest.mark.parametrize("method", ["kmeans", "single", "average"])
def test_clusters_far_apart_are_found(method):
    rows, classes = blobs(60, 3, apart=50.0)
    found = NodeClustering(method=method).score(rows[:, :3], LABELS(classes.tolist()), 0)  # the fourth is noise
    for metric in ("homogeneity", "completeness", "ami"):
        assert found[metric] == pytest.approx([1.0])
    assert found["silhouette"][0] > 0.8


def test_one_row_for_all_has_no_clusters():
    found = NodeClustering().score(np.ones((20, 3)), LABELS([k % 2 for k in range(20)]), 0)
    assert found == {"homogeneity": [0.0], "completeness": [1.0], "ami": [0.0], "silhouette": [0.0]}


def test_clustering_needs_one_class_for_each_node():
    with pytest.raises(InputError, match="one class for each node"):
        NodeClustering().score(np.ones((3, 2)), LABELS(["a", None, "b"]), 0)
    with pytest.raises(InputError, match="two classes at least"):
        NodeClustering().score(np.ones((3, 2)), LABELS(["a"] * 3), 0)
    for wrong in ({"method": "ward"}, {"dim": 0}):
        with pytest.raises(InputError, match="got"):
            NodeClustering(**wrong)


# edges


def rows_of(graph):
    return phusion.embed(graph, {"proximity": "katz", "embedding": {"name": "svd", "dim": 8}}).values


def planted_partition():
    return phusion.as_graph(nx.planted_partition_graph(4, 30, 0.5, 0.01, seed=1))


@pytest.mark.parametrize("seed", [0, 1])
def test_edges_are_left_out_without_a_leak_and_without_isolating(seed):
    graph = phusion.as_graph(nx.barabasi_albert_graph(80, 2, seed=3))
    seen = []
    LinkPrediction(test_size=0.3).score(graph, lambda rest: seen.append(rest) or np.ones((80, 2)), seed)
    (rest,) = seen
    assert rest.nodes.tolist() == graph.nodes.tolist() and rest.degrees.min() > 0
    assert graph.n_edges - rest.n_edges == round(0.3 * graph.n_edges)
    assert ((graph.adjacency - rest.adjacency).toarray() >= 0).all()
    assert (rest.adjacency != rest.adjacency.T).nnz == 0


def test_self_loops_and_weights_stay():
    graph = phusion.as_graph([(0, 0, 2.0), (0, 1, 3.0), (1, 2, 4.0), (0, 2, 5.0), (2, 3, 6.0), (1, 3, 7.0)])
    seen = []
    LinkPrediction(test_size=0.3).score(graph, lambda rest: seen.append(rest) or np.ones((4, 2)), 0)
    kept, whole = seen[0].adjacency.toarray(), graph.adjacency.toarray()
    assert kept[0, 0] == whole[0, 0] and (kept[kept > 0] == whole[kept > 0]).all() and kept.sum() < whole.sum()


@pytest.mark.parametrize("scorer", ["dot", "hadamard"])
def test_a_planted_partition_is_predicted_and_random_rows_are_not(scorer):
    graph, task = planted_partition(), LinkPrediction(scorer=scorer)
    assert task.score(graph, rows_of, 0)["auc"][0] > 0.75
    random = np.random.default_rng(0)
    chance = [task.score(graph, lambda _: random.normal(size=(120, 8)), seed)["auc"][0] for seed in range(5)]
    assert abs(np.mean(chance) - 0.5) < 0.05


def test_pairs_are_the_same_for_the_same_seed_and_differ_for_another():
    graph, task = planted_partition(), LinkPrediction()
    assert task.score(graph, rows_of, 1) == task.score(graph, rows_of, 1) != task.score(graph, rows_of, 2)


def test_graphs_without_edges_to_spare_are_refused():
    task = LinkPrediction()
    with pytest.raises(InputError, match="without isolating"):
        task.score(phusion.as_graph(nx.star_graph(5)), rows_of, 0)
    with pytest.raises(InputError, match="every pair"):
        task.score(phusion.as_graph(nx.complete_graph(6)), lambda _: np.ones((6, 2)), 0)
    with pytest.raises(InputError, match="undirected"):
        task.score(phusion.as_graph(nx.gnp_random_graph(9, 0.5, directed=True, seed=1)), rows_of, 0)
    for wrong in ({"test_size": 0}, {"test_size": 1.0}, {"scorer": "l2"}):
        with pytest.raises(InputError, match="got"):
            LinkPrediction(**wrong)


# ranks and splits


def test_equal_scores_share_the_average_of_their_ranks():
    assert ranks([0.5, 0.9, 0.5, 0.1]).tolist() == [2.5, 1.0, 2.5, 4.0]
    assert ranks([1.0, 1.0, 1.0]).tolist() == [2.0, 2.0, 2.0]


def test_critical_differences_are_those_of_demsars_table():
    table = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]  # q at 0.05 for 2 to 10 methods
    for k, q in enumerate(table, 2):
        assert critical_difference(k, 20) == pytest.approx(q * np.sqrt(k * (k + 1) / 120), abs=1e-3)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)  # his example
    with pytest.raises(InputError, match="two methods and two data sets"):
        critical_difference(1, 5)


def test_friedmans_test_tells_methods_that_differ():
    alike = np.random.default_rng(0).normal(size=(14, 4))
    assert friedman(alike) > 0.05 > friedman(alike + np.array([0, 5, 10, 15]))
    with pytest.raises(InputError, match="three methods at least"):
        friedman(np.ones((5, 2)))


def test_splits_are_scikit_learns():
    ours = list(shuffled(131, 10, 0.8, 3))
    theirs = list(ShuffleSplit(10, test_size=1 - 0.8, random_state=3).split(np.empty(131)))
    assert len(ours) == 10
    for (train, test), (other_train, other_test) in zip(ours, theirs, strict=True):
        assert np.array_equal(train, other_train) and np.array_equal(test, other_test)


def test_folds_are_those_of_an_order_cut_into_parts():
    order = np.random.RandomState(5).permutation(43)
    theirs = [order[test] for _, test in KFold(10).split(order)]
    found = list(folds(43, 10, np.random.RandomState(5)))
    assert all(np.array_equal(test, other) for (_, test), other in zip(found, theirs, strict=True))
    for train, test in found:
        assert sorted([*train, *test]) == list(range(43))
