"""Advice without labels: what is asked of designs, how one is chosen, and what is said."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import phusion
from phusion.advice.advise import Advice, Recommendation, Tried, advise, chosen
from phusion.advice.candidates import candidates_for
from phusion.advice.measures import Measures, measured
from phusion.advice.noise import noisy, thinned
from phusion.advice.roles import core_numbers, roles_of
from phusion.advice.sample import part_of
from phusion.advice.surroundings import places_of
from phusion.advice.words import degrees_of, reasons_for
from phusion.cli.app import run
from phusion.errors import InputError
from phusion.execution.resources import Resources


@pytest.fixture
def karate() -> phusion.Graph:
    return phusion.datasets.load("karate")


def of(made) -> phusion.Graph:
    return phusion.as_graph(made)


@pytest.mark.parametrize("seed", range(5))
def test_core_numbers_are_those_of_networkx(seed):
    made = nx.gnm_random_graph(60, 150, seed=seed)
    found = core_numbers(nx.to_scipy_sparse_array(made, dtype=float))
    assert found.tolist() == [nx.core_number(made)[node] for node in made]


def test_roles_are_quarters_of_what_networkx_counts():
    made = nx.barabasi_albert_graph(80, 3, seed=1)
    roles = roles_of(of(made))
    degrees = np.array([degree for _, degree in made.degree()])
    clustering = np.array([nx.clustering(made)[node] for node in made])
    for name, values in (("degree", degrees), ("clustering", clustering)):
        order = np.argsort(values, kind="stable")
        assert (np.diff(roles[name][order]) >= 0).all(), name
        assert roles[name].max() == 3
        for value in np.unique(values):
            assert len(set(roles[name][values == value])) == 1, "equal nodes are in one quarter"


def test_roles_in_which_all_nodes_are_equal_are_left_out():
    assert roles_of(of(nx.cycle_graph(20))) == {}


def test_made_up_places_are_shared_by_neighbours():
    cliques = nx.ring_of_cliques(20, 8)
    for classes in places_of(of(cliques), seed=0).values():
        assert classes.mean() == pytest.approx(0.1, abs=0.01)
        both = np.mean([(classes[u] & classes[v]).mean() for u, v in cliques.edges])
        assert both > 5 * 0.1**2, "five times as often as by chance"


def test_a_part_has_as_many_nodes_as_asked_for_and_all_edges_between_them(karate):
    whole = of(nx.barabasi_albert_graph(500, 3, seed=2))
    part = part_of(whole, 100, seed=0)
    assert len(part) == 100 and part_of(whole, 500) is whole
    places = whole.positions(part.nodes.tolist())
    assert (part.adjacency != whole.adjacency[places][:, places]).nnz == 0
    assert part.nodes.tolist() == part_of(whole, 100, seed=0).nodes.tolist()
    assert part.nodes.tolist() != part_of(whole, 100, seed=1).nodes.tolist()


def test_a_part_of_a_graph_without_edges_is_found():
    assert len(part_of(phusion.as_graph(np.zeros((50, 50))), 20)) == 20


@pytest.mark.parametrize("directed", [False, True])
def test_thinning_takes_a_share_of_the_edges_and_no_self_loop(directed):
    matrix = sparse.random_array((40, 40), density=0.2, rng=np.random.default_rng(0)).toarray()
    matrix = matrix if directed else matrix + matrix.T
    np.fill_diagonal(matrix, 2.0)
    graph = phusion.as_graph(matrix, directed=directed)
    fewer = thinned(graph, 0.25, seed=1)
    edges = graph.n_edges - graph.n_self_loops
    assert fewer.n_edges == graph.n_edges - round(0.25 * edges)
    assert fewer.n_self_loops == 40
    kept = fewer.adjacency.toarray()
    assert np.array_equal(kept[kept != 0], matrix[kept != 0])
    assert directed or np.array_equal(kept, kept.T)


def test_there_are_thirty_five_candidates_of_each_kind_for_plain_graphs(karate):
    for kind in ("positional", "structural"):
        found = candidates_for(karate, kind)
        assert len(found) == 35 == len({one.words for one in found})
        assert {one.spec.embedding.structural for one in found} == {kind == "structural"}


@pytest.mark.parametrize("edges", [{"directed": True}, {"signed": True}], ids=str)
def test_directed_and_signed_graphs_have_candidates_of_their_own(edges):
    random = np.random.default_rng(0)
    matrix = sparse.random_array((40, 40), density=0.15, rng=random).toarray()
    if edges.get("signed"):
        matrix = np.sign(random.normal(size=(40, 40))) * matrix
        matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T
    graph = phusion.as_graph(matrix, directed=edges.get("directed", False))
    advice = advise(graph, "structural")
    assert advice.structural.tried[0].measures.told > 0
    phusion.embed(graph, advice.structural.spec)


def test_what_a_perfect_design_tells_is_all_and_of_no_design_more(karate):
    for result in measured(karate, candidates_for(karate, "structural"), Resources()):
        assert isinstance(result, Measures)
        assert 0 <= result.told <= 100 and 0 <= result.stability <= 1 and result.rank >= 0
        assert set(result.parts) == {"degree", "neighbours' degree", "core", "clustering"}


@pytest.mark.parametrize("directed", [False, True])
def test_noise_is_a_tenth_more_edges_of_the_same_weights_between_others(directed):
    random = np.random.default_rng(1)
    matrix = sparse.random_array((60, 60), density=0.1, rng=random).toarray().round(2)
    matrix = matrix if directed else np.triu(matrix, 1) + np.triu(matrix, 1).T
    graph = phusion.as_graph(matrix, directed=directed)
    found = noisy(graph, 0.1, seed=3)
    before, after = graph.adjacency.toarray(), found.adjacency.toarray()
    assert found.n_edges == graph.n_edges + round(0.1 * graph.n_edges) and found.directed == directed
    assert (after[before != 0] == before[before != 0]).all() and set(after[after != 0]) <= set(before[before != 0])
    assert (np.diag(after) == np.diag(before)).all() and (directed or (after == after.T).all())
    assert np.array_equal(noisy(graph, 0.1, seed=3).adjacency.toarray(), after)
    complete = phusion.as_graph(np.ones((5, 5)) - np.eye(5))
    assert noisy(complete, 0.5).n_edges == 10  # there is nobody left to join


def test_advice_says_what_guessing_finds_how_degrees_are_and_what_to_take_where_edges_are_uncertain(karate):
    advice = advise(karate)
    assert any("1 to 17 neighbours, 3 in the median and 4.6 on average; a heavy tail" in note for note in advice.notes)
    for each in advice.recommendations:
        best = each.tried[0].measures
        assert f"Guessing finds {best.guessed:.1f} %" in each.reasons[0] and 5 < best.guessed < best.told
        assert 0 <= best.under_noise <= 1
    candidates = candidates_for(karate, "structural")[:3]
    order = [
        (one, Measures(told, {}, 25.0, stable, stable, 2.0, {}))
        for one, told, stable in zip(candidates, (70.0, 60.0, 50.0), (0.1, 0.3, 0.9), strict=True)
    ]
    assert any(f"take {candidates[2].words}: 50.0 %" in reason for reason in reasons_for("structural", order))
    assert not any("uncertain" in reason for reason in reasons_for("structural", order[1:]))


@pytest.mark.parametrize(
    ("stable", "words"),
    [
        ((0.1, 0.3, 0.9), "{0}, which is not stable; {2} is, and tells 50.0 % in place of 70.0 %"),
        ((0.1, 0.3, 0.4), "{0}, which is not stable; nor is any that tells more than guessing"),
        ((0.3, 0.9, 0.9), "{0}"),
    ],
)
def test_the_headline_says_where_the_design_is_not_stable_and_which_one_is(karate, stable, words):
    candidates = candidates_for(karate, "structural")[:3]
    tried = tuple(
        Tried(one, Measures(told, {}, 25.0, each, each, 2.0, {}))
        for one, told, each in zip(candidates, (70.0, 60.0, 50.0), stable, strict=True)
    )
    advice = Advice(None, Recommendation("structural", candidates[0].spec, (), tried))
    line = "structural: " + words.format(*(one.words for one in candidates))
    assert line in str(advice).splitlines() and line in advice._repr_html_()


FRIENDS = (
    "Ada Ben, Ada Cleo, Ada Dan, Ada Eva, Ben Cleo, Dan Eva, Eva Kim, "
    "Kim Gus, Fay Gus, Fay Hal, Fay Ida, Fay Jon, Gus Hal, Ida Jon"
)
"""The eleven friends of the documentation's first page."""


