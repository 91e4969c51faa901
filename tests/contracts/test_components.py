"""What every registered component promises, generated for each."""

from __future__ import annotations

import pickle
import warnings
from copy import deepcopy

import numpy as np
import pytest
from sklearn.base import clone
from tests.contracts.graphs import accepted, examples, of_kinds, random_graph, union

import phusion
from phusion.component import FAMILIES, known, resolve
from phusion.errors import InputError, MethodWarning
from phusion.proximities.matrix import DenseMatrix
from phusion.spec import PARTS, Spec

KINDS = of_kinds()
CLASSES = [pytest.param(family, made, id=made.__name__) for family in FAMILIES for made in known(family).values()]
COMPONENTS = [pytest.param(one, id=repr(one)) for family in FAMILIES for one in examples(family)]
PROXIMITIES = [pytest.param(one, id=repr(one)) for one in examples("proximities")]
NONLINEARITIES = examples("nonlinearities")
SCALED = [one for one in known("proximities").values() if one.scale_parameter]
EMBEDDINGS = [one for one in examples("embeddings") if one.name != "autoencoder"]

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")


@pytest.mark.parametrize("made", SCALED, ids=lambda one: one.__name__)
def test_scale_means_the_scale_whatever_it_is_called(made):
    own = made(**{made.scale_parameter: "auto"})
    assert made(scale="auto") == own == made().replace(scale="auto")
    assert resolve("proximities", {"name": made.name, "scale": "auto"}) == own
    assert Spec(made(), "identity", "characteristic").with_settings(["proximity.scale=auto"]).proximity == own
    assert phusion.PhUSION(made()).set_params(proximity__scale="auto").spec.proximity == own
    if made.scale_parameter != "scale":
        with pytest.raises(InputError, match="twice"):
            made(**{made.scale_parameter: "auto", "scale": "auto"})


def arrays(proximity, graph, **options):
    return [matrix.toarray() for matrix in proximity.fitted([graph]).matrices(graph, **options)]


def graphs_for(proximity):
    for name, graph in KINDS.items():
        no_gap = proximity.scale_value == "graphwave" and name in ("one_node", "one_loop", "no_edges", "signed")
        if accepted(proximity, graph) and not no_gap:
            yield name, graph


@pytest.mark.parametrize(("family", "made"), CLASSES)
def test_a_component_documents_its_formula_parameters_source_and_an_example(family, made):
    assert made.title() and made.formula() and made.source()
    assert f"phusion.{family}.{made.__name__}(" in made.example()
    for parameter in made.parameters():
        assert parameter.meaning, parameter.name
        assert parameter.accepts


@pytest.mark.parametrize(("family", "made"), CLASSES)
def test_a_component_is_a_name_of_its_package_and_lives_in_the_file_of_its_name(family, made):
    assert getattr(getattr(phusion, family), made.__name__) is made
    assert made.__module__ == f"phusion.{family}.{made.name}"


@pytest.mark.parametrize("one", COMPONENTS)
def test_a_component_clones_pickles_and_round_trips_through_plain_values(one):
    for other in (clone(one), pickle.loads(pickle.dumps(one)), deepcopy(one), resolve(one.family, one.as_dict())):
        assert other == one and hash(other) == hash(one) and repr(other) == repr(one)
    assert (
        eval(repr(one), vars(__import__(f"phusion.{one.family}", fromlist=["x"])) | {type(one).__name__: type(one)})
        == one
    )


@pytest.mark.parametrize("one", COMPONENTS)
def test_a_component_round_trips_through_every_form_of_a_spec(one):
    part = next(part for part, family in PARTS.items() if family == one.family)
    if part == "propagate":  # of rows that are positional, and of nodes
        spec = Spec(embedding="svd", propagate=one, random_state=3, normalize="l2")
        assert (
            Spec.from_toml(spec.to_toml()) == Spec.from_json(spec.to_json()) == Spec.from_dict(spec.as_dict()) == spec
        )
        return
    spec = Spec(**{"pooling": "mean", "random_state": 3, "normalize": "l2", "attributes": ("labels",), part: one})
    assert Spec.from_toml(spec.to_toml()) == Spec.from_json(spec.to_json()) == Spec.from_dict(spec.as_dict()) == spec


