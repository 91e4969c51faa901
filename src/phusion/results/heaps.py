"""Text in HDF5 files: the library goes round in a damaged heap for ever, and takes what memory a text announces."""

from __future__ import annotations

import mmap
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phusion.errors import FileError

__all__ = ["announced_text", "check_heaps"]

_HEAP = re.compile(rb"GCOL\x01\x00\x00\x00")  # signature and version of a global heap collection
_HEAD = 16  # bytes before the first object, and before the content of each
_LENGTH = struct.Struct("<I12x")  # how long a text is, and where it is in which heap
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


def announced_text(dataset: Any, path: Path) -> int:
    """Bytes of all texts of a dataset (of h5py), as they are announced where they are referred to."""
    if dataset.dtype.kind != "O":
        return 0
    return sum(length for piece in _references(dataset, path) for (length,) in _LENGTH.iter_unpack(piece))


def _references(dataset: Any, path: Path) -> Iterator[bytes]:
    """What the file itself holds of a dataset of texts."""
    size = _LENGTH.size
    if dataset.chunks is None:
        start, stored = dataset.id.get_offset(), dataset.id.get_storage_size()
        if start is None and stored:
            raise FileError("its texts are stored in a way phusion does not read; save it with anndata", path=path)
        with path.open("rb") as file:
            file.seek(start or 0)
            found = file.read(stored)
        yield found[: len(found) // size * size]
        return
    if dataset.compression not in (None, "gzip") or dataset.shuffle or dataset.fletcher32:
        raise FileError("its texts are packed in a way phusion does not read; save it without compression", path=path)
    whole = size * dataset.chunks[0]
    for number in range(dataset.id.get_num_chunks()):
        packed = dataset.id.read_direct_chunk(dataset.id.get_chunk_info(number).chunk_offset)[1]
        found = zlib.decompressobj().decompress(packed, whole) if dataset.compression else packed[:whole]
        yield found[: len(found) // size * size]
