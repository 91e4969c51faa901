"""`Pace`: how much of a run is done, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Pace", "Progress"]


@dataclass(frozen=True)
class Progress:
    """Cells done, all cells, the seconds that are left (None while nothing is known), and what is under way."""

    done: int
    total: int
    remaining: float | None
    what: str


class Pace:
    """Seconds of the cells that are recorded, from which those of the others are guessed.

    A cell is taken to last as long as others of the same kind did, or, while there are none, as long as others.

    Parameters
    ----------
    work : all cells by their key; each has a `kind`.
    said : is told after each cell.
    processes : how many compute.
    """

    def __init__(
        self, work: Mapping[str, Any], said: Callable[[Progress], None] | None = None, processes: int = 1
    ) -> None:
        self.seconds: dict[str, float] = {}
        self._kind = {key: one.kind for key, one in work.items()}
        self._said = said
        self._processes = processes
        self._what = ""

    def update(self, recorded: Mapping[str, float]) -> None:
        """What the ledger knows."""
        self.seconds = dict(recorded)
        self.say(self._what)

    def add(self, key: str, seconds: float) -> None:
        """One more cell."""
        self.seconds[key] = seconds
        self.say(self._what)

    def say(self, what: str) -> None:
        """Tell how far it is."""
        self._what = what
        if self._said is not None:
            self._said(Progress(len(self.seconds), len(self._kind), self._remaining(), what))

    def _remaining(self) -> float | None:
        if not self.seconds:
            return None
        times: dict[Any, list[float]] = {}
        for key, seconds in self.seconds.items():
            times.setdefault(self._kind[key], []).append(seconds)
        usual = sum(self.seconds.values()) / len(self.seconds)
        means = {kind: sum(some) / len(some) for kind, some in times.items()}
        left = sum(means.get(kind, usual) for key, kind in self._kind.items() if key not in self.seconds)
        return left / self._processes
