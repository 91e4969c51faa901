"""`EdgeMatrix`: a sparse matrix whose entries are sums of a number for the row, the column and the edge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from phusion.linalg.tall import Each, one_by_one

__all__ = ["EdgeMatrix", "narrow_pattern"]

_PARTS = 512  # ranges of rows with about equally many entries: many, so that no thread waits long for another


@dataclass(frozen=True)
class EdgeMatrix:
    """S_ij = rows_i + columns_j + values_ij on stored places, 0 elsewhere: two vectors beside the pattern.

    Attributes
    ----------
    pattern, values : row starts and columns of the places, and a number for each; none if it is 0 for all.
    turned, turned_values : the same of the transpose; the very same arrays where the pattern is symmetric.
    rows, columns : a number for each row and column.
    each : who computes ranges of rows.
    """

    pattern: tuple[Any, Any]
    values: Any
    turned: tuple[Any, Any]
    turned_values: Any
    rows: Any
    columns: Any
    each: Each = one_by_one
    symmetric = False

    @classmethod
    def of(cls, matrix: Any, rows: Any, columns: Any, kind: Any, *, symmetric: bool, plain: bool) -> EdgeMatrix:
        """On the entries of a CSR matrix, which may be `symmetric`; their values count too, unless `plain`."""
        none = np.empty(0, kind)
        pattern = narrow_pattern(matrix)
        values = none if plain else matrix.data.astype(kind, copy=False)
        turned, turned_values = pattern, values
        if not symmetric:
            other = sparse.csr_array(matrix.T)
            turned, turned_values = narrow_pattern(other), none if plain else other.data.astype(kind, copy=False)
        return cls(pattern, values, turned, turned_values, rows.astype(kind), columns.astype(kind))

    @property
    def n(self) -> int:
        """Rows and columns."""
        return len(self.rows)

    @property
    def kind(self) -> Any:
        """The type of numbers."""
        return self.rows.dtype

    @property
    def entries(self) -> int:
        """Stored places."""
        return len(self.pattern[1])

    @staticmethod
    def size(n: int, entries: int, kind: Any, *, symmetric: bool, plain: bool) -> int:
        """Bytes it takes."""
        one = entries * (4 + (0 if plain else np.dtype(kind).itemsize)) + 8 * n
        return int(one * (1 if symmetric else 2) + 2 * n * np.dtype(kind).itemsize)

    def using(self, each: Each) -> EdgeMatrix:
        """The same, computed by others."""
        return replace(self, each=each)

    def into(self, out: Any, x: Any, a: float = 1.0, b: float = 0.0, z: Any = None, c: float = 0.0) -> Any:
        """Out = a S x + b z + c out."""
        return self._into(self.pattern, self.values, self.rows, self.columns, out, x, (a, b, c), z)

    def transposed_into(self, out: Any, x: Any) -> Any:
        """Out = Sᵀ x."""
        return self._into(self.turned, self.turned_values, self.columns, self.rows, out, x, (1.0, 0.0, 0.0), None)

    def times(self, block: Any) -> Any:
        """S X."""
        return self.into(np.empty_like(block, order="C"), np.ascontiguousarray(block))

    def transposed_times(self, block: Any) -> Any:
        """Sᵀ X."""
        return self.transposed_into(np.empty_like(block, order="C"), np.ascontiguousarray(block))

    def tosparse(self) -> Any:
        """With every entry written down, as CSR."""
        indptr, indices = self.pattern
        owners = np.repeat(np.arange(self.n), np.diff(indptr))
        entries = self.rows[owners] + self.columns[indices] + (self.values if len(self.values) else 0.0)
        return sparse.csr_array((entries, indices, indptr), shape=(self.n, self.n))

    def _into(self, pattern: Any, values: Any, rows: Any, columns: Any, out: Any, x: Any, by: Any, z: Any) -> Any:
        from phusion.linalg.kernels.edges import edge_sum_times
        from phusion.linalg.kernels.recurrences import row_ranges

        arrays: Any = (*pattern, values, rows, columns, x, x if z is None else z, out, np.array(by, self.kind))
        ranges: Any = row_ranges(pattern[0], _PARTS)
        self.each(lambda part: edge_sum_times(*arrays, *ranges[part]), len(ranges))
        return out


def narrow_pattern(matrix: Any) -> tuple[Any, Any]:
    """Row starts and columns of a CSR matrix, columns in as few bytes as they can be.

    Arrays that may only be read are copied: compiled code takes them for another type, and would be compiled again.
    """
    kind = np.int32 if matrix.shape[1] < 2**31 else np.int64
    return matrix.indptr.astype(np.int64), matrix.indices.astype(kind, copy=not matrix.indices.flags.writeable)
