"""What every component promises on every graph: right or refused in words, and never a number that is none.

`broken` runs all registered components on one graph. Right is what a formula in plain numpy gives, for the nodes in
another order too, and however it is computed: at once, in blocks, or beside other graphs. Refused is what has a reason
that the graph bears out. Parameters take turns from graph to graph, so that every component sees every graph, and every
choice of its parameters sees many.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from tests.contracts.graphs import examples
from tests.numerics import formulas
from tests.numerics.nearness import CLOSE, finite, near, singular, within
from tests.numerics.proximities import expected, gap_of_rank, ordinary
from tests.numerics.refusals import unfounded

from phusion.component import known
from phusion.errors import GraphNotice, InputError, MethodWarning, PhusionError
from phusion.execution.engine import compute
from phusion.execution.jobs import Job
from phusion.execution.planning import make_plan
from phusion.execution.resources import Resources
from phusion.features import Feature
from phusion.graph.graph import Graph
from phusion.graph.stack import Stack
from phusion.poolings.base import Nodes
from phusion.proximities.matrix import DenseMatrix
from phusion.spec import Spec

__all__ = ["broken"]

Array = np.ndarray


@cache
def choices(family: str) -> dict[str, list[Any]]:
    """Every component of a family by name, with each choice of its parameters."""
    found: dict[str, list[Any]] = {name: [] for name in known(family)}
    for one in examples(family):
        if one.name != "autoencoder":  # it learns by chance, for seconds; its own tests look at it
            found[one.name].append(one)
    for one in _further().get(family, []):
        found[one.name].append(one)
    return {name: ones for name, ones in found.items() if ones}


def _further() -> dict[str, list[Any]]:
    """Parameters with other formulas."""
    from phusion.embeddings import SVD
    from phusion.nonlinearities import LogRamp
    from phusion.poolings import Kernel, Trace

    return {
        "nonlinearities": [LogRamp(window=2.0, epsilon=0.01)],
        "embeddings": [SVD(3), SVD(4, "both")],
        "poolings": [Kernel("laplace", "laplace"), Kernel("linear", "linear"), Trace("none"), Trace("complete")],
    }


def broken(graph: Graph, number: int, refused: Callable[[str], object] = len) -> list[str]:
    """What does not hold on this graph, in words; `refused` is told who did not take it."""
    failures = []
    chance = np.random.default_rng(number)
    order = chance.permutation(len(graph))
    for name, components, check in _checks(graph, order, number):
        try:
            with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
                warnings.simplefilter("error")
                for category in (MethodWarning, GraphNotice):
                    warnings.simplefilter("ignore", category)
                check()
        except PhusionError as error:
            refused(f"{name}: {error}")
            if all(unfounded(one, graph, str(error)) for one in components):
                failures.append(f"{name} refuses this graph, which gives no reason: {str(error)[:160]}")
        except Exception as error:
            lines = traceback.extract_tb(error.__traceback__)
            place = next((f"{f.filename.rpartition('phusion/')[2]}:{f.lineno}" for f in reversed(lines)
                          if "/phusion/" in f.filename), "")  # fmt: skip
            failures.append(f"{name}: {type(error).__name__}: {str(error)[:160]} {place}")
    return failures


def _turn(family: str, number: int) -> Iterator[Any]:
    """One choice of each component of a family."""
    for ones in choices(family).values():
        yield ones[number // 23 % len(ones)]


def _checks(graph: Graph, order: Array, number: int) -> Iterator[tuple[str, list[Any], Callable[[], None]]]:
    other = graph.permuted(order)
    for proximity in _turn("proximities", number):
        yield f"{proximity!r}", [proximity], lambda one=proximity: _proximity(one, graph, other, order, number)
    proximities = list(_turn("proximities", number))
    first = proximities[number % len(proximities)]
    for sigma in _turn("nonlinearities", number):
        yield f"{first!r} {sigma!r}", [first, sigma], lambda one=sigma: _nonlinearity(first, one, graph, order)
    sigmas = list(_turn("nonlinearities", number))
    sigma = sigmas[number % len(sigmas)]
    for zeta in _turn("embeddings", number):
        check = lambda one=zeta: _embedding(first, sigma, one, graph, order)  # noqa: E731
        yield f"{first!r} {sigma!r} {zeta!r}", [first, sigma, zeta], check
    for pi in _turn("propagations", number):
        yield f"{pi!r}", [pi], lambda one=pi: _propagation(one, graph, other, order, number)
    for rho in _turn("poolings", number):
        yield f"{rho!r}", [rho], lambda one=rho: _pooling(one, graph, order, number)


def _proximity(proximity: Any, graph: Graph, other: Graph, order: Array, number: int) -> None:
    proximity.check(graph)
    fitted = proximity.fitted([graph])
    each = fitted.at_each_scale()
    dense = [one.matrix_of(graph, one.dense(graph).copy()) for one in each]
    for matrix in dense:
        finite(matrix.toarray(), "the formula")
    A = graph.adjacency.toarray()
    if ordinary(A):
        for one, formula in zip(each, dense, strict=True):
            S, worse = expected(one, A)
            if worse < 1e10:  # else no digit is left
                size = max(float(np.abs(S).max()), one.operands)
                within(formula.toarray(), S, 1e-12 * worse * size + 64 * formula.noise, f"{one!r}")
    for entrywise in (True, False):
        for one, matrix, formula in zip(each, fitted.matrices(graph, entrywise=entrywise), dense, strict=True):
            noise = max(matrix.noise, formula.noise)
            near(matrix.toarray(), formula.toarray(), noise, f"matrices(entrywise={entrywise}) of {one!r}")
            near(matrix.diagonal(), formula.toarray().diagonal(), noise, "the diagonal")
        _streamed(fitted, graph, dense, entrywise=entrywise, transposed=bool(number % 2))
        _stacked(fitted, graph, dense, entrywise=entrywise)
    for one, formula in zip(each, dense, strict=True):
        _edges(one, graph, formula)
        noise = formula.noise
        if getattr(one, "rank", None):
            gap = gap_of_rank(A, one.rank)
            if gap < 1e-6:
                continue  # the cut goes through equal eigenvalues, or all but equal ones
            noise /= gap
        moved = one.dense(other)
        near(moved, formula.toarray()[np.ix_(order, order)], noise, f"{one!r} of the nodes in another order")


def _streamed(fitted: Any, graph: Graph, dense: list[Any], *, entrywise: bool, transposed: bool) -> None:
    stream = fitted.stream(graph, entrywise=entrywise, kind=np.float64, transposed=transposed)
    if stream is None:
        return
    n, cut = len(graph), len(graph) // 2
    blocks = [stream.columns(start, stop) for start, stop in ((0, cut), (cut, n)) if stop > start]
    for k, formula in enumerate(dense):
        parts = [block[k] if isinstance(block[k], np.ndarray) else block[k].toarray() for block in blocks]
        expected = formula.toarray().T if transposed else formula.toarray()
        noise = max(formula.noise, stream.noise(k))
        near(np.hstack(parts), expected, noise, f"columns a block at a time (entrywise={entrywise})")


def _stacked(fitted: Any, graph: Graph, dense: list[Any], *, entrywise: bool) -> None:
    stack = Stack((graph, graph), len(graph), 2 * len(graph) ** 2)
    try:
        found = fitted.stacked(stack, entrywise=entrywise)
        if found is None:
            return
        listed = list(found)
    except (InputError, np.linalg.LinAlgError):  # then these graphs are computed one by one
        return
    for matrix, formula in zip(listed, dense, strict=True):
        one = matrix.matrix(1)
        near(one.toarray(), formula.toarray(), max(one.noise, formula.noise), "two graphs at once")


def _edges(one: Any, graph: Graph, formula: Any) -> None:
    if one.edge_entries(graph) is None:
        return
    matrix = one.edge_matrix(graph, np.float64)
    near(matrix.times(np.eye(len(graph))), formula.toarray(), formula.noise, "the sparse matrix")


def _given(proximity: Any, graph: Graph) -> Any:
    """S at one scale, where there is one; other checks look at proximities."""
    proximity.check(graph)
    fitted = proximity.fitted([graph])
    one = fitted.at_each_scale()[0]
    return one.matrix_of(graph, one.dense(graph).copy())


def _nonlinearity(proximity: Any, sigma: Any, graph: Graph, order: Array) -> None:
    matrix = _given(proximity, graph)
    before = matrix.toarray().copy()
    filtered = sigma.apply(matrix)
    values = filtered.toarray()
    finite(values, f"{sigma!r}")
    assert np.array_equal(matrix.toarray(), before), f"{sigma!r} changes what it is given"
    assert not filtered.symmetric or np.array_equal(values, values.T), f"{sigma!r} loses symmetry"
    within(values, *formulas.mapped(sigma, before, matrix.noise), f"{sigma!r}")
    moved = DenseMatrix(before[np.ix_(order, order)], symmetric=matrix.symmetric, noise=matrix.noise)
    found = sigma.apply(moved)
    assert np.array_equal(found.toarray(), values[np.ix_(order, order)]), f"{sigma!r} looks at the order of nodes"


def _embedding(proximity: Any, sigma: Any, zeta: Any, graph: Graph, order: Array) -> None:
    if getattr(zeta, "dim", None):
        zeta = zeta.replace(dim=min(zeta.dim, len(graph)))
    zeta.check_size(len(graph))
    given = _given(proximity, graph)
    matrix = sigma.apply(given)
    S = matrix.toarray()
    moved = DenseMatrix(S[np.ix_(order, order)], symmetric=matrix.symmetric, noise=matrix.noise)
    rows = zeta.embed(matrix, zeta.learn(matrix), 0)
    found = zeta.embed(moved, zeta.learn(moved), 0)
    for each in (rows, found):
        finite(each, f"{zeta!r}")
        assert each.shape[0] == len(graph)
    fitted = proximity.fitted([graph])
    spec = Spec(proximity, sigma, zeta, random_state=0)
    job = Job(spec, fitted)
    whole, parts = (
        compute(make_plan(graph, [job], Resources(threads=1, **how)), 0)[0].values
        for how in ({"strategy": "dense", "memory": "1GB"}, {"strategy": "blocked", "width": 5})
    )
    finite(whole, f"{spec!r}")
    finite(parts, f"{spec!r} in blocks")
    first = rows.shape[1]  # of several scales
    if not zeta.structural:
        rounding = 4e-15 * len(graph)
        singular(zeta, rows, S, rounding, f"{zeta!r}")
        singular(zeta, found, moved.toarray(), rounding, f"{zeta!r} of the nodes in another order")
        if _decided(sigma, given):
            noise = 64 * matrix.noise * len(graph)
            singular(zeta, whole[:, :first], S, CLOSE, f"{spec!r} at once", noise)
            singular(zeta, parts[:, :first], S, CLOSE, f"{spec!r} in blocks", noise)
        return
    within(rows, *formulas.structural(zeta, S, matrix.noise), f"{zeta!r}")
    near(found, rows[order], 0.0, f"{zeta!r} of the nodes in another order")
    if matrix.noise > 0 and (zeta.name == "histogram" or not _decided(sigma, given)):
        return  # bins whose edges rounding decides are a choice
    # log_ramp: of 1 + S/T, which says nothing of a small S; landmarks turn noise into angles
    rounding = 1e-14 if sigma.name == "log_ramp" else 0.0
    rounding += matrix.noise * formulas.steepest(zeta, S, matrix.noise)
    if len(fitted.at_each_scale()) == 1:
        near(whole, rows, rounding, f"{spec!r} at once")
    near(parts, whole, rounding, f"{spec!r} in blocks")


def _decided(sigma: Any, given: Any) -> bool:
    """Whether rounding does not decide which entry is the smallest that is no rounding, a logarithm's floor."""
    S, noise = given.toarray(), given.noise
    return not (noise > 0 and sigma.name == "log" and ((noise / 16 < S) & (noise * 16 > S)).any())