def test_a_graph_too_small_to_tell_is_said_to_be_and_guessing_is_named_where_it_is_as_good():
    advice = advise(of([pair.split() for pair in FRIENDS.split(", ")]))
    said = str(advice)
    assert "11 nodes are too few to tell which design is best" in said
    assert "netmf (dim=5) for places and graphwave for roles" in said
    assert "tail" not in said and "bell" not in said
    assert advice.positional.tried[0].measures.told <= advice.positional.tried[0].measures.guessed
    assert "no better than guessing" in advice.positional.reasons[1]
    assert not any("guessing:" in reason for reason in advice.structural.reasons)


def test_what_is_told_of_a_graph_of_some_size_has_no_such_warnings(karate):
    said = str(advise(karate))
    assert "too few" not in said and "no better than guessing" not in said


@pytest.mark.parametrize(
    ("made", "heavy"),
    [
        (nx.barabasi_albert_graph(300, 2, seed=0), True),
        (nx.star_graph(40), True),
        (nx.random_regular_graph(4, 40, seed=0), False),
        (nx.grid_2d_graph(8, 8), False),
        (nx.disjoint_union(nx.path_graph(60), nx.star_graph(3)), False),
        (nx.disjoint_union(nx.complete_graph(60), nx.path_graph(3)), False),  # few have few: a tail to the other side
    ],
    ids=["hubs", "star", "regular", "grid", "path", "clique"],
)
def test_a_heavy_tail_is_told_only_where_some_have_many_more_neighbours_than_most(made, heavy):
    assert ("some have very many" in degrees_of(of(made))) is heavy


