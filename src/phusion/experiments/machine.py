"""What numbers were computed on and with."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
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
        **{library: _version(library) for library in _LIBRARIES},
        **({"commit": commit} if (commit := _commit()) else {}),
    }


def _version(library: str) -> str:
    """Of a library that may be missing, as numba may."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _commit() -> str:
    """Of the checkout that phusion runs from, if it does, so that results of several commits can be told apart."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return ""
    words = ("git", "--no-optional-locks", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
    try:
        return subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):  # no git, or somebody else's folder
        return ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not Linux
        pass
    return platform.processor() or "unknown processor"
