"""Versions: of phusion, of Python, of what it needs and of what it may use."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata

from phusion import __version__
from phusion.doctor.finding import Finding

__all__ = ["EXTRAS", "installed", "versions"]

_DISTRIBUTION = "phusion-embed"
_OLDEST = (3, 11)

EXTRAS = {
    "fast": "compiled code, several times as fast, accuracy=0.01 for large graphs, and a quick reader",
    "networkx": "graphs of networkx",
    "igraph": "graphs of igraph",
    "frames": "data frames of pandas and polars",
    "parquet": "Parquet files, and .zst before Python 3.14",
    "torch": "the autoencoder (DNGR), and graphs of PyTorch Geometric",
    "h5ad": "writing .h5ad, for scanpy",
    "plots": "phusion plot",
    "dask": "computing on several machines",
    "zarr": "writing .zarr",
    "umap": "maps by UMAP",
    "optuna": "phusion sweep --trials",
}
"""Extra → what it is for."""


def versions() -> Iterator[Finding]:
    """Everything that has a version."""
    yield Finding("versions", "phusion", __version__)
    yield _python()
    try:
        needed = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        advice = f"install it: pip install {_DISTRIBUTION}; what it needs is not known otherwise"
        yield Finding("versions", "installation", "phusion is imported from a folder", "unwell", advice)
        return
    parsed = sorted(_parsed(line) for line in needed)
    for extra, name, oldest in parsed:
        if not extra:
            yield _core(name, oldest)
    for extra, use in EXTRAS.items():
        yield _extra(extra, use, {name: oldest for mine, name, oldest in parsed if mine == extra})


def _python() -> Finding:
    found = platform.python_version()
    if sys.version_info >= _OLDEST:
        return Finding("versions", "Python", found)
    return Finding("versions", "Python", found, "unwell", "use Python 3.11 or newer")


def _core(name: str, oldest: str) -> Finding:
    found = installed(name)
    if found is not None and not _older(found, oldest):
        return Finding("versions", name, found)
    value = "not installed" if found is None else f"{found}, but {oldest} is needed"
    return Finding("versions", name, value, "unwell", f"pip install '{name}>={oldest}'")


def _extra(extra: str, use: str, packages: dict[str, str]) -> Finding:
    found = {name: installed(name) for name in packages}
    value = ", ".join(f"{name} {version or 'is not installed'}" for name, version in found.items())
    install = f"pip install '{_DISTRIBUTION}[{extra}]'"
    if None in found.values():
        return Finding("extras", extra, value, "absent", f"for {use}: {install}")
    old = [name for name, version in found.items() if _older(version or "", packages[name])]
    if old:
        needed = ", ".join(f"{name} {packages[name]}" for name in old)
        return Finding("extras", extra, f"{value}; {needed} is needed", "unwell", f"{install} --upgrade")
    return Finding("extras", extra, value, advice=f"for {use}")


def installed(name: str) -> str | None:
    """The version of a distribution, None where it is missing."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _parsed(line: str) -> tuple[str, str, str]:
    """Extra or nothing, name, oldest version, of a line like ``zarr>=3.0; extra == 'zarr'``."""
    name = re.match(r"[\w.-]+", line)
    oldest, extra = re.search(r">=\s*([\d.]+)", line), re.search(r"extra\s*==\s*['\"]([\w.-]+)", line)
    return extra[1] if extra else "", name[0] if name else line, oldest[1] if oldest else "0"


def _older(found: str, needed: str) -> bool:
    """Whether a version comes before another.

    >>> _older("1.9.2", "1.10"), _older("2.0.0rc1", "2.0")
    (True, False)
    """
    return _numbers(found) < _numbers(needed)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", re.split(r"[a-z+]", version)[0]))
