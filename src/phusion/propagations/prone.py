"""ProNE's spectral propagation."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from scipy import special

from phusion.graph.ids import Array
from phusion.linalg.surroundings import Surroundings
from phusion.parameter import Bounds, Count, Positive
from phusion.propagations.base import Propagation

__all__ = ["Prone"]


class Prone(Propagation, name="prone"):
    r"""ProNE's filter, which weighs smooth and rough parts of the rows by a Gaussian of their frequency.

    .. math:: Z = (A + I)(Y - g(L) Y), \quad g(\lambda) = e^{-\theta\left(\frac{(\lambda - \mu)^2}{2} - 1\right)}, \quad
       L = I - D^{-1}(A + I)

    g is the sum of the first Chebyshev polynomials with Bessel functions as coefficients. The rows Y have length 1
    before; Z = U Σ Vᵀ gives U Σ^½, whose rows get length 1 again.

    Parameters
    ----------
    order : number of polynomials; at least 2.
    mu : centre μ of the Gaussian, among the eigenvalues of L, which go from 0 to 2.
    theta : how narrow it is, θ.
    columns : how many columns are kept, of all scales together; None for as many as one scale has.

    References
    ----------
    Zhang, Dong, Wang, Tang, Ding, *ProNE: Fast and Scalable Network Representation Learning*, IJCAI 2019, section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> triangle = phusion.as_graph([("a", "b"), ("b", "c"), ("c", "a")])
    >>> phusion.propagations.Prone().applied(triangle, np.array([[1.0], [1.0], [0.0]]))
    array([[1.],
           [1.],
           [1.]])
    """

    order: Annotated[int, Bounds(ge=2)] = 10
    mu: Annotated[float, Bounds(ge=0, le=2)] = 0.2
    theta: Positive = 0.5
    columns: Count | None = None

    @property
    def products(self) -> int:
        """Two for each polynomial but the first, and one of the sum."""
        return 2 * self.order - 1

    def filtered(self, around: Surroundings, rows: Array) -> Array:
        """T_{k+1} = 2xT_k − T_{k−1} with x = M²/2 − 1, M = L − μ; e^{−θx} = I₀(θ) + 2Σ(−1)^k I_k(θ) T_k(x)."""
        weights = 2.0 * special.iv(np.arange(self.order), self.theta) * (-1.0) ** np.arange(self.order)
        shift, room = 1.0 - self.mu, np.empty_like(rows)
        before = rows.copy()
        around.means(rows, room, -1.0, shift, rows)
        now = around.means(room, np.empty_like(rows), -1.0, shift, room)
        now *= 0.5
        now -= rows
        rest = rows * (1.0 - weights[0] / 2.0)
        rest -= now * weights[1]
        for weight in weights[2:]:
            around.means(now, room, -1.0, shift, now)
            around.means(room, before, -1.0, shift, room, -1.0)
            before -= 2.0 * now
            before, now = now, before
            rest -= now * weight
        return around.sums(rest)  # type: ignore[no-any-return]
