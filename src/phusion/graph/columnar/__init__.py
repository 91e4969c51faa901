"""Columns of delimited text, read, numbered and written: by pyarrow, or plainly, with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping

from phusion.graph.arrow import has_pyarrow
from phusion.graph.columnar.base import Kind, Library, Unparsable

__all__ = ["fastest", "why_not"]


def fastest() -> Library:
    """The one to use: pyarrow, if it is installed; both give the same."""
    if has_pyarrow():
        from phusion.graph.columnar import arrow

        return arrow
    from phusion.graph.columnar import plain

    return plain


def why_not(data: bytes, delimiter: str, n_columns: int, kinds: Mapping[int, Kind]) -> str:
    """Why this cannot be parsed, in the same words whoever found it; slow."""
    from phusion.graph.columnar import plain

    try:
        plain.parse(data, delimiter, n_columns, kinds)
    except Unparsable as reason:
        return str(reason)
    return "it cannot be cut into columns; a line may be too long"
