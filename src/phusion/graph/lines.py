"""Text files in blocks of whole lines, as UTF-8, with the errors a person can act on."""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from phusion.errors import FileError
from phusion.graph.draft import Options
from phusion.graph.streams import decompressed

__all__ = ["Block", "not_utf8", "stated_direction", "text_blocks", "whole_text", "without_blank_lines"]

_BLOCK = 1 << 22
_LONGEST_LINE = 1 << 26
_MARKS = {
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_STATED = re.compile(rb"(?im)^[#%][ \t]*(un)?directed\b")


@dataclass(frozen=True)
class Block:
    """Some whole lines of a file, as they are, and the number of the first."""

    data: bytes
    line: int


def without_blank_lines(block: Block, delimiter: str) -> Block:
    """Lines of nothing but blanks as empty ones, as parsers skip these only; tabs that delimit are no blanks."""
    if b"\n " not in block.data and b"\n\t" not in block.data and block.data[:1] not in (b" ", b"\t"):
        return block
    blanks = rb"(?m)^[ ]+(?=\r?$)" if delimiter == "\t" else rb"(?m)^[ \t]+(?=\r?$)"
    return Block(re.sub(blanks, b"", block.data), block.line)


def text_blocks(path: Path, options: Options) -> Generator[Block, None, None]:
    """The file in blocks of whole lines, as UTF-8, without byte-order mark."""
    with decompressed(path, options.progress) as stream:
        yield from _lines_together(_as_utf8(stream, options.encoding, path), path)


def _as_utf8(stream: IO[bytes], encoding: str, path: Path) -> Iterator[bytes]:
    try:
        name = codecs.lookup(encoding).name
        "a".encode(encoding)  # base64 and others of its kind are no encodings of text
    except (LookupError, ValueError) as error:
        raise FileError(f"encoding={encoding!r} is no encoding of text that Python knows", path=path) from error
    first = stream.read(_BLOCK)
    for wide, marks in _MARKS.items():
        if name == "utf-8" and first.startswith(marks):
            raise FileError(f'this text is {wide.upper()}; pass encoding="{wide}" (--encoding {wide})', path=path)
    if name != "utf-8":
        try:
            first = (first + stream.read()).decode(encoding).encode()
        except UnicodeError as error:
            raise FileError(f"is not {encoding} text: {error}", path=path) from error
    block = first.removeprefix(codecs.BOM_UTF8)
    while block:
        if b"\x00" in block:
            if block.startswith(b"PK\x03\x04"):
                workbook = "a workbook of Excel; save the sheet as CSV, or pass pandas.read_excel(…)"
                what = workbook if b"[Content_Types].xml" in block else "a zip archive; unpack it first"
                raise FileError(f"this is {what}", path=path)
            raise FileError(
                "this looks like a binary file, not text; if its suffix is wrong, name the format "
                '(format="npz", "matlab", "parquet", …)',
                path=path,
            )
        yield block
        block = stream.read(_BLOCK)


def _lines_together(chunks: Iterator[bytes], path: Path) -> Iterator[Block]:
    rest, line = b"", 1
    for chunk in chunks:
        if b"\r" in chunk and b"\n" not in chunk:  # line ends of an old Mac
            chunk = chunk.replace(b"\r", b"\n")
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            rest += chunk
            if len(rest) > _LONGEST_LINE:
                raise FileError("has a line of over 64 MB; this is not a list of edges", path=path, line=line)
            continue
        data = b"".join((rest, memoryview(chunk)[:cut]))
        rest = chunk[cut:]
        yield Block(data, line)
        line += data.count(b"\n")
    if rest:
        yield Block(rest, line)


def whole_text(path: Path, options: Options) -> str:
    """All of a text file; for formats that are read in one piece."""
    data = b"".join(block.data for block in text_blocks(path, options))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8(path, data[: error.start].count(b"\n") + 1) from error


def stated_direction(data: bytes) -> bool | None:
    """What a comment at the start says, as SNAP's ``# Directed graph`` does; None if nothing."""
    stated = _STATED.search(data[: 1 << 14])
    return None if stated is None else stated.group(1) is None


def not_utf8(path: Path, line: int) -> FileError:
    """The error for a line in another encoding."""
    hint = 'pass its encoding, such as encoding="latin-1" (--encoding latin-1)'
    return FileError(f"is not UTF-8 text; {hint}", path=path, line=line)
