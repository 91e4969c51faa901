"""What the page carries: numbers as bytes, words as JSON."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from phusion.graph.ids import Array

__all__ = ["Pack", "json_of", "quantised"]

_LETTERS = {"uint8": "u8", "uint16": "u16", "uint32": "u32", "float32": "f32"}


class Pack:
    """Arrays one after the other, each found again by its type, place and length."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def whole(self, values: Any) -> dict[str, Any]:
        """Whole numbers ≥ 0, in as few bytes as the largest needs."""
        values = np.asarray(values)
        largest = int(values.max(initial=0))
        kind = "uint8" if largest < 2**8 else "uint16" if largest < 2**16 else "uint32"
        return self._added(values.astype(kind), _LETTERS[kind])

    def numbers(self, values: Any) -> dict[str, Any]:
        """Numbers with seven digits."""
        with np.errstate(over="ignore"):
            return self._added(np.asarray(values).astype("float32"), "f32")

    def rough(self, values: Any) -> dict[str, Any]:
        """Numbers with two or three digits: the upper half of a float's bytes, rounded, with a float's range."""
        with np.errstate(over="ignore"):
            bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
        return self._added(((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16), "b16")

    def base64(self) -> str:
        """All bytes, as text."""
        return base64.b64encode(b"".join(self._parts)).decode("ascii")

    def _added(self, values: Array, kind: str) -> dict[str, Any]:
        found = {"type": kind, "at": self._size, "length": int(values.size)}
        data = values.astype(values.dtype.newbyteorder("<")).tobytes()
        data += bytes(-len(data) % 4)  # so that every array may begin where floats may
        self._parts.append(data)
        self._size += len(data)
        return found


def quantised(points: Array) -> Array:
    """Points of the plane in a square of 65,536 × 65,536 places; both axes on one scale, the whole centred."""
    low, high = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
    span = float((high - low).max()) if len(points) else 0.0
    if not span > 0:
        return np.full(points.shape, 32768, dtype=np.uint16)
    unit = (points - (low + high) / 2) / span + 0.5
    places: Array = np.round(unit * 65535).clip(0, 65535).astype(np.uint16)
    return places


def json_of(value: Any) -> str:
    """JSON that may stand inside a script element: no sign there can end it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
