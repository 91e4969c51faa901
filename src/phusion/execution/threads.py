"""One owner of threads: blocks in as many threads as are allowed, and BLAS with one in each of them."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from phusion.linalg.blas import blas_threads

__all__ = ["Executor", "Threads", "processors"]

_AHEAD = 2  # blocks waiting for each thread


def processors() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Executor(ABC):
    """Something that computes a function of many arguments, somewhere."""

    workers: int
    """How many are computed at a time."""
    remote: bool = False
    """Whether what is computed with is copied elsewhere."""

    @abstractmethod
    def map(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], seconds: float = 0.0, held: Any = None
    ) -> Generator[Any]:
        """The function of each tuple of arguments, in their order; each takes about so many seconds.

        What is `held`, if anything, is the first argument of all; it is sent once, however often it is mapped over.
        """


class Threads(Executor):
    """Threads of this process. Compiled loops and BLAS let each other run."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], seconds: float = 0.0, held: Any = None
    ) -> Generator[Any]:
        """In order; few results wait for others. When it is interrupted, no thread goes on."""
        function = function if held is None else partial(function, held)
        with blas_threads(1):
            if self.workers == 1:
                yield from (function(*each) for each in arguments)
                return
            pool = ThreadPoolExecutor(self.workers, thread_name_prefix="phusion")
            try:
                waiting: deque[Future[Any]] = deque()
                for each in arguments:
                    waiting.append(pool.submit(function, *each))
                    if len(waiting) >= _AHEAD * self.workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