@pytest.mark.parametrize(("family", "made"), CLASSES)
def test_every_number_has_bounds_that_hold_and_unknown_parameters_are_named(family, made):
    for parameter in made.parameters():
        for nonsense in (float("nan"), float("inf"), -1, object(), "no such thing", [], b"", {}, [float("nan")]):
            try:
                value = parameter.checked(nonsense, made.__name__)
            except InputError as error:
                assert made.__name__ in str(error) and parameter.name in str(error)
                assert repr(nonsense)[:20] in str(error)
            else:
                assert value == nonsense or list(value) == nonsense, "a value is taken as given or refused"
    with pytest.raises(InputError, match="has no parameter 'nonsense'"):
        made().replace(nonsense=1)


@pytest.mark.parametrize("one", PROXIMITIES)
def test_refused_kinds_are_refused_with_their_reason_and_all_others_are_computed(one):
    refused = one.kinds.refused()
    for name in ("directed", "signed"):
        if name in refused:
            with pytest.raises(InputError, match=f"does not take {name} graphs"):
                one.check(KINDS[name])
    for name, graph in graphs_for(one):
        for values in arrays(one, graph):
            assert values.shape == (len(graph), len(graph)), name
            assert np.isfinite(values).all(), name


@pytest.mark.parametrize("one", PROXIMITIES)
def test_blocks_of_scales_and_fast_paths_equal_the_dense_formula(one):
    for name, graph in graphs_for(one):
        fitted = one.fitted([graph])
        each = fitted.at_each_scale()
        for options in ({"entrywise": True}, {"entrywise": False}):
            for scale, matrix in zip(each, fitted.matrices(graph, **options), strict=True):
                dense = scale.dense(graph)
                if not scale.across:
                    dense = np.where(graph.components[:, None] == graph.components, dense, 0.0)
                size = max(1.0, np.abs(dense).max())
                assert np.allclose(matrix.toarray(), dense, rtol=0, atol=1e-11 * size), (name, scale)
                assert np.allclose(matrix.diagonal(), matrix.toarray().diagonal(), rtol=0, atol=1e-12 * size)
                if matrix.symmetric:
                    assert np.array_equal(matrix.toarray(), matrix.toarray().T)


@pytest.mark.parametrize("one", PROXIMITIES)
def test_proximities_follow_a_permutation_of_the_nodes(one):
    if getattr(one, "rank", None):
        return  # the cut may go through equal eigenvalues
    for name, graph in graphs_for(one):
        order = np.random.default_rng(1).permutation(len(graph))
        for there, here in zip(arrays(one, graph.permuted(order)), arrays(one, graph), strict=True):
            size = max(1.0, np.abs(here).max())
            assert np.allclose(there, here[np.ix_(order, order)], rtol=0, atol=1e-10 * size), name


@pytest.mark.parametrize("one", PROXIMITIES)
def test_nodes_of_different_components_have_proximity_exactly_zero(one):
    if one.across:
        return
    for name in ("disconnected", "isolated"):
        graph = KINDS[name]
        apart = graph.components[:, None] != graph.components
        for options in ({"entrywise": True}, {"entrywise": False}):
            for values in arrays(one, graph, **options):
                assert not values[apart].any()


@pytest.mark.parametrize("one", PROXIMITIES)
def test_every_nonlinearity_gives_finite_values_on_every_proximity_and_keeps_symmetry(one):
    for name, graph in graphs_for(one):
        for entrywise in (True, False):
            fitting = [sigma for sigma in NONLINEARITIES if sigma.entrywise == entrywise]
            for matrix in one.fitted([graph]).matrices(graph, entrywise=entrywise):
                for sigma in fitting:
                    filtered = sigma.apply(matrix)
                    values = filtered.toarray()
                    assert np.isfinite(values).all(), (name, sigma)
                    assert not filtered.symmetric or np.array_equal(values, values.T), (name, sigma)


@pytest.mark.parametrize("sigma", NONLINEARITIES, ids=repr)
def test_a_nonlinearity_does_not_change_its_input(sigma):
    values = np.random.default_rng(0).normal(size=(5, 5))
    before = values.copy()
    sigma.apply(DenseMatrix(values, symmetric=False))
    assert np.array_equal(values, before)


