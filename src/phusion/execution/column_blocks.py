"""How wide blocks of columns are, and whether threads take one each or share one by its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from phusion.execution.threads import Executor, Threads

__all__ = ["ColumnBlocks"]

_NARROW, _WIDE = 8, 32  # columns; memory is read by 64 bytes, 16 numbers of a row, so that narrow blocks take as long
_ROOM = 16_000_000  # numbers in a block
_LONG = 100_000  # numbers of a column that are worth sharing


@dataclass(frozen=True)
class ColumnBlocks:
    """Blocks of `width` columns, `at_once` of them at a time, by so many `threads` each."""

    width: int
    at_once: int
    threads: int

    @classmethod
    def of(cls, n: int, workers: int, columns: int, *, remote: bool = False, share: int = 1) -> ColumnBlocks:
        """For so many columns of n numbers; `share` is the part of the room for one block, as 2 for a half.

        Where wide blocks are too large for every thread to have one, or too few, threads of one process share a block.
        """
        room = _ROOM // share
        alone = cls(_fitting(room, n), workers, 1)
        few = n > _LONG and -(-columns // alone.width) < workers
        if remote or workers == 1 or not (few or n * _WIDE > _ROOM):
            return alone
        return cls(_fitting(workers * room, n), 1, workers)

    @classmethod
    def by(cls, executor: Executor, n: int, columns: int, *, share: int = 1) -> ColumnBlocks:
        """As an executor computes them."""
        return cls.of(n, executor.workers, columns, remote=executor.remote, share=share)

    def executor(self, given: Executor) -> Executor:
        """Who computes the blocks: threads that share one take turns."""
        return given if self.threads == 1 else Threads(1)


def _fitting(room: int, n: int) -> int:
    return int(np.clip(2 ** int(np.log2(max(1.0, room / n))), _NARROW, _WIDE))
