"""The stated rule for duplicates and directions, against a slow and plain reading of the same words."""

from __future__ import annotations

from collections import Counter, defaultdict

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plain import entries

from phusion import as_graph
from phusion.errors import GraphNotice, InputError

NODES = st.integers(0, 5)
WEIGHTS = st.sampled_from([0.5, 1.0, 2.0, 3.0, -1.0])
WEIGHTED = st.lists(st.tuples(NODES, NODES, WEIGHTS), min_size=1, max_size=25)
UNWEIGHTED = st.lists(st.tuples(NODES, NODES), min_size=1, max_size=25)


def by_hand(edges, directed, rule):
    """Each direction of a pair is a telling, and what both tell counts once, unless a pair is contradicted or sums
    are asked for: then every entry counts."""
    told = defaultdict(list)
    for place, (u, v, w) in enumerate(edges):
        told[u, v].append((place, w))
    weights = {pair: sorted(w for _, w in listed) for pair, listed in told.items()}
    both = [(weights[u, v], weights[v, u]) for u, v in told if (v, u) in told]
    every = rule == "sum" or any(sum(there) != sum(back) and there[-1] != back[-1] for there, back in both)
    result = {}
    for u, v in told:
        there, back = told[u, v], told.get((v, u), [])
        if rule == "first":
            listed = there if directed or u == v else sorted(there + back)
            result[u, v] = listed[0][1]
        elif rule == "max":
            listed = there if directed or u == v else there + back
            result[u, v] = max(w for _, w in listed)
        else:
            mine, other = (sum(sorted(w for _, w in side)) for side in (there, back))
            if directed or u == v or not back:
                result[u, v] = mine
            elif every or mine == other:
                result[u, v] = mine + other if every else mine
            else:
                counts = [Counter(w for _, w in side) for side in (there, back)]
                result[u, v] = sum(w * k for w, k in (counts[0] | counts[1]).items())
        if not directed:
            result[v, u] = result[u, v]
    return {pair: w for pair, w in result.items() if w != 0}


@given(WEIGHTED, st.booleans(), st.sampled_from(["auto", "sum", "first", "max"]))
def test_weighted_lists_follow_the_stated_rule(edges, directed, rule):
    graph = as_graph(edges, directed=directed, duplicates=rule)
    expected = by_hand(edges, directed, rule)
    assert entries(graph) == pytest.approx(expected)


@given(UNWEIGHTED, st.booleans())
def test_unweighted_lists_count_each_edge_once(edges, directed):
    graph = as_graph(edges, directed=directed)
    arcs = set(edges) if directed else {*edges, *((v, u) for u, v in edges)}
    assert entries(graph) == dict.fromkeys(arcs, 1.0)
    assert graph.reading.n_duplicates == len(edges) - len(set(edges))


@given(UNWEIGHTED)
def test_counting_repetitions_on_request(edges):
    graph = as_graph(edges, directed=True, duplicates="sum")
    assert entries(graph) == Counter(edges)


@given(st.dictionaries(st.tuples(NODES, NODES).filter(lambda p: p[0] < p[1]), WEIGHTS, min_size=1), st.data())
def test_each_pair_once_or_twice_gives_the_same_graph(pairs, draw):
    once = [(u, v, w) for (u, v), w in pairs.items()]
    again = [(v, u, w) for u, v, w in once if draw.draw(st.booleans())]
    mixed = draw.draw(st.permutations(once + again))
    assert entries(as_graph(mixed)) == entries(as_graph(once))
    assert not as_graph(mixed).directed
    bare = [edge[:2] for edge in mixed]
    assert entries(as_graph(bare)) == entries(as_graph([edge[:2] for edge in once]))


@given(WEIGHTED, st.randoms(use_true_random=False))
def test_the_order_of_the_list_changes_nothing_but_the_order_of_nodes(edges, random):
    shuffled = edges[:]
    random.shuffle(shuffled)
    assert entries(as_graph(edges)) == entries(as_graph(shuffled))


def test_two_different_weights_make_two_arcs():
    graph = as_graph([("a", "b", 1.0), ("b", "a", 2.0)])
    assert graph.directed
    assert entries(graph) == {("a", "b"): 1.0, ("b", "a"): 2.0}
    assert "read as directed" in graph.reading.notes[0]


def test_a_line_repeated_in_one_direction_only_is_still_an_undirected_list():
    graph = as_graph([(0, 1, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0)])
    assert not graph.directed
    assert entries(graph) == {(0, 1): 2.0, (1, 0): 2.0, (1, 2): 1.0, (2, 1): 1.0}


COUNTS = [("a", "b", 5.0), ("b", "a", 5.0), ("c", "d", 5.0), ("d", "c", 6.0), ("e", "e", 2.0)]


def test_where_one_pair_is_contradicted_all_directions_are_entries_of_their_own():
    with pytest.warns(GraphNotice, match=r"2 pairs given in both directions: .* are summed, as 1 of them"):
        graph = as_graph(COUNTS, directed=False)
    weights = {"ab": 10.0, "ba": 10.0, "cd": 11.0, "dc": 11.0, "ee": 2.0}
    assert entries(graph) == {tuple(pair): weight for pair, weight in weights.items()}
    assert graph.equals(as_graph(COUNTS, directed=False, duplicates="sum"))
    assert (graph.reading.n_duplicates, graph.reading.n_both_ways) == (0, 2)


def test_a_sum_that_is_asked_for_sums_both_directions():
    counted = as_graph([("a", "b"), ("b", "a"), ("a", "b"), ("b", "c")], duplicates="sum")
    assert entries(counted) == {("a", "b"): 3.0, ("b", "a"): 3.0, ("b", "c"): 1.0, ("c", "b"): 1.0}
    assert entries(as_graph(COUNTS[:2], duplicates="sum"))["a", "b"] == 10.0
    both = nx.DiGraph([("a", "b"), ("b", "a")])
    assert entries(as_graph(both, directed=False, duplicates="sum"))["a", "b"] == 2.0
    symmetric = np.array([[0.0, 3.0], [3.0, 0.0]])  # a matrix has two entries for an edge in any case
    assert entries(as_graph(symmetric, duplicates="sum")) == {(0, 1): 3.0, (1, 0): 3.0}


@pytest.mark.parametrize("edges", [[(0, 1), (0, 1)], [(0, 1, 2.0), (0, 1, 2.0)], [(0, 1, 2.0), (1, 0, 3.0)]])
def test_duplicates_can_be_refused(edges):
    with pytest.raises(InputError, match=r"duplicates=.error"):
        as_graph(edges, duplicates="error", directed=False)
    assert as_graph([(0, 1, 2.0), (1, 0, 2.0)], duplicates="error").n_edges == 1


def test_weights_that_cancel_are_no_edge_but_their_nodes_stay():
    graph = as_graph([(0, 1, 1.0), (0, 1, -1.0), (1, 2, 0.0), (3, 1, 5.0)])
    assert graph.nodes.tolist() == [0, 1, 2, 3]
    assert entries(graph) == {(3, 1): 5.0, (1, 3): 5.0}
    assert graph.reading.n_zero_weights == 1
    assert any("cancel" in note for note in graph.reading.notes)


def test_everything_combined_is_said_once_in_words():
    with pytest.warns(UserWarning) as caught:
        as_graph([("a", "b"), ("a", "b"), ("b", "a")])
    assert len(caught) == 1
    assert "1 repeated entry combined" in str(caught[0].message)
    assert "1 pair given in both directions" in str(caught[0].message)
