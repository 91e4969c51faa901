"""Ids in the order in which they first appear, of columns whose distinct ids are known."""

from __future__ import annotations

import numpy as np

from phusion.graph.arrays import Array, index_type

__all__ = ["by_appearance"]


def by_appearance(codes: tuple[Array, Array], joint: tuple[Array, Array], n_ids: int) -> tuple[Array, Array, Array]:
    """Positions of both columns, and the order of the ids: row by row, source before target (as networkx does).

    Parameters
    ----------
    codes : of source and target, for each row the place of its id among the distinct ids of that column.
    joint : of source and target, for each distinct id its place among the `n_ids` of both.
    """
    first = np.full(n_ids, np.iinfo(np.int64).max, dtype=np.int64)
    for side, (places, to_joint) in enumerate(zip(codes, joint, strict=True)):
        row = np.empty(len(to_joint), dtype=np.int64)
        # numpy keeps the last value written to an index: going backwards, that is the first row
        row[places[::-1]] = np.arange(2 * (len(places) - 1) + side, side - 1, -2)
        first[to_joint] = np.minimum(first[to_joint], row)
    order = np.argsort(first, kind="stable")
    position = np.empty(n_ids, dtype=index_type(n_ids))
    position[order] = np.arange(n_ids)
    rows, cols = (position[to_joint][places] for places, to_joint in zip(codes, joint, strict=True))
    return rows, cols, order
