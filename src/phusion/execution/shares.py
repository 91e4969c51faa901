"""`Share`: a part of the work, and how many threads can share it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Share"]


@dataclass(frozen=True)
class Share:
    """A part of the work.

    Attributes
    ----------
    what : in a word or two.
    cpu_seconds : of all threads together.
    most : pieces it consists of, which is how many threads can share it.
    here : whether it is done in this process, and not sent to workers.
    """

    what: str
    cpu_seconds: float
    most: int
    here: bool = False

    def seconds(self, threads: int, here: int) -> float:
        """With so many threads, and so many in this process.

        >>> Share("rows", 100.0, 50).seconds(10, 2), Share("moments", 100.0, 2).seconds(10, 2)
        (10.0, 50.0)
        """
        return self.cpu_seconds / max(1, min(self.most, here if self.here else threads))
