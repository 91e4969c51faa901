"""NetLSD's normalised traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from phusion.errors import InputError
from phusion.features import Feature
from phusion.graph.ids import Array
from phusion.poolings.base import Nodes, Pooling

__all__ = ["Trace"]


class Trace(Pooling, name="trace"):
    r"""The sum over nodes, divided by what an empty or a complete graph of this size would give.

    .. math:: f_s = \frac{\sum_u y_{us}}{n}, \quad \frac{\sum_u y_{us}}{1 + (n - 1) g_s(\lambda)},
       \quad\text{or}\quad \sum_u y_{us}

    with the kernel g of the proximity (e^{−sλ} for heat, cos sλ for wave), and λ the eigenvalue of the complete graph:
    1 for the normalised Laplacian, as NetLSD takes it (it is n/(n − 1)), n for the combinatorial one.

    Parameters
    ----------
    normalization : ``"empty"`` (the mean), ``"complete"`` (heat and wave only), or ``"none"`` (the sum).

    References
    ----------
    Tsitsulin et al., *NetLSD: Hearing the Shape of a Graph*, KDD 2018.

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> phusion.poolings.Trace().reduce(np.array([[1.0], [3.0]]), None)
    array([2.])
    """

    normalization: Literal["empty", "complete", "none"] = "empty"

    def pool(self, part: Nodes, features: Sequence[Feature], shared: Any) -> Array:
        """The normalised trace of each feature."""
        self.mention_unseen(part)
        mean = self.reduce(part.values, part.attributes)
        n = len(part.values)
        if self.normalization == "empty":
            return mean
        if self.normalization == "none":
            return n * mean
        by_feature = np.array([_complete(feature, n) for feature in features])
        return np.asarray(n * mean / np.repeat(by_feature, len(mean) // len(features)))


def _complete(feature: Feature, n: int) -> float:
    """The trace on the complete graph of n nodes, as NetLSD has it."""
    proximity: Any = feature.proximity
    if (proximity.name not in ("heat", "wave")) or feature.nonlinearity != "identity" or feature.label != "diagonal":
        raise InputError(
            "Trace(normalization='complete') knows the complete graph's trace for the diagonal of heat and wave alone; "
            f"got {feature.name}. Use 'empty' or 'none'"
        )
    kernel: Any = {"heat": lambda x: np.exp(-x), "wave": np.cos}[proximity.name]
    eigenvalue = 1.0 if proximity.laplacian == "normalized" else float(n)
    return float(1.0 + (n - 1) * kernel(proximity.scale * eigenvalue))
