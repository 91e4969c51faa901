"""What is known of an embedding before its rows, and who writes these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from phusion.graph.ids import Array
from phusion.spec import Spec

__all__ = ["Head", "Parts"]


@dataclass(frozen=True, eq=False)
class Head:
    """An embedding without its values."""

    nodes: Array
    features: tuple[str, ...]
    spec: Spec | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["nodes", "graphs"] = "nodes"


class Parts(Protocol):
    """Writes rows into a folder, some at a time. Plain data, so that it can be sent to other processes."""

    def write(self, part: int, start: int, nodes: Array, rows: Array) -> None:
        """Write the rows from number `start` on, which are those of these nodes; again, if it was done before."""
