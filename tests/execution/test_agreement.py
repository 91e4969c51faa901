"""A block at a time gives what the formula gives written out: every Ψ × σ × ζ, and every stream by itself."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from tests.contracts.graphs import examples
from tests.execution.ways import (
    EMBEDDINGS,
    MORE_EMBEDDINGS,
    NONLINEARITIES,
    blocked,
    every_method,
    graphs,
    takes,
    written_out,
)

from phusion.embeddings import SVD, Characteristic
from phusion.errors import MethodWarning
from phusion.nonlinearities import Log
from phusion.proximities import Heat, Katz, Pagerank, SignedWalk
from phusion.spec import Spec

pytestmark = pytest.mark.filterwarnings("ignore::phusion.errors.MethodWarning")

GRAPHS = graphs()
PROXIMITIES = examples("proximities")
LONG = ("grid", "cycle", "loops", "signed_directed")
"""Left to the slow tests: many equal singular values, a small spectral gap, and what others have too."""

DIGITS = 1e-9
FOURIER = 1e-7
"""Of a characteristic function up to t = 100, where entries themselves have errors of 1e-11: these are the proximities
whose entries are large differences (𝓛⁺ of a long cycle has entries of 30, and its logarithmic ramp is steep)."""
WIDE = {("ppmi_limit", "cycle"), ("laplacian_pinv", "cycle")}

ARBITRARY = {
    "wave": "its entries are cosines that cancel, so that the smallest positive one is close to rounding",
    "katz": "of signed graphs and beyond 1/λmax its entries cancel, so that the smallest positive one may be small",
}
"""Proximities whose logarithm divides by the smallest positive entry where that is an accident; there is a warning."""


def cases(chosen):
    return [
        pytest.param(proximity, name, id=f"{proximity!r}-{name}")
        for proximity in PROXIMITIES
        for name in chosen
        if takes(proximity, GRAPHS[name])
    ]


def cut_and_gap(values, dim):
    """Whether a cut after `dim` goes through more equal singular values than are computed, and the smallest gap."""
    size = values[0] or 1.0
    beyond = values[min(dim + 7, len(values) - 1)]
    steps = -np.diff(values[: dim + 1])
    gaps = steps[steps > 1e-10 * size]
    return (
        values[dim - 1] - beyond <= 1e-10 * size and dim < len(values),
        float(min(gaps.min(initial=size), values[dim - 1] or size)) / size,
    )


def svd_agrees(found, expected, values, dim):
    """Rows where singular vectors are unique; else their lengths, which are."""
    cut, gap = cut_and_gap(values, dim)
    size = np.abs(expected).max(initial=0.0) or 1.0
    if cut:
        lengths = [np.linalg.norm(one, axis=0)[:dim] for one in (found, expected)]
        return np.abs(lengths[0] - lengths[1]).max() <= DIGITS * size
    if gap < 1e-6:  # of entries that are equal but for their sign, rounding tells which one is the larger and positive
        found = found * np.where((found * expected).sum(axis=0) < 0, -1.0, 1.0)
    return np.abs(found - expected).max() <= 4.0 * DIGITS / min(gap, 1.0) * size


def tolerance(spec, matrices, name):
    """What a combination allows."""
    if spec.nonlinearity == Log() and spec.proximity.name in ARBITRARY:
        spread = max(spec.nonlinearity.prepare(matrix).noise for matrix in matrices)
        return max(DIGITS, 100.0 * spread)
    if isinstance(spec.embedding, Characteristic) and (spec.proximity.name, name) in WIDE:
        return FOURIER
    return DIGITS


def check(proximity, name, embeddings=EMBEDDINGS):
    graph = GRAPHS[name]
    specs = every_method(proximity, embeddings)
    found, expected = blocked(graph, specs), written_out(graph, specs)
    settled = proximity.fitted([graph])
    matrices = {entrywise: list(settled.matrices(graph, entrywise=entrywise)) for entrywise in (True, False)}
    values = {
        sigma: [np.linalg.svd(sigma.apply(m).toarray(), compute_uv=False) for m in matrices[sigma.entrywise]]
        for sigma in NONLINEARITIES
    }
    for spec, one, other in zip(specs, found, expected, strict=True):
        words = f"{spec.nonlinearity!r} → {spec.embedding!r} on {name}"
        assert one.shape == other.shape and np.isfinite(one).all(), words
        allowed = tolerance(spec, matrices[True], name)
        if allowed > 1e-3:
            continue  # nothing but an accident is compared
        if isinstance(spec.embedding, SVD):
            if allowed > DIGITS:
                continue
            width = spec.embedding.width(len(graph))
            for k, each in enumerate(values[spec.nonlinearity]):
                part = slice(k * width, (k + 1) * width)
                assert svd_agrees(one[:, part], other[:, part], each, spec.embedding.dim), words
        else:
            size = np.abs(other).max(initial=0.0) or 1.0
            assert np.abs(one - other).max() <= allowed * size, words


@pytest.mark.parametrize(("proximity", "name"), cases([name for name in GRAPHS if name not in LONG]))
def test_blocks_give_what_the_formula_gives(proximity, name):
    check(proximity, name)


@pytest.mark.slow
@pytest.mark.parametrize(("proximity", "name"), cases(LONG))
def test_blocks_give_what_the_formula_gives_on_more_graphs(proximity, name):
    check(proximity, name, MORE_EMBEDDINGS)


@pytest.mark.parametrize("proximity", [Heat((0.3, 2.0)), Pagerank(), SignedWalk()], ids=repr)
def test_every_choice_of_an_embedding_function_agrees(proximity):
    check(proximity, "directed" if takes(proximity, GRAPHS["directed"]) else "preferential", MORE_EMBEDDINGS)


def test_a_long_cycle_agrees_though_its_gap_is_small():
    for proximity in (one for one in PROXIMITIES if one.name in ("heat", "laplacian_pinv", "pagerank", "ppmi")):
        specs = [Spec(proximity, sigma, zeta) for sigma in NONLINEARITIES[:6] for zeta in EMBEDDINGS[1:3]]
        for one, other in zip(*(way(GRAPHS["cycle"], specs) for way in (blocked, written_out)), strict=True):
            assert np.abs(one - other).max() <= FOURIER


# streams by themselves


def streamed(proximity, graph, *, entrywise, kind=np.float64, transposed=False, width=9):
    """All columns of every matrix of a stream; None if there is none."""
    settled = proximity.fitted([graph])
    stream = settled.stream(graph, entrywise=entrywise, kind=kind, transposed=transposed)
    if stream is None:
        return None
    assert stream.n == len(graph) and stream.count == len(settled.at_each_scale())
    assert stream.column_bytes > 0 and stream.held_bytes > 0
    found = [[] for _ in range(stream.count)]
    diagonals = [[] for _ in range(stream.count)]
    for start in range(0, stream.n, width):
        stop = min(start + width, stream.n)
        for k, block in enumerate(stream.columns(start, stop)):
            assert block.dtype.itemsize <= stream.entry_bytes
            found[k].append(block if isinstance(block, np.ndarray) else block.toarray())
        for k, entries in enumerate(stream.diagonals(start, stop)):
            diagonals[k].append(entries)
    whole = [np.hstack(blocks) for blocks in found]
    for matrix, entries in zip(whole, diagonals, strict=True):
        size = np.abs(matrix).max(initial=0.0) or 1.0
        limit = 1e-11 if kind == np.float64 else 1e-5
        assert np.abs(np.concatenate(entries) - matrix.diagonal()).max() <= limit * size
    return whole


def formulas(proximity, graph):
    return [one.dense(graph) for one in proximity.fitted([graph]).at_each_scale()]


def noises(proximity, graph, matrices):
    from phusion.proximities.matrix import Size

    each = proximity.fitted([graph]).at_each_scale()
    return [one.noise(graph, Size.of(matrix)) for one, matrix in zip(each, matrices, strict=True)]


ALL = cases(GRAPHS)


@pytest.mark.parametrize("transposed", [False, True], ids=["columns", "rows"])
@pytest.mark.parametrize(("proximity", "name"), ALL)
def test_a_stream_gives_every_entry_to_its_own_digits(proximity, name, transposed):
    graph = GRAPHS[name]
    found = streamed(proximity, graph, entrywise=True, transposed=transposed)
    if found is None:
        assert proximity.name == "katz" and graph.directed  # beyond 1/λmax: said so, and written out instead
        return
    expected = formulas(proximity, graph)
    for one, other, noise in zip(found, expected, noises(proximity, graph, expected), strict=True):
        one = one.T if transposed else one
        assert (np.abs(one - other) <= 1e-11 * np.abs(other) + noise).all()
        if not noise:  # exact zeros are exact, as rounding there would become the minimum
            assert np.array_equal(one == 0, other == 0)
        if not proximity.across:
            assert not one[graph.components[:, None] != graph.components].any()


@pytest.mark.parametrize(("proximity", "name"), ALL)
def test_a_stream_for_absolute_accuracy_gives_twelve_digits_of_the_largest(proximity, name):
    graph = GRAPHS[name]
    expected = formulas(proximity, graph)
    for transposed in (False, True):
        found = streamed(proximity, graph, entrywise=False, transposed=transposed)
        for one, other in zip(found or expected, expected, strict=True):
            one = one.T if transposed and found else one
            size = np.abs(other).max(initial=0.0) or 1.0
            assert np.abs(one - other).max() <= 1e-11 * max(1.0, size) * size  # 𝓛⁺ loses what its condition takes


@pytest.mark.parametrize(("proximity", "name"), ALL)
def test_a_stream_in_single_precision_gives_five_digits_of_the_largest(proximity, name):
    graph = GRAPHS[name]
    expected = formulas(proximity, graph)
    for transposed in (False, True):
        found = streamed(proximity, graph, entrywise=False, kind=np.float32, transposed=transposed)
        for one, other in zip(found or expected, expected, strict=True):
            one = one.T if transposed and found else one
            # of a heat kernel whose heat has spread, entries are far smaller than eigenvalues
            allowed = max(1e-5 * np.abs(other).max(initial=0.0), 2e-6 * np.linalg.norm(other, 2), 1e-300)
            assert np.abs(one - other).max() <= allowed


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 0.9999, 1.1, 3.0])
def test_katz_is_right_near_its_pole_and_beyond(share):
    for name in ("preferential", "apart", "loops", "grid"):
        graph = GRAPHS[name]
        proximity = Katz(share / graph.lambda_max)
        (expected,) = formulas(proximity, graph)
        for entrywise in (True, False) if share < 0.999 or share > 1 else (False,):  # a series of 1e5 terms is slow
            (found,) = streamed(proximity, graph, entrywise=entrywise, width=len(graph))
            condition = np.linalg.cond(np.eye(len(graph)) - proximity.beta * graph.adjacency.toarray())
            assert np.abs(found - expected).max() <= 1e-14 * condition * 10 * np.abs(expected).max(), (name, entrywise)


def test_scales_that_take_different_ways_come_back_in_their_own_order():
    graph = GRAPHS["preferential"]
    betas = tuple(share / graph.lambda_max for share in (1.7, 0.3, 2.9, 0.6))
    found = streamed(Katz(betas), graph, entrywise=True)
    for one, other in zip(found, formulas(Katz(betas), graph), strict=True):
        assert np.abs(one - other).max() <= 1e-11 * np.abs(other).max()


def test_warnings_of_a_method_are_the_same_both_ways():
    graph, said = GRAPHS["apart"], []
    for way in ({"strategy": "dense", "memory": "1GB"}, {"strategy": "blocked"}):
        from phusion.execution.engine import compute
        from phusion.execution.jobs import Job
        from phusion.execution.planning import make_plan
        from phusion.execution.resources import Resources

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", MethodWarning)
            for proximity in PROXIMITIES:
                if takes(proximity, graph):
                    job = Job(Spec(proximity, "identity", "diagonal"), proximity.fitted([graph]))
                    compute(make_plan(graph, [job], Resources(**way)), 0)
        said.append({str(one.message) for one in caught if issubclass(one.category, MethodWarning)})
    assert said[0] == said[1]
