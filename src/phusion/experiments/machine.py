"""What numbers were computed on and with."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = ["machine"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


@cache
def machine() -> dict[str, str]:
    """Processor, system and versions, in words; no name by which the machine could be found."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{library: version(library) for library in _LIBRARIES},
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not Linux
        pass
    return platform.processor() or "unknown processor"
