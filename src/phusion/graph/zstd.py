"""zstd: by pyarrow, else by the standard library, which has it from Python 3.14 on."""

from __future__ import annotations

import io
from contextlib import AbstractContextManager
from importlib import import_module
from typing import IO, Any

from phusion.graph.arrow import has_pyarrow, need_pyarrow

__all__ = ["ZstdReader", "check_zstd", "zstd_writer"]


def check_zstd() -> None:
    """Refuse to read or write zstd where nothing can."""
    if _standard() is None:
        need_pyarrow("zstd compression (.zst)")


class ZstdReader(io.RawIOBase):
    """What a compressed file holds."""

    def __init__(self, raw: Any) -> None:
        check_zstd()
        if has_pyarrow():
            import pyarrow as pa

            self._stream: Any = pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")
            self._broken: type[Exception] = OSError
        else:
            library: Any = _standard()
            self._stream, self._broken = library.ZstdFile(raw), library.ZstdError

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """As of any file; damaged data is an `OSError`, as with the other compressions."""
        try:
            data: bytes = self._stream.read(None if size < 0 else size)
        except self._broken as error:
            raise error if isinstance(error, OSError) else OSError(str(error)) from error
        return data


def zstd_writer(raw: Any) -> AbstractContextManager[IO[bytes]]:
    """A file that compresses what is written to it."""
    check_zstd()
    if not has_pyarrow():
        library: Any = _standard()
        return library.ZstdFile(raw, "w")  # type: ignore[no-any-return]
    import pyarrow as pa

    return pa.CompressedOutputStream(pa.PythonFile(raw, mode="w"), "zstd")  # type: ignore[no-any-return]


def _standard() -> Any | None:
    try:
        return import_module("compression.zstd")
    except ImportError:
        return None