def test_of_designs_that_tell_the_same_the_stabler_one_is_chosen(karate):
    candidates = candidates_for(karate, "structural")[:4]
    told, stable = (70.0, 69.8, 69.4, 40.0), (0.2, 0.6, 0.9, 1.0)
    tried = [Tried(c, Measures(t, {}, 0.0, s, s, 1.0, {})) for c, t, s in zip(candidates, told, stable, strict=True)]
    assert [one.candidate for one in chosen(tried)] == [candidates[i] for i in (1, 0, 2, 3)]


@pytest.mark.parametrize(
    ("told", "stable", "first"),
    [
        ((70.0, 69.8, 69.2, 69.1), (0.0, 0.1, 0.6, 0.9), 2),  # the best of those that are stable
        ((70.0, 69.8, 69.2, 69.1), (0.0, 0.3, 0.6, 0.9), 1),  # stable enough
        ((70.0, 69.8, 69.2, 68.9), (0.0, 0.1, 0.4, 0.9), 1),  # the stable one tells less
    ],
)
def test_a_stable_design_within_a_point_is_chosen_before_one_that_is_not_stable(karate, told, stable, first):
    candidates = candidates_for(karate, "structural")[:4]
    tried = [Tried(c, Measures(t, {}, 0.0, s, s, 1.0, {})) for c, t, s in zip(candidates, told, stable, strict=True)]
    assert chosen(tried)[0].candidate == candidates[first]


def test_structural_advice_for_planted_roles_finds_them():
    graph = phusion.datasets.planted(seed=0)
    spec = advise(graph, "structural").structural.spec
    rows = phusion.embed(graph, spec).values
    from phusion.evaluation.node_classification import NodeClassification

    score = NodeClassification(splits=5).score(rows, graph.labels, 0)["accuracy"]
    assert np.mean(score) > 90


def test_advice_is_the_same_twice_and_its_specs_embed_the_graph(karate):
    first, second = advise(karate), advise(karate)
    assert str(first) == str(second)
    for each in first.recommendations:
        assert phusion.embed(karate, each.spec).values.shape[0] == 34
        assert len(each.reasons) >= 3 and each.tried[0].candidate.words in str(first)
    json.dumps(first.as_dict(), allow_nan=False)
    assert f"positional: {first.positional.tried[0].candidate.words}" in first._repr_html_()


def test_a_large_graph_is_sampled_and_that_is_said():
    advice = advise(nx.barabasi_albert_graph(120, 3, seed=0), "positional", sample=60, dim=8)
    assert advice.notes[0].startswith("measured on 60 of 120 nodes")
    assert advice.positional.spec.embedding.dim == 8


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "both sorts"}, "kind is"),
        ({"dim": 0}, "dim is a whole number"),
        ({"sample": 5}, "sample is a whole number ≥ 10"),
        ({"seed": -1}, "seed is"),
    ],
)
def test_what_makes_no_sense_is_refused(karate, given, words):
    with pytest.raises(InputError, match=words):
        advise(karate, **given)


@pytest.mark.parametrize(
    ("graph", "words"),
    [(np.ones((3, 3)), "10 nodes"), (np.zeros((20, 20)), "no edges")],
)
def test_graphs_of_which_nothing_can_be_asked_are_refused(graph, words):
    with pytest.raises(InputError, match=words):
        advise(phusion.as_graph(graph))


def test_the_command_prints_reasons_and_writes_specs_that_embed_takes(tmp_path, capsys):
    near, alike = tmp_path / "near.toml", tmp_path / "alike.toml"
    assert run(["advise", "karate", "--dim", "4", "--positional", str(near), "--structural", str(alike)]) == 0
    said = capsys.readouterr().out
    assert "positional: " in said and "linear model finds" in said
    assert "structural: heat → log, which is not stable; heat → binarize 50 is, and tells" in said
    for spec in (near, alike):
        assert run(["embed", "karate", "--spec", str(spec), "-o", str(tmp_path / f"{spec.stem}.csv")]) == 0
    capsys.readouterr()
    assert run(["advise", "karate", "--positional", str(near)]) == 4, "not replaced without --force"
    assert run(["advise", "karate", "--kind", "structural", "--positional", str(tmp_path / "x.toml")]) == 2
    capsys.readouterr()
    assert run(["advise", "karate", "--kind", "structural", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"notes", "structural"}
