"""Bells against tails: which is likelier, and how surely."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from phusion.experiments.tasks import RowDistributions, vuong

DRAWN = np.random.default_rng(0)
VALUES = {
    "normal": DRAWN.normal(5.0, 2.0, 400),
    "exponential": DRAWN.exponential(3.0, 400),
    "tail to the left": -DRAWN.exponential(3.0, 400),
    "uniform": DRAWN.uniform(0.0, 1.0, 50),
    "two values": np.array([0.0, 1.0, 1.0, 0.0, 0.0]),
    "one far away": np.append(np.zeros(999), 1.0),
    "few": np.array([1.0, 2.0, 2.5, 7.0]),
}


def described(values):
    return RowDistributions().score(np.column_stack([values] * 3), None, 0)["sum"]


@pytest.mark.parametrize("name", VALUES)
def test_vuongs_z_is_the_mean_difference_over_its_standard_error(name):
    """From all values, row by row, as the ledger's four numbers tell it."""
    values = VALUES[name]
    mirrored = values if stats.skew(values) >= 0 else -values
    least = mirrored.min()
    bell = stats.norm.logpdf(values, values.mean(), values.std())
    tail = stats.expon.logpdf(mirrored, least, (mirrored - least).mean())
    expected = (bell - tail).mean() / ((bell - tail).std() / np.sqrt(len(values)))
    found = described(values)
    assert found["bell_over_tail"] == pytest.approx((bell - tail).mean(), rel=1e-9)
    assert vuong(found) == pytest.approx(expected, rel=1e-9)


def test_bells_and_tails_are_told_apart_surely():
    assert vuong(described(VALUES["normal"])) > 5
    assert vuong(described(VALUES["exponential"])) < -5
    assert vuong(described(VALUES["tail to the left"])) < -5


def test_four_values_tell_nothing_surely():
    assert abs(vuong(described(VALUES["few"]))) < 1.96


def test_rows_that_are_all_alike_are_neither():
    assert vuong(described(np.full(10, 3.0))) == 0.0
