"""Singular value decomposition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from phusion.cautions import caution
from phusion.embeddings.base import EmbeddingFunction
from phusion.graph.ids import Array
from phusion.linalg.chebyshev_svd import chebyshev_svd
from phusion.linalg.edge_matrix import EdgeMatrix
from phusion.linalg.fidelity import Fidelity, measured
from phusion.linalg.krylov import Operator
from phusion.linalg.svd import iterated_svd, truncated_svd
from phusion.linalg.tall import Tall
from phusion.parameter import Count
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["SVD"]


class SVD(EmbeddingFunction, name="svd"):
    r"""The best rows of a given length for telling S by inner products: near nodes get near rows.

    .. math:: Y = U_d \Sigma_d^{1/2}

    For symmetric matrices these are the eigenpairs of largest magnitude, with √|w|. The entry of largest magnitude in
    each column of U is positive. Values that differ by less than 1e-10 of the largest count as equal: of their vectors,
    which are no more unique than rounding, a fixed basis is taken, for positive eigenvalues first.

    Parameters
    ----------
    dim : number d of singular vectors; at most n.
    sides : ``"left"`` for U Σ^½; ``"both"`` appends V Σ^½, so that rows have 2d entries: as a source and as a target.
    applications : None for exact singular vectors. A number allows approximate ones of large matrices that are as
        sparse as a graph: so many products with SSᵀ, in single precision, their error measured; 4 is fast, 8 is much
        nearer. Where the matrix is small or not sparse, vectors are exact all the same.

    References
    ----------
    PhUSION, section 4.3; Ou et al., HOPE, KDD 2016 (both sides).

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> phusion.embeddings.SVD(dim=1).embed(DenseMatrix(np.array([[4.0, 0.0], [0.0, 1.0]]), symmetric=True))
    array([[2.],
           [0.]])
    """

    dim: Count = 128
    sides: Literal["left", "both"] = "left"
    applications: Count | None = None

    structural = False
    reads_noise = False

    def embed(self, matrix: ProximityMatrix, shared: Any = None, seed: int | None = None) -> Array:
        """Y, of d or 2d columns."""
        self.check_size(matrix.n)
        return self._rows(*truncated_svd(matrix.toarray(), self.dim, symmetric=matrix.symmetric))

    def of_operator(
        self,
        operator: Operator,
        tolerance: float,
        space: int,
        *,
        write: bool = False,
        unsettled: Callable[[float], None] | None = None,
    ) -> Array:
        """Y of a matrix that is only there to be multiplied with; `space` columns may be searched.

        Where that does not find the vectors, the matrix is written out if it may be (`write`); if not, `unsettled` is
        told what they leave over, or the user.
        """

        def warn(rest: float) -> None:
            if rest > tolerance:
                caution(
                    f"svd: singular vectors are exact to {rest:.1g} of the largest value, not to {tolerance:.0e}, as "
                    "leading values are all but equal (long paths and rings have such). More memory helps"
                )

        return self._rows(*iterated_svd(operator, self.dim, tolerance, space, write=write, unsettled=unsettled or warn))

    def of_edges(self, matrix: EdgeMatrix, seed: int) -> tuple[Array, Fidelity]:
        """Approximate Y of a large sparse matrix in single precision, and how near it is."""
        applications = int(self.applications or 1)
        found = chebyshev_svd(matrix, self.dim, applications, seed)
        fidelity = measured(matrix, found, applications, seed)
        signs, root = Tall(matrix.n, matrix.each).signs(found.left), np.sqrt(found.values).astype(np.float32)
        if self.sides == "left":
            found.right = None  # makes room
            return found.left * (signs * root), fidelity
        weights = np.divide(signs, root, out=np.zeros_like(root), where=root > 0)
        return np.hstack([found.left * (signs * root), found.right * weights]), fidelity

    def _rows(self, left: Array, values: Array, right: Array) -> Array:
        root = np.sqrt(values)
        return left * root if self.sides == "left" else np.hstack([left * root, right * root])

    def width(self, n: int) -> int:
        """D, or 2d of both sides."""
        return self.dim * (2 if self.sides == "both" else 1)

    def labels(self, n_columns: int, shared: Any = None) -> list[str]:
        """Numbers from 0; sources before targets."""
        if self.sides == "left":
            return [f"svd_{i}" for i in range(n_columns)]
        return [f"svd_{side}_{i}" for side in ("source", "target") for i in range(n_columns // 2)]
