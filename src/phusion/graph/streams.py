"""Bytes of a file, plain or compressed, with the errors a person can act on."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

from phusion.errors import FileError, UnreadableFileError
from phusion.graph.limits import Allowance
from phusion.graph.zstd import ZstdReader, zstd_writer

__all__ = [
    "COMPRESSIONS",
    "compress_stream",
    "decompressed",
    "explained",
    "parsing",
    "peek",
    "plain_suffix",
    "read_all",
]

# suffix → first bytes of such a file
COMPRESSIONS = {
    ".gz": b"\x1f\x8b",
    ".bz2": b"BZh",
    ".xz": b"\xfd7zXZ\x00",
    ".zst": b"\x28\xb5\x2f\xfd",
}
_BROKEN = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile)


def plain_suffix(path: Path) -> str:
    """The suffix of a path, lower case, without that of compression; "" if it has none.

    >>> plain_suffix(Path("data/graph.edgelist.gz"))
    '.edgelist'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in COMPRESSIONS:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


@contextmanager
def decompressed(path: Path, progress: Callable[[int, int | None], None] | None = None) -> Iterator[IO[bytes]]:
    """Open a file for reading; what it is compressed with is seen from its first bytes."""
    with explained(path):
        raw: Any = path.open("rb")
        with raw:
            head = raw.read(6)
            raw.seek(0)
            counted = _Counted(raw, path.stat().st_size, progress) if progress else raw
            decoder = _decoder(head, counted)
            yield decoder if decoder is counted else _Limited(decoder, Allowance(path.stat().st_size, path))  # type: ignore[misc]


def _nearest(path: Path) -> str:
    """A file beside it of a similar name, as a question."""
    with suppress(OSError):
        names = [each.name for each in path.parent.iterdir()]
        near = get_close_matches(path.name, names, n=1, cutoff=0.75)
        return f". Did you mean {str(path.with_name(near[0]))!r}?" if near else ""
    return ""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the system and the decompressors raise into phusion errors."""
    try:
        yield
    except (FileError, UnicodeError):
        raise
    except ValueError as error:
        if "null byte" not in str(error):
            raise
        raise UnreadableFileError("a path cannot contain a zero character", path=repr(str(path))) from error
    except FileNotFoundError as error:
        raise UnreadableFileError(
            f"no such file{_nearest(path) or '; check the path. Graphs known by name are loaded with '}"
            f"{'' if _nearest(path) else 'phusion.datasets.load(name); `phusion datasets` lists them'}",
            path=path,
        ) from error
    except IsADirectoryError as error:
        raise UnreadableFileError(
            "this is a folder; give a file (a folder is accepted only if it holds a TUDataset: NAME_A.txt …)",
            path=path,
        ) from error
    except PermissionError as error:
        raise UnreadableFileError(
            "no permission to read this file; change its mode or run as its owner", path=path
        ) from error
    except _BROKEN as error:
        raise FileError(
            f"the compressed data is damaged or cut off ({error}); fetch the file again", path=path
        ) from error
    except OSError as error:
        if error.errno is None:  # not the system but a decoder
            raise FileError(
                f"the compressed data is damaged or cut off ({error}); fetch the file again", path=path
            ) from error
        raise UnreadableFileError(f"cannot be read: {error.strerror or error}", path=path) from error


@contextmanager
def parsing(path: Path, what: str) -> Iterator[None]:
    """Another library parses a file; whatever a damaged one makes it raise becomes one clear error."""
    try:
        yield
    except (FileError, MemoryError):
        raise
    except Exception as error:
        raise FileError(
            f"is not a readable {what} ({type(error).__name__}: {error}); is it damaged or cut off?",
            path=path,
        ) from error


def _decoder(head: bytes, raw: Any) -> IO[bytes]:
    if head.startswith(COMPRESSIONS[".gz"]):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head.startswith(COMPRESSIONS[".bz2"]):
        return bz2.BZ2File(raw)
    if head.startswith(COMPRESSIONS[".xz"]):
        return lzma.LZMAFile(raw)
    if head.startswith(COMPRESSIONS[".zst"]):
        return ZstdReader(raw)  # type: ignore[return-value]
    return raw  # type: ignore[no-any-return]


class _Limited(io.RawIOBase):
    """What a decoder gives, as far as it is allowed; never more than asked for at a time."""

    def __init__(self, stream: IO[bytes], allowance: Allowance) -> None:
        self._stream, self._allowance = stream, allowance

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return self._allowance.read(self._stream)
        data = self._stream.read(size)
        self._allowance.spend(len(data))
        return data


class _Counted(io.RawIOBase):
    """Tells how many of the file's bytes have been read, for progress bars."""

    def __init__(self, raw: Any, size: int, progress: Callable[[int, int | None], None]) -> None:
        self._raw, self._size, self._progress = raw, size, progress

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._raw.read(size)
        self._progress(min(self._raw.tell(), self._size), self._size)
        return data

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._raw.seek(offset, whence))

    def tell(self) -> int:
        return int(self._raw.tell())


def peek(path: Path, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, decompressed."""
    with decompressed(path) as stream:
        return stream.read(size)


def read_all(path: Path, progress: Callable[[int, int | None], None] | None = None) -> bytes:
    """The whole of a file, decompressed."""
    with decompressed(path, progress) as stream:
        return stream.read()


@contextmanager
def compress_stream(path: Path, suffix: str) -> Iterator[IO[bytes]]:
    """Open a file for writing, compressed as `suffix` says (``""`` for not at all)."""
    with path.open("wb") as raw:
        if suffix == ".gz":
            # no file name and no time inside: the same graph gives the same bytes
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
                yield stream  # type: ignore[misc]
        elif suffix == ".bz2":
            with bz2.BZ2File(raw, "wb") as stream:
                yield stream
        elif suffix == ".xz":
            with lzma.LZMAFile(raw, "wb") as stream:
                yield stream
        elif suffix == ".zst":
            with zstd_writer(raw) as stream:
                yield stream
        else:
            yield raw
