"""Arrays and sparse matrices that cannot be written to, and scaling by rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from phusion.graph.combine import entry_rows
from phusion.graph.ids import Array

__all__ = ["FreshField", "cached_matrix", "divided", "frozen", "frozen_matrix"]


def frozen(array: Array) -> Array:
    """A view that cannot be written through."""
    view = array.view()
    view.flags.writeable = False
    return view


def frozen_matrix(matrix: Any) -> Any:
    """The matrix as CSR, its arrays read-only."""
    matrix = matrix.tocsr()
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def fresh(matrix: Any) -> Any:
    """Another sparse array over the same read-only data: what is done to it does not reach the graph."""
    view = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    view.has_sorted_indices = view.has_canonical_format = True
    return view


class FreshField:
    """A dataclass field that holds a frozen matrix and gives a fresh view of it every time."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._place = f"_{name}"

    def __set__(self, owner: Any, matrix: Any) -> None:
        owner.__dict__[self._place] = sparse.csr_array(matrix)

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            raise AttributeError(self._place)  # so that the dataclass sees no default
        return fresh(owner.__dict__[self._place])


class cached_matrix:  # noqa: N801 - named like functools.cached_property, which it is for matrices
    """A matrix computed once, frozen, and given as a fresh view every time."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._place = f"_{name}"

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        if self._place not in owner.__dict__:
            owner.__dict__[self._place] = frozen_matrix(self._compute(owner))
        return fresh(owner.__dict__[self._place])


def divided(matrix: Any, rows: Array | None = None, cols: Array | None = None) -> Any:
    """Matrix / rows (per row) / cols (per column), where these are not 0; same pattern.

    Dividing, not multiplying by reciprocals: weights of 1e±320 have none.
    """
    data = matrix.data.copy()
    if rows is not None:
        data /= np.where(rows > 0, rows, 1.0)[entry_rows(matrix)]
    if cols is not None:
        data /= np.where(cols > 0, cols, 1.0)[matrix.indices]
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
