"""Whether text that may be a path is one."""

from __future__ import annotations

from pathlib import Path

__all__ = ["exists", "impossible"]


def impossible(path: str | Path) -> str:
    """Why no file can be called so, in words; empty if one can."""
    try:
        Path(path).lstat()
    except ValueError:
        return "a path cannot contain a zero character"
    except FileNotFoundError:
        return ""
    except OSError as error:  # ENAMETOOLONG, ENOTDIR, ELOOP, EACCES
        return "" if isinstance(error, (PermissionError, NotADirectoryError)) else error.strerror or str(error)
    return ""


def exists(path: str | Path) -> bool:
    """Whether there is such a file or folder; there is none whose name is too long, or has a zero character."""
    return not impossible(path) and Path(path).exists()
