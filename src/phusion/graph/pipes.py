"""Pipes as files: what comes through one can be looked at once only."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phusion.errors import FileError
from phusion.output import scratch_folder

__all__ = ["settled"]


@contextmanager
def settled(path: Path) -> Iterator[Path]:
    """A path that can be read again: that of a pipe is put into a file first, and errors name the pipe."""
    if not path.is_fifo():
        yield path
        return
    with scratch_folder("pipe") as folder:
        inner = folder / path.name
        with path.open("rb") as pipe, inner.open("wb") as file:
            shutil.copyfileobj(pipe, file)
        try:
            yield inner
        except FileError as error:
            raise type(error)(error.message, path=path, line=error.line) from error
