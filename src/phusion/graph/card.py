"""A graph in a notebook: what it is, from counts that are at hand; nothing is computed that takes long."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from phusion import notebook

if TYPE_CHECKING:
    from phusion.graph.graph import Graph
    from phusion.graph.labels import Labels

__all__ = ["graph_card"]

_FIRST = 6  # ids, classes, attributes that are named


def graph_card(graph: Graph) -> str:
    """Counts, ids, labels, attributes, and what the door combined, guessed or ignored."""
    words = repr(graph)[len("Graph(") : -1].removeprefix(f"{graph.name!r}: " if graph.name else "")
    rows: list[tuple[str, Any]] = [("what", words)]
    if len(graph):
        rows.append(("ids", _some(graph.nodes[:_FIRST].tolist(), len(graph))))
    if graph.labels is not None:
        rows.append(("labels", _labels(graph.labels)))
    for what, given in (("attributes", graph.attributes), ("edge attributes", graph.edge_attributes)):
        if given:
            names = [f"{name} ({_kind(values)})" for name, values in list(given.items())[:_FIRST]]
            rows.append((what, _some(names, len(given), str)))
    if graph.reading is not None and graph.reading.source:
        rows.append(("from", _without_folders(graph.reading.source)))
    said = graph.reading.notes if graph.reading is not None else ()
    return notebook.card(f"Graph {graph.name}".strip(), notebook.facts(rows), notebook.notes(said))


def _some(values: Iterable[Any], total: int, words: Any = repr) -> str:
    listed = [text if len(text) <= 40 else f"{text[:39]}…" for text in map(words, values)]
    return ", ".join(listed) + (f", … ({total:,} in all)" if total > len(listed) else "")


def _labels(labels: Labels) -> str:
    counts = [f"{name}: {number:,}" for name, number in list(labels.counts.items())[:_FIRST]]
    missing = len(labels) - labels.n_labelled
    return _some(counts, len(labels.classes), str) + (f"; none: {missing:,}" if missing else "")


def _without_folders(source: str) -> str:
    """Where a file lies on this machine is not for everyone who is shown the notebook."""
    return re.sub(r"\S*[/\\]", "", source)


def _kind(values: Any) -> str:
    return f"{values.dtype}" if values.ndim == 1 else f"{values.dtype}, {values.shape[1]} columns"
