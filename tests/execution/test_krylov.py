"""Leading singular vectors by multiplication alone, against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from phusion.execution.blocks import Passes
from phusion.execution.operators import StoredOperator, StreamedOperator
from phusion.execution.threads import Threads
from phusion.linalg.krylov import block_krylov, krylov_columns
from phusion.linalg.streams.base import Stream
from phusion.linalg.svd import iterated_svd, truncated_svd
from phusion.nonlinearities.base import Map


class Written(Stream):
    """Columns of a matrix that is there."""

    def __init__(self, matrix):
        self.matrix, self.n, self.count, self.products, self.entries = matrix, len(matrix), 1, 1, matrix.size

    def columns(self, start, stop):
        return [self.matrix[:, start:stop].copy()]

    column_bytes = held_bytes = 0


def unchanged(values):
    return values


def operator(matrix, symmetric=False, *, threads=1, width=7, mapping=None, stored=True, kind=np.float64):
    mapping = mapping or Map(unchanged, 0.0)
    passes = Passes(Written(matrix), Threads(threads), width)
    if stored:
        return StoredOperator.read(passes, 0, mapping, kind, symmetric=symmetric)
    turned = None if symmetric else Passes(Written(np.ascontiguousarray(matrix.T)), Threads(threads), width)
    return StreamedOperator(passes, turned, 0, mapping, kind)


def rotation(n, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]


def with_values(values, n, symmetric, seed=0):
    """A matrix of these singular values (eigenvalues, if symmetric) and zeros."""
    diagonal = np.zeros(n)
    diagonal[: len(values)] = values
    left = rotation(n, seed)
    matrix = (left * diagonal) @ (left if symmetric else rotation(n, seed + 1)).T
    return (matrix + matrix.T) / 2 if symmetric else matrix


MATRICES = {
    "plus and minus": ([3, -3, 2, -2, 2, 1.5, -1, 0.5, 0.2, -0.2, 0.1], 90),
    "repeated": ([5] + [3] * 12 + [2] * 3 + [1] * 40, 120),
    "all equal": ([2] * 60, 60),
    "rank one": ([7], 50),
    "rank four": ([7, 5, -3, 1e-3], 50),
    "decaying": (0.5 ** np.arange(70), 70),
    "slowly decaying": (np.linspace(1, 0.9, 200), 200),
    "wide range": (10.0 ** -np.arange(16), 64),
    "zero": ([], 40),
}


def check(matrix, found, rank, tolerance=1e-8):
    """Values, orthonormal vectors, and that they are singular vectors of the matrix."""
    left, values, right = found
    expected = np.linalg.svd(matrix, compute_uv=False)[:rank]
    size = expected[0] or 1.0
    assert np.abs(values - expected).max() <= 1e-12 * size
    assert (np.diff(values) <= 1e-9 * size).all()
    assert np.abs(matrix @ right - left * values).max() <= tolerance * size
    assert np.abs(matrix.T @ left - right * values).max() <= tolerance * size
    for vectors in (left, right):
        kept = vectors[:, values > 0]
        assert np.allclose(kept.T @ kept, np.eye(kept.shape[1]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "streamed"])
@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
@pytest.mark.parametrize("name", MATRICES)
def test_singular_vectors_are_those_of_lapack(name, symmetric, stored):
    values, n = MATRICES[name]
    matrix = with_values(values, n, symmetric)
    for rank in (1, 6):
        found = iterated_svd(operator(matrix, symmetric, stored=stored), rank, 1e-9)
        check(matrix, found, rank)
        if name in ("plus and minus", "rank four", "decaying"):  # where no cut goes through equal ones
            left, values, right = truncated_svd(matrix, rank, symmetric=symmetric)
            for one, other in ((found[0] * found[1], left * values), (found[2] * found[1], right * values)):
                assert np.abs(one - other).max() < 1e-7


@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_the_identity_and_zero_are_no_trouble(symmetric):
    check(np.eye(80), iterated_svd(operator(np.eye(80), symmetric), 5, 1e-9), 5)
    left, values, right = iterated_svd(operator(np.zeros((80, 80)), symmetric), 5, 1e-9)
    assert not values.any() and np.isfinite(left).all() and np.isfinite(right).all()


@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_all_singular_vectors_of_a_small_matrix_are_found(n, symmetric):
    matrix = with_values(np.arange(1.0, n + 1), n, symmetric)
    check(matrix, iterated_svd(operator(matrix, symmetric, width=32), n, 1e-9), n)


@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_a_small_room_forces_restarts_and_changes_nothing(symmetric):
    matrix = with_values(np.linspace(1.0, 0.6, 400), 400, symmetric)
    block, space = krylov_columns(400, 18, 0)
    *_, applied = block_krylov(operator(matrix, symmetric), 18, 1e-9, 0)
    assert applied * block > space  # more than fits: it was restarted
    check(matrix, iterated_svd(operator(matrix, symmetric), 10, 1e-9, 0), 10)


@pytest.mark.parametrize("room", [0, None], ids=["little room", "room"])
@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
@pytest.mark.parametrize(
    ("values", "n", "rank"),
    [
        ([9] + [4] * 90 + [2] * 20, 500, 100),
        ([5] * 130 + [1] * 370, 500, 128),
        ([9] + [4] * 230 + [2] * 20, 500, 240),
        ([9] + [4] * 50 + [-4] * 50 + [1] * 30, 400, 110),
    ],
)
def test_no_copy_of_a_repeated_value_is_missed(values, n, rank, symmetric, room):
    """A space from one block of b columns holds at most b copies, so that smaller values would stand in for others."""
    matrix = with_values(values, n, symmetric)
    check(matrix, iterated_svd(operator(matrix, symmetric, width=64), rank, 1e-9, room), rank)


@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_many_equal_components_bring_each_their_own_copy(symmetric):
    part = np.random.default_rng(3).random((10, 10))
    matrix = np.kron(np.eye(75), part + part.T)
    check(matrix, iterated_svd(operator(matrix, symmetric, width=128), 75, 1e-9), 75)


def above(limit):
    return Map(lambda values: (values > limit).astype(np.float64), 0.0, limit)


@pytest.mark.parametrize("n", [31, 64, 77])
@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_bits_multiply_as_the_numbers_they_stand_for(n, symmetric):
    random = np.random.default_rng(n)
    matrix = random.normal(size=(n, n))
    matrix = matrix + matrix.T if symmetric else matrix
    block = random.normal(size=(n, 5))
    bits = operator(matrix, symmetric, mapping=above(0.3))
    assert bits._rows.dtype == np.uint8
    numbers = (matrix > 0.3).astype(np.float64)
    assert np.abs(bits.times(block) - numbers @ block).max() < 1e-12
    assert np.abs(bits.transposed_times(block) - numbers.T @ block).max() < 1e-12
    check(numbers, iterated_svd(bits, 4, 1e-9), 4)


@pytest.mark.parametrize("bits", [True, False], ids=["bits", "numbers"])
@pytest.mark.parametrize("stored", [True, False], ids=["stored", "streamed"])
@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_threads_and_widths_do_not_change_a_single_bit(symmetric, stored, bits):
    random = np.random.default_rng(5)
    matrix = random.normal(size=(150, 150))
    matrix = matrix + matrix.T if symmetric else matrix
    mapping = above(0.2) if bits else None
    results = [
        iterated_svd(operator(matrix, symmetric, threads=threads, width=width, mapping=mapping, stored=stored), 7, 1e-9)
        for threads, width in ((1, 32), (2, 32), (3, 32), (2, 64), (1, 96))
    ]
    for other in results[1:]:
        assert all(np.array_equal(one, two) for one, two in zip(results[0], other, strict=True))


@pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "general"])
def test_single_precision_finds_the_same_space_to_three_digits(symmetric):
    matrix = with_values(0.7 ** np.arange(90), 90, symmetric)
    left, values, right = iterated_svd(operator(matrix, symmetric, kind=np.float32), 5, 3e-3)
    expected = np.linalg.svd(matrix)
    assert np.abs(values - expected.S[:5]).max() < 1e-4
    whole = (expected.U[:, :5] * expected.S[:5]) @ expected.Vh[:5]
    assert np.abs((left * values) @ right.T - whole).max() < 1e-2
