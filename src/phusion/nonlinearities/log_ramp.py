"""InfiniteWalk's ramp and logarithm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from phusion.graph.ids import Array
from phusion.nonlinearities.base import Nonlinearity
from phusion.parameter import Positive
from phusion.proximities.matrix import ProximityMatrix

__all__ = ["LogRamp"]


class LogRamp(Nonlinearity, name="log_ramp"):
    r"""What the logarithm of PPMI at window T would be, from its limit.

    .. math:: \sigma(S) = T \log \max(\varepsilon, 1 + S / T)

    Parameters
    ----------
    window : the window T that is imitated.
    epsilon : what stands in for 1 + S/T where that is smaller; InfiniteWalk takes the rounding unit 2⁻⁵².

    References
    ----------
    Chanpuriya and Musco, InfiniteWalk, KDD 2020, section 3.3.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> phusion.nonlinearities.LogRamp().apply(DenseMatrix(np.array([[0.0, 10.0]]), symmetric=False)).toarray().round(4)
    array([[0.    , 6.9315]])
    """

    window: Positive = 10.0
    epsilon: Positive = float(np.finfo(np.float64).eps)

    entrywise = False

    def steepness(self, matrix: ProximityMatrix) -> float:
        """The logarithm is steepest where its argument is smallest."""
        smallest = float(matrix.toarray().min(initial=0.0)) if matrix.noise else 0.0
        return 1.0 / max(self.epsilon, min(1.0, 1.0 + smallest / self.window))

    def prepare(self, matrix: ProximityMatrix) -> Callable[[Array], Array]:
        """Nothing to look at."""

        def ramp(values: Array) -> Array:
            # log1p keeps the digits of small entries
            inside = np.maximum(self.epsilon - 1.0, values / self.window)
            bounded: Array = self.window * np.log1p(inside)
            return bounded

        return ramp
