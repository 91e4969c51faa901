"""Processors, libraries of linear algebra, compiled code, memory and folders."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from phusion.datasets.store import cache_folder
from phusion.doctor.finding import Finding
from phusion.doctor.versions import installed
from phusion.execution.memory import in_words, memory_limits
from phusion.execution.resources import Resources
from phusion.execution.threads import processors
from phusion.linalg.kernels.compiled import compiler

__all__ = ["surroundings"]

_LITTLE_MEMORY = 200_000_000
_LITTLE_DISK = 200_000_000


def surroundings() -> Iterator[Finding]:
    """All of them."""
    yield from _processors()
    yield from _compiled()
    yield from _memory()
    yield from _folders()


def _processors() -> Iterator[Finding]:
    allowed = f"{processors()} of {os.cpu_count() or 1} processors may be used"
    yield Finding("processors", "threads", f"{Resources().n_threads} ({allowed})")
    import scipy.linalg  # noqa: F401  (loads its BLAS, so that it is seen)
    from threadpoolctl import threadpool_info

    found = [one for one in threadpool_info() if one["user_api"] == "blas"]
    for one in found:
        value = f"{one['internal_api']} {one['version']}, {one['num_threads']} threads"
        of = Path(one["filepath"]).parent.name.removesuffix(".libs")
        yield Finding("processors", f"BLAS of {of}", value)
    if not found:
        advice = "phusion cannot set its threads; set OPENBLAS_NUM_THREADS, MKL_NUM_THREADS or the like to 1"
        yield Finding("processors", "BLAS", "none that threadpoolctl knows", "unwell", advice)


def _compiled() -> Iterator[Finding]:
    numba = compiler()
    if numba is None:
        yield _uncompiled()
        return
    from phusion.linalg.kernels.ranks import count_keys

    yield Finding("compiled code", "numba", numba.__version__)
    if numba.config.DISABLE_JIT:
        advice = "unset NUMBA_DISABLE_JIT: everything takes a hundred times as long"
        yield Finding("compiled code", "compiler", "switched off", "unwell", advice)
        return
    place = getattr(getattr(count_keys, "_cache", None), "cache_path", None)
    advice = "set NUMBA_CACHE_DIR to a folder that can be written, or every process compiles again, which takes a while"
    if place is None:
        yield Finding("compiled code", "kept in", "nowhere", "unwell", advice)
    elif not _writable(Path(place)):
        yield Finding("compiled code", "kept in", f"{place}, which cannot be written", "unwell", advice)
    else:
        yield Finding("compiled code", "kept in", place)


def _uncompiled() -> Finding:
    """No error, as NumPy and SciPy do its work; but a numba that cannot be used is one that someone meant to use."""
    found = installed("numba")
    if found is not None:
        advice = "pip install --upgrade numba, or pip uninstall numba: phusion does without it, more slowly"
        return Finding("compiled code", "numba", f"{found}, which cannot be imported", "unwell", advice)
    advice = (
        "all is computed by NumPy and SciPy, with the same results in one to four times the CPU time; only "
        "accuracy=0.01 is refused. For compiled code: pip install 'phusion-embed[fast]'"
    )
    return Finding("compiled code", "numba", "not installed", "absent", advice)


def _memory() -> Iterator[Finding]:
    for limit in memory_limits():
        total = "unknown" if limit.total is None else in_words(limit.total)
        free = "unknown" if limit.free is None else in_words(limit.free)
        yield Finding("memory", limit.what, f"{total}, {free} of it free")
    budget = Resources().budget
    little = budget < _LITTLE_MEMORY
    advice = "end other programs or raise the limit; graphs of a few thousand nodes may be refused" if little else ""
    yield Finding("memory", "budget", in_words(budget), "unwell" if little else "well", advice)


def _folders() -> Iterator[Finding]:
    given = os.environ.get("PHUSION_DATA")
    if given is None:
        yield Finding("folders", "data (PHUSION_DATA)", "not set", "absent", "for data sets of your own copies")
    elif Path(given).is_dir():
        yield Finding("folders", "data (PHUSION_DATA)", given)
    else:
        advice = "make the folder, or unset PHUSION_DATA"
        yield Finding("folders", "data (PHUSION_DATA)", f"{given}, which is no folder", "unwell", advice)
    yield _folder("cache of downloads", cache_folder(), "set XDG_CACHE_HOME to a folder that can be written")
    yield _folder("temporary files", Path(tempfile.gettempdir()), "set TMPDIR to a folder that can be written")
    yield _folder("results (current folder)", Path.cwd(), "work in a folder that can be written")


def _folder(name: str, folder: Path, advice: str) -> Finding:
    if not _writable(folder):
        return Finding("folders", name, f"{folder}, which cannot be written", "unwell", advice)
    free = shutil.disk_usage(_existing(folder)).free
    value = f"{folder}, {in_words(free)} free"
    if free < _LITTLE_DISK:
        return Finding("folders", name, value, "unwell", f"make room, or {advice} and has room")
    return Finding("folders", name, value)


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def _writable(folder: Path) -> bool:
    """Whether files can be made there; of a folder that is not there, whether it can be made."""
    return os.access(_existing(folder), os.W_OK | os.X_OK) and _existing(folder).is_dir()
