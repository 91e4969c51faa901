"""What users and reviewers broke once: each stays mended."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

import phusion
from phusion.embeddings import Characteristic, Histogram
from phusion.errors import FileError, InputError, InputTypeError, MethodWarning
from phusion.poolings import Trace
from phusion.proximities import Fabp, Heat, Katz, LaplacianPinv, Pagerank, Ppmi, PpmiLimit, Wave

DIAGONAL = {"proximity": "heat", "embedding": "diagonal"}


def rounding_apart(graph, proximity, nonlinearity, embedding):
    """Rows of all nodes of a vertex-transitive graph, which are all alike."""
    rows = phusion.PhUSION(proximity, nonlinearity, embedding).fit_transform(graph)
    return np.abs(rows - rows[0]).max()


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
@pytest.mark.parametrize("graph", [nx.cycle_graph(30), nx.petersen_graph(), nx.circular_ladder_graph(16)], ids=len)
@pytest.mark.parametrize("nonlinearity", ["identity", "log", "binarize", "log_ramp"])
@pytest.mark.parametrize(
    "proximity", ["wave", Heat(1000), "laplacian_pinv", "ppmi_limit", "walk_power", {"name": "walk_power", "order": 50}]
)
def test_nodes_that_are_all_alike_fall_into_the_same_bins(graph, proximity, nonlinearity):
    assert rounding_apart(graph, proximity, nonlinearity, Histogram(bins=8)) == 0


@pytest.mark.parametrize("scale", [1e3, 5e3, 1e6, 1e12, 1e300])
def test_heat_that_has_flowed_for_ages_is_spread_by_degree(scale):
    graph = phusion.as_graph(nx.barabasi_albert_graph(60, 2, seed=1))
    spread = np.sqrt(np.outer(graph.degrees, graph.degrees)) / graph.volume
    assert np.allclose(Heat(scale=scale).dense(graph), spread, rtol=0, atol=1e-12)


def test_heat_of_heavy_weights_keeps_what_it_says():
    graph = phusion.as_graph([("a", "b", 1e6), ("b", "c", 0.01)])
    heat = Heat(scale=1000, laplacian="combinatorial").dense(graph)
    assert np.allclose(heat.sum(axis=1), 1, atol=1e-6)


def test_a_wave_that_turns_too_fast_warns():
    with pytest.warns(MethodWarning, match="too fast for doubles"):
        phusion.embed(nx.path_graph(4), {"proximity": {"name": "wave", "scale": 1e16}, "embedding": "diagonal"})
    assert np.allclose(Wave(scale=0).dense(phusion.as_graph(nx.path_graph(4))), np.eye(4))


def test_katz_of_graphs_without_cycles_is_exact_at_any_condition():
    path = phusion.as_graph([(i, i + 1, 1000.0) for i in range(29)], directed=True)
    assert np.allclose(Katz().dense(path)[0], [0, *(10.0**k for k in range(1, 30))], rtol=1e-12)
    with pytest.raises(InputError, match="no cycles"):
        Katz("0.5/λmax").dense(path)
    assert not Katz("0.5/λmax").dense(phusion.as_graph(np.zeros((2, 2)))).any()


def test_nearly_disconnected_graphs_are_refused_in_words():
    graph = phusion.as_graph([("a", "b", 1.0), ("b", "c", 1e-18), ("c", "d", 1.0)])
    with pytest.raises(InputError, match="beyond double precision"):
        LaplacianPinv().dense(graph)


@pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")
def test_lone_nodes_with_a_loop_have_pseudoinverse_zero():
    graph = phusion.as_graph(np.diag([1.5, 7.0, 0.3, 0.0]))
    assert not LaplacianPinv().dense(graph).any()
    assert np.isfinite(PpmiLimit().dense(graph)).all() and np.abs(PpmiLimit().dense(graph)).max() < 1e3


def test_formulas_alone_refuse_what_models_refuse():
    signed = phusion.as_graph([(0, 1, -1), (1, 2, 1)])
    for proximity in (Ppmi(), Fabp(), Pagerank(), LaplacianPinv()):
        with pytest.raises(InputError, match=r"does not take signed graphs.*signed_walk is made"):
            proximity.dense(signed)
    with pytest.raises(InputError, match="is not one scale"):
        Katz(beta=[0.1, 0.2]).dense(phusion.as_graph([(0, 1)]))


def test_a_rank_that_cuts_through_equal_eigenvalues_warns():
    with pytest.warns(MethodWarning, match="cuts through equal eigenvalues"):
        phusion.embed(nx.cycle_graph(12), {"proximity": {"name": "ppmi", "rank": 2}, "embedding": "diagonal"})


def test_numbers_beyond_doubles_are_refused_not_returned():
    karate = phusion.datasets.load("karate")
    with pytest.raises(InputError, match="not finite"), np.errstate(all="ignore"):
        phusion.PhUSION("adjacency_power", "identity", Characteristic(landmarks=[1e308])).fit(karate)
    with pytest.raises(InputError, match="overflows on this graph"):
        phusion.PhUSION({"name": "adjacency_power", "order": 900}).fit(karate)
    with pytest.raises(InputError, match="heuristic of FaBP overflows"):
        Fabp().dense(phusion.as_graph([(0, 1, 1e200), (1, 2, 1.0)]))
    big = phusion.PhUSION({"name": "adjacency_power", "order": 80}, "identity", "diagonal", normalize="l2")
    assert np.allclose(big.fit_transform(nx.complete_graph(120)), 1)


def test_missing_and_odd_attributes_are_named():
    path = nx.path_graph(3)
    nx.set_node_attributes(path, {0: 1, 1: 2}, "age")
    nx.set_node_attributes(path, {0: [1.0, 2.0], 1: [0.0, 1.0], 2: [3.0, 1.0]}, "place")
    model = phusion.GraphPhUSION(phusion.PhUSION("heat", "identity", "diagonal"), "sum")
    with pytest.raises(InputError, match=r"holds None.*Fill missing values"):
        model.set_params(attributes="age").fit([path])
    values = model.set_params(attributes="place").fit_transform([path])
    heat = Heat().dense(phusion.as_graph(path)).diagonal()
    assert np.allclose(values[0], heat @ np.array([[1, 2], [0, 1], [3, 1]]))


def test_the_complete_normalisation_is_for_the_diagonal_of_heat_and_wave():
    model = phusion.GraphPhUSION(phusion.PhUSION("heat", "log", "characteristic"), Trace("complete"))
    with pytest.raises(InputError, match="diagonal of heat and wave alone"):
        model.fit([nx.path_graph(3)])


def test_ids_larger_than_64_bits_and_numpys_own_are_kept(tmp_path):
    found = phusion.embed([(2**63, 2**64 - 1), (2**64 - 1, 5)], DIAGONAL)
    for suffix in (".npz", ".parquet", ".h5ad", ".csv"):
        if suffix == ".h5ad":
            pytest.importorskip("h5py")
        said = found.save(tmp_path / f"big{suffix}")
        back = phusion.Embedding.load(tmp_path / f"big{suffix}").nodes.tolist()
        assert back == found.nodes.tolist() or ("written as text" in said[0] and back == list(map(str, found.nodes)))
    graph = nx.Graph([(np.int32(1), np.int32(3))])
    assert phusion.embed(graph, DIAGONAL).save(tmp_path / "numpy.npz") == ()
    assert phusion.Embedding.load(tmp_path / "numpy.npz").nodes.tolist() == [1, 3]


def test_what_a_format_cannot_hold_is_said_in_words(tmp_path):
    odd = phusion.Embedding(np.zeros((1, 1)), np.array(["\ud800"], dtype=object), ("x",))
    with pytest.raises(InputError, match="cannot hold this embedding"):
        odd.save(tmp_path / "odd.csv")
    assert not list(tmp_path.iterdir())
    (tmp_path / "twice.csv").write_text("node,x\n1,0.5\n1,0.7\n")
    with pytest.raises(FileError, match="twice"):
        phusion.Embedding.load(tmp_path / "twice.csv")
    (tmp_path / "junk.tsv").write_text("hello\n")
    with pytest.raises(FileError, match="header"):
        phusion.Embedding.load(tmp_path / "junk.tsv")


def test_an_embedding_is_a_collection_of_ids():
    found = phusion.embed("karate", DIAGONAL)
    assert 34 in found and 99 not in found and list(found) == found.nodes.tolist()
    assert np.array_equal(found.positions([1, 1]), [0, 0])
    with pytest.raises(InputError, match="n is a whole number"):
        found.nearest(1, -1)


def test_repeated_ids_are_repeated_rows():
    karate = phusion.datasets.load("karate")
    rows = phusion.PhUSION("heat", graph=karate).fit_transform([34, 34, 1])
    assert np.array_equal(rows[0], rows[1]) and rows.shape == (3, 50)


def test_arrays_of_graphs_are_batches():
    graphs = np.empty(3, dtype=object)
    graphs[:] = [nx.path_graph(3), nx.path_graph(4), nx.cycle_graph(4)]
    assert phusion.GraphPhUSION().fit_transform(graphs).shape == (3, 50)


def test_names_that_do_not_exist_suggest_the_nearest_everywhere():
    with pytest.raises(InputError, match=r"Heat has no parameter 'sclae'. Did you mean 'scale'\?"):
        Heat(sclae=1)
    with pytest.raises(InputTypeError, match="a proximity Ψ is given by object, by name or by a mapping"):
        phusion.PhUSION(3).fit(nx.path_graph(3))
    with pytest.raises(InputError, match="needs beta > 0"):
        Katz(beta="0/λmax")
    with pytest.raises(InputError, match="got 1000"):
        Heat(scale=10**400)


def test_a_plug_in_cannot_take_the_name_of_a_component():
    from phusion.proximities.base import Kinds, Proximity

    with pytest.raises(InputError, match="has a component called 'heat' already"):

        class Other(Proximity, name="heat"):
            """Another."""

            kinds = Kinds(directed="", signed="")


def test_one_lost_thread_of_blas_changes_nothing(tmp_path):
    program = """
import sys, numpy as np, networkx as nx, phusion
ladder, ring = nx.circular_ladder_graph(64), nx.cycle_graph(257)
found = [
    phusion.embed(ladder, "netmf", dim=8).values,
    phusion.PhUSION("laplacian_pinv", "binarize", {"name": "svd", "dim": 5}).fit_transform(ladder),
    phusion.PhUSION("wave", "binarize", {"name": "histogram", "bins": 2}).fit_transform(ring),
    phusion.PhUSION("heat", "log", "characteristic").fit_transform(ring),
]
np.savez(sys.argv[1], *found)
"""
    for threads in ("1", "2"):
        environment = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / f"{threads}.npz")], env=environment, check=False
        )
        assert done.returncode == 0
    with np.load(tmp_path / "1.npz") as one, np.load(tmp_path / "2.npz") as two:
        for name in one:
            assert np.allclose(one[name], two[name], rtol=0, atol=1e-8 * np.abs(one[name]).max())
