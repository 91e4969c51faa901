"""The sum."""

from __future__ import annotations

from phusion.graph.ids import Array
from phusion.poolings.base import Pooling

__all__ = ["Sum"]


class Sum(Pooling, name="sum"):
    r"""All nodes together, so that size counts.

    .. math:: f = \sum_u y_u

    References
    ----------
    PhUSION, section 3.2; NetLSD without normalisation.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> phusion.poolings.Sum().reduce(np.array([[1.0, 2.0], [3.0, 4.0]]), None)
    array([4., 6.])
    """

    def reduce(self, lifted: Array, attributes: Array | None) -> Array:
        """The sum of all rows."""
        return len(lifted) * super().reduce(lifted, attributes)
