"""`Workers`: what a plan must know of Dask workers."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from phusion.errors import InputError
from phusion.linalg.kernels.compiled import compiler

__all__ = ["Workers", "look", "wait_for_one"]

_SHARE = 0.6  # of a worker's memory: above it, Dask writes to disk, pauses (0.8) and kills (0.95)
_LEAST = 0.05  # of a worker's memory: so much there is between these, if libraries alone take their share


@dataclass(frozen=True)
class Workers:
    """Dask workers.

    Attributes
    ----------
    count : processes.
    threads : of all together.
    threads_each : of one, at most.
    memory : bytes that each has for blocks; None where Dask sets no limit.
    local : whether they will be started here, and take their memory from this machine's budget.
    """

    count: int
    threads: int
    threads_each: int
    memory: int | None = None
    local: bool = False

    @classmethod
    def imagined(cls, count: int, threads_each: int, memory: int) -> Workers:
        """Workers that are not there, on machines with so many bytes each, to plan with."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise InputError(f"workers is a whole number ≥ 1; got {count!r}")
        return cls(count, count * threads_each, threads_each, int(_SHARE * memory))

    def fits(self, n_bytes: int) -> bool:
        """Whether each has room for that."""
        return self.memory is None or n_bytes <= self.memory


def wait_for_one(client: Any, patience: float) -> None:
    """Have at least one worker; clusters that grow on demand have a demand then."""
    demand = client.submit(int, pure=False)
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        paused = len(client.nthreads())
        what = f"all {paused} Dask workers are paused, as their memory is full" if paused else "there is no Dask worker"
        raise InputError(f"{what}, {patience:.0f} seconds on; start others") from error
    finally:
        demand.release()


def look(client: Any, patience: float) -> Workers:
    """The workers of a client; refused if there are none, or if their phusion is not this one."""
    own = import_module("phusion").__version__
    wait_for_one(client, patience)

    def facts(dask_worker: Any) -> tuple[str, bool, int, int, int | None]:  # sent by value: there may be no phusion
        import psutil

        import_module("phusion.execution.engine")
        compiles = import_module("phusion.linalg.kernels.compiled").compiler() is not None
        memory = psutil.Process().memory_info().rss
        return (
            import_module("phusion").__version__,
            compiles,
            dask_worker.state.nthreads,
            memory,
            dask_worker.memory_manager.memory_limit,
        )

    found = client.run(facts, on_error="return")
    for address, fact in found.items():
        if isinstance(fact, Exception):
            raise InputError(
                f"the Dask worker {address} cannot use phusion: {fact}. Install phusion-embed=={own} there"
            ) from fact
        if fact[0] != own:
            raise InputError(f"the Dask worker {address} has phusion {fact[0]}, but here is {own}; install it there")
        if compiler() is not None and not fact[1]:
            raise InputError(
                f"the Dask worker {address} has no numba, but here it is, and compiled code is faster and differs in "
                "the last digits; install 'phusion-embed[fast]' there"
            )
    if not found:
        raise InputError("the last Dask worker has left; start workers, and try again")
    threads = [fact[2] for fact in found.values()]
    rooms = [max(_LEAST * limit, _SHARE * limit - used) for *_, used, limit in found.values() if limit]
    return Workers(len(found), sum(threads), max(threads), int(min(rooms)) if rooms else None)
