"""`Life`: which process this is, and whether another one still runs."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Self

__all__ = ["Life", "do_last_acts", "has_ended", "last_act", "not_last_act", "own_mark"]

_GONE = 60.0  # seconds without a sign of life after which a process that cannot be seen from here counts as dead
_LAST: list[Callable[[], None]] = []


@dataclass(frozen=True)
class Life:
    """One process.

    Parameters
    ----------
    owner : unlike any other, and the same after numbers of processes have been used again: it ends with the moment at
        which the process was started, where the system tells.
    host : the machine since it was started, and the part of it in which the number means this process.
    pid : its number.
    """

    owner: str
    host: str
    pid: int

    @classmethod
    def own(cls) -> Self:
        """The process that asks."""
        pid = os.getpid()
        return cls(f"{_host()}:{pid}:{time.time_ns()}:{_state(pid)[1]}", _host(), pid)

    def is_over(self, beat: float) -> bool:
        """Whether it runs no more, or gave its last sign of life, at `beat`, too long ago to be believed."""
        if self.host == _host() and os.name == "posix":  # elsewhere signal 0 is not a question
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                return True
            except PermissionError:  # it is there, and someone else's
                pass
            state, started = _state(self.pid)
            if started:  # a process that was only stopped for a while is not over
                return state == "Z" or not self.owner.endswith(f":{started}")
        return time.time() - beat > _GONE

    @property
    def ended_with_its_machine(self) -> bool:
        """Whether it ran here before the machine was last started."""
        name, start = f"{self.host}|".split("|")[:2]
        here, now = f"{_host()}|".split("|")[:2]
        return name == here and start != now


def last_act(act: Callable[[], None]) -> None:
    """Have this done if the process must end in the midst of compiled code, where nothing is cleaned up."""
    if act not in _LAST:
        _LAST.append(act)


def not_last_act(act: Callable[[], None]) -> None:
    """It need not be done any more."""
    if act in _LAST:
        _LAST.remove(act)


def do_last_acts() -> None:
    """For who ends this process by force."""
    for act in _LAST.copy():
        act()


def own_mark() -> str:
    """A few letters that tell this process from all others, for names of files."""
    pid = os.getpid()
    return f"{_short_host()}-{pid}-{_state(pid)[1]}"


def has_ended(mark: str) -> bool:
    """Whether the process with this mark was on this machine and runs no more."""
    host, _, rest = mark.partition("-")
    pid, _, started = rest.partition("-")
    return host == _short_host() and pid.isdigit() and Life(f":{started}", _host(), int(pid)).is_over(time.time())


def _short_host() -> str:
    return sha256(_host().encode()).hexdigest()[:8]


@cache
def _host() -> str:
    return "|".join([socket.gethostname(), _read("/proc/sys/kernel/random/boot_id"), _namespace()])


def _namespace() -> str:
    """Containers on one machine number their processes on their own."""
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _state(pid: int) -> tuple[str, str]:
    """In a letter, and when it was started, in ticks since the machine was; nothing where the system does not tell."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()  # the name before it may hold anything
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
