"""`Certificate`: how far an approximate embedding is from the exact one, measured on nodes that were set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from phusion.graph.ids import Array

__all__ = ["Certificate", "ScaleErrors"]


@dataclass(frozen=True)
class ScaleErrors:
    """Relative errors of n(φ − 1) at one scale, of the nodes that were looked at.

    Attributes
    ----------
    scale : its name, such as ``"heat_s0.1"``.
    median, p95, max : over all of these nodes.
    uniform_p95, edges_p95 : the 95th percentile of the nodes drawn evenly, and of those drawn by their degree.
    threshold : the smallest entry that was worth following in a column of few neighbours.
    beyond : how many of the nodes drawn evenly have a larger error than was asked for.
    """

    scale: str
    median: float
    p95: float
    max: float
    uniform_p95: float
    edges_p95: float
    threshold: float
    beyond: int

    @classmethod
    def of(cls, scale: str, uniform: Array, edges: Array, threshold: float, target: float) -> ScaleErrors:
        """From the errors of single nodes."""
        both = np.concatenate([uniform, edges])
        p95, uniform_p95, edges_p95 = (float(np.percentile(each, 95)) for each in (both, uniform, edges))
        beyond = int(np.count_nonzero(~(uniform <= target)))
        middle, largest = float(np.median(both)), float(both.max())
        return cls(scale, middle, p95, largest, uniform_p95, edges_p95, float(threshold), beyond)

    @property
    def worst(self) -> float:
        """What the target is compared with: the larger 95th percentile of the two kinds of nodes."""
        return max(self.uniform_p95, self.edges_p95)


@dataclass(frozen=True)
class Certificate:
    """What was asked for and what was found, on nodes whose exact columns were computed beside the approximation.

    Attributes
    ----------
    target : relative error of n(φ − 1) that 95 of 100 nodes may have.
    method : ``"push-pull"``; ``"exact"`` where the exact way was no dearer, and nothing had to be measured.
    scales : errors at each scale; empty if exact.
    n_uniform, n_edges : how many nodes were drawn evenly, and by their degree, to measure the result.
    n_chosen : how many others had chosen the thresholds.

    Examples
    --------
    >>> print(Certificate(0.01, "exact"))
    certificate: exact
    """

    target: float
    method: str
    scales: tuple[ScaleErrors, ...] = ()
    n_uniform: int = 0
    n_edges: int = 0
    n_chosen: int = 0

    @property
    def met(self) -> bool:
        """Whether every scale is as accurate as asked."""
        return not self.missed

    @property
    def missed(self) -> tuple[ScaleErrors, ...]:
        """The scales that are not."""
        return tuple(each for each in self.scales if not each.worst <= self.target)

    @property
    def worst(self) -> float:
        """The largest 95th percentile of any scale and kind of nodes."""
        return max((each.worst for each in self.scales), default=0.0)

    @property
    def confidence(self) -> float:
        """That 95 of 100 nodes of the graph meet the target at every scale, from the nodes drawn evenly alone.

        If it were fewer, so many nodes within the target would be drawn with no more than the remaining probability.
        With none beyond it, 16 nodes give 0.56 and 64 give 0.96.
        """
        from scipy.stats import binom

        return min((float(binom.sf(each.beyond, self.n_uniform, 0.05)) for each in self.scales), default=1.0)

    @property
    def words(self) -> str:
        """In a few words."""
        if not self.scales:
            return "exact"
        sign = "certified" if self.met else "misses its target"
        return f"{sign}: error {self.worst:.2%} {'≤' if self.met else '>'} {self.target:.2g}"

    def __str__(self) -> str:
        """A table of errors in percent."""
        if not self.scales:
            return "certificate: exact"
        head = f"certificate: {'met' if self.met else 'MISSED'}; error of n(φ − 1) in %, target {100 * self.target:g}"
        width = max(len(each.scale) for each in self.scales)
        names = ("median", "p95", "max", "uniform", "edges")
        lines = [head, f"{'':{width}}  {'  '.join(f'{name:>7}' for name in names)}"]
        for each in self.scales:
            numbers = (each.median, each.p95, each.max, each.uniform_p95, each.edges_p95)
            shown = "  ".join(f"{100 * number:7.3f}" for number in numbers)
            lines.append(f"{each.scale:{width}}  {shown}{'' if each.worst <= self.target else '  missed'}")
        drawn = f"{self.n_uniform} nodes drawn evenly (uniform) and {self.n_edges} by their degree (edges)"
        lines.append(f"exact columns of {drawn}; {self.n_chosen} others chose the thresholds")
        return "\n".join([*lines, f"that 95 of 100 nodes meet the target: {self.confidence:.0%} confidence"])

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {**asdict(self), "scales": [asdict(each) for each in self.scales], "met": self.met}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Certificate:
        """From plain values."""
        rest = {key: value for key, value in given.items() if key not in ("scales", "met")}
        scales: Sequence[Mapping[str, Any]] = given.get("scales", ())
        return cls(**rest, scales=tuple(ScaleErrors(**each) for each in scales))
