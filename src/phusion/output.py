"""Writing files whole or not at all."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import ENOSPC
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE
from tempfile import gettempdir

from phusion.errors import OutputError, PhusionError
from phusion.life import has_ended, own_mark
from phusion.paths import impossible

__all__ = [
    "check_folder",
    "check_target",
    "remove_leftovers",
    "remove_scratch",
    "remove_unfinished",
    "scratch_folder",
    "whole_file",
    "whole_files",
    "whole_folder",
]

_LONGEST = 150  # bytes of the target's name in that of the file beside it; systems allow 255
_ATTEMPTS = 5  # at removing a folder into which others may still write
_FULL = 1 << 20  # bytes
_unfinished: set[Path] = set()


@contextmanager
def whole_file(target: Path, *, settled: bool = True, overwrite: bool = True) -> Iterator[Path]:
    """A path beside the target to write to; it takes the target's place at the end, or is gone after an error.

    What is `settled` is on the disk before that, so that a loss of power leaves the old file or the new one. Without
    `overwrite` a file that has appeared meanwhile stays.
    """
    target = target.resolve() if overwrite and target.is_symlink() else target  # which stays a link
    with _beside(target) as part:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        _keep_mode(target, part, 0o600)
        yield part
        if settled:
            _settle(part)
        _keep_mode(target, part)
        _check_free(target, overwrite)
        part.replace(target)


def _keep_mode(target: Path, part: Path, more: int = 0) -> None:
    """Who could not read the file that is replaced cannot read the new one."""
    with suppress(OSError):  # there is none, or the disk knows no modes
        part.chmod(S_IMODE(target.stat().st_mode) | more)


@contextmanager
def whole_folder(target: Path, *, overwrite: bool = True) -> Iterator[Path]:
    """The same with a folder. Other processes may write into it; what they have not finished at the end is removed."""
    with _beside(target) as folder:
        folder.mkdir()
        yield folder
        for leftover in (*folder.rglob(".*"), *folder.rglob("*.partial")):
            leftover.unlink(missing_ok=True)
        _check_free(target, overwrite)
        _take_place(folder, target)


@contextmanager
def whole_files(*targets: Path, overwrite: bool = True) -> Iterator[Path]:
    """A folder to write all files of one result to, under their names; they take their places together, or none does.

    If the folder of the targets is not there yet, it appears with all of them. Otherwise they are renamed one after the
    other: the first target goes first and comes last, so that it tells whether all are there, and no new file ever
    stands beside an old one.
    """
    place = targets[0].parent
    is_new = not place.exists()
    with _beside(place if is_new else targets[0]) as folder:
        folder.mkdir()
        yield folder
        for target in targets:
            _settle(folder / target.name)
            _keep_mode(target, folder / target.name)
        if is_new:
            folder.rename(place)  # fails if somebody has put files there meanwhile
            return
        for target in targets:
            _check_free(target, overwrite)
        _take_places(folder, targets)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A name for what is not finished, removed in the end; its process can be told from it, should that be killed."""
    remove_leftovers(target.parent, target)
    part = target.parent.absolute() / f"{_prefix(target)}{own_mark()}.{token_hex(4)}.part"
    _unfinished.add(part)  # before it is there: a signal may come at any moment
    try:
        yield part
    except PhusionError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write {target}: {_reason(error, target.parent)}") from error
    finally:
        _remove(part)
        if target.exists():
            _remove(part.with_suffix(".old"))
        _unfinished.discard(part)


def _take_places(folder: Path, targets: Sequence[Path]) -> None:
    """Rename the files of a folder; what was there before is back if that fails."""
    olds = folder / ".old"
    olds.mkdir()
    try:
        for target in targets:
            if target.exists() or target.is_symlink():
                target.rename(olds / target.name)
        for target in reversed(targets):
            (folder / target.name).rename(target)
    except BaseException:
        for target in targets:
            if not (folder / target.name).exists():
                target.rename(folder / target.name)
        for old in [olds / target.name for target in reversed(targets)]:
            if old.exists() or old.is_symlink():
                old.rename(targets[0].parent / old.name)
        raise


