"""How much memory there is, and how much is asked for."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from phusion.errors import InputError

__all__ = ["Limit", "address_space", "as_bytes", "at_least", "free_memory", "in_words", "memory_limits"]

_UNITS = {"": 1, "B": 1}
_UNITS |= {f"{letter}B": 1000**power for power, letter in enumerate("KMGT", 1)}
_UNITS |= {f"{letter}IB": 1024**power for power, letter in enumerate("KMGT", 1)}
_UNITS |= {letter: 1000**power for power, letter in enumerate("KMGT", 1)}
_COMPILER = 500_000_000  # of address space, most of it never used, that compiled code takes when it is loaded
_WORDS = ((1e9, "GB", 1e9, 1), (1e7, "MB", 1e6, 0), (1e5, "MB", 1e6, 1), (1e3, "kB", 1e3, 0))


def as_bytes(given: Any) -> int:
    """A number of bytes from a number or words.

    >>> as_bytes("2GB"), as_bytes("512 MiB")
    (2000000000, 536870912)
    """
    if isinstance(given, str):
        found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([a-zA-Z]*)\s*", given)
        unit = found[2].upper() if found else ""
        if found and unit in _UNITS:
            given = float(found[1]) * _UNITS[unit]
    number = 0.0 if isinstance(given, bool) or not isinstance(given, Real) else float(given)
    if not 0 < number < 2**62:
        raise InputError(f"memory is a number of bytes or words like '2GB' or '500MB'; got {given!r}")
    return int(number)


def in_words(n_bytes: float) -> str:
    """As a person would say it.

    >>> in_words(1_500_000_000), in_words(23_400_000), in_words(1_230_000), in_words(20_000), in_words(7)
    ('1.5 GB', '23 MB', '1.2 MB', '20 kB', '7 bytes')
    """
    for least, unit, divisor, digits in _WORDS:
        if n_bytes >= least:
            return f"{n_bytes / divisor:,.{digits}f} {unit}"
    return f"{n_bytes:.0f} bytes"


def at_least(n_bytes: float) -> str:
    """Words that `as_bytes` reads as this many bytes or a little more.

    >>> at_least(1_510_000_000), at_least(22_000_001)
    ('1.6GB', '23MB')
    """
    if n_bytes >= 1e9:
        return f"{math.ceil(n_bytes / 1e8) / 10:.1f}GB"
    return f"{math.ceil(n_bytes / 1e6)}MB" if n_bytes >= 1e7 else f"{math.ceil(n_bytes / 1e5) / 10:.1f}MB"


def free_memory() -> int | None:
    """Bytes this process may still take: free in the machine, its control groups and its own limit; None if unknown."""
    found = [limit.free for limit in memory_limits()]
    return min((each for each in found if each is not None), default=None)


@dataclass(frozen=True)
class Limit:
    """One thing that limits memory: what it is, how much it allows, and how much of that is left."""

    what: str
    total: int | None
    free: int | None


def memory_limits() -> list[Limit]:
    """Everything that limits the memory of this process, where the system tells."""
    found = [_machine(), *_groups(), address_space()]
    return [limit for limit in found if limit is not None]


def _machine() -> Limit | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        facts = dict(line.split(":", 1) for line in lines)
        total, free = (int(facts[name].split()[0]) * 1024 for name in ("MemTotal", "MemAvailable"))
    except (OSError, KeyError, ValueError):
        return None
    return Limit("machine", total, free)


def _groups() -> Iterator[Limit]:
    """Control groups with a limit: that of this process and those around it, in either version of them."""
    for folder, limit, used in _folders():
        found = _group(limit, used, folder)
        if found is not None:
            yield found


def _folders() -> Iterator[tuple[Path, str, str]]:
    new = Path("/sys/fs/cgroup"), "memory.max", "memory.current"
    old = Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "memory.usage_in_bytes"
    own = {"": "", "memory": ""}
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, kinds, path = line.split(":", 2)
            own |= {kind: path.strip("/") for kind in kinds.split(",") if kind in own}
    for (root, limit, used), path in ((new, own[""]), (old, own["memory"])):
        here = root / path
        for folder in (here, *here.parents):
            if folder == root or root in folder.parents:
                yield folder, limit, used


def _group(limit: str, used: str, folder: Path) -> Limit | None:
    """What a control group has left; pages that only cache files count as free."""
    try:
        most, now = (int((folder / name).read_text()) for name in (limit, used))
    except (OSError, ValueError):  # "max" is no number: no limit
        return None
    with suppress(OSError, ValueError):
        lines = (folder / "memory.stat").read_text().splitlines()
        now -= int(dict(line.split() for line in lines).get("inactive_file", 0))
    return Limit("control group", most, max(0, most - now)) if most < 2**60 else None


def address_space() -> Limit | None:
    """What ``ulimit -v`` leaves."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return None
    if most == resource.RLIM_INFINITY:
        return None
    ahead = 0 if "numba" in sys.modules else _COMPILER
    return Limit("address space (ulimit -v)", most, max(0, most - taken - ahead))
