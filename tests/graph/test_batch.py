"""Many graphs through the one door."""

from __future__ import annotations

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from phusion import GraphBatch, as_batch, as_graph
from phusion.errors import GraphNotice, InputError, InputTypeError, PhusionError


def test_lists_and_generators_of_any_kinds():
    kinds = [nx.path_graph(3), np.ones((2, 2)), [("a", "b")], as_graph([(1, 2)])]
    batch = as_batch(graph for graph in kinds)
    assert [len(graph) for graph in batch] == [3, 2, 2, 2]
    assert batch[3] is kinds[3]
    assert as_batch(batch) is batch
    assert isinstance(batch[1:], GraphBatch) and len(batch[1:]) == 3
    assert batch.n_nodes == 9


def test_labels_come_along_and_are_cut_with_the_batch(tmp_path):
    batch = as_batch([[(0, 1)], [(0, 1), (1, 2)]], labels=["edge", "path"])
    assert batch[:1].labels.tolist() == ["edge"]
    with pytest.raises(ValueError, match="read-only"):
        batch.labels[0] = "x"
    file = tmp_path / "labels.txt"
    file.write_text("1\n-1\n")
    assert as_batch(batch, labels=file).labels.tolist() == [1, -1]
    with pytest.raises(InputError, match="2 graphs need as many labels; got 1"):
        as_batch(batch, labels=["one"])


def test_graph_labels_of_geometric_data():
    data = [SimpleNamespace(edge_index=np.array([[0, 1], [1, 0]]), num_nodes=2, y=np.array([k])) for k in (0, 1)]
    assert as_batch(data).labels.tolist() == [0, 1]


def test_what_was_odd_is_said_once_for_all_graphs():
    with pytest.warns(GraphNotice) as caught:
        batch = as_batch([[(0, 1), (0, 1)], [(1, 2), (1, 2)], [(5, 6)]])
    assert len(caught) == 1 and "2 graphs, first 0" in batch.notes[0]


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        ([], "at least one graph"),
        (iter(()), "at least one graph"),
        (nx.path_graph(3), "Put it in a list"),
        (np.zeros((3, 3)), "Put it in a list"),
        ({"a": ["b"]}, "Put it in a list"),
        (7, "Put it in a list"),
        ([(0, 1), (1, 2)], r"edge list of one graph"),
        ([[(0, 1)], [(0, 1, 2, 3)]], "graph 1 of the batch"),
    ],
)
def test_what_is_no_batch_is_refused_in_words(thing, words):
    with pytest.raises(PhusionError, match=words):
        as_batch(thing)


def test_a_batch_is_not_a_graph_and_options_are_checked():
    with pytest.raises(InputTypeError, match=r"use phusion\.as_batch"):
        as_graph(as_batch([[(0, 1)]]))
    with pytest.raises(InputTypeError, match="directd"):
        as_batch([[(0, 1)]], directd=True)
