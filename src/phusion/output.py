"""Writing files whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phusion.errors import OutputError

__all__ = ["refuse_existing", "whole_file", "whole_folder"]


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


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """The same with a folder. Other processes may write into it; what they have not finished at the end is removed."""
    beside = target.parent or "."
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=beside)).absolute()
        folder.chmod(0o777 & ~_umask())
    except OSError as error:
        raise OutputError(f"cannot write in {target.parent}: {error.strerror or error}") from error
    try:
        yield folder
        for leftover in (*folder.rglob(".*"), *folder.rglob("*.partial")):
            leftover.unlink(missing_ok=True)
        _take_place(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _take_place(folder: Path, target: Path) -> None:
    """Rename the folder; what was there before is back if that fails."""
    old = folder.with_suffix(".old")
    try:
        replaced = target.exists()
        if replaced:
            target.rename(old)
        try:
            folder.rename(target)
        except BaseException:
            if replaced:
                old.rename(target)
            raise
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error
    if replaced:
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()


def refuse_existing(path: Path, overwrite: bool, *, folder: bool = False) -> None:
    """Replace nothing unasked, and no device or folder at all, unless this `folder` may be."""
    if path.exists() and not path.is_file() and not folder:
        raise OutputError(f"{path} is not a file that can be replaced")
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists; pass overwrite=True (--force) to replace it")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
