"""`Picture`: a figure of matplotlib that notebooks show by itself."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from matplotlib import figure

from phusion.drawing.canvas import styled

__all__ = ["Picture"]

_Figure: Any = figure.Figure  # with or without matplotlib's types, the same to a type checker


class Picture(_Figure):  # type: ignore[misc]
    """Belongs to no window, so that drawing many of them leaves nothing open."""

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        with styled():
            self.savefig(stream, format="png", dpi=130)
        return stream.getvalue()
