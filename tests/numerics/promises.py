"""What every component promises on every graph: right or refused in words, and never a number that is none.

`broken` runs all registered components on one graph. Parameters take turns from graph to graph, so that every
component sees every graph, and every choice of its parameters sees many.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from tests.contracts.graphs import examples

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

__all__ = ["Refused", "broken"]

Array = np.ndarray
_CLOSE = 1e-8  # of the largest entry; formulas and fast paths add in different orders


class Refused(Exception):  # noqa: N818 - what a component may do
    """A component says, in words, that it does not take this graph."""


@cache
def choices(family: str) -> dict[str, list[Any]]:
    """Every component of a family by name, with each choice of its parameters."""
    found: dict[str, list[Any]] = {name: [] for name in known(family)}
    for one in examples(family):
        if one.name != "autoencoder":  # it learns by chance, for seconds; its own tests look at it
            found[one.name].append(one)
    return {name: ones for name, ones in found.items() if ones}


def broken(graph: Graph, number: int, refused: Callable[[str], object] = len) -> list[str]:
    """What does not hold on this graph, in words; `refused` is told who did not take it."""
    failures = []
    chance = np.random.default_rng(number)
    order = chance.permutation(len(graph))
    for name, check in _checks(graph, order, number):
        try:
            with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
                warnings.simplefilter("error")
                for category in (MethodWarning, GraphNotice):
                    warnings.simplefilter("ignore", category)
                check()
        except (PhusionError, Refused) as error:
            refused(f"{name}: {error}")
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


def _checks(graph: Graph, order: Array, number: int) -> Iterator[tuple[str, Callable[[], None]]]:
    other = graph.permuted(order)
    for proximity in _turn("proximities", number):
        yield f"{proximity!r}", lambda one=proximity: _proximity(one, graph, other, order, number)
    proximities = list(_turn("proximities", number))
    first = proximities[number % len(proximities)]
    for sigma in _turn("nonlinearities", number):
        yield f"{first!r} {sigma!r}", lambda one=sigma: _nonlinearity(first, one, graph, other, order)
    sigmas = list(_turn("nonlinearities", number))
    sigma = sigmas[number % len(sigmas)]
    for zeta in _turn("embeddings", number):
        yield f"{first!r} {sigma!r} {zeta!r}", lambda one=zeta: _embedding(first, sigma, one, graph, other, order)
    for pi in _turn("propagations", number):
        yield f"{pi!r}", lambda one=pi: _propagation(one, graph, other, order, number)
    for rho in _turn("poolings", number):
        yield f"{rho!r}", lambda one=rho: _pooling(one, graph, order, number)


def _finite(values: Array, what: str) -> None:
    assert np.isfinite(values).all(), f"{what} has entries that are no numbers"


def _near(found: Array, expected: Array, noise: float, what: str) -> None:
    _finite(found, what)
    size = float(np.abs(expected).max(initial=0.0))
    far = float(np.abs(found - expected).max(initial=0.0))
    assert far <= _CLOSE * size + 64 * noise + 1e-300, (
        f"{what} is off by {far:.2g} where the largest entry is {size:.2g}"
    )


def _proximity(proximity: Any, graph: Graph, other: Graph, order: Array, number: int) -> None:
    proximity.check(graph)
    fitted = proximity.fitted([graph])
    each = fitted.at_each_scale()
    formulas = [one.matrix_of(graph, one.dense(graph).copy()) for one in each]
    for matrix in formulas:
        _finite(matrix.toarray(), "the formula")
    for entrywise in (True, False):
        for one, matrix, formula in zip(each, fitted.matrices(graph, entrywise=entrywise), formulas, strict=True):
            noise = max(matrix.noise, formula.noise)
            _near(matrix.toarray(), formula.toarray(), noise, f"matrices(entrywise={entrywise}) of {one!r}")
            _near(matrix.diagonal(), formula.toarray().diagonal(), noise, "the diagonal")
        _streamed(fitted, graph, formulas, entrywise=entrywise, transposed=bool(number % 2))
        _stacked(fitted, graph, formulas, entrywise=entrywise)
    for one, formula in zip(each, formulas, strict=True):
        _edges(one, graph, formula)
    if getattr(proximity, "rank", None):
        return  # the cut may go through equal eigenvalues
    for one, formula in zip(each, formulas, strict=True):
        moved = one.dense(other)
        _near(moved, formula.toarray()[np.ix_(order, order)], formula.noise, f"{one!r} of the nodes in another order")


def _streamed(fitted: Any, graph: Graph, formulas: list[Any], *, entrywise: bool, transposed: bool) -> None:
    stream = fitted.stream(graph, entrywise=entrywise, kind=np.float64, transposed=transposed)
    if stream is None:
        return
    n, cut = len(graph), len(graph) // 2
    blocks = [stream.columns(start, stop) for start, stop in ((0, cut), (cut, n)) if stop > start]
    for k, formula in enumerate(formulas):
        parts = [block[k] if isinstance(block[k], np.ndarray) else block[k].toarray() for block in blocks]
        expected = formula.toarray().T if transposed else formula.toarray()
        noise = max(formula.noise, stream.noise(k))
        _near(np.hstack(parts), expected, noise, f"columns a block at a time (entrywise={entrywise})")


def _stacked(fitted: Any, graph: Graph, formulas: list[Any], *, entrywise: bool) -> None:
    stack = Stack((graph, graph), len(graph), 2 * len(graph) ** 2)
    try:
        found = fitted.stacked(stack, entrywise=entrywise)
        listed = [] if found is None else list(found)
    except (InputError, np.linalg.LinAlgError):  # then these graphs are computed one by one
        return
    for matrix, formula in zip(listed, formulas, strict=False):
        one = matrix.matrix(1)
        _near(one.toarray(), formula.toarray(), max(one.noise, formula.noise), "two graphs at once")


def _edges(one: Any, graph: Graph, formula: Any) -> None:
    if one.edge_entries(graph) is None:
        return
    matrix = one.edge_matrix(graph, np.float64)
    _near(matrix.times(np.eye(len(graph))), formula.toarray(), formula.noise, "the sparse matrix")


def _given(proximity: Any, graph: Graph) -> Any:
    """S at one scale, where there is one; other checks look at proximities."""
    proximity.check(graph)
    fitted = proximity.fitted([graph])
    one = fitted.at_each_scale()[0]
    return one.matrix_of(graph, one.dense(graph).copy())


def _nonlinearity(proximity: Any, sigma: Any, graph: Graph, other: Graph, order: Array) -> None:
    matrix = _given(proximity, graph)
    before = matrix.toarray().copy()
    filtered = sigma.apply(matrix)
    values = filtered.toarray()
    _finite(values, f"{sigma!r}")
    assert np.array_equal(matrix.toarray(), before), f"{sigma!r} changes what it is given"
    assert not filtered.symmetric or np.array_equal(values, values.T), f"{sigma!r} loses symmetry"
    moved = DenseMatrix(before[np.ix_(order, order)], symmetric=matrix.symmetric, noise=matrix.noise)
    found = sigma.apply(moved)
    _near(found.toarray(), values[np.ix_(order, order)], filtered.noise, f"{sigma!r} of the nodes in another order")


def _embedding(proximity: Any, sigma: Any, zeta: Any, graph: Graph, other: Graph, order: Array) -> None:
    if getattr(zeta, "dim", None):
        zeta = zeta.replace(dim=min(zeta.dim, len(graph)))
    zeta.check_size(len(graph))
    matrix = sigma.apply(_given(proximity, graph))
    shared = zeta.learn(matrix)
    rows = zeta.embed(matrix, shared, 0)
    _finite(rows, f"{zeta!r}")
    assert rows.shape[0] == len(graph)
    spec = Spec(proximity, sigma, zeta, random_state=0)
    job = Job(spec, proximity.fitted([graph]))
    whole, parts = (
        compute(make_plan(graph, [job], Resources(threads=1, **how)), 0)[0].values
        for how in ({"strategy": "dense", "memory": "1GB"}, {"strategy": "blocked", "width": 5})
    )
    _finite(whole, f"{spec!r}")
    _finite(parts, f"{spec!r} in blocks")
    if not zeta.structural or matrix.noise > 0:
        return  # directions within equal singular values, and bins whose edges rounding decides, are a choice
    rounding = 1e-14 if sigma.name == "log_ramp" else 0.0  # of 1 + S/T, which says nothing of a small S
    if len(job.proximity.at_each_scale()) == 1:
        _near(whole, rows, rounding, f"{spec!r} at once")
    _near(parts, whole, rounding, f"{spec!r} in blocks")
    moved = DenseMatrix(matrix.toarray()[np.ix_(order, order)], symmetric=matrix.symmetric, noise=matrix.noise)
    found = zeta.embed(moved, zeta.learn(moved), 0)
    _near(found, rows[order], 0.0, f"{zeta!r} of the nodes in another order")


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
    _finite(found, f"{pi!r}")
    lengths = np.linalg.norm(found, axis=1)
    assert ((np.abs(lengths - 1) < 1e-9) | (lengths == 0)).all(), "rows have length 1 or are 0"
    moved = pi.applied(other, rows[order].copy())
    # axes of equal weight may turn, angles between rows may not; but axes 1e6 times shorter than the longest, as heavy
    # weights make them, are right to a few digits only, because they come from products of columns
    _near(moved @ moved.T, (found @ found.T)[np.ix_(order, order)], 2e-5, f"{pi!r} of the nodes in another order")


def _pooling(rho: Any, graph: Graph, order: Array, number: int) -> None:
    rows = _rows(graph, number)
    features = _features(rho)
    shared, vectors = rho.fit([Nodes(rows)], features, 0)
    _finite(vectors, f"{rho!r}")
    moved = rho.pool(Nodes(rows[order]), features, shared)
    _near(np.asarray(moved).ravel(), np.asarray(vectors[0]).ravel(), 0.0, f"{rho!r} of the nodes in another order")


@cache
def _features(rho: Any) -> list[Feature]:
    from phusion.proximities import Heat

    label = "diagonal" if rho.name == "trace" else "x"
    return [Feature(Heat(scale=float(k + 1)), f"heat_s{k + 1}", "identity", label) for k in range(3)]
