"""Extremes and entries by rank, read a block at a time, against sorting all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from phusion.errors import InputError
from phusion.execution import statistics
from phusion.execution.blocks import Passes
from phusion.execution.statistics import Entries, Statistics
from phusion.execution.threads import Threads
from phusion.linalg.streams.base import Stream
from phusion.proximities import Heat

TINY = 2.0**-1030
"""Entries that share all leading bits with 0 are as good as 0."""


class Written(Stream):
    """Columns of matrices that are there; sparse ones stay sparse."""

    def __init__(self, *matrices):
        self.matrices, self.n, self.count = matrices, matrices[0].shape[0], len(matrices)
        self.products, self.entries = 1, 1

    def columns(self, start, stop):
        return [matrix[:, start:stop].copy() for matrix in self.matrices]

    column_bytes = held_bytes = 0


def read(*matrices, width=5, threads=1):
    return Statistics(Passes(Written(*matrices), Threads(threads), width), [Heat()] * len(matrices))


def check_ranks(matrix, places=None, width=5):
    """Some places, the first and the last among them, are what sorting gives."""
    plain = matrix.toarray() if sparse.issparse(matrix) else matrix
    expected = np.sort(plain, axis=None)
    places = np.linspace(0, expected.size - 1, 6).astype(int).tolist() if places is None else places
    found = read(matrix, width=width)
    with np.errstate(over="ignore"):  # sums of the largest doubles
        found.find_ranked(places)
    for place in places:
        assert abs(found.ranked(0, place) - expected[place]) <= TINY, place


def hard_cases():
    random = np.random.default_rng(0)
    normal = random.normal(size=(12, 12))
    ties = random.choice([-1.5, 0.0, 2.0, 2.0 + 2.0**-51], (12, 12))
    near = 1.0 + random.integers(0, 6, (12, 12)) * 2.0**-52
    return {
        "normal": normal,
        "negative": -np.abs(normal),
        "ties": ties,
        "all equal": np.full((9, 9), 0.1),
        "all zero": np.zeros((9, 9)),
        "minus zero": np.where(normal > 0, -0.0, 0.0),
        "signed zeros among numbers": np.where(np.abs(normal) < 0.7, np.copysign(0.0, normal), normal),
        "last digits": near,
        "last digits below zero": -near,
        "denormals": np.where(normal > 0, 5e-324, -5e-324) * random.integers(0, 1000, (12, 12)),
        "huge range": np.sign(normal) * 10.0 ** random.uniform(-307, 308, (12, 12)),
        "largest doubles": np.where(normal > 0, np.finfo(float).max, -np.finfo(float).max),
        "powers of two": 2.0 ** random.integers(-1000, 1000, (12, 12)),
    }


CASES = hard_cases()


@pytest.fixture(params=[None, 40, 3, 0], ids=["few", "closer if above 40", "closer if above 3", "always closer"])
def few(request, monkeypatch):
    """How many entries may be left to be sorted; below that, their next bits are looked at."""
    if request.param is not None:
        monkeypatch.setattr(statistics, "_FEW", request.param)
    return request.param


@pytest.mark.parametrize("name", CASES)
def test_every_rank_is_what_sorting_gives(name, few):
    check_ranks(CASES[name])


@pytest.mark.parametrize("density", [0.0, 0.05, 0.5, 1.0])
def test_zeros_that_are_not_stored_have_their_ranks_too(density, few):
    random = np.random.default_rng(1)
    matrix = sparse.random_array(
        (14, 14), density=density, rng=random, data_sampler=lambda size: random.normal(size=size)
    )
    stored = sparse.csc_array(matrix)
    check_ranks(stored)
    if stored.nnz:
        stored.data[: stored.nnz // 2] = -0.0  # zeros that are stored, of the other sign
        check_ranks(stored)


def test_sparse_columns_without_a_single_entry_are_zeros(few):
    check_ranks(sparse.csc_array((6, 6)))


@settings(max_examples=25)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=16, max_size=16),
    st.sampled_from([0, 1, 5, 4_000_000]),
    st.integers(1, 4),
)
def test_ranks_of_any_doubles(values, most, width):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "_FEW", most)
        matrix = np.array(values).reshape(4, 4)
        check_ranks(matrix, [0, 3, 8, 15], width=width)
        check_ranks(sparse.csc_array(matrix), [0, 7, 15], width=width)


def test_the_order_of_keys_is_the_order_of_doubles():
    keys = [*range(2**52, 2**64 - 2**52, 2**57 + 1), *range(2**63 - 3, 2**63 + 3)]
    values = [statistics._double(key) for key in sorted(keys)]
    assert values == sorted(values) and statistics._double(2**63) == 0.0


def test_several_matrices_and_places_share_their_passes(few):
    one, other = CASES["normal"], CASES["ties"]
    found = read(one, other, threads=2)
    found.find_ranked([3, 70, 140])
    for k, matrix in enumerate((one, other)):
        assert [found.ranked(k, place) for place in (3, 70, 140)] == np.sort(matrix, axis=None)[[3, 70, 140]].tolist()
    if few is None:
        assert found._passes.done == 2  # one to count, one to look closer, for all of them
    done = found._passes.done
    assert found.ranked(0, 70) == np.sort(one, axis=None)[70] and found.entries(1).largest == other.max()
    assert found._passes.done == done  # known by now


def test_a_tie_of_very_many_ends_the_search_early(monkeypatch):
    monkeypatch.setattr(statistics, "_FEW", 3)
    found = read(np.full((9, 9), 0.1))
    assert found.ranked(0, 40) == 0.1 and found._passes.done == 2


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("floor", [0.0, -1.0, 0.5])
def test_extremes_of_blocks_join_to_those_of_the_whole(name, floor):
    matrix = CASES[name]
    above = matrix[matrix > floor]
    with np.errstate(over="ignore"):
        for form in (np.asarray, sparse.csc_array):
            whole = Entries()
            for start in range(0, len(matrix), 5):
                whole = whole.joined(Entries.of(form(matrix)[:, start : start + 5], floor))
            assert (whole.smallest, whole.largest) == (matrix.min(), matrix.max())
            assert whole.smallest_above == (above.min() if above.size else np.inf)
            assert np.isclose(whole.column_sum, np.abs(matrix).sum(axis=0).max(), rtol=1e-14)


def test_the_smallest_entry_above_a_floor_may_take_a_second_pass():
    matrix = np.array([[1e-20, 2.0, 0.0], [3.0, -1.0, 1e-3], [0.5, 1e-18, 4.0]])
    found = read(matrix, width=2)
    assert found.smallest_above(0, [0.0]) == 1e-20 and found._passes.done == 1
    assert found.smallest_above(0, [1e-15]) == 1e-3 and found._passes.done == 2
    assert found.smallest_above(0, [1e-15]) == 1e-3 and found._passes.done == 2
    assert found.smallest_above(0, [5.0]) is None


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_what_is_beyond_doubles_is_named(bad):
    matrix = np.ones((6, 6))
    matrix[4, 4] = bad
    with pytest.raises(InputError, match="beyond 1e308"):
        read(matrix).entries(0)
    with pytest.raises(InputError, match="beyond 1e308"):
        read(matrix).ranked(0, 3)
