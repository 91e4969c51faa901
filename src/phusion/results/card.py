"""An embedding in a notebook: its shape, first rows, method, origin, and what to be careful about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from phusion import notebook
from phusion.results.certificate import Certificate

if TYPE_CHECKING:
    from phusion.results.embedding import Embedding

__all__ = ["embedding_card"]

_ROWS, _COLUMNS = 5, 4
_LONGEST = 18  # letters of a column's name; its end tells it from the others


def embedding_card(embedding: Embedding) -> str:
    """A few rows and columns; the spec and provenance in words."""
    values = embedding.values[:_ROWS, :_COLUMNS]
    more = embedding.dim > _COLUMNS
    head = [embedding.kind.removesuffix("s"), *map(_ending, embedding.features[:_COLUMNS]), *(["…"] if more else [])]
    rows = [
        [node, *(f"{value:.4g}" for value in row), *(["…"] if more else [])]
        for node, row in zip(embedding.nodes[:_ROWS].tolist(), values.tolist(), strict=True)
    ]
    left = len(embedding) - len(rows)
    parts = [notebook.grid(head, rows)] if len(rows) else []
    parts += [notebook.part(f"… and {left:,} more rows", faint=True)] if left else []
    cautions = embedding.provenance.get("warnings") or ()
    return notebook.card(
        repr(embedding),
        *parts,
        notebook.facts([*_method(embedding), *_origin(embedding.provenance)]),
        notebook.part("Mind:") if cautions else "",
        notebook.notes(list(cautions)),
    )


def _ending(name: str) -> str:
    return name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}"


def _method(embedding: Embedding) -> list[tuple[str, Any]]:
    spec = embedding.spec
    if spec is None:
        return [("method", "not kept in the file it was loaded from")]
    named = (
        ("Ψ", spec.proximity),
        ("σ", spec.nonlinearity),
        ("ζ", spec.embedding),
        ("π", spec.propagate),
        ("ρ", spec.pooling),
    )
    rows: list[tuple[str, Any]] = [(sign, repr(part)) for sign, part in named if part is not None]
    rows += [("attributes", ", ".join(spec.attributes))] if spec.attributes else []
    rows += [("normalize", spec.normalize)] if spec.normalize else []
    rows += [("fidelity", str(one)) for one in embedding.fidelity]
    return rows


def _origin(provenance: Any) -> list[tuple[str, Any]]:
    graph = provenance.get("graph", {})
    rows: list[tuple[str, Any]] = []
    if graph:
        sizes = f"{graph.get('nodes', 0):,} nodes, {graph.get('edges', 0):,} edges"
        several = f"{graph['graphs']:,} graphs, " if graph.get("graphs", 1) > 1 else ""
        name = f"{graph['name']}: " if graph.get("name") else ""
        rows.append(("graph", f"{name}{several}{sizes}"))
    made = [f"{key} {provenance[key]}" for key in ("phusion", "seed", "precision") if provenance.get(key) is not None]
    if provenance.get("certificate"):
        rows.append(("accuracy", Certificate.from_dict(provenance["certificate"]).words))
    return rows + ([("made by", ", ".join(made))] if made else [])
