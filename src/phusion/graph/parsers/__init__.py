"""Parsers of delimited text, which give the same columns: pyarrow's, and a plain one that needs only numpy."""

from __future__ import annotations

from collections.abc import Mapping

from phusion.graph.arrow import has_pyarrow
from phusion.graph.parsers.base import Kind, Parser, Unparsable

__all__ = ["fastest", "why_not"]


def fastest() -> Parser:
    """The parser to use: pyarrow's, if it is installed."""
    if has_pyarrow():
        from phusion.graph.parsers import arrow

        return arrow
    from phusion.graph.parsers import plain

    return plain


def why_not(data: bytes, delimiter: str, n_columns: int, kinds: Mapping[int, Kind]) -> str:
    """Why this cannot be parsed, in the same words whichever parser found it; slow."""
    from phusion.graph.parsers import plain

    try:
        plain.parse(data, delimiter, n_columns, kinds)
    except Unparsable as reason:
        return str(reason)
    return "it cannot be cut into columns; a line may be too long"
