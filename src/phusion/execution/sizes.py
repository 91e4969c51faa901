"""How much memory blocks of columns take, here and on workers."""

from __future__ import annotations

from dataclasses import dataclass

from phusion.execution.workers import Workers

__all__ = ["Sizes"]


@dataclass
class Sizes:
    """Bytes, as they depend on the width of blocks and the number of threads.

    Attributes
    ----------
    held : what blocks are computed from.
    fixed : what this process holds, `held` included.
    column : for each column of a block at work.
    counts : for a table of counts, in every thread and in this process.
    other : further bytes of a thread at work.
    workers : None if threads of this process compute blocks.
    """

    held: int
    fixed: int
    column: int
    counts: int
    other: int
    workers: Workers | None
    threads: int
    width: int

    @property
    def there(self) -> int:
        """In each worker; 0 if there are none."""
        return 0 if self.workers is None else self.held + self.workers.threads_each * self._at_work

    @property
    def peak(self) -> int:
        """On this machine, the workers that are started here included."""
        if self.workers is None:
            return self.fixed + self.counts + self.threads * self._at_work
        return self.fixed + self.counts + (self.workers.count * self.there if self.workers.local else 0)

    @property
    def _at_work(self) -> int:
        return self.width * self.column + self.counts + self.other

    def crowded(self, room: int) -> bool:
        """Whether that is too much."""
        return self.peak > room or not (self.workers is None or self.workers.fits(self.there))

    def shrink(self, room: int, least: int, *, narrower: bool) -> None:
        """To what fits: narrower blocks (if they may be), then fewer threads, then the narrowest blocks."""
        while self.crowded(room) and narrower and self.width > max(least, 8):
            self.width = max(least, self.width // 2)
        while self.crowded(room) and self.workers is None and self.threads > 1:
            self.threads -= 1
        while self.crowded(room) and narrower and self.width > least:
            self.width = max(least, self.width // 2)
