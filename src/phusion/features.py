"""`Feature`: what a column of an embedding means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phusion.proximities.base import Proximity

__all__ = ["Feature", "scale_names"]


@dataclass(frozen=True)
class Feature:
    """One column of a node embedding: its proximity at one scale, in words too, its nonlinearity, its place in ζ."""

    proximity: Proximity
    scale: str
    nonlinearity: str
    label: str

    @property
    def name(self) -> str:
        """As in ``heat_s0.1_cos_t4.17``; the nonlinearity is named if there is one."""
        middle = "" if self.nonlinearity == "identity" else f"_{self.nonlinearity}"
        return f"{self.scale}{middle}_{self.label}"


def scale_names(proximities: Sequence[Proximity]) -> list[str]:
    """Name and scale of each, as ``heat_s0.1``, with as many digits as it takes to tell them apart."""
    for digits in range(6, 18):
        names = [_scale_name(one, digits) for one in proximities]
        if len(set(names)) == len(names):
            break
    return names


def _scale_name(proximity: Proximity, digits: int) -> str:
    if proximity.scale_parameter is None:
        return proximity.name
    value = proximity.scale_value
    shown = f"{value:.{digits}g}" if isinstance(value, (int, float)) else str(value)
    return f"{proximity.name}_{proximity.symbol}{shown}"
