"""The heap of the C library, which keeps what is freed."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

__all__ = ["give_back", "glibc"]


def give_back() -> None:
    """Return freed memory to the system: arrays of some megabytes would stay beside the large one made of them."""
    library = glibc()
    if library is not None:
        library.malloc_trim(0)


@cache
def glibc() -> Any:
    """The C library, if it is this one."""
    try:
        library = ctypes.CDLL("libc.so.6")
        return library if library.mallopt and library.malloc_trim else None
    except (OSError, AttributeError):
        return None
