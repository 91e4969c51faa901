"""How many threads BLAS has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["blas_threads"]


@contextmanager
def blas_threads(count: int) -> Iterator[None]:
    """Give BLAS this many threads meanwhile."""
    with _controller().limit(limits=count, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    """Who knows the BLAS libraries of this process; looked for once, as that takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
