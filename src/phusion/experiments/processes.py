"""Several processes that share a ledger."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from phusion.errors import InputError, PhusionError
from phusion.execution.resources import Resources
from phusion.experiments.ledger import Ledger
from phusion.experiments.notes import Notes
from phusion.experiments.pace import Pace, Progress
from phusion.experiments.runner import Outcome, Work, all_work, run_studies
from phusion.experiments.study import Study
from phusion.life import do_last_acts
from phusion.output import remove_scratch, scratch_folder

__all__ = ["run_in_processes", "working"]

_POLL = 0.5  # seconds between looks at the ledger
_SHOWN = 2  # of the things that are under way, so that they fit on a line
_PATIENCE = 5.0  # seconds in which a process that is told to end should


def run_in_processes(
    studies: Sequence[Study],
    path: str | Path,
    *,
    profiles: Sequence[str],
    jobs: int = 1,
    retry: bool = False,
    said: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Compute what the ledger at `path` lacks, in so many processes; all of them end when this one does.

    Each gets its share of processors and memory. What one that dies has begun is done by the others, or by new ones if
    all of them die; a cell with which two have died is recorded as failed.
    """
    if type(jobs) is not int or jobs < 1:
        raise InputError(f"jobs is a whole number ≥ 1; got {jobs!r}")
    remove_scratch("notes")  # also where nothing is left to share
    with Ledger(path) as ledger:
        work = all_work(studies, profiles)
        if retry:
            ledger.forget_errors(work)
        before = len(ledger.recorded(work))
        warned: dict[str, str] = {}
        if jobs > 1 and before < len(work):
            with scratch_folder("notes") as folder:
                notes = Notes(folder)
                _share(studies, ledger, profiles, jobs, Pace(work, said, jobs), notes)
                warned = notes.read().get("warned", {})
        outcome = run_studies(studies, ledger, profiles=profiles, said=said)  # what is left, and what cannot be done
        outcome.computed = len(ledger.recorded(work)) - before
        outcome.warned = {**outcome.warned, **warned}
        return outcome


def _share(
    studies: Sequence[Study], ledger: Ledger, profiles: Sequence[str], jobs: int, pace: Pace, notes: Notes
) -> None:
    work = all_work(studies, profiles)
    share = Resources().shared(jobs)
    given = (list(studies), str(ledger.path), tuple(profiles), notes)
    while True:
        with working(jobs, share, _compute, *given, spared=ledger.spare) as still:
            while still(_POLL):
                missing = notes.read().get("missing", {})
                pace.leave_out(key for key, one in work.items() if one.source.name in missing)
                pace.update(ledger.recorded(work), _under_way(ledger, work))
        if not ledger.bury():  # all have ended, and the last of them did not die computing
            return


def _under_way(ledger: Ledger, work: Mapping[str, Work]) -> str:
    """What each process is at, or some of them."""
    first = (next((work[key].what for key in keys if key in work), "") for keys in ledger.under_way().values())
    found = list(dict.fromkeys(filter(None, first)))
    return ", ".join(found[:_SHOWN]) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")


@contextmanager
def working(
    number: int,
    share: Resources,
    target: Callable[..., None],
    *arguments: Any,
    spared: Callable[[int], None] | None = None,
) -> Iterator[Callable[[float], bool]]:
    """So many processes that call `target` with the arguments and what each of them may use.

    What is given waits up to some seconds and tells whether any of them still runs. They all end with the block; one
    that has to be killed is `spared` before, by its number: what it computes is not to blame.
    """
    spawn = multiprocessing.get_context("spawn")  # a forked copy of numba's and BLAS's threads would hang
    workers = [spawn.Process(target=_work, args=(target, arguments, share), daemon=True) for _ in range(number)]

    def still(seconds: float) -> bool:
        running = [worker.sentinel for worker in workers if worker.is_alive()]
        connection.wait(running, seconds)
        return bool(running)

    try:
        with _undisturbed():
            for worker in workers:
                worker.start()
        yield still
    finally:
        _end(workers, spared)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What is started within ignores Ctrl-C from its first moment: the first process ends it. SIGTERM has to wait.

    A process that is half started would not be known to the one that ends it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late: list[int] = []
    term = signal.signal(signal.SIGTERM, lambda number, _: late.append(number))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, term or signal.SIG_DFL)
        if late:
            signal.raise_signal(signal.SIGTERM)


def _end(workers: list[Any], spared: Callable[[int], None] | None) -> None:
    for end in ("terminate", "kill"):
        for worker in workers:
            if worker.pid is not None and worker.is_alive():
                if end == "kill" and spared is not None:
                    with suppress(PhusionError):  # of a full disk; it is only counted less well then
                        spared(worker.pid)
                getattr(worker, end)()
        for worker in workers:
            if worker.pid is not None:
                worker.join(_PATIENCE)


def _work(target: Callable[..., None], arguments: tuple[Any, ...], resources: Resources) -> None:
    """What each process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that it removes what it has not finished
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # an error of the ledger, such as a full disk, is for the first process to say, which will meet it too
    with suppress(PhusionError), threadpool_limits(resources.n_threads):
        target(*arguments, resources)


def _compute(studies: list[Study], path: str, profiles: tuple[str, ...], notes: Notes, resources: Resources) -> None:
    with Ledger(path) as ledger:
        run_studies(studies, ledger, profiles=profiles, resources=resources, noted=notes.write)


def _end_with_parent() -> None:
    """A parent that was killed cannot tell its children; nobody waits for them any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        do_last_acts()
        os._exit(1)
