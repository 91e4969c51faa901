"""The maximum."""

from __future__ import annotations

import numpy as np

from phusion.graph.ids import Array
from phusion.poolings.base import Pooling

__all__ = ["Max"]


class Max(Pooling, name="max"):
    r"""The largest value of each feature among the nodes.

    .. math:: f_j = \max_u y_{uj}

    References
    ----------
    PhUSION, section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> phusion.poolings.Max().reduce(np.array([[1.0, 5.0], [3.0, 4.0]]), None)
    array([3., 5.])
    """

    def reduce(self, lifted: Array, attributes: Array | None) -> Array:
        """The largest entry of each column."""
        if attributes is None:
            return np.asarray(lifted.max(axis=0))
        largest = [(lifted * column[:, None]).max(axis=0) for column in attributes.T]
        return np.stack(largest, axis=1).ravel()