@pytest.mark.parametrize("zeta", EMBEDDINGS, ids=repr)
def test_an_embedding_function_gives_finite_rows_with_a_name_for_each_column(zeta):
    zeta = zeta.replace(dim=1) if hasattr(zeta, "dim") else zeta
    for name, graph in graphs_for(phusion.proximities.Heat()):
        model = phusion.PhUSION("heat", "identity", zeta).fit(graph)
        assert model.embedding_.shape[0] == len(graph) and np.isfinite(model.embedding_).all(), name
        names = model.get_feature_names_out()
        assert len(names) == len(set(names)) == model.embedding_.shape[1]


@pytest.mark.parametrize("one", PROXIMITIES)
def test_structural_rows_are_equal_for_equal_roles_with_every_choice(one):
    """METHODS.md, theorem 1: [A, 0; 0, PAPᵀ]."""
    if getattr(one, "rank", None):
        return  # the cut goes through a pair of equal eigenvalues
    part = random_graph(6, seed=11, density=0.6, directed="directed" not in one.kinds.refused())
    order = np.random.default_rng(2).permutation(6)
    whole = union(part, part.permuted(order))
    for sigma in NONLINEARITIES:
        for matrix in one.fitted([whole]).matrices(whole, entrywise=sigma.entrywise):
            filtered = sigma.apply(matrix)
            for zeta in EMBEDDINGS:
                if zeta.structural:
                    values = zeta.embed(filtered, zeta.learn(filtered))
                    assert np.allclose(values[:6][order], values[6:], rtol=0, atol=1e-8), (sigma, zeta)


@pytest.mark.parametrize("rho", [pytest.param(one, id=repr(one)) for one in examples("poolings")])
def test_poolings_do_not_see_the_order_of_nodes_and_embed_other_graphs_alike(rho):
    batch = [random_graph(5 + i, seed=20 + i, density=0.7) for i in range(4)]
    model = phusion.GraphPhUSION(phusion.PhUSION("heat", "identity", {"name": "characteristic", "landmarks": 3}), rho)
    if rho.name == "trace":
        model.set_params(node__embedding="diagonal")
    values = model.set_params(random_state=0).fit_transform(batch)
    assert np.isfinite(values).all() and values.shape == (4, len(model.get_feature_names_out()))
    assert len(set(model.get_feature_names_out())) == values.shape[1]
    mixed = [graph.permuted(np.random.default_rng(3).permutation(len(graph))) for graph in batch]
    assert np.allclose(model.transform(mixed), values, rtol=0, atol=1e-9)


def test_warnings_of_components_are_of_one_category():
    graph = random_graph(seed=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        phusion.proximities.Katz(beta=10.0).dense(graph)
    assert [item.category for item in caught] == [MethodWarning]


def test_adding_a_proximity_takes_one_file(tmp_path, monkeypatch):
    from phusion import component

    (tmp_path / "loop_count.py").write_text(
        '''
from phusion.parameter import Positive
from phusion.proximities.base import Kinds, Proximity

class LoopCount(Proximity, name="loop_count", scale="factor"):
    """Neighbours, some times over.

    .. math:: S = fA

    Parameters
    ----------
    factor : how many times.

    References
    ----------
    Nobody.

    Examples
    --------
    >>> phusion.proximities.LoopCount()
    LoopCount()
    """

    factor: Positive | tuple[Positive, ...] = 1.0
    symmetric = True
    kinds = Kinds(directed="as A", signed="as A")

    def dense(self, graph):
        return self.factor * graph.adjacency.toarray()
'''
    )
    monkeypatch.setattr(phusion.proximities, "__path__", [*phusion.proximities.__path__, str(tmp_path)])
    monkeypatch.setitem(component._REGISTRY, "proximities", dict(component._REGISTRY["proximities"]))
    component._discover.cache_clear()
    try:
        found = phusion.embed(phusion.datasets.load("karate"), {"proximity": {"name": "loop_count", "factor": [1, 2]}})
        assert found.features[0] == "loop_count_factor1_cos_t0" and found.values.shape == (34, 100)
        assert phusion.proximities.LoopCount(factor=2).dense(KINDS["one_edge"])[0, 1] == 2
        from phusion.cli.components import component_facts

        assert "loop_count" in {row["name"] for row in component_facts()}
    finally:
        component._discover.cache_clear()
