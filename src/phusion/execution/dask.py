"""The same blocks on Dask workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from phusion.errors import InputError, InputTypeError, MissingLibraryError
from phusion.execution.progress import announce
from phusion.execution.threads import Executor, blas_threads

__all__ = ["DaskExecutor", "dask_executor"]

_SECONDS = 2.0  # of work in one task, about: much more than sending it takes, and little to do again
_AHEAD = 3  # tasks waiting for each worker
_RETRIES = 3


def _some(function: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
    """One task: several blocks, one after another, with one thread."""
    with blas_threads(1):
        return [function(*each) for each in arguments]


class DaskExecutor(Executor):
    """Dask workers. What blocks are computed from is sent to each of them once for every pass."""

    remote = True

    def __init__(self, client: Any) -> None:
        self.client = client
        self.workers = max(1, sum(client.nthreads().values()))

    def map(
        self, function: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], seconds: float = _SECONDS
    ) -> Iterator[Any]:
        """In order. A task whose worker dies is done again elsewhere; nothing is left behind when interrupted."""
        each = max(1, min(int(_SECONDS / max(seconds, 1e-6)), -(-len(arguments) // (2 * self.workers))))
        batches = [list(arguments[start : start + each]) for start in range(0, len(arguments), each)]
        sent = self.client.scatter(function, broadcast=True, hash=False)
        waiting: deque[Any] = deque()
        try:
            for batch in batches:
                waiting.append(self.client.submit(_some, sent, batch, retries=_RETRIES, pure=False))
                if len(waiting) >= _AHEAD * self.workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            if waiting:
                self.client.cancel(list(waiting))
            sent.release()


@contextmanager
def dask_executor(given: Any, threads: int) -> Iterator[DaskExecutor]:
    """The workers of a client, of a scheduler's address, or some on this machine that end when it is done.

    Parameters
    ----------
    given : ``"dask"`` for the client of this process, or local workers if there is none; ``"local"``; an address; or a
        client.
    threads : number of local workers, each with one thread.
    """
    try:
        import distributed
    except ImportError as error:
        raise MissingLibraryError("executor='dask'", "dask", "dask") from error
    if isinstance(given, distributed.Client):
        yield _announced(given)
        return
    if not isinstance(given, str):
        raise InputTypeError(
            "executor is None, 'dask', 'local', a scheduler's address like 'tcp://host:8786', or a dask client; "
            f"got {type(given).__name__}"
        )
    if given == "dask":
        try:
            yield _announced(distributed.get_client())
            return
        except ValueError:
            given = "local"
    if given == "local":
        with (
            distributed.LocalCluster(n_workers=threads, threads_per_worker=1, dashboard_address=":0") as cluster,
            distributed.Client(cluster) as client,
        ):
            yield _announced(client)
        return
    try:
        client = distributed.Client(given, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {given!r}: {error}") from error
    with client:
        yield _announced(client)


def _announced(client: Any) -> DaskExecutor:
    found = DaskExecutor(client)
    announce(f"{found.workers} Dask workers; dashboard: {client.dashboard_link}")
    return found
