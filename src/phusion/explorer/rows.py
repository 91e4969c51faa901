"""What a page keeps of an embedding: the rows of the nodes it shows, and how near they are to exact ones."""

from __future__ import annotations

from dataclasses import dataclass

from phusion.graph.ids import Array
from phusion.linalg.fidelity import Fidelity
from phusion.results.certificate import Certificate
from phusion.results.embedding import Embedding
from phusion.spec import Spec

__all__ = ["Rows"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of the shown nodes, in their order.

    Attributes
    ----------
    values : one row for each shown node.
    spec : the method, with what it found by itself; None where nobody tells.
    certificate : how far characteristic functions are from exact ones; None where nothing was measured.
    fidelity : how near singular vectors are to exact ones, at each scale; empty where they are exact.
    """

    values: Array
    spec: Spec | None
    certificate: Certificate | None = None
    fidelity: tuple[Fidelity, ...] = ()

    @classmethod
    def of(cls, embedding: Embedding, places: Array) -> Rows:
        """Those at these places."""
        return cls(embedding.values[places], embedding.spec, embedding.certificate, embedding.fidelity)

    @property
    def dim(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])
