"""`Feature`: what a column of an embedding means."""

from __future__ import annotations

from dataclasses import dataclass

from phusion.proximities.base import Proximity

__all__ = ["Feature"]


@dataclass(frozen=True)
class Feature:
    """One column of a node embedding: its proximity at one scale, its nonlinearity, and its place in ζ."""

    proximity: Proximity
    nonlinearity: str
    label: str

    @property
    def name(self) -> str:
        """As in ``heat_s0.1_cos_t4.17``; the nonlinearity is named if there is one."""
        middle = "" if self.nonlinearity == "identity" else f"_{self.nonlinearity}"
        return f"{self.proximity.label}{middle}_{self.label}"
