"""The same blocks on Dask workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from phusion.errors import InputError, MissingLibraryError
from phusion.execution.allocation import reused_memory
from phusion.execution.progress import announce
from phusion.execution.threads import Executor
from phusion.execution.workers import Workers, look, wait_for_one
from phusion.linalg.blas import blas_threads

__all__ = ["DaskExecutor", "dask_client", "dask_executor", "dask_workers"]

_SECONDS = 2.0  # of work in one task, about: much more than sending it takes, and little to do again
_AHEAD = 3  # tasks waiting for each thread of a worker
_LOSSES = 5  # how often what workers hold is sent again because they died
_PATIENCE = 10.0  # seconds for an answer of a scheduler
_START = 60.0  # seconds for a first worker


def _some(function: Callable[..., Any], arguments: list[tuple[Any, ...]], *held: Any) -> list[Any]:
    """One task: several blocks, one after another, with one thread."""
    with blas_threads(1), reused_memory():
        return [function(*held, *each) for each in arguments]


class DaskExecutor(Executor):
    """Dask workers. What is held is sent to them once for a run; the function, once for each pass.

    Dask itself does a task again whose worker died. Errors of the task itself are not tried again: they would come
    again. What was sent and died with all workers that had it, which Dask cannot bring back, is sent again.
    """

    remote = True

    def __init__(self, client: Any) -> None:
        self.client = client
        self.workers = look(client, _START).threads
        self._held: dict[int, tuple[Any, Any]] = {}

    def map(
        self,
        function: Callable[..., Any],
        arguments: Sequence[tuple[Any, ...]],
        seconds: float = _SECONDS,
        held: Any = None,
    ) -> Generator[Any]:
        """In order. Results leave the workers when they are fetched; nothing is left behind when interrupted."""
        self.workers = max(1, sum(self.client.nthreads().values()))  # some may have joined
        each = max(1, min(int(_SECONDS / max(seconds, 1e-6)), -(-len(arguments) // (2 * self.workers))))
        sent = _Sent(self, function, held)
        try:
            for start in range(0, len(arguments), each):
                sent.submit(list(arguments[start : start + each]))
                if len(sent) >= _AHEAD * self.workers:
                    yield from sent.first()
            while sent:
                yield from sent.first()
        finally:
            sent.close()

    def held(self, value: Any, *, again: bool = False) -> Any:
        """The value on the workers, which then hold no other: one is mapped over at a time."""
        if again or id(value) not in self._held:
            self._held.clear()
            self._held[id(value)] = value, self.scattered(value)
        return self._held[id(value)][1]

    def scattered(self, value: Any) -> Any:
        """A value, on some worker; others get it from there with their first task.

        Not broadcast: Dask's scheduler would wait forever for a worker that dies meanwhile.
        """
        for left in reversed(range(_LOSSES)):
            wait_for_one(self.client, _START)
            try:
                return self.client.scatter(value, hash=False)
            except (OSError, TimeoutError) as error:  # that worker has just died
                if not left or self.client.status != "running":
                    raise InputError(f"the Dask workers are lost: {error}") from error
        return None

    def close(self) -> None:
        """Let go of what workers hold."""
        self._held.clear()


class _Sent:
    """The tasks of one pass that were sent and not yet fetched."""

    def __init__(self, executor: DaskExecutor, function: Callable[..., Any], held: Any) -> None:
        self._executor, self._function, self._value = executor, function, held
        self._waiting: deque[tuple[list[Any], Any]] = deque()
        self._losses = 0
        self._send()

    def __len__(self) -> int:
        return len(self._waiting)

    def _send(self, *, again: bool = False) -> None:
        self._sent = self._executor.scattered(self._function)
        self._held = () if self._value is None else (self._executor.held(self._value, again=again),)

    def submit(self, batch: list[Any]) -> None:
        """Another task."""
        task = self._executor.client.submit(_some, self._sent, batch, *self._held, pure=False)
        self._waiting.append((batch, task))

    def first(self) -> list[Any]:
        """The results of the first task that waits."""
        from distributed import KilledWorker

        while True:
            try:
                found: list[Any] = self._waiting[0][1].result()
            except CancelledError as error:
                self._losses += 1
                if self._losses > _LOSSES or self._executor.client.status != "running":
                    raise InputError(f"the Dask workers are lost: {error}") from error
                self._again()
            except KilledWorker as error:
                raise InputError(
                    f"Dask workers died again and again with the same columns, likely for want of memory: {error} "
                    "Give workers more memory, or fewer threads each"
                ) from error
            else:
                self._waiting.popleft()
                return found

    def _again(self) -> None:
        """Send everything once more."""
        batches = [batch for batch, _ in self._waiting]
        self._cancel()
        self._send(again=True)
        for batch in batches:
            self.submit(batch)

    def close(self) -> None:
        """Leave nothing behind, even if an error's traceback holds this object."""
        self._cancel()
        self._sent, self._held = None, ()

    def _cancel(self) -> None:
        tasks = [task for _, task in self._waiting]
        self._waiting.clear()
        if tasks and self._executor.client.status == "running":
            self._executor.client.cancel(tasks, force=True)


@contextmanager
def dask_executor(given: Any, threads: int) -> Iterator[DaskExecutor]:
    """The workers of a client, of a scheduler's address, or some on this machine that end when it is done.

    Parameters
    ----------
    given : ``"dask"`` for the client of this process, or local workers if there is none; ``"local"``; an address; or a
        client.
    threads : number of local workers, each with one thread.
    """
    with dask_client(given, threads) as client:
        found = DaskExecutor(client)
        announce(f"{found.workers} threads of Dask workers{_dashboard(client)}")
        try:
            yield found
        finally:
            found.close()


@contextmanager
def dask_client(given: Any, threads: int) -> Iterator[Any]:
    """A client that is connected, for as long as it takes."""
    distributed = _distributed()
    if given == "dask":
        given = _client_here(distributed)
    if isinstance(given, distributed.Client):
        if given.asynchronous or given.status != "running":
            raise InputError("executor is a Dask client that is asynchronous or closed; make one with Client(address)")
        yield given
    elif given == "local":
        with (
            distributed.LocalCluster(
                n_workers=threads, threads_per_worker=1, dashboard_address="127.0.0.1:0"
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client
    else:
        with _connected(distributed, given) as client:
            yield client


def dask_workers(given: Any, threads: int) -> Workers:
    """The workers there are, or will be."""
    given = _client_here(_distributed()) if given == "dask" else given
    if given == "local":
        return Workers(threads, threads, 1, local=True)
    with dask_client(given, threads) as client:
        return look(client, _START)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingLibraryError("an executor of Dask workers", "distributed", "dask") from error
    return distributed


def _client_here(distributed: Any) -> Any:
    try:
        return distributed.get_client()
    except ValueError:
        return "local"


def _connected(distributed: Any, address: Any) -> Any:
    try:
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {address!r}: {error}") from error


def _dashboard(client: Any) -> str:
    has = client.scheduler_info().get("services", {}).get("dashboard")
    return f"; dashboard: {client.dashboard_link}" if has else ""
