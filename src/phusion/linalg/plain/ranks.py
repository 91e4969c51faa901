"""Counting floating-point numbers by their leading bits, in the order of their values."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["count_keys", "range_between", "values_between"]

_NUMBERS = 1 << 15  # at a time
_TOP = np.uint64(1 << 63)


def count_keys(bits: Any, low: Any, high: Any, shift: int, counts: Any) -> Any:
    """For every number with a key from low to high, add 1 to counts[(key − low) >> shift]; first and last of these."""
    first, last = len(counts), 0
    for some in _some(bits):
        keys = np.where(some > _TOP, ~some, some | _TOP)
        places = ((keys[(low <= keys) & (keys <= high)] - low) >> np.uint64(shift)).astype(np.int64)
        np.add.at(counts, places, 1)  # np.bincount would need a table of its own
        first, last = int(places.min(initial=first)), int(places.max(initial=last))
    return first, last + 1


def values_between(values: Any, low: float, high: float, out: Any) -> int:
    """Copy the values from low to high to `out`, as far as it goes; how many there are."""
    found = 0
    for some in _some(values):
        inside = some[(some >= low) & (some <= high)]
        room = out[found:]
        room[: len(inside)] = inside[: len(room)]
        found += len(inside)
    return found


def range_between(values: Any, low: float, high: float) -> tuple[float, float]:
    """The smallest and the largest of the values from low to high; (∞, −∞) if there is none."""
    smallest, largest = np.inf, -np.inf
    for some in _some(values):
        inside = (some >= low) & (some <= high)
        smallest = min(smallest, float(np.min(some, where=inside, initial=np.inf)))
        largest = max(largest, float(np.max(some, where=inside, initial=-np.inf)))
    return smallest, largest


def _some(values: Any) -> Any:
    """Row by row, some numbers at a time; of the blocks that are ranked, without a copy."""
    flat = values.reshape(-1)
    return (flat[first : first + _NUMBERS] for first in range(0, len(flat), _NUMBERS))
