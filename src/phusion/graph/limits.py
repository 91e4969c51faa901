"""What a file may unpack to and announce before it is taken for a mistake or a trap.

A few bytes can unpack to terabytes, and a line can announce 10¹² nodes. Nobody means that, so it is refused before
memory is gone. Who does mean it sets the environment variable ``PHUSION_TRUST_FILES=1``.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import IO, Any

from phusion.errors import FileError

__all__ = ["Allowance", "as_count", "check_announced", "check_members"]

_SWITCH = "PHUSION_TRUST_FILES"
_ALWAYS = 1 << 28  # bytes that anything may unpack to
_TIMES = 200  # its packed size, beyond that
_PIECE = 1 << 22
_NODES = 1_000_000  # that may be announced beside a list of none
_PER_ENTRY = 1000  # and for each entry that is listed
_LONGEST = 18  # digits of a number that fits 64 bits


def _trusted() -> bool:
    return os.environ.get(_SWITCH, "0") not in ("", "0")


class Allowance:
    """How much a packed file may unpack to: 256 MB, or 200 times its size if that is more.

    Parameters
    ----------
    packed : bytes of the packed file.
    path : of the file, for the message.
    """

    def __init__(self, packed: int, path: str | Path) -> None:
        self._packed, self._path = packed, path
        self._left = max(_ALWAYS, _TIMES * packed)

    def spend(self, n_bytes: int) -> None:
        """So many more bytes are unpacked, or would be; refused when they are too many."""
        self._left -= n_bytes
        if self._left < 0 and not _trusted():
            most = max(_ALWAYS, _TIMES * self._packed)
            raise FileError(
                f"its {self._packed:,} bytes unpack to more than {most:,} (256 MB, or {_TIMES} times the packed size): "
                f"no graph is packed so well. If you trust it, set the environment variable {_SWITCH}=1",
                path=self._path,
            )

    def read(self, stream: IO[bytes]) -> bytes:
        """All of a stream, as far as it is allowed."""
        pieces = []
        while piece := stream.read(_PIECE):
            self.spend(len(piece))
            pieces.append(piece)
        return b"".join(pieces)


def check_members(archive: zipfile.ZipFile, packed: int, path: str | Path) -> None:
    """Refuse an archive whose members unpack to far more than it holds; none gives more than it says."""
    allowance = Allowance(packed, path)
    for member in archive.infolist():
        allowance.spend(member.file_size)


def check_announced(n_nodes: int, n_listed: int, path: str | Path, what: str = "nodes") -> None:
    """Refuse a file that announces far more nodes than it lists entries."""
    if n_nodes > _NODES + _PER_ENTRY * n_listed and not _trusted():
        raise FileError(
            f"announces {n_nodes:,} {what} but lists {n_listed:,} entries: is that number right? If it is, "
            f"set the environment variable {_SWITCH}=1",
            path=path,
        )


def as_count(word: Any) -> int | None:
    """A number of things that a file announces; None where the word is no plain number, or one beyond 10¹⁸.

    >>> as_count("12"), as_count("²"), as_count("9" * 5000)
    (12, None, None)
    """
    text = word.decode(errors="replace") if isinstance(word, bytes) else word
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else None
