"""Memory that is freed and taken again, in the processes of Dask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from phusion.linalg.heap import give_back, glibc

__all__ = ["reused_memory"]

_TRIM, _MMAP = -1, -3  # names of glibc's settings
_SMALL, _LARGE = 128 << 10, 32 << 20  # what is mapped anew by default from the very start, and at most


@contextmanager
def reused_memory() -> Iterator[None]:
    """Let arrays that are freed serve the next ones meanwhile, and give all back in the end.

    Dask sets MALLOC_TRIM_THRESHOLD_ for its workers, which has glibc map and clear every array anew: blocks take three
    times as long.
    """
    given = os.environ.get("MALLOC_TRIM_THRESHOLD_", "")
    library = glibc() if given.isdigit() else None
    if library is None:
        yield
        return
    library.mallopt(_MMAP, _LARGE)
    library.mallopt(_TRIM, 2 * _LARGE)
    try:
        yield
    finally:
        library.mallopt(_MMAP, _SMALL)
        library.mallopt(_TRIM, int(given))
        give_back()
