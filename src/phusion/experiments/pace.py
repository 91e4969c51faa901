"""`Pace`: how much of a run is done, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
        self._left_out: set[str] = set()
        self._said = said
        self._processes = processes
        self._what = ""

    def update(self, recorded: Mapping[str, float], what: str | None = None) -> None:
        """What the ledger knows, and perhaps what is under way."""
        self.seconds = dict(recorded)
        self.say(self._what if what is None else what)

    def add(self, key: str, seconds: float) -> None:
        """One more cell."""
        self.seconds[key] = seconds
        self.say(self._what)

    def leave_out(self, keys: Iterable[str]) -> None:
        """Cells that cannot be computed, as their data set is not here; those that are recorded count all the same."""
        self._left_out.update(keys)
        self.say(self._what)

    def say(self, what: str) -> None:
        """Tell how far it is."""
        self._what = what
        if self._said is not None:
            left = self._left()
            done = len(self.seconds)
            self._said(Progress(done, done + len(left), self._remaining(left), what))

    def _left(self) -> list[str]:
        return [key for key in self._kind if key not in self.seconds and key not in self._left_out]

    def _remaining(self, left: list[str]) -> float | None:
        if not left:
            return 0.0
        if not self.seconds:
            return None
        times: dict[Any, list[float]] = {}
        for key, seconds in self.seconds.items():
            times.setdefault(self._kind[key], []).append(seconds)
        usual = sum(self.seconds.values()) / len(self.seconds)
        means = {kind: sum(some) / len(some) for kind, some in times.items()}
        return sum(means.get(self._kind[key], usual) for key in left) / self._processes
