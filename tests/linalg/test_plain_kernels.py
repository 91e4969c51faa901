"""Without numba, kernels are their twins in plain NumPy and SciPy: the same arguments, effects and numbers."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse

from phusion.linalg import kernels

pytest.importorskip("numba", reason="twins are compared with compiled kernels, which need numba")

ALONE = {"compiled", "diffusion"}  # what compiles, and what is refused without numba
MODULES = [each.name for each in pkgutil.iter_modules(kernels.__path__) if each.name not in ALONE]
KERNELS = [
    (module, name)
    for module in MODULES
    for name, found in vars(import_module(f"phusion.linalg.kernels.{module}")).items()
    if hasattr(found, "py_func") and not name.startswith("_")
]
KINDS = (np.float32, np.float64)
WIDTHS = (1, 2, 3, 4, 5, 64)
ROWS = 1_300  # more than a twin takes at a time, of 64 columns


def both(module, name):
    """The kernel and its twin."""
    return (getattr(import_module(f"phusion.linalg.{place}.{module}"), name) for place in ("kernels", "plain"))


def near(one, other, kind=np.float64, size=1.0):
    tolerance = 2e-5 if kind == np.float32 else 1e-12
    return np.allclose(one, other, rtol=tolerance, atol=tolerance * size, equal_nan=True)


def drawn(seed, kind, n=ROWS):
    """A sparse matrix as its arrays, every seventh row and the last ones empty; and a generator."""
    random = np.random.default_rng(seed)
    matrix = sparse.random_array((n, n), density=6 / n, format="lil", rng=random)
    matrix[::7] = 0
    matrix[n - 3 :] = 0
    rows = matrix.tocsr().astype(kind)
    rows.sort_indices()
    return (rows.indptr, rows.indices, rows.data), random


def block(random, n, width, kind):
    return random.standard_normal((n, width)).astype(kind)


def test_there_are_kernels_to_compare():
    assert len(KERNELS) >= 14 and len(MODULES) == 8


@pytest.mark.parametrize(("module", "name"), KERNELS)
def test_every_kernel_has_a_twin_with_the_same_arguments(module, name):
    kernel, twin = both(module, name)
    assert inspect.signature(kernel.py_func) == inspect.signature(twin)


def test_every_kernel_is_compared():
    compared = inspect.getsource(inspect.getmodule(test_every_kernel_is_compared))
    assert all(f'both("{module}", "{name}")' in compared for module, name in KERNELS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_products_are_the_same_on_any_rows(width, kind):
    kernel, twin = both("recurrences", "multiply")
    arrays, random = drawn(width, kind)
    x = block(random, ROWS, width, kind)
    for start, stop in ((0, ROWS), (0, 1), (3, 3), (ROWS - 2, ROWS), (17, 900)):
        found, expected = np.full((2, ROWS, width), 7, kind)
        twin(*arrays, x, found, start, stop)
        kernel(*arrays, x, expected, start, stop)
        assert near(found, expected, kind)
        assert (found[:start] == 7).all() and (found[stop:] == 7).all()
    turned = np.asfortranarray(x)
    twin(*arrays, turned, found, 0, ROWS)
    kernel(*arrays, turned, expected, 0, ROWS)
    assert near(found, expected, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_steps_of_chebyshev_are_the_same(width, kind, shift):
    kernel, twin = both("recurrences", "chebyshev_step")
    arrays, random = drawn(width, kind)
    x, before, sums = (block(random, ROWS, width, kind) for _ in range(3))
    sums = np.stack([sums, 2 * sums, -sums])
    weights = np.array([0.5, 0.0, -2.0], kind)
    for start, stop, factors in ((0, ROWS, weights), (40, 1001, weights), (0, ROWS, weights[:0])):
        results = []
        for step in (kernel, twin):
            own = (before.copy(), factors, sums[: len(factors)].copy())
            step(*arrays, kind(shift), x, *own, start, stop)
            results.append(own)
        assert near(results[1][0], results[0][0], kind) and near(results[1][2], results[0][2], kind)
        assert np.array_equal(results[1][0][:start], before[:start])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_powers_are_added_the_same(width, kind):
    kernel, twin = both("recurrences", "add_power")
    arrays, random = drawn(width, kind)
    x, sums = block(random, ROWS, width, kind), block(random, ROWS, width, kind)
    for weights, least in (((0.5, 0.0), 0.1), ((0.0, 0.0), 0.0), ((1e-30, 0.0), 0.0)):
        results = []
        for step in (kernel, twin):
            out, own = np.empty_like(x), np.stack([sums, sums])
            changed = step(*arrays, x, out, least, np.array(weights, kind), own)
            results.append((out, own, bool(changed)))
        assert near(results[1][0], results[0][0], kind) and near(results[1][1], results[0][1], kind)
        assert results[1][2] == results[0][2] == (weights[0] == 0.5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("parts", [1, 3, ROWS])
def test_parts_along_a_vector_are_the_same(width, kind, parts):
    random = np.random.default_rng(parts)
    components = np.append(random.integers(0, parts, ROWS - 1), parts - 1)
    vector, x = random.random(ROWS).astype(kind), block(random, ROWS, width, kind)
    sums, added = [], []
    for one, other in zip(both("components", "sums_along"), both("components", "add_along"), strict=True):
        sums.append(np.ones((parts, width)))
        one(vector, components, x, sums[-1])
        added.append(x.copy())
        other(vector, components, sums[0], -0.3, added[-1])
    assert near(sums[1], sums[0], kind, size=10.0) and near(added[1], added[0], kind, size=10.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
def test_extremes_are_the_same_and_what_is_no_number_is_seen(width, kind):
    kernel, twin = both("extremes", "block_extremes")
    random = np.random.default_rng(width)
    values = block(random, ROWS, width, kind)
    for strange in (None, np.nan, np.inf):
        if strange is not None:
            values[700, width - 1] = strange
        for floor in (0.0, -1.0, 50.0):
            found, expected = np.ones((2, width))
            assert twin(values, floor, found) == kernel(values, floor, expected)
            assert near(found, expected)


@pytest.mark.parametrize("width", WIDTHS)
def test_steps_of_conjugate_gradients_are_the_same(width):
    kernel, twin = both("gradients", "descend")
    (indptr, indices, data), random = drawn(width, np.float64)
    right = block(random, ROWS, width, np.float64)
    right[:, 0] = 0.0  # such a column stays
    results = []
    for step in (kernel, twin):
        state = [np.zeros_like(right), right.copy(), right.copy(), np.empty_like(right), np.zeros((4, width))]
        state[-1][0] = (right**2).sum(axis=0)
        for _ in range(3):
            step(indptr, indices, 0.1 * data, *state)
        results.append(state)
    for one, other in zip(*results, strict=True):
        assert near(one, other, size=100.0)


def reals(random, shape):
    """Of all sizes and both signs, with ties and zeros of both signs."""
    values = random.standard_normal(shape) * 10.0 ** random.integers(-30, 30, shape)
    values[random.random(shape) < 0.2] = 0.0
    values[random.random(shape) < 0.1] = -0.0
    values[random.random(shape) < 0.2] = 0.25
    return values


@pytest.mark.parametrize("shape", [(1, 1), (1, 70_000), (ROWS, 64), (40, 3), (1, 0)])
def test_counts_by_leading_bits_are_the_same(shape):
    kernel, twin = both("ranks", "count_keys")
    values = reals(np.random.default_rng(1), shape)
    quarter = int(np.array(0.25).view(np.uint64)) | 1 << 63
    for low, span in ((0, 64), (quarter >> 44 << 44, 44), (quarter, 0), (5, 2)):
        results = []
        for count in (kernel, twin):
            counts = np.zeros(1 << min(20, span), np.int64)
            ends = count(
                values.view(np.uint64), np.uint64(low), np.uint64(low + (1 << span) - 1), max(0, span - 20), counts
            )
            results.append(([int(end) for end in ends], counts))
        assert results[0][0] == results[1][0] and np.array_equal(results[0][1], results[1][1])


@pytest.mark.parametrize("shape", [(1, 1), (1, 70_000), (ROWS, 64), (40, 3), (1, 0)])
@pytest.mark.parametrize("ends", [(-1.0, 1.0), (0.25, 0.25), (5e40, 6e40), (-np.inf, np.inf)])
def test_values_in_a_range_are_the_same(shape, ends):
    values = reals(np.random.default_rng(2), shape)
    assert len({one(values, *ends) for one in both("ranks", "range_between")}) == 1
    for size in (0, 3, values.size):
        results = []
        for copy in both("ranks", "values_between"):
            out = np.full(size, 99.0)
            results.append((copy(values, *ends, out), out))
        assert results[0][0] == results[1][0] and np.array_equal(results[0][1], results[1][1])


FACTORS = [(1.0, 0.0, 0.0), (0.5, -2.0, 0.0), (0.5, 0.0, 3.0), (-1.0, 2.0, 0.25)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_over_edges_are_the_same_on_any_rows(width, kind, weighted):
    (indptr, indices, data), random = drawn(width, kind)
    indptr, values = indptr.astype(np.int64), data if weighted else data[:0]
    x, z, before = (block(random, ROWS, width, kind) for _ in range(3))
    rows, columns = random.random((2, ROWS)).astype(kind)
    ways = {
        (*both("edges", "edge_sum_times"),): (values, rows, columns),
        (*both("edges", "surroundings_times"),): (values, rows, kind(0.7)),
    }
    for pair, given in ways.items():
        for by in FACTORS:
            for start, stop in ((0, ROWS), (5, 6), (7, 7), (30, 1100)):
                expected, found = before.copy(), before.copy()
                for times, out in zip(pair, (expected, found), strict=True):
                    times(indptr, indices, *given, x, z, out, np.array(by, kind), start, stop)
                assert near(found, expected, kind)
                assert np.array_equal(found[stop:], before[stop:])


@pytest.mark.parametrize("most", [1, 2, 5, 1000])
def test_the_same_entries_are_the_largest(most):
    kernel, twin = both("edges", "keep_largest")
    random = np.random.default_rng(most)
    indptr = np.concatenate([[0], np.cumsum(random.integers(0, 30, 400))])
    for levels in (3, 20, 10**9):  # many ties, some, none
        data = (1.0 + random.integers(0, levels, indptr[-1])) / levels
        data *= 1.0 + 1e-12 * random.standard_normal(len(data))
        found, expected = np.zeros((2, len(data)), np.bool_)
        twin(indptr, data, most, 1e-9, found)
        kernel(indptr, data, most, 1e-9, expected)
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [1, 24])
def test_sums_of_sines_are_the_same(width, kind, count):
    kernel, twin = both("angles", "half_angle_sums")
    values = block(np.random.default_rng(width), ROWS, width, kind)
    values[:, 0] *= kind(1e-6)  # no digits of small entries are lost
    found, expected = np.ones((2, 2, width, count))
    twin(values, 1.5, count, *found)
    kernel(values, 1.5, count, *expected)
    assert near(found, expected, kind, size=1000.0 if kind == np.float64 else 10.0)
    assert np.allclose(found[0, 0] - 1.0, expected[0, 0] - 1.0, rtol=1e-3, atol=0.0)


def test_sums_of_sines_over_sparse_columns_are_the_same():
    kernel, twin = both("sparse_columns", "column_angle_sums")
    random = np.random.default_rng(0)
    indptr = np.concatenate([[0], np.cumsum(random.integers(0, 90, 600)) * (random.random(600) < 0.9)])
    indptr = np.maximum.accumulate(indptr)
    data = random.choice([0.0, 1.0, 2.0, 3.0, 700.0, 20_000.0, -1.0], indptr[-1])
    odd = random.random(len(data)) < 0.5
    data[odd] = random.standard_normal(odd.sum()) * 10.0 ** random.integers(-9, 1, odd.sum())
    for count in (1, 24):
        found, expected = np.ones((2, 2, len(indptr) - 1, count))
        twin(data, indptr, 0.7, count, *found)
        kernel(data, indptr, 0.7, count, *expected)
        assert near(found, expected, size=100.0)


@pytest.mark.parametrize("wide", [1, 2, 64])
def test_products_of_sparse_columns_are_the_same(wide):
    kernel, twin = both("sparse_columns", "multiply_columns")
    random = np.random.default_rng(wide)
    matrix = sparse.random_array((ROWS, ROWS), density=0.004, format="csc", rng=random)
    some = sparse.random_array((ROWS, wide), density=0.004, format="csc", rng=random)
    results = []
    for times in (kernel, twin):
        sums, starts = np.full(ROWS, np.nan), np.empty(wide + 1, np.int32)
        rows, values = np.empty(ROWS * wide, np.int32), np.empty(ROWS * wide)
        arrays = [part for each in (matrix, some) for part in (each.indptr, each.indices, each.data)]
        times(*arrays, sums, starts, rows, values)
        assert np.isnan(sums).all()
        end = starts[-1]
        results.append(sparse.csc_array((values[:end], rows[:end], starts), shape=(ROWS, wide)).toarray())
    assert near(results[1], results[0]) and near(results[1], (matrix @ some).toarray())


# promises


@pytest.mark.parametrize("kind", KINDS)
def test_no_digit_depends_on_how_many_columns_are_computed_together(kind):
    arrays, random = drawn(3, kind)
    values = block(random, ROWS, 70, kind)
    components, vector = random.integers(0, 4, ROWS), random.random(ROWS).astype(kind)

    def all_of(x):
        from phusion.linalg.plain import angles, extremes, recurrences
        from phusion.linalg.plain import components as along

        width = x.shape[1]
        product, squares, sines = np.empty_like(x), np.zeros((width, 9)), np.zeros((width, 9))
        recurrences.multiply(*arrays, x, product, 0, ROWS)
        angles.half_angle_sums(x, 0.4, 9, squares, sines)
        sizes, sums = np.zeros(width), np.zeros((4, width))
        extremes.block_extremes(x, 0.0, sizes)
        along.sums_along(vector, components, x, sums)
        return [product.T, squares, sines, sizes, sums.T]

    together = all_of(values)
    for start, stop in ((0, 1), (5, 7), (69, 70), (3, 20), (0, 33)):
        for whole, part in zip(together, all_of(values[:, start:stop].copy()), strict=True):
            assert np.array_equal(whole[start:stop], part)


def test_no_digit_of_conjugate_gradients_depends_on_the_other_columns():
    from phusion.linalg.plain.gradients import descend

    (indptr, indices, data), random = drawn(4, np.float64)
    right = block(random, ROWS, 70, np.float64)

    def solved(columns):
        own = right[:, columns].copy()
        state = [np.zeros_like(own), own.copy(), own.copy(), np.empty_like(own), np.zeros((4, own.shape[1]))]
        state[-1][0] = [np.dot(column, column) for column in np.ascontiguousarray(own.T)]
        for _ in range(3):
            descend(indptr, indices, 0.1 * data, *state)
        return state[0]

    together = solved(slice(0, 70))
    for columns in (slice(0, 1), slice(9, 12), slice(69, 70)):
        assert np.array_equal(together[:, columns], solved(columns))