def _rows(graph: Graph, number: int) -> Array:
    """Rows of all sizes that belong to the nodes, wherever they stand."""
    chance = np.random.default_rng(number + 1)
    rows = chance.normal(size=(len(graph), 3)) * 10.0 ** chance.choice([0, 0, 0, -200, -310, 200, 300])
    rows[chance.random(len(graph)) < 0.2] = 0.0
    return rows


def _propagation(pi: Any, graph: Graph, other: Graph, order: Array, number: int) -> None:
    rows = _rows(graph, number)
    pi.check(graph, rows.shape[1])
    found = pi.applied(graph, rows.copy())
    finite(found, f"{pi!r}")
    lengths = np.linalg.norm(found, axis=1)
    assert ((np.abs(lengths - 1) < 1e-9) | (lengths == 0)).all(), "rows have length 1 or are 0"
    Z = formulas.filtered(pi, graph.adjacency.toarray(), rows)
    angles, worse = formulas.lifted(Z, found.shape[1])
    # axes of equal weight may turn, angles between rows may not; heavy weights make axes of very different lengths
    within(found @ found.T, angles, 1e-10 + 1e-14 * worse, f"{pi!r}")
    moved = pi.applied(other, rows[order].copy())
    expected = (found @ found.T)[np.ix_(order, order)]
    within(moved @ moved.T, expected, 1e-10 + 1e-14 * worse, f"{pi!r} of the nodes in another order")


def _pooling(rho: Any, graph: Graph, order: Array, number: int) -> None:
    rows = _rows(graph, number)
    features = _features(rho)
    chance = np.random.default_rng(number + 2)
    further = [chance.permutation(rows)[: max(1, len(rows) - 2)] * factor for factor in (0.7, -0.9)]
    parts = [rows, *further]
    shared, vectors = rho.fit([Nodes(each) for each in parts], features, 0)
    finite(vectors, f"{rho!r}")
    values, tolerance = formulas.pooled(rho, parts, shared, features)
    within(vectors, values, tolerance, f"{rho!r}")
    moved = rho.pool(Nodes(rows[order]), features, shared)
    tolerance = np.broadcast_to(tolerance, values.shape)[0]
    within(np.asarray(moved).ravel(), vectors[0].ravel(), 2 * tolerance, f"{rho!r} of the nodes in another order")


@cache
def _features(rho: Any) -> list[Feature]:
    from phusion.proximities import Heat

    label = "diagonal" if rho.name == "trace" else "x"
    return [Feature(Heat(scale=float(k + 1)), f"heat_s{k + 1}", "identity", label) for k in range(3)]
