"""How much memory there is, and how much is asked for."""

from __future__ import annotations

import math
import re
from numbers import Real
from pathlib import Path
from typing import Any

from phusion.errors import InputError

__all__ = ["as_bytes", "at_least", "free_memory", "in_words"]

_UNITS = {"": 1, "B": 1}
_UNITS |= {f"{letter}B": 1000**power for power, letter in enumerate("KMGT", 1)}
_UNITS |= {f"{letter}IB": 1024**power for power, letter in enumerate("KMGT", 1)}
_UNITS |= {letter: 1000**power for power, letter in enumerate("KMGT", 1)}


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

    >>> in_words(1_500_000_000), in_words(20_000)
    ('1.5 GB', '0.1 MB')
    """
    return (
        f"{n_bytes / 1e9:,.1f} GB"
        if n_bytes >= 1e9
        else f"{max(n_bytes, 1e5) / 1e6:,.{0 if n_bytes >= 1e7 else 1}f} MB"
    )


def at_least(n_bytes: float) -> str:
    """Words that `as_bytes` reads as this many bytes or a little more.

    >>> at_least(1_510_000_000), at_least(22_000_001)
    ('1.6GB', '23MB')
    """
    if n_bytes >= 1e9:
        return f"{math.ceil(n_bytes / 1e8) / 10:.1f}GB"
    return f"{math.ceil(n_bytes / 1e6)}MB" if n_bytes >= 1e7 else f"{math.ceil(n_bytes / 1e5) / 10:.1f}MB"


def free_memory() -> int | None:
    """Bytes of memory that are free, in the machine or its control group, where the system tells."""
    found = [_meminfo(), _group("memory.max", "memory.current"), _old_group()]
    return min((each for each in found if each is not None), default=None)


def _meminfo() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return int(dict(line.split(":", 1) for line in lines)["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _group(limit: str, used: str, folder: str = "/sys/fs/cgroup") -> int | None:
    """What a control group has left; pages that only cache files count as free."""
    try:
        most, now = (int((Path(folder) / name).read_text()) for name in (limit, used))
    except (OSError, ValueError):  # "max" is no number: no limit
        return None
    try:
        lines = (Path(folder) / "memory.stat").read_text().splitlines()
        now -= int(dict(line.split() for line in lines).get("inactive_file", 0))
    except (OSError, ValueError):
        pass
    return max(0, most - now) if most < 2**60 else None


def _old_group() -> int | None:
    return _group("memory.limit_in_bytes", "memory.usage_in_bytes", "/sys/fs/cgroup/memory")