def _take_place(folder: Path, target: Path) -> None:
    """Rename the folder; what was there before is back if that fails."""
    if target.exists() and _exchanged(folder, target):
        return
    old = folder.with_suffix(".old")
    try:
        if target.exists() or target.is_symlink():
            target.rename(old)
        folder.rename(target)
    except BaseException:
        if not target.exists() and (old.exists() or old.is_symlink()):
            old.rename(target)
        raise


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two names were exchanged at one moment, as Linux can on most disks."""
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0


def _reason(error: OSError, folder: Path) -> str:
    """What the system says; libraries tell of a full disk in all kinds of words."""
    with suppress(OSError):
        if shutil.disk_usage(folder).free < _FULL:
            return f"{os.strerror(ENOSPC)} ({folder.absolute()})"
    return error.strerror or str(error)


def _settle(part: Path) -> None:
    handle = os.open(part, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _prefix(target: Path) -> str:
    return f".{os.fsdecode(os.fsencode(target.name)[:_LONGEST])}."


def remove_leftovers(folder: Path, target: Path | None = None) -> None:
    """Remove what processes left there that were killed while they wrote this target, or any.

    What a folder replaced is brought back, if its process was killed in that very moment.
    """
    prefix = "." if target is None else _prefix(target)
    with suppress(OSError):  # no such folder, or not ours: nothing to do here
        with os.scandir(folder) as entries:
            found = [Path(entry.path) for entry in entries if entry.name.startswith(prefix)]
        for path in [each for each in found if each.suffix in (".part", ".old")]:
            words = path.name.removeprefix(prefix).split(".")
            if len(words) < 3 or (target is not None and len(words) > 3) or not has_ended(words[-3]):
                continue
            if path.suffix == ".old" and target is not None and not target.exists():
                path.rename(target)
            else:
                _remove(path)


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder among temporary files, gone in the end; those of killed processes go when the next one is made."""
    remove_scratch(purpose)
    folder = Path(gettempdir()) / f"{_scratch(purpose)}{own_mark()}.{token_hex(4)}"
    _unfinished.add(folder)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        _remove(folder)
        _unfinished.discard(folder)


def remove_scratch(purpose: str) -> None:
    """Remove temporary folders of processes that were killed."""
    prefix = _scratch(purpose)
    with suppress(OSError):
        with os.scandir(gettempdir()) as entries:
            found = [Path(entry.path) for entry in entries if entry.name.startswith(prefix)]
        for path in found:
            if has_ended(path.name.removeprefix(prefix).rpartition(".")[0]):
                shutil.rmtree(path, ignore_errors=True)  # what is not ours stays


def _scratch(purpose: str) -> str:
    return f"phusion-{purpose}."


def remove_unfinished() -> None:
    """Remove what this process has not finished, before it ends at once."""
    for path in list(_unfinished):
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for _ in range(_ATTEMPTS):
            shutil.rmtree(path, ignore_errors=True)
            if not path.exists():
                break
    else:
        with suppress(OSError):
            path.unlink()


def check_target(path: Path, overwrite: bool, *, folder: bool = False) -> None:
    """Refuse before the work what cannot be written after it.

    Nothing is replaced unasked, and no device or folder at all, unless this `folder` may be.
    """
    if reason := impossible(path):
        raise OutputError(f"cannot write {path}: {reason}")
    if path.exists() and not path.is_file() and not folder:
        raise OutputError(f"{path} is not a file that can be replaced")
    _check_free(path, overwrite)
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: the folder {path.parent} does not exist")
    _check_writable(path.parent, path)


def _check_free(path: Path, overwrite: bool) -> None:
    if (path.exists() or path.is_symlink()) and not overwrite:
        raise OutputError(f"{path} exists; --force (overwrite=True) replaces it")


def check_folder(folder: Path) -> None:
    """Refuse a folder to which no files can be added; it is made when it is needed."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file; give a folder, which is made if it is not there")
    _check_writable(next(each for each in (folder, *folder.absolute().parents) if each.exists()), folder)


def _check_writable(folder: Path, path: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise OutputError(f"cannot write {path}: no files may be made in {folder.absolute()}; choose another folder")
