"""Heaps of text in HDF5 files: the library itself goes round in a damaged one for ever."""

from __future__ import annotations

import mmap
import re
import struct
from pathlib import Path

from phusion.errors import FileError

__all__ = ["check_heaps"]

_HEAP = re.compile(rb"GCOL\x01\x00\x00\x00")  # signature and version of a global heap collection
_HEAD = 16  # bytes before the first object, and before the content of each
_ROOM = 0  # the number of the object that is the free space at the end; its size counts its own head


def check_heaps(path: Path) -> None:
    """Refuse a file with an object in a heap that does not lead to the next one."""
    if path.stat().st_size < _HEAD:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for found in _HEAP.finditer(data):
            if found.start() + _HEAD <= len(data):
                _check_heap(data, found.start(), path)


def _check_heap(data: mmap.mmap, start: int, path: Path) -> None:
    (size,) = struct.unpack_from("<Q", data, start + 8)
    place, end = start + _HEAD, start + size
    if end > len(data):
        return  # cut off, which the library sees, or no heap at all
    while place + _HEAD <= end:
        number, _, _, length = struct.unpack_from("<HHIQ", data, place)
        step = length if number == _ROOM else _HEAD + -(-length // 8) * 8
        if step < _HEAD or place + step > end:
            raise FileError("is a damaged HDF5 file: a heap of text does not end", path=path)
        place += step
