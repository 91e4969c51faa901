"""Graphs with planted roles are what they say."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import phusion
from phusion.datasets.generated import SHAPES, barbell, mirrored_karate, planted
from phusion.errors import InputError


def roles_of(graph):
    return graph.labels.classes[graph.labels.membership.toarray().argmax(axis=1)].tolist()


def colours_of(graph):
    """What colour refinement tells apart; on these graphs, automorphic nodes and no others share a colour."""
    neighbours = [np.flatnonzero(row) for row in graph.adjacency.toarray()]
    colours = [0] * len(graph)
    for _ in range(len(graph)):
        seen = [(colours[u], tuple(sorted(colours[v] for v in neighbours[u]))) for u in range(len(graph))]
        names = {one: k for k, one in enumerate(sorted(set(seen)))}
        colours = [names[one] for one in seen]
    return colours


def groups(names, places):
    found = {}
    for place in places:
        found.setdefault(names[place], []).append(place)
    return sorted(found.values())


@pytest.mark.parametrize(
    ("shape", "nodes", "edges", "roles"),
    [
        ("house", 30 + 5 * 5, 30 + 5 * (8 + 1), 6),
        ("open_house", 55, 30 + 5 * (6 + 1), 6),
        ("fan", 30 + 5 * 7, 30 + 5 * (6 + 4 + 1), 6),
        ("star", 65, 30 + 5 * (6 + 1), 4),
        ("clique", 55, 30 + 5 * (10 + 1), 4),
        ("cycle", 55, 30 + 5 * (5 + 1), 5),
    ],
)
def test_counts(shape, nodes, edges, roles):
    graph = planted(shape, 5)
    assert (len(graph), graph.n_edges, len(graph.labels.classes)) == (nodes, edges, roles)
    assert (graph.labels.membership.toarray().sum(axis=1) == 1).all()
    assert nx.is_connected(nx.from_scipy_sparse_array(graph.adjacency))


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_automorphic_nodes_share_a_role(shape):
    graph = planted(shape, 5)
    roles, colours = roles_of(graph), colours_of(graph)
    assert len({(role, colour) for role, colour in zip(roles, colours, strict=True)}) == len(set(colours))


@pytest.mark.parametrize("shape", ["house", "star", "clique", "cycle"])
def test_in_symmetric_shapes_only_automorphic_nodes_share_a_role(shape):
    graph = planted(shape, 5)
    inside = [k for k, role in enumerate(roles_of(graph)) if role != "base"]
    assert groups(roles_of(graph), inside) == groups(colours_of(graph), inside)


def test_a_house_by_hand():
    graph = planted("house", 1, length=4)
    neighbours = {u: set(np.flatnonzero(row)) for u, row in enumerate(graph.adjacency.toarray())}
    assert neighbours[0] == {1, 3, 4} and neighbours[4] == {0, 5, 6, 7, 8} and neighbours[8] == {4, 5}
    assert neighbours[6] == {4, 5, 7} and neighbours[7] == {4, 5, 6}
    assert roles_of(graph) == ["foundation"] + ["base"] * 3 + ["shoulder, joined", "shoulder", "foot", "foot", "roof"]


@pytest.mark.parametrize("noise", [0, 1, 10, 100])
def test_noise_adds_so_many_edges_and_takes_none(noise):
    plain, noisy = planted("house", 5), planted("house", 5, noise=noise, seed=7)
    assert noisy.n_edges == plain.n_edges + noise and noisy.n_self_loops == 0
    assert ((noisy.adjacency - plain.adjacency).toarray() >= 0).all() and roles_of(noisy) == roles_of(plain)
    again, other = planted("house", 5, noise=noise, seed=7), planted("house", 5, noise=noise, seed=8)
    assert (again.adjacency != noisy.adjacency).nnz == 0
    assert noise == 0 or (other.adjacency != noisy.adjacency).nnz > 0


def test_noise_can_fill_the_graph():
    graph = planted("clique", 1, length=3, size=4, noise=21 - (3 + 6 + 1))
    assert graph.n_edges == 7 * 6 // 2


def test_bases():
    torus = planted("star", 1, base="torus", length=4)
    inner = torus.adjacency.toarray()[:16, :16]
    assert (inner.sum(axis=1) == 4).all() and inner.sum() == 2 * 2 * 16
    chain = planted("star", 1, base="chain", length=6)
    assert chain.adjacency.toarray()[:6, :6].sum() == 2 * 5
    assert planted("star", 30, length=30).labels.counts["foundation"] == 30


def test_a_barbell():
    graph = barbell(5, 3)
    assert (len(graph), graph.n_edges) == (13, 2 * 10 + 4)
    assert roles_of(graph) == roles_of(graph)[::-1]
    assert groups(roles_of(graph), range(13)) == groups(colours_of(graph), range(13))
    ours, theirs = nx.from_scipy_sparse_array(graph.adjacency), nx.barbell_graph(5, 3)
    assert nx.is_isomorphic(ours, theirs)
    assert barbell(4, 0).n_edges == 13


def test_mirrored_karate():
    graph, club = mirrored_karate(), phusion.datasets.load("karate")
    assert (len(graph), graph.n_edges) == (68, 2 * 78 + 1)
    matrix = graph.adjacency.toarray()
    assert np.array_equal(matrix[:34, :34], club.adjacency.toarray())
    swap = np.r_[34:68, 0:34]
    assert np.array_equal(matrix[np.ix_(swap, swap)], matrix)
    assert roles_of(graph)[:34] == roles_of(graph)[34:] == [str(node) for node in club.nodes]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"shape": "hose"}, "Did you mean 'house'"),
        ({"shape": 3}, "no shape is called 3"),
        ({"count": 0}, "count is a number between 1 and the 30"),
        ({"count": 31}, "got 31"),
        ({"count": 2.5}, "count is a whole number; got 2.5"),
        ({"count": True}, "count is a whole number"),
        ({"base": "tree"}, "base is 'cycle', 'chain' or 'torus'"),
        ({"length": 2}, "length is a whole number ≥ 3"),
        ({"length": 10**30}, "length is a whole number"),
        ({"base": "torus", "length": 10**6}, "≤ 1,000"),
        ({"size": 6}, "a house has 5 nodes"),
        ({"shape": "star", "size": 3}, "size ≥ 4"),
        ({"shape": "clique", "size": 10**9}, "size ≥ 4 and ≤"),
        ({"noise": -1}, "noise is a number of edges"),
        ({"noise": 10**6}, "noise is a number of edges"),
        ({"seed": -1}, "seed is a whole number ≥ 0"),
        ({"seed": "a"}, "seed is a whole number"),
    ],
)
def test_bad_input_is_refused(arguments, says):
    with pytest.raises(InputError, match=says):
        planted(**arguments)


@pytest.mark.parametrize("arguments", [(2, 1), (3, -1), (3.5, 1), (10**9, 1)])
def test_a_barbell_that_is_none_is_refused(arguments):
    with pytest.raises(InputError, match="a barbell has cliques of 3"):
        barbell(*arguments)
