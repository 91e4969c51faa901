"""Logarithm with a floor."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from phusion.cautions import caution
from phusion.graph.ids import Array
from phusion.nonlinearities.base import Map, Nonlinearity
from phusion.parameter import Bounds
from phusion.proximities.matrix import ProximityMatrix, nothing

__all__ = ["Log"]

_DIGITS = 1e-11  # the relative error that entries may have, heat at s = 1000 the largest
_TIE = 1e-12  # entries that exceed the floor by less are equal to it but for rounding
_NEARLY_FAINT = 1e30  # times what counts as nothing: a smallest entry below that makes smaller ones likely
_ARBITRARY = 1e-6  # a smallest entry below this share of the largest, if it is a difference, is an accident


class Log(Nonlinearity, name="log"):
    r"""Logarithm of what is above a floor, 0 for the rest.

    .. math:: \sigma(S)_{ij} = \log \max(S_{ij}, 1) \quad\text{or}\quad
       \log (S_{ij} / \min S^+) \text{ where } S_{ij} > 0, \text{ else } 0

    Parameters
    ----------
    floor : ``"minimum"`` for the smallest positive entry above 1e-280 of the largest (what is fainter counts as 0);
        ``"one"`` for 1, the default beside ppmi and svd when only the name is given; or a number f between 0 and 1
        for f · max S, where the smallest positive entry is arbitrary.

    References
    ----------
    PhUSION, section 4.2; Qiu et al., NetMF, WSDM 2018 (floor one).

    Examples
    --------
    >>> import numpy as np
    >>> import phusion
    >>> from phusion.proximities.matrix import DenseMatrix
    >>> matrix = DenseMatrix(np.array([[0.0, 2.0], [4.0, -1.0]]), symmetric=False)
    >>> phusion.nonlinearities.Log().apply(matrix).toarray().round(4)
    array([[0.    , 0.    ],
           [0.6931, 0.    ]])
    """

    floor: Literal["minimum", "one"] | Annotated[float, Bounds(gt=0, lt=1)] = "minimum"

    def prepare(self, matrix: ProximityMatrix) -> Map:
        """Find the floor."""
        floor = self._floor(matrix)
        # what was relative is absolute in a logarithm, which is steepest at the floor
        noise = matrix.noise / floor
        return Map(partial(_logarithm, floor, max(_TIE, noise)), noise + _DIGITS)

    @property
    def entrywise(self) -> bool:
        """Above a floor of one absolute accuracy is enough."""
        return self.floor != "one"

    @property
    def passes(self) -> int:
        """One to find the floor, if it is not given."""
        return 0 if self.floor == "one" else 1

    def _floor(self, matrix: ProximityMatrix) -> float:
        if self.floor == "one":
            return 1.0
        largest = matrix.extremes().largest
        smallest = matrix.smallest_above(nothing(matrix.noise, largest))
        if smallest is None:
            return 1.0  # nothing is above any floor
        if self.floor != "minimum":
            return float(self.floor) * largest
        if smallest < min(_NEARLY_FAINT * nothing(0.0, largest), _ARBITRARY * largest):
            caution(
                f"log divides by the smallest positive entry, {smallest:.3g}, where the largest is {largest:.3g}. "
                "Entries below 1e-280 of it, as there may be, count as 0. A relative floor says which of them matter, "
                "such as Log(floor=0.001)"
            )
        elif matrix.noise and smallest < _ARBITRARY * largest:
            caution(
                f"log divides by the smallest positive entry, {smallest:.3g}, which is arbitrary here: entries are "
                f"differences of larger numbers, up to {largest:.3g}. A relative floor is stable, such as "
                "Log(floor=0.001)"
            )
        return smallest

    def suited(self, proximity: Any, embedding: Any) -> Nonlinearity:
        """Floor one for ppmi with svd, as NetMF."""
        return Log(floor="one") if proximity.against_chance and embedding.name == "svd" else self


def _logarithm(floor: float, tie: float, values: Array) -> Array:
    """What is above the floor by no more than a `tie`, which rounding may be, is the floor."""
    with np.errstate(over="ignore"):
        ratio = values / floor
    found = np.log(ratio, out=np.zeros_like(ratio), where=ratio > 1.0 + tie)
    beyond = np.isinf(found)
    if beyond.any():  # the quotient is no number, its logarithm is
        found[beyond] = np.log(values[beyond]) - np.log(floor)
    return found
