"""Ends of lines: those of Unix, Windows and old Macs, and empty lines, made one."""

from __future__ import annotations

import re

__all__ = ["with_plain_ends"]


def with_plain_ends(data: bytes) -> bytes:
    r"""Every line ends in one line feed, and none is empty.

    >>> with_plain_ends(b"\na b\r\n\r\nc d\re f")
    b'a b\nc d\ne f\n'
    """
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\n\n" in data or data.startswith(b"\n"):
        data = re.sub(rb"\n{2,}", b"\n", data).removeprefix(b"\n")
    return data if data.endswith(b"\n") or not data else data + b"\n"
