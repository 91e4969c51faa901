"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phusion.errors import OutputError

__all__ = ["refuse_existing", "whole_file"]


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A path beside the target to write to; it takes the target's place at the end, or is gone after an error."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent or ".")
        os.close(handle)
    except OSError as error:
        raise OutputError(f"cannot write in {target.parent}: {error.strerror or error}") from error
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def refuse_existing(path: Path, overwrite: bool) -> None:
    """Replace nothing unasked, and no folder or device at all."""
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is not a file that can be replaced")
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists; pass overwrite=True (--force) to replace it")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
