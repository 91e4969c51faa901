"""The mean."""

from __future__ import annotations

from phusion.poolings.base import Pooling

__all__ = ["Mean"]


class Mean(Pooling, name="mean"):
    r"""The average node.

    .. math:: f = \frac{1}{n} \sum_u y_u \quad\text{or, with attributes,}\quad \frac{1}{n} \sum_u y_u \otimes x_u

    References
    ----------
    PhUSION, section 3.2, eq. 3.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> phusion.poolings.Mean().reduce(np.array([[1.0, 2.0], [3.0, 4.0]]), None)
    array([2., 3.])
    """
