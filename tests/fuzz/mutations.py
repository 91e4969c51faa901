"""Small damages to a valid file: what cables, editors, other programs and malice do to one."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Sequence
from random import Random

__all__ = ["TOKENS", "damaged"]

TOKENS = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xe2\x80\xa8", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b"\x1a",
    b'"', b"'", b",", b";", b"#", b"%", b"[", b"]", b"{", b"}", b"<", b"&", b"../", b"{}", b"[[", b"{'weight': ",
    b"0", b"-1", b"1e309", b"-1e308", b"5e-324", b"nan", b"inf", b"-inf", b"1_0", b"0x1f", b"007", b"1e5", b"1.5",
    b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"18446744073709551616",
    b"1000000000000", b"9" * 5000, b"\xc2\xb2", b"\xd9\xa3", b"1+2j", b"true", b"null", b"None", b"A" * 300,
    b"<!DOCTYPE x>", b"<!ENTITY a 'b'>", b"&#0;", b"&#55296;", b"directed 1", b"weight", b"source", b"target", b"id",
    b"label", b"[" * 2000, b"(" * 2000, b"\x93NUMPY", b"PK\x03\x04", b"PAR1", b"MATLAB",
)  # fmt: skip


def _flip(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    for _time in range(chance.randint(1, 4)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def _change(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    return bytes(data)


def _cut_off(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    return bytes(data[: chance.randrange(len(data))])


def _cut_out(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(data))
    del data[start : start + chance.choice((1, 2, 8, 64))]
    return bytes(data)


def _repeat(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(data))
    piece = bytes(data[start : start + chance.choice((1, 4, 16, 128))])
    return bytes(data[:start]) + piece * chance.choice((2, 3, 50)) + bytes(data[start:])


def _insert(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    place = chance.randrange(len(data) + 1)
    return bytes(data[:place]) + chance.choice(TOKENS) + bytes(data[place:])


def _replace_word(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    """Another word in place of one, so that the grammar around it stays."""
    words = bytes(data).split(b" ") if b" " in data else bytes(data).split(b"\n")
    words[chance.randrange(len(words))] = chance.choice(TOKENS)
    return (b" " if b" " in data else b"\n").join(words)


def _swap_lines(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    lines = bytes(data).split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def _recode(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    text = bytes(data).decode("latin-1")
    return text.encode(chance.choice(("utf-16", "utf-8-sig", "utf-32", "utf-8")))


def _compress(data: bytearray, chance: Random, _: Sequence[bytes]) -> bytes:
    packed = chance.choice((gzip.compress, bz2.compress, lzma.compress))(bytes(data))
    return packed[: chance.choice((len(packed), len(packed) // 2, len(packed) - 1))]


def _join(data: bytearray, chance: Random, others: Sequence[bytes]) -> bytes:
    other = chance.choice(others)
    return bytes(data[: chance.randrange(len(data) + 1)]) + other[chance.randrange(len(other) + 1) :]


_WAYS: tuple[Callable[[bytearray, Random, Sequence[bytes]], bytes], ...] = (
    _flip, _change, _cut_off, _cut_out, _repeat, _insert, _insert, _replace_word, _replace_word, _swap_lines, _recode,
    _compress, _join,
)  # fmt: skip


def damaged(seeds: Sequence[bytes], chance: Random) -> bytes:
    """One of the seeds after one to three damages; the same for the same state of `chance`."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 3)):
        data = chance.choice(_WAYS)(bytearray(data), chance, seeds) if data else chance.choice(TOKENS)
    return data
