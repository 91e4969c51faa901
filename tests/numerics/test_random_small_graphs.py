"""Random small graphs of every family × every registered component; `make random-graphs` runs 10,000 of them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.numerics.promises import broken, choices
from tests.numerics.small_graphs import FAMILIES, random_graph

import phusion
from phusion.component import FAMILIES as KINDS
from phusion.component import known
from phusion.errors import InputError
from phusion.execution.resources import Resources
from phusion.linalg.bins import bin_places
from phusion.linalg.chebyshev import chebyshev_coefficients
from phusion.poolings import Kernel
from phusion.poolings.base import Nodes
from phusion.together import embed_together

EACH = 9  # graphs of a family here
NAMES = list(FAMILIES)


@pytest.mark.parametrize("family", NAMES)
def test_every_component_is_right_or_refuses_on_graphs_of_every_family(family):
    wrong = []
    for turn in range(EACH):
        number = NAMES.index(family) + turn * len(NAMES)
        name, graph = random_graph(number)
        assert name == family
        wrong += [f"graph {number}: {words}" for words in broken(graph, number)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("weight", [1e-24, 1.0, 1e24])
def test_nodes_alone_do_not_make_entries_of_others_look_equal_in_blocks(weight):
    """Their degree is 0, and what stands in for it must be like the others'."""
    ends = [("a", "b", 1), ("b", "c", 2), ("c", "d", 1), ("d", "e", 3), ("e", "f", 1)]
    graph = phusion.as_graph([(a, b, weight * w) for a, b, w in ends], nodes=[*"abcdef", "alone"])
    method = {"proximity": {"name": "pagerank", "alpha": 0.3}, "embedding": {"name": "histogram", "bins": 5}}
    spec = phusion.Spec.from_dict(method)
    whole, parts = (
        embed_together(graph, [spec], Resources(threads=1, **how))[0].values
        for how in ({"strategy": "dense", "memory": "1GB"}, {"strategy": "blocked", "width": 3})
    )
    assert np.array_equal(whole, parts)


def test_no_component_is_left_out():
    for kind in KINDS:
        assert set(choices(kind)) == set(known(kind)) - {"autoencoder"}


def test_an_ordinary_graph_is_refused_only_by_what_cannot_take_it():
    _, graph = random_graph(1)
    said = []
    assert not broken(graph, 1, said.append)
    assert all("complete graph's trace" in words for words in said), said


def test_weights_without_digits_are_refused_in_words():
    for weight in (5e-324, 1e-310):
        with pytest.raises(InputError, match="doubles lose their digits"):
            phusion.embed([("a", "b", weight), ("b", "c", 1e-300)], "graphwave")
    with pytest.raises(InputError, match="differ by more than 1e"):
        phusion.embed([("a", "b", 1e-200), ("b", "c", 1e200)], "graphwave")


@pytest.mark.parametrize("factor", [1e-300, 1e300])
def test_a_common_factor_of_any_size_changes_nothing_where_the_formula_says_so(factor):
    edges = [("a", "b", 1.0), ("b", "c", 2.0), ("c", "a", 0.5), ("c", "d", 1.0)]
    for name in ("heat", "ppmi", "walk_power", "pagerank", "edge_pmi", "ppmi_limit", "grarep"):
        proximity = known("proximities")[name]()
        one, other = (proximity.dense(phusion.as_graph([(u, v, w * by) for u, v, w in edges])) for by in (1.0, factor))
        assert np.allclose(one, other, rtol=1e-10, atol=1e-13), name


def test_heat_of_heavy_weights_is_the_same_a_block_at_a_time():
    """A polynomial for e^{−t(1−x)} was 0 everywhere, where t was so large that no point came near x = 1."""
    graph = phusion.as_graph([(0, 1, 1e5), (1, 2, 1e5), (2, 0, 1e5), (3, 4, 1.0)])
    heat = phusion.proximities.Heat(3.0, "combinatorial")
    stream = heat.stream(graph, entrywise=True, kind=np.float64, transposed=False)
    assert np.allclose(stream.columns(0, 5)[0], heat.dense(graph), rtol=0, atol=1e-9)


@pytest.mark.parametrize("time", [1.0, 1e3, 1e5, 1e7])
def test_a_polynomial_is_right_where_its_function_lives(time):
    found = chebyshev_coefficients(lambda x: np.exp(-time * (1.0 - x)), -1.0, 1.0, max(1e-12, 1e-15 * time))
    points = np.concatenate([1.0 - np.geomspace(1e-12, 2.0, 200), [1.0]])
    value = np.polynomial.chebyshev.chebval(points, found)
    assert np.abs(value - np.exp(-time * (1.0 - points))).max() < 1e-7


def test_bins_of_numbers_of_any_size():
    for low, high in ((1e300, 1e300), (-1.7e308, 1.7e308), (1e17, 1e17), (0.0, 5e-324)):
        places = bin_places(np.array([low, high]), low, high, 10)
        assert places.min() >= 0 and places.max() <= 9
    assert bin_places(np.array([-1.7e308, 1.7e308]), -1.7e308, 1.7e308, 4).tolist() == [0, 3]


def test_features_beyond_doubles_are_refused_by_poolings_in_words():
    with pytest.raises(InputError, match="overflows: rows of nodes are as large as 1e"):
        Kernel("linear").fit([Nodes(np.array([[1e200], [-1e200], [0.0]]))], [], 0)


@pytest.mark.parametrize("n", range(2, 12))
def test_katz_at_its_pole_is_refused_on_whichever_side_rounding_falls(n):
    graph = phusion.as_graph([(i, i + 1, 1.0 + 0.1 * i) for i in range(n - 1)])
    for share in ("1/λmax", "0.99999999999999/λmax", "1.00000000000001/λmax"):
        katz = phusion.proximities.Katz(share)
        for compute in (katz.dense, lambda g, one=katz: one.stream(g, entrywise=True, kind=float, transposed=False)):
            with pytest.raises(InputError, match="singular"):
                compute(graph)


def test_a_pseudoinverse_that_exists_by_luck_of_rounding_is_refused():
    """It was 10¹⁷⁰ times too small: Cholesky's factors of rounding errors happened to be positive."""
    name, graph = random_graph(5963)
    assert name == "far_apart"
    with pytest.raises(InputError, match="beyond double precision"):
        phusion.proximities.LaplacianPinv("combinatorial").dense(graph)


@pytest.mark.parametrize("number", [122, 513, 2698, 5963, 7527, 8167, 8374, 8447, 8529, 8585])
def test_graphs_that_once_broke_a_component_do_not_break_one_again(number):
    """Numbers of `make random-graphs`; 8374 is an ordinary graph, on which conjugate gradients had gone astray."""
    assert not broken(random_graph(number)[1], number)
