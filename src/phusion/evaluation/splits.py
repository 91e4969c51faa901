"""Which examples are trained on and which are tested, from a seed alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit

__all__ = ["folds", "shuffled"]


def shuffled(n: int, splits: int, train_size: float, seed: int) -> Iterator[tuple[Any, Any]]:
    """(train, test) of independent random splits, not stratified."""
    yield from ShuffleSplit(splits, test_size=1 - train_size, random_state=seed).split(np.empty(n))


def folds(n: int, count: int, random: np.random.RandomState) -> Iterator[tuple[Any, Any]]:
    """(train, test) of a random order cut into parts, each of which is the test once."""
    parts = np.array_split(random.permutation(n), count)
    for k, test in enumerate(parts):
        yield np.concatenate([part for i, part in enumerate(parts) if i != k]), test
