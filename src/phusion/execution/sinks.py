"""Where rows go as soon as they are computed, for embeddings that are never held as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from phusion.errors import InputError
from phusion.graph.ids import Array
from phusion.linalg.fidelity import Fidelity
from phusion.results.certificate import Certificate

__all__ = ["PART", "Nowhere", "Sink", "Writer"]

PART = 4 << 20
"""Bytes of rows that are written at a time, about."""


class Writer(Protocol):
    """Writes parts. Plain data, so that it can be sent to whoever computes them."""

    def write(self, part: int, start: int, nodes: Array, rows: Array) -> None:
        """Write the rows of some nodes, the first of which has the number `start`; again, if it was done before."""


class Sink(Protocol):
    """Something to write rows to."""

    def open(
        self, shared: Sequence[Any], rows: int, certificate: Certificate | None, fidelity: Sequence[Fidelity]
    ) -> Writer:
        """Who writes parts of so many rows (the last may have fewer), once it is known what ζ learned and how near."""


class Nowhere:
    """Where rows go of a plan alone: they are never computed."""

    def open(self, *_: Any) -> Any:
        """Nothing can be written."""
        raise InputError("this was planned with rows that are written in parts; use embed_to")
