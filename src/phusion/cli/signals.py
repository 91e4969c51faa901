"""Being told to end: SIGTERM is what Ctrl-C is, and neither leaves unfinished files or processes behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from phusion.cli import exit_codes

__all__ = ["Terminated", "ending_well"]

_GRACE = 8.0  # seconds for what is being computed to stop; container systems kill after 10


class Terminated(KeyboardInterrupt):
    """SIGTERM came: all that ends well after Ctrl-C ends well after it."""


@contextmanager
def ending_well() -> Iterator[None]:
    """Within, SIGTERM raises `Terminated`; if long compiled code does not let it, the process ends after some seconds.

    Workers of this process notice its end by themselves.
    """
    told_to_ignore = signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    if threading.current_thread() is not threading.main_thread() or told_to_ignore or os.name != "posix":
        yield
        return
    over = threading.Event()
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    woken = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    before = signal.signal(signal.SIGTERM, _raise)
    watch = threading.Thread(target=_watch, args=(heard, over), name="phusion-signals", daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
        signal.set_wakeup_fd(woken)
        over.set()
        os.close(tell)
        watch.join()


def _raise(*_: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: the way out is not to be disturbed
    raise Terminated


def _watch(heard: int, over: threading.Event) -> None:
    """Python can act on a signal only between its own steps; this thread sees it at once, and waits only so long."""
    try:
        while number := os.read(heard, 1):
            if number[0] == signal.SIGTERM and not over.wait(_GRACE):
                _end()
    finally:
        os.close(heard)


def _end() -> None:
    from phusion.life import do_last_acts
    from phusion.output import remove_unfinished

    remove_unfinished()
    do_last_acts()
    print("phusion: terminated", file=sys.stderr, flush=True)
    os._exit(exit_codes.TERMINATED)
