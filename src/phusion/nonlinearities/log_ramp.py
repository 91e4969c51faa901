"""InfiniteWalk's ramp and logarithm."""

from __future__ import annotations

from functools import partial

import numpy as np

from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map, Nonlinearity
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
    Chanpuriya and Musco, InfiniteWalk, KDD 2020.

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

    @property
    def entrywise(self) -> bool:
        """Absolute accuracy is enough."""
        return False

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Nothing to look at."""
        return Map(partial(_ramp, self.window, self.epsilon), matrix.noise)


def _ramp(window: float, epsilon: float, values: Array) -> Array:
    # log1p keeps the digits of small entries
    bounded: Array = window * np.log1p(np.maximum(epsilon - 1.0, values / window))
    return bounded
