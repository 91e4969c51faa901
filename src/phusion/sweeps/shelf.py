"""`Shelf`: rows of embeddings on disk, no more than fit."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from phusion.errors import OutputError
from phusion.graph.ids import Array
from phusion.output import remove_leftovers, whole_file

__all__ = ["Shelf"]

_HELD = 16  # arrays in memory
_HEAD = 128  # bytes before the numbers in a file of numpy


class Shelf:
    """Arrays by what they are; the one that was not asked for longest makes room.

    What is gone can be computed again, so nothing here need survive; processes may share a folder.

    Parameters
    ----------
    folder : made when something is put there.
    room : bytes on disk, at most.
    held : bytes in memory, at most; none of it beyond 16 arrays.
    """

    def __init__(self, folder: Path, room: int, held: int) -> None:
        self.folder, self.room, self.held = folder, room, held
        self._near: OrderedDict[str, Array] = OrderedDict()

    def get(self, about: Mapping[str, Any]) -> Array | None:
        """The array, if it is there."""
        name = _name(about)
        if name in self._near:
            self._near.move_to_end(name)
            return self._near[name]
        path = self.folder / name
        try:
            with path.open("rb") as file:
                found: Array = np.lib.format.read_array(file, allow_pickle=False)
            path.touch()
        except Exception:  # not there, or damaged, of which numpy tells in many ways: as good as not there
            return None
        if found.ndim != 2 or found.dtype.kind != "f" or not np.isfinite(found).all():
            return None
        self._hold(name, found)
        return found

    def put(self, about: Mapping[str, Any], values: Array) -> None:
        """Keep an array, in memory alone if it is larger than the room; a full disk is no reason to stop."""
        name = _name(about)
        self._hold(name, values)
        if values.nbytes + _HEAD > self.room:
            return
        with suppress(OutputError, OSError):
            self.folder.mkdir(exist_ok=True)
            self._make_room(values.nbytes + _HEAD)
            with whole_file(self.folder / name, settled=False) as part, part.open("wb") as file:
                np.save(file, values, allow_pickle=False)

    def tidy(self) -> None:
        """Remove what killed processes were putting there."""
        remove_leftovers(self.folder)

    def _hold(self, name: str, values: Array) -> None:
        self._near[name] = values
        while len(self._near) > 1 and (
            len(self._near) > _HELD or sum(each.nbytes for each in self._near.values()) > self.held
        ):
            self._near.popitem(last=False)

    def _make_room(self, needed: int) -> None:
        """Remove files, the one used longest ago first."""
        found = []
        for path in self.folder.glob("*.npy"):
            with suppress(OSError):  # another process was faster
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        total = sum(size for _, size, _ in found) + needed
        for _, size, path in sorted(found):
            if total <= self.room:
                return
            path.unlink(missing_ok=True)
            total -= size


def _name(about: Mapping[str, Any]) -> str:
    return sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:32] + ".npy"
